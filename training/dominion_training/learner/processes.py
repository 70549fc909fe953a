"""Processes of this machine in which the shards of a learner play: a `Stage`.

Threads of one process wait for each other, as only one at a time runs Python between two calls of compiled code. Processes
don't. Samples lie in memory that they share with the learner, and each process keeps its games from one rollout to the
next. So only the network travels there, and hardly more than the results of games back.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

import cloudpickle
import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.model import Exported
from dominion_env.agent import Agent
from dominion_env.errors import DominionError, InvalidAgent
from dominion_training.children import SECONDS_DEAF, begin_as_child, without_ctrl_c
from dominion_training.learner.settings import Settings
from dominion_training.learner.shard import Shard, shard_of


class _Part(NamedTuple):
    """What a shard must know before it plays a rollout in another process.

    Attributes:
        meeting: how often which opponents are met, as `Shard.meeting` has it.
        size: number of samples that are kept from the rollout before.
        has_targets: whether these have a teacher's probabilities.
        games: the games, as `Shard.snapshot_of_games` returns them; None if they are there already.
    """

    meeting: tuple[NDArray[np.float64], float, int, int]
    size: int
    has_targets: bool
    games: Mapping[str, NDArray[Any]] | None


class _Told(NamedTuple):
    """What a shard tells after a rollout: the size of its samples, whether they have targets, and what `Shard` counts."""

    size: int
    has_targets: bool
    met: NDArray[np.float64]
    lengths: list[int]
    truncated: int
    seconds: NDArray[np.float64]


class Processes:
    """Processes that play, each the same shards in all rollouts: a `Stage`.

    Args:
        number: number of processes, 2 or more. A script that uses them starts under `if __name__ == "__main__":`.
        settings: settings of the run.
    """

    def __init__(self, number: int, settings: Settings) -> None:
        self._settings = settings
        self._numbers = [range(first, settings.shards, number) for first in range(min(number, settings.shards))]
        self._pools: list[ProcessPoolExecutor] = []  # each of one process
        self._shards: Sequence[Shard] = ()
        self._sent = 0  # number of opponents that the processes know
        self._is_home = True  # whether the games of the shards here are as they are there
        self._is_playing = False

    def play(self, shards: Sequence[Shard], network: Exported, teacher: Agent | None) -> None:
        """See `Stage`.

        Raises:
            InvalidAgent: an opponent or the teacher can't be pickled.
            DominionError: a process has died.
        """
        if self._is_playing:  # the last rollout was broken off: games go on from where they were last at home
            for shard in shards:
                shard.last.fill(-1)  # the samples have changed since
            self.stop()
        joined = _packed(shards[0].opponents[self._sent :] if self._pools else ())
        if not self._pools:
            self._start(shards, teacher)
        self._sent = len(shards[0].opponents)
        self._is_playing = True
        played = []
        for pool, numbers in zip(self._pools, self._numbers, strict=True):
            parts = {number: self._part(shards[number]) for number in numbers}
            with without_ctrl_c():  # a process that starts here must get as far as `_start`
                played.append(pool.submit(_play, parts, network, teacher is not None, joined))
        for told in _results(played):
            for number, each in told.items():
                _take(shards[number], each)
        self._is_home = self._is_playing = False

    def bring_home(self) -> None:
        """See `Stage`."""
        if self._is_home or self._is_playing:  # a rollout that was broken off leaves nothing to go on from
            return
        for games in _results([pool.submit(_games) for pool in self._pools]):
            for number, each in games.items():
                self._shards[number].restore_games(each)
        self._is_home = True

    def stop(self) -> None:
        """See `Stage`; a rollout that is being played is broken off."""
        try:
            self.bring_home()
        finally:
            if self._pools:
                self._stopping.set()
            for pool in self._pools:
                pool.shutdown(wait=True, cancel_futures=True)
            self._pools.clear()

    def _start(self, shards: Sequence[Shard], teacher: Agent | None) -> None:
        """Start the processes, and let samples lie where these reach them."""
        context = multiprocessing.get_context("spawn")  # a fork would copy only half of numba's and torch's threads
        self._stopping, said = context.Event(), context.Event()
        opponents, taught_by = _packed(shards[0].opponents), _packed([] if teacher is None else [teacher])
        sizes = [shard.samples.bytes_needed(teacher is not None) for shard in shards]
        ends = np.cumsum(sizes).tolist()
        memory = context.RawArray("B", ends[-1])
        places = {number: slice(end - size, end) for number, (size, end) in enumerate(zip(sizes, ends, strict=True))}
        for number, shard in enumerate(shards):
            shard.samples.move_into(np.frombuffer(memory, np.uint8)[places[number]], teacher is not None)
        self._shards, self._is_home = shards, True
        for numbers in self._numbers:
            own = {number: places[number] for number in numbers}
            given = (self._stopping, said, memory, own, self._settings, opponents, taught_by)
            self._pools.append(ProcessPoolExecutor(1, context, _start, given))

    def _part(self, shard: Shard) -> _Part:
        games = shard.snapshot_of_games() if self._is_home else None
        return _Part(shard.meeting, shard.samples.size, shard.samples.targets is not None, games)


def _take(shard: Shard, told: _Told) -> None:
    """Let a shard here have what it tells from there."""
    _set_samples(shard, told.size, told.has_targets)
    shard.met += told.met
    shard.lengths += told.lengths
    shard.truncated += told.truncated
    shard.seconds += told.seconds


def _set_samples(shard: Shard, size: int, has_targets: bool) -> None:
    shard.samples.size = size
    if has_targets:
        shard.samples.make_targets()
    else:
        shard.samples.targets = None


def _results(futures: Sequence[Future[Any]]) -> list[Any]:
    """Return what the processes answer.

    Raises:
        DominionError: one of them has died.
    """
    while wait(futures, SECONDS_DEAF).not_done:
        pass  # not for ever: a package that handles SIGINT in compiled code, as polars does once imported, would delay Ctrl-C
    try:
        return [future.result() for future in futures]
    except BrokenProcessPool as error:
        raise DominionError(
            "a process that played games has died (out of memory, or killed); --resume goes on from the last checkpoint, "
            "with --processes 1 in this process"
        ) from error


def _packed(agents: Sequence[Agent]) -> bytes:
    """Return agents as bytes that another process can unpack; those of a script travel with their code.

    Raises:
        InvalidAgent: one can't be pickled.
    """
    try:
        found: bytes = cloudpickle.dumps(list(agents))
    except Exception as error:  # whatever pickling the code of others raises
        names = ", ".join(type(agent).__name__ for agent in agents)
        raise InvalidAgent(
            f"agents {names}: they can't travel to other processes, as pickling them raised {type(error).__name__}: {error}; "
            "they play with --processes 1"
        ) from error
    return found


# --- in the processes ----------------------------------------------------------------------------------------------------

_here: dict[int, Shard] = {}
_teachers: list[Agent] = []
_stopping: Any = None


def _start(
    stopping: Any,
    said: Any,
    memory: Any,
    places: dict[int, slice],
    settings: Settings,
    opponents: bytes,
    teacher: bytes,
) -> None:
    global _stopping
    _stopping = stopping
    begin_as_child(said)
    _teachers[:] = cloudpickle.loads(teacher)
    agents = cloudpickle.loads(opponents)
    for number, place in places.items():
        _here[number] = shard_of(settings, number, agents)
        _here[number].samples.move_into(np.frombuffer(memory, np.uint8)[place], bool(_teachers))


def _play(parts: dict[int, _Part], network: Exported, is_taught: bool, joined: bytes) -> dict[int, _Told]:
    """Play a rollout of each shard that is here."""
    agents = cloudpickle.loads(joined)
    told = {}
    for number, part in parts.items():
        shard = _here[number]
        for agent in agents:
            shard.add(agent)
        if part.games is not None:
            shard.restore_games(part.games)
        _set_samples(shard, part.size, part.has_targets)
        shard.meeting = part.meeting
        shard.play(network, _teachers[0] if is_taught else None, _stopping.is_set)
        told[number] = _Told(
            shard.samples.size, shard.samples.targets is not None, shard.met.copy(), [*shard.lengths], shard.truncated,
            shard.seconds.copy(),
        )  # fmt: skip
        shard.met[:] = 0
        shard.seconds[:] = 0
        shard.forget_lengths()
    return told


def _games() -> dict[int, dict[str, NDArray[Any]]]:
    """Return the games of each shard that is here."""
    return {number: shard.snapshot_of_games() for number, shard in _here.items()}
