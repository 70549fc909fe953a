"""Rollouts in parts, for other machines: what a shard is before one goes there, and what it is after it comes back.

So the shards of the learner stay what they are on one machine: a checkpoint holds them, a node that is lost costs no more
than the rollouts that it was playing, and any number of nodes plays the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import numpy as safetensors

from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Exported
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.shard import Shard, shard_of
from dominion_training.play import roster

_STATE, _COUNTED = "state/", "counted/"


@dataclass(frozen=True)
class Rollouts:
    """The rollouts of a learner: a `Work`.

    Attributes:
        run: settings of the run.
        layout: inputs and actions of the network.
        opponents: names in the roster of the opponents, in the learner's order.
        teacher: that of the teacher, if one decides.
    """

    run: Settings
    layout: Layout
    opponents: tuple[str, ...]
    teacher: str | None = None

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.opponents if self.teacher is None else (*self.opponents, self.teacher)

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return self.run.as_dict()

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return ("rollouts",)


@dataclass(frozen=True, eq=False)
class RolloutPart:
    """One rollout of one shard: a `Part`.

    Attributes:
        work: the run, and who plays in it.
        start: number of the shard.
        network: the network that decides.
        weights: how often which opponents are met, as `Shard.weights` has it.
        state: what the shard is before, as `Shard.snapshot` returns it.
    """

    work: Rollouts
    start: int
    network: Exported
    weights: NDArray[np.float64]
    state: Mapping[str, NDArray[Any]]

    @property
    def stop(self) -> int:
        """See `Part`."""
        return self.start + 1

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return kept.dtype == np.uint8 and kept.ndim == 1

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[np.uint8]:
        """See `Part`; returns what the shard is after, as bytes for `take_result`. It is too short to be stopped."""
        work = self.work
        teacher = None if work.teacher is None else roster.HERE.agent(work.teacher)
        shard = shard_of(work.run, work.layout, self.start, [roster.HERE.agent(name) for name in work.opponents])
        shard.restore(self.state)
        shard.weights = self.weights
        shard.play(self.network, teacher)
        found = {_STATE + name: array for name, array in shard.snapshot().items()}
        found |= {_COUNTED + name: array for name, array in shard.counted().items()}
        return np.frombuffer(
            safetensors.save({name: np.ascontiguousarray(each) for name, each in found.items()}), np.uint8
        )


def take_result(shard: Shard, found: NDArray[np.uint8]) -> None:
    """Let a shard be what it has become in a rollout that was played elsewhere."""
    arrays = safetensors.load(found.tobytes())
    shard.restore(_of(arrays, _STATE))
    shard.count(_of(arrays, _COUNTED))


def _of(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names have this prefix, by their names without it."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
