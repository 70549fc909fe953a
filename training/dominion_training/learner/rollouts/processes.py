"""Processes of this machine in which the shards of a learner play: a `Stage`.

Threads of one process wait for each other, as only one at a time runs Python between two calls of compiled code. Processes
don't. Samples lie in memory that they share with the learner, and each process keeps its games from one rollout to the
next. So only the network travels there, and hardly more than the results of games back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ALL_COMPLETED
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, NamedTuple

import cloudpickle
import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Exported
from dominion_env.common.errors import DominionError, InvalidAgent
from dominion_env.players.agent import Agent
from dominion_training.common.children import CONTEXT, Children, compute_alone, is_stopping, wait_for
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.shard import Shard, shard_of


class _Orders(NamedTuple):
    """What a shard must know before it plays a rollout in another process.

    Attributes:
        weights: how often which opponents are met, as `Shard.weights` has it.
        size: number of samples that are kept from the rollout before.
        has_targets: whether these have a teacher's probabilities.
        games: the games, as `Shard.snapshot_of_games` returns them; None if they are there already.
    """

    weights: NDArray[np.float64]
    size: int
    has_targets: bool
    games: Mapping[str, NDArray[Any]] | None


class _Report(NamedTuple):
    """What a shard reports after a rollout.

    Attributes:
        size: number of its samples.
        has_targets: whether these have a teacher's probabilities.
        counted: as `Shard.counted` returns it.
    """

    size: int
    has_targets: bool
    counted: Mapping[str, NDArray[Any]]


class Processes:
    """Processes that play, each the same shards in all rollouts: a `Stage`.

    Args:
        number: number of processes, up to the number of shards. A script that uses them starts under
            `if __name__ == "__main__":`.
        settings: settings of the run.
        layout: inputs and actions of the network.
    """

    def __init__(self, number: int, settings: Settings, layout: Layout) -> None:
        self._settings, self._layout = settings, layout
        # numbers of the shards of each process
        self._shards_of = [range(first, settings.shards, number) for first in range(number)]
        self._children: Children | None = None  # a lane of one process for each; none before the first rollout
        self._shards: Sequence[Shard] = ()
        self._opponents_sent = 0
        self._is_home = True  # whether the games of the shards here are as they are where they are played

    def play(self, shards: Sequence[Shard], network: Exported, teacher: Agent | None) -> None:
        """See `Stage`.

        Raises:
            InvalidAgent: an opponent or the teacher can't be pickled.
            DominionError: a process has died.
        """
        if self._children is None:
            self._start(shards, teacher)
        joined = packed(shards[0].opponents[self._opponents_sent :])
        self._opponents_sent = len(shards[0].opponents)
        parts = [{number: self._part(shards[number]) for number in own} for own in self._shards_of]
        self._is_home = False
        with self._whole_or_broken_off():
            for told in self._answers(_play, [(each, network, teacher is not None, joined) for each in parts]):
                for number, each in told.items():
                    _set_samples(shards[number], each.size, each.has_targets)
                    shards[number].count(each.counted)

    def bring_home(self) -> None:
        """See `Stage`.

        Raises:
            DominionError: a process has died.
        """
        if self._is_home:
            return
        with self._whole_or_broken_off():
            for games in self._answers(_games, [() for _ in self._shards_of]):
                for number, each in games.items():
                    self._shards[number].restore_games(each)
        self._is_home = True

    def stop(self) -> None:
        """See `Stage`."""
        self.bring_home()
        self._end()

    def _start(self, shards: Sequence[Shard], teacher: Agent | None) -> None:
        """Start the processes, and let samples lie where these reach them."""
        opponents, teachers = packed(shards[0].opponents), packed([] if teacher is None else [teacher])
        sizes = [shard.samples.bytes_needed(teacher is not None) for shard in shards]
        ends = np.cumsum(sizes).tolist()
        memory = CONTEXT.RawArray("B", ends[-1])
        places = [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
        for shard, place in zip(shards, places, strict=True):
            shard.samples.move_into(np.frombuffer(memory, np.uint8)[place], teacher is not None)
        self._shards, self._opponents_sent = shards, len(shards[0].opponents)
        given = self._settings, self._layout, opponents, teachers
        self._children = Children(
            _start, [(memory, {number: places[number] for number in own}, *given) for own in self._shards_of]
        )

    def _part(self, shard: Shard) -> _Orders:
        games = shard.snapshot_of_games() if self._is_home else None
        return _Orders(shard.weights, shard.samples.size, shard.samples.targets is not None, games)

    def _answers(self, task: Callable[..., Any], given: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let each process do this task with what is given to it, and return what they answer."""
        assert self._children is not None
        asked = [self._children.do(task, *each, lane=lane) for lane, each in enumerate(given)]
        wait_for(asked, ALL_COMPLETED)
        return [each.result() for each in asked]

    @contextmanager
    def _whole_or_broken_off(self) -> Iterator[None]:
        """Let games go on from where they were last at home if the block fails, and forget the samples that are open.

        Those belong to later moments of the games.

        Raises:
            DominionError: a process has died.
        """
        try:
            yield
        except BaseException as error:  # Ctrl-C too
            for shard in self._shards:
                shard.last.fill(-1)
            self._is_home = True
            self._end()
            if isinstance(error, BrokenProcessPool):
                raise DominionError(
                    "a process that plays games could not start or has died: its own error is above, or it was killed, as where "
                    "memory runs out; --resume goes on from the last checkpoint, with --workers 1 in this process"
                ) from error
            raise

    def _end(self) -> None:
        """Let the processes end, which break off what they play."""
        children, self._children = self._children, None
        if children is not None:
            children.stop()


