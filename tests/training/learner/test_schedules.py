"""What changes over a run: in a straight line from its first value to its last, from the end of the cloning on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_training.learner.options.presets import preset
from dominion_training.learner.options.settings import Range
from dominion_training.learner.self_play import learner as learners
from dominion_training.learner.self_play.learner import SelfPlayPPO

SETTINGS = preset("smoke").but(
    samples=10_000, teacher_samples=2_000, num_envs=16, n_steps=63, net_arch=(16,), snapshot_every=100_000,
    opponents=("big-money=1",), learning_rate="1e-3:1e-4", ent_coef=[0.02, 0.0], lead_weight="0.6:0.2",
    batch_size=Range(100, 500),
)  # fmt: skip
CLONING = 2  # rollouts, at least


def told(settings: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[float]]:
    """Return what the updates of a run were told, and the share of the run that was left, for each of its rollouts."""
    learner, found = SelfPlayPPO(settings), {name: [] for name in ("left", "rate", "entropy", "lead", "minibatch")}
    run, batches = learner.updater.run, learners.batches

    def noted(data: Any, loss: Any, weights: Any, epochs: int, minibatch: int, rng: Any, learning_rate: float) -> Any:
        found["left"].append(learner.progress_remaining)
        found["rate"].append(learning_rate)
        found["entropy"].append(weights.entropy)
        found["minibatch"].append(minibatch)
        return run(data, loss, weights, epochs, minibatch, rng, learning_rate)

    def weighed(samples: Any, gae_lambda: float, lead_weight: float, spread: Any) -> Any:
        found["lead"].append(lead_weight)
        return batches(samples, gae_lambda, lead_weight, spread)

    monkeypatch.setattr(learner.updater, "run", noted)
    monkeypatch.setattr(learners, "batches", weighed)
    learner.learn()
    return found


@pytest.mark.compiled
def test_rate_entropy_lead_and_minibatch_change_in_straight_lines_after_the_cloning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = told(SETTINGS, monkeypatch)
    left = np.array(found["left"])
    assert len(left) >= 8
    assert (left[: CLONING + 1] == 1).all()
    assert (np.diff(left[CLONING:]) < 0).all()
    assert left[-1] < 0.2
    np.testing.assert_allclose(found["rate"][CLONING:], 1e-4 + 9e-4 * left[CLONING:])
    assert set(found["rate"][:CLONING]) == {learners.TEACHER_RATE}
    np.testing.assert_allclose(found["entropy"], 0.02 * left)
    np.testing.assert_allclose(found["lead"], 0.2 + 0.4 * left)
    np.testing.assert_allclose(found["minibatch"], 500 - 400 * left, atol=0.51)
    assert all(isinstance(each, int) for each in found["minibatch"])


@pytest.mark.compiled
def test_one_number_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(told(SETTINGS.but(batch_size=100), monkeypatch)["minibatch"]) == {100}
