"""A clone learns from labels in Parquet, and from a teacher that tells probabilities."""

import numpy as np
import polars as pl
import pytest
import torch

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import layout
from dominion_env import GameBatch, InvalidOption
from dominion_env.core.fields import OBSERVATION_VERSION
from dominion_training.learner.labels import Labels
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.networks import Plain
from dominion_training.learner.settings import preset

pytestmark = pytest.mark.compiled

LAYOUT = layout("kingdom", 2)


@pytest.fixture(scope="module")
def decisions():
    """Return observations and masks of some hundred decisions in which Copper can be bought or left."""
    batch = GameBatch(64, seed=4, auto_treasures=True)
    observations, masks = [], []
    for _ in range(20):
        batch.step(batch.sample_actions())
        observations.append(batch.observe().copy())
        masks.append(batch.action_mask.copy())
    masks = np.concatenate(masks)
    rows = masks[:, 0] & masks[:, 3]  # pass, buy Copper
    return np.concatenate(observations)[rows], masks[rows]


def table(decisions, best=0, **replaced):
    """Return labels that find one of the two actions, pass and buy Copper, better by a tenth."""
    observations, masks = decisions
    rows = len(observations)
    columns = {
        "observation": observations.tolist(),
        "observation_version": [OBSERVATION_VERSION] * rows,
        "players": [2] * rows,
        "mask": masks.tolist(),
        "actions": [[0, 3]] * rows,
        "values": [[0.6, 0.5] if best == 0 else [0.5, 0.6]] * rows,
        "errors": [[0.01, 0.01]] * rows,
        "games": [[100, 100]] * rows,
    }
    return pl.DataFrame(columns | replaced)


def test_a_clone_of_labels_does_what_they_find_better(decisions, tmp_path):
    table(decisions, best=3).write_parquet(tmp_path / "labels.parquet")
    settings = preset("smoke").but(
        teacher=str(tmp_path / "labels.parquet"), teacher_samples=60_000, samples=60_000, teacher_learning_rate=3e-3
    )
    learner = SelfPlayPPO(settings).learn()
    observations, masks = decisions
    probabilities, value = learner.agent().evaluate(observations, masks)
    assert (probabilities[:, 3] > 0.8).mean() > 0.95
    assert abs(value.mean() - 0.6) < 0.05


def test_probabilities_grow_with_the_value_and_shrink_with_the_error(decisions, tmp_path):
    for name, errors in (("sure", 0.001), ("unsure", 0.5)):
        rows = len(decisions[0])
        table(decisions, errors=[[errors, errors]] * rows).write_parquet(tmp_path / f"{name}.parquet")
    sure, unsure = (Labels(tmp_path / f"{name}.parquet", LAYOUT) for name in ("sure", "unsure"))
    assert sure.targets[:, 0].min() > 0.99  # a tenth is five times the temperature
    assert 0.5 < unsure.targets[:, 0].max() < 0.6
    assert np.allclose(sure.targets.sum(axis=1), 1)
    batch = sure.batch(len(sure) - 1, 3)  # goes on with the first label behind the last
    assert torch.equal(batch.inputs[1], torch.from_numpy(sure.inputs[0]))
    assert batch.leads.isnan().all()


def test_the_error_of_the_difference_takes_the_place_of_the_others(decisions, tmp_path):
    rows = len(decisions[0])
    given = {"errors": [[0.5, 0.5]] * rows, "errors_to_best": [[0.0, 0.01]] * rows}
    table(decisions, **given).write_parquet(tmp_path / "labels.parquet")
    assert Labels(tmp_path / "labels.parquet", LAYOUT).targets[:, 0].min() > 0.99  # in common worlds the tenth is sure


def test_what_is_measured_is_weighed_against_what_is_usual(decisions, tmp_path):
    rows = len(decisions[0])
    found = {}
    for name, error, usual in (("sure", 0.01, 3), ("unsure", 0.2, 3), ("usual", 0.2, 0)):
        given = {"errors_to_best": [[0.0, error]] * rows, "usual": [usual] * rows}
        table(decisions, **given).write_parquet(tmp_path / f"{name}.parquet")
        found[name] = Labels(tmp_path / f"{name}.parquet", LAYOUT).targets[:, 0]
    assert found["sure"].min() > 0.95  # a tenth better than the usual action
    assert found["unsure"].max() < 0.4
    assert found["usual"].min() > 0.6
    # 0.1 weighed with 0.03**2, -0.03 with 0.2**2, and a temperature of 0.02
    better = (0.1 * 0.03**2 - 0.03 * 0.2**2) / (0.03**2 + 0.2**2)
    assert np.allclose(found["unsure"], 1 / (1 + np.exp(-better / 0.02)), atol=1e-3)


@pytest.mark.parametrize(
    "damage",
    [
        {"observation_version": 1},
        {"players": 3},
        {"actions": [0]},
        {"actions": [0, 4]},
        {"values": [0.5, float("nan")]},
        {"mask": [True]},
        {"errors_to_best": [0.1]},
        {"usual": 5},
    ],
)
def test_other_labels_are_refused_in_words(damage, decisions, tmp_path):
    rows = len(decisions[0])
    wrong = {name: [value] * rows for name, value in damage.items()}
    table(decisions, **wrong).write_parquet(tmp_path / "labels.parquet")
    with pytest.raises(InvalidOption, match=r"labels.parquet: .*expected"):
        Labels(tmp_path / "labels.parquet", LAYOUT)


def test_a_file_that_holds_no_labels_is_refused(tmp_path):
    (tmp_path / "labels.parquet").write_bytes(b"nothing")
    for file in ("labels.parquet", "missing.parquet"):
        with pytest.raises(InvalidOption, match="expected labels with the columns observation"):
            Labels(tmp_path / file, LAYOUT)


def test_a_teacher_that_tells_probabilities_is_cloned_with_them(tmp_path):
    torch.manual_seed(1)
    teacher = Plain(LAYOUT, (32,))
    with torch.no_grad():
        teacher.policy.weight.mul_(40)  # decided, but far from sure
    settings = preset("smoke")
    kingdom = SelfPlayPPO(settings).model().kingdom
    (tmp_path / "teacher.safetensors").write_bytes(teacher.model(kingdom).to_bytes())
    learner = SelfPlayPPO(
        settings.but(
            teacher=str(tmp_path / "teacher.safetensors"), teacher_samples=120_000, samples=120_000, units=[64],
            teacher_learning_rate=3e-3,
        )
    ).learn()  # fmt: skip
    batch = GameBatch(256, seed=9, auto_treasures=True)
    for _ in range(10):
        batch.step(batch.sample_actions())
    wanted, found = (
        agent.evaluate(batch.observe(), batch.action_mask)[0]
        for agent in (TrainedAgent(teacher.model(kingdom)), learner.agent())
    )
    several = batch.action_mask.sum(axis=1) > 2
    entropy = -(wanted * np.log(np.maximum(wanted, 1e-9))).sum(axis=1)[several].mean()
    distance = np.abs(wanted - found).sum(axis=1)[several].mean() / 2
    uniform = batch.action_mask / batch.action_mask.sum(axis=1, keepdims=True)
    assert entropy > 0.3
    assert distance < 0.5 * np.abs(wanted - uniform).sum(axis=1)[several].mean() / 2
