"""Where the shards of a learner play their rollouts: on threads of this process, or elsewhere.

`processes.py` has a third place, other processes of this machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Protocol

from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Exported
from dominion_env.common.errors import DominionError
from dominion_env.players.agent import Agent
from dominion_training.executors.executor import KEPT, Executor
from dominion_training.executors.runner import Rounds
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.rollout import RolloutPart, Rollouts, take_result
from dominion_training.learner.rollouts.shard import Shard
from dominion_training.play import roster

_LEARNERS = count()


class Stage(Protocol):
    """A place where shards play."""

    def play(self, shards: Sequence[Shard], network: Exported, teacher: Agent | None) -> None:
        """Let each shard play a rollout, as `Shard.play` says.

        Raises:
            DominionError: nothing can be played any more.
        """
        ...

    def bring_home(self) -> None:
        """Bring the games of the shards into this process, as they are now."""
        ...

    def stop(self) -> None:
        """Bring the games home, and let go of what was started; the next rollout starts it again."""
        ...


class Threads:
    """Threads of this process: a `Stage`.

    Args:
        workers: the threads.
    """

    def __init__(self, workers: ThreadPoolExecutor) -> None:
        self._workers = workers

    def play(self, shards: Sequence[Shard], network: Exported, teacher: Agent | None) -> None:
        """See `Stage`."""
        list(self._workers.map(lambda shard: shard.play(network, teacher), shards))

    def bring_home(self) -> None:
        """See `Stage`; they are in this process."""

    def stop(self) -> None:
        """See `Stage`; the threads stay, as they cost nothing."""


class OnExecutor:
    """What an executor reaches: a `Stage`. Shards play there as they play here.

    Args:
        executor: what plays the rollouts, a part for each shard.
        settings: settings of the run.
        layout: inputs and actions of the network.
    """

    def __init__(self, executor: Executor, settings: Settings, layout: Layout) -> None:
        self._executor, self._settings, self._layout = executor, settings, layout
        self._rounds: Rounds | None = None
        self._names: list[str] = []
        self._learner = next(_LEARNERS)

    def play(self, shards: Sequence[Shard], network: Exported, teacher: Agent | None) -> None:
        """See `Stage`.

        Raises:
            InvalidAgent: an opponent can't travel.
        """
        work = self._work(shards[0].opponents, teacher)
        for shard in shards:
            shard.samples.keep_open(shard.last)  # as the rollout would do first: what is learned from need not travel
        parts = [
            RolloutPart(work, number, network, shard.weights, shard.snapshot()) for number, shard in enumerate(shards)
        ]
        try:
            if self._rounds is None:
                self._rounds = Rounds(self._executor, parts)
            played = self._rounds.play(parts)
        except DominionError as error:
            if KEPT not in str(error):
                raise
            raise DominionError(str(error).replace(KEPT, "--resume goes on from the last checkpoint")) from error
        for shard, found in zip(shards, played, strict=True):
            take_result(shard, found)

    def bring_home(self) -> None:
        """See `Stage`; each rollout has brought them."""

    def stop(self) -> None:
        """See `Stage`."""
        if self._rounds is not None:
            self._rounds.stop()
            self._rounds = None

    def _work(self, opponents: Sequence[Agent], teacher: Agent | None) -> Rollouts:
        """Return who plays, by names in the roster; opponents join while the network learns."""
        for agent in opponents[len(self._names) :]:
            self._names.append(f"opponent {len(self._names)} of learner {self._learner}")
            roster.HERE.take_in(self._names[-1], agent, None)
        if teacher is None:
            return Rollouts(self._settings, self._layout, tuple(self._names))
        name = f"teacher of learner {self._learner}"
        roster.HERE.take_in(name, teacher, None)
        return Rollouts(self._settings, self._layout, tuple(self._names), name)
