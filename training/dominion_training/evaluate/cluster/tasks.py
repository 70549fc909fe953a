"""Parts as tasks of Ray. What was running on a node that is lost is played again on another one."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import ray
from numpy.typing import NDArray
from ray import cloudpickle, exceptions

from dominion_env.errors import DominionError
from dominion_training.evaluate.cluster.head import Head
from dominion_training.evaluate.cluster.node import KEPT
from dominion_training.evaluate.cluster.versions import versions_here
from dominion_training.evaluate.work import Part

SECONDS_DEAF = 0.2  # for at most this long Ctrl-C is not heard
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
        begun_here: whether the connection to the cluster ends with this.
    """

    def __init__(self, packed: dict[str, bytes], begun_here: bool) -> None:
        self._begun_here = begun_here
        self._agents = {
            spec: (hashlib.sha256(content).hexdigest(), ray.put(content)) for spec, content in packed.items()
        }
        self._task = ray.remote(num_cpus=1, max_retries=0)(_traveller())  # lost parts are counted here, not by Ray
        self._running: dict[Any, tuple[int, Part]] = {}
        self._lost: Counter[int] = Counter()
        self._head = Head(ray.get_runtime_context().gcs_address)
        self._head.look()

    @property
    def ahead(self) -> int:
        """See `Playing`."""
        return 4 * max(self._head.cores, 1)

    def begin(self, number: int, part: Part) -> None:
        """See `Playing`."""
        agents = {spec: self._agents[spec] for spec in part.work.agents}
        task = self._task.remote(cloudpickle.dumps(part), agents, versions_here())
        self._running[task] = number, part

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """See `Playing`.

        Raises:
            DominionError: the head of the cluster is lost.
        """
        found = False
        while not found:
            for task in self._ended(SECONDS_DEAF):
                number, part = self._running[task]
                outcome = self._outcome(task, number)
                if outcome is None:
                    self.begin(number, part)
                else:
                    found = True
                    yield number, outcome
                del self._running[task]  # by now its games are kept; else `stop` returns them
            self._head.look()

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """See `Playing`; the processes that play these tasks end, and no others."""
        found = []
        if self._head.is_there:
            for task in self._ended(0):
                outcome = self._outcome(task, self._running[task][0])
                if outcome is not None and not isinstance(outcome, BaseException):
                    found.append((self._running[task][0], outcome))
            for task in self._running:
                ray.cancel(task, force=True)
        if self._begun_here:
            ray.shutdown()
        return found

    def _ended(self, seconds: float) -> list[Any]:
        """Return the tasks that have ended, after waiting at most that long for one of them."""
        tasks = list(self._running)
        if not tasks or not ray.wait(tasks, timeout=seconds)[0]:
            return []
        ended: list[Any] = ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
        return ended

    def _outcome(self, task: Any, number: int) -> NDArray[Any] | BaseException | None:
        """Return the games of a task that has ended, or its error; None if it was lost and has lives left."""
        try:
            games: NDArray[Any] | str = ray.get(task)
        except LOST as error:
            self._lost[number] += 1
            return None if self._lost[number] < LIVES else _given_up(error)
        except exceptions.RayTaskError as error:
            cause: BaseException = error.cause if isinstance(error.cause, DominionError) else error
            return cause
        except exceptions.RayError as error:
            return DominionError(f"Ray can't play a part: {_first_line(error)}; {KEPT}")
        # Ray lends out its own memory, which nobody may write to.
        return DominionError(games) if isinstance(games, str) else games.copy()


def _traveller() -> Callable[..., NDArray[Any] | str]:
    """Return the function that a node is sent. It travels with its code, so that it can say what is missing there."""

    def play(part: bytes, agents: dict[str, Any], versions: dict[str, str]) -> NDArray[Any] | str:
        try:
            from dominion_training.evaluate.cluster.node import play_part
        except ImportError as error:
            import socket

            return (
                f"node {socket.gethostname()}: expected the version of dominion_env that is installed here, got an error "
                f"({error}). Install the same on all nodes"
            )
        return play_part(part, agents, versions)

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
