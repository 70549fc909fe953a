"""A short training that does everything, and all that a learner has become in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_training.executors.executor import Executor
from dominion_training.learner.options.presets import preset
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.samples import ENDED
from dominion_training.learner.self_play.learner import SelfPlayPPO

# It clones a teacher that tells its gains, meets itself, others, earlier versions and exploiters, and learns from some of its
# near-certain decisions.
EVERYTHING = preset("smoke").but(
    samples=9_000, teacher_samples=3_000, num_envs=16, n_steps=75, batch_size=256, snapshot_every=2_500, keep_certain=0.5,
    attacks={"every": 5_000, "games": 1}, eval_games=4, eval_freq=1_000_000, opponents=("big-money=1", "first-game=1"),
)  # fmt: skip
NO_ATTACKS = {"every": 0}


def learned(
    settings: Settings = EVERYTHING, executor: Executor | None = None, workers: int = 1
) -> dict[str, NDArray[Any]]:
    """Return all that a learner has become."""
    learner = SelfPlayPPO(settings, executor, workers).learn()
    assert any(name.startswith("snapshot") for name in learner.names), "an earlier version has joined"
    found = {name: value.numpy() for name, value in learner.network.state_dict().items()}
    for number, shard in enumerate(learner.shards):
        kept = {name: array.copy() for name, array in shard.snapshot().items()}
        for name in ("samples/final_shares", "samples/final_leads"):
            kept[name][kept["samples/following"] != ENDED] = 0  # they mean nothing before the game has ended
        found |= {f"{number}/{name}": array for name, array in kept.items()}
        found |= {f"{number}/lengths": np.array([*shard.lengths, shard.truncated])}
        assert shard.seconds.sum() > 0
    return found | {"record": learner.record, "names": np.array(learner.names)}


def same(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    """Return whether two learners have become the same, bit by bit."""
    return one.keys() == other.keys() and all(np.array_equal(array, other[name]) for name, array in one.items())
