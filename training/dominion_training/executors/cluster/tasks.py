"""Parts as tasks of Ray. What was running on a node that is lost is played again on another one.

A task costs the process that sends it some milliseconds, and many parts take hardly longer. So several parts travel
together, and a node plays as many of them as half a second allows, at least one. The others come back and are sent again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import ray
from numpy.typing import NDArray
from ray import cloudpickle, exceptions

from dominion_env.common.errors import DominionError
from dominion_training.executors.cluster.head import Head
from dominion_training.executors.cluster.versions import versions_here
from dominion_training.executors.executor import KEPT
from dominion_training.executors.work import Part, WritingPart, agents_of

SECONDS_DEAF = 0.2  # for at most this long Ctrl-C is not heard
SECONDS_OF_A_TASK = 0.5  # after which it begins no other part
TOGETHER = 32  # parts of a task, at most
LIVES = 5  # times that a part may be lost with its process or node
# A process or node is gone with the part that it played, or with games that nobody had fetched.
LOST = (
    exceptions.WorkerCrashedError, exceptions.NodeDiedError, exceptions.ObjectLostError, exceptions.OutOfMemoryError,
    exceptions.OutOfDiskError,
)  # fmt: skip


class Tasks:
    """Parts that are being played on a cluster: a `Playing`.

    Args:
        packed: the agents as bytes, by their specifications.
        pack: function that returns those of an agent that has joined since.
        begun_here: whether the connection to the cluster ends with this.
    """

    def __init__(self, packed: dict[str, bytes], pack: Callable[[str], bytes], begun_here: bool) -> None:
        self._begun_here, self._pack = begun_here, pack
        self._agents = {spec: _stored(content) for spec, content in packed.items()}
        self._task = ray.remote(num_cpus=1, max_retries=0)(_traveller())  # lost parts are counted here, not by Ray
        self._waiting: list[tuple[int, Part]] = []
        self._running: dict[Any, list[tuple[int, Part]]] = {}
        self._together = 1
        self._lost: Counter[int] = Counter()
        self._head = Head(ray.get_runtime_context().gcs_address)
        self._head.look()

    @property
    def ahead(self) -> int:
        """See `Playing`."""
        return 2 * self._cores * (1 + self._together)

    def begin(self, number: int, part: Part) -> None:
        """See `Playing`."""
        self._waiting.append((number, part))

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """See `Playing`.

        Raises:
            DominionError: the head of the cluster is lost.
        """
        found = False
        while not found:
            # Fewer parts than usual travel only if there are cores without work.
            while self._waiting and (len(self._waiting) >= self._together or len(self._running) < self._cores):
                free = max(self._cores - len(self._running), 1)
                number = min(self._together, -(-len(self._waiting) // free))  # the last parts spread over free cores
                self._send(self._waiting[:number])
                del self._waiting[:number]
            for task in self._ended(SECONDS_DEAF):
                sent, outcomes = self._running[task], self._outcomes(task)
                for (number, _), outcome in zip(sent, outcomes, strict=False):
                    found = True
                    yield number, outcome
                del self._running[task]  # by now its games are kept; else `stop` returns them
                self._waiting = sent[len(outcomes) :] + self._waiting
            self._head.look()

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """See `Playing`; the processes that play these tasks end, and no others."""
        found = []
        if self._head.is_there:
            for task in self._ended(0):
                for (number, _), outcome in zip(self._running[task], self._outcomes(task), strict=False):
                    if not isinstance(outcome, BaseException):
                        found.append((number, outcome))
            for task in self._running:
                ray.cancel(task, force=True)
        if self._begun_here:
            ray.shutdown()
        return found

    @property
    def _cores(self) -> int:
        return max(self._head.cores, 1)

    def _send(self, parts: list[tuple[int, Part]]) -> None:
        agents = {spec: self._agent(spec) for spec in agents_of(part.work for _, part in parts)}
        packed = cloudpickle.dumps([part.away() if isinstance(part, WritingPart) else part for _, part in parts])
        self._running[self._task.remote(packed, agents, versions_here(), SECONDS_OF_A_TASK)] = parts

    def _agent(self, spec: str) -> tuple[str, Any]:
        if spec not in self._agents:
            self._agents[spec] = _stored(self._pack(spec))
        return self._agents[spec]

    def _ended(self, seconds: float) -> list[Any]:
        """Return the tasks that have ended, after waiting at most that long for one of them."""
        tasks = list(self._running)
        if not tasks or not ray.wait(tasks, timeout=seconds)[0]:
            return []
        ended: list[Any] = ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
        return ended

    def _outcomes(self, task: Any) -> list[NDArray[Any] | BaseException]:
        """Return what the first parts of a task that has ended have come to; the others are to be played again."""
        sent = self._running[task]
        first, _ = sent[0]
        try:
            answer: tuple[list[NDArray[Any]], float] | str = ray.get(task)
        except LOST as error:
            self._lost[first] += 1
            return [_given_up(error)] if self._lost[first] >= LIVES else []
        except exceptions.RayTaskError as error:
            return [error.cause if isinstance(error.cause, DominionError) else error]
        except exceptions.RayError as error:
            return [DominionError(f"Ray can't play a part: {_first_line(error)}; {KEPT}")]
        if isinstance(answer, str):
            return [DominionError(answer)]
        played, seconds = answer
        if seconds > SECONDS_OF_A_TASK:
            self._together = len(played)
        elif len(sent) == self._together:
            self._together = min(self._together + 1, TOGETHER)
        return [_arrived(part, games) for (_, part), games in zip(sent, played, strict=False)]


def _stored(content: bytes) -> tuple[str, Any]:
    """Return a hash of an agent's bytes, and their place in Ray's store."""
    return hashlib.sha256(content).hexdigest(), ray.put(content)


def _arrived(part: Part, games: NDArray[Any]) -> NDArray[Any] | BaseException:
    """Return what a part has come to, after its files are written if it has any."""
    if not isinstance(part, WritingPart):
        return games.copy()  # Ray lends out its own memory, which nobody may write to
    try:
        return part.brought(games)
    except (DominionError, OSError) as error:
        return error


def _traveller() -> Callable[..., tuple[list[NDArray[Any]], float] | str]:
    """Return the function that a node is sent. It travels with its code, so that it can say what is missing there."""

    def play(
        parts: bytes, agents: dict[str, Any], versions: dict[str, str], seconds: float
    ) -> tuple[list[NDArray[Any]], float] | str:
        try:
            from dominion_training.executors.cluster.node import play_parts
        except ImportError as error:
            import socket

            return (
                f"node {socket.gethostname()}: expected the version of dominion_env that is installed here, got an error "
                f"({error}). Install the same on all nodes"
            )
        return play_parts(parts, agents, versions, seconds)

    return play


def _given_up(error: Exception) -> DominionError:
    """Return what is said when a part has been lost again and again."""
    if isinstance(error, exceptions.OutOfMemoryError):
        why = "their nodes had too little memory; give these fewer cores (`ray start --num-cpus`) or more memory"
    elif isinstance(error, exceptions.OutOfDiskError):
        why = "their nodes had no space left on the disk"
    else:
        why = f"they have died ({_first_line(error)})"
    told = DominionError(f"{LIVES} processes that played the same part are gone, as {why}; {KEPT}")
    told.__cause__ = error
    return told


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
