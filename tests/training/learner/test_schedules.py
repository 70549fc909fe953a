"""What changes over a run: in a straight line from its first value to its last, from the end of the cloning on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_training.learner import learner as learners
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.settings import preset

SETTINGS = preset("smoke").but(
    samples=10_000, teacher_samples=2_000, rollout=1_000, games=16, units=(16,), snapshot_every=100_000,
    opponents=("big-money=1",), learning_rate=1e-3, last_learning_rate=1e-4, entropy=0.02, last_entropy=0.0,
    lead_weight=0.6, last_lead_weight=0.2, minibatch=100, last_minibatch=500,
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

    def weighed(samples: Any, decay: float, lead_weight: float, spread: Any) -> Any:
        found["lead"].append(lead_weight)
        return batches(samples, decay, lead_weight, spread)

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
    assert set(found["rate"][:CLONING]) == {SETTINGS.teacher_learning_rate}
    np.testing.assert_allclose(found["entropy"], 0.02 * left)
    np.testing.assert_allclose(found["lead"], 0.2 + 0.4 * left)
    np.testing.assert_allclose(found["minibatch"], 500 - 400 * left, atol=0.51)
    assert all(isinstance(each, int) for each in found["minibatch"])


@pytest.mark.compiled
def test_without_a_last_size_minibatches_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(told(SETTINGS.but(last_minibatch=None), monkeypatch)["minibatch"]) == {100}