def _set_samples(shard: Shard, size: int, has_targets: bool) -> None:
    shard.samples.size = size
    if has_targets:
        shard.samples.make_targets()
    else:
        shard.samples.targets = None


def packed(agents: Sequence[Agent]) -> list[bytes]:
    """Return agents as bytes that another process can unpack; those of a script travel with their code.

    Raises:
        InvalidAgent: one can't be pickled.
    """
    found = []
    for agent in agents:
        try:
            found.append(cloudpickle.dumps(agent))
        except Exception as error:  # whatever pickling the code of others raises
            raise InvalidAgent(
                f"workers: expected agents that can be pickled, as they play in other processes, got {type(agent).__name__} "
                f"({type(error).__name__}: {error}); with 1 they play in this one"
            ) from error
    return found


# --- in the processes ----------------------------------------------------------------------------------------------------

_here: dict[int, Shard] = {}
_teachers: list[Agent] = []


def _start(
    memory: Any, places: dict[int, slice], settings: Settings, layout: Layout,
    opponents: list[bytes], teachers: list[bytes],
) -> None:  # fmt: skip
    """Make the shards of this process, whose samples lie in these places of the memory."""
    _teachers[:] = _unpacked(teachers)
    agents = _unpacked(opponents)
    for number, place in places.items():
        _here[number] = shard_of(settings, layout, number, agents)
        _here[number].samples.move_into(np.frombuffer(memory, np.uint8)[place], bool(_teachers))


def _unpacked(agents: list[bytes]) -> list[Agent]:
    found = [cloudpickle.loads(each) for each in agents]
    compute_alone()  # an agent may have brought torch
    return found


def _play(parts: dict[int, _Orders], network: Exported, is_taught: bool, joined: list[bytes]) -> dict[int, _Report]:
    """Play a rollout of each shard that is here."""
    agents = _unpacked(joined)
    told = {}
    for number, part in parts.items():
        shard = _here[number]
        for agent in agents:
            shard.add(agent)
        if part.games is not None:
            shard.restore_games(part.games)
        _set_samples(shard, part.size, part.has_targets)
        shard.weights = part.weights
        shard.play(network, _teachers[0] if is_taught else None, is_stopping)
        told[number] = _Report(shard.samples.size, shard.samples.targets is not None, shard.counted())
        shard.forget_counted()
    return told


def _games() -> dict[int, dict[str, NDArray[Any]]]:
    """Return the games of each shard that is here."""
    return {number: shard.snapshot_of_games() for number, shard in _here.items()}
