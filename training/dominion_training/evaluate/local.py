"""Parts that are played on this machine: in this process, or in several that it starts."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from numpy.typing import NDArray

from dominion_env.errors import DominionError, InvalidOption
from dominion_env.registry import is_trusting, trusting
from dominion_training.children import SECONDS_DEAF, begin_as_child, without_ctrl_c
from dominion_training.evaluate.executor import Playing
from dominion_training.evaluate.work import Part, agents_of
from dominion_training.play import roster


class Local:
    """The cores of this machine: an `Executor`.

    Args:
        workers: number of processes; 1 plays in this process. A script that uses more starts under
            `if __name__ == "__main__":`.

    Raises:
        InvalidOption: there is less than one worker.
    """

    def __init__(self, workers: int = 1) -> None:
        if workers < 1:
            raise InvalidOption(f"workers: expected at least 1, got {workers}")
        self._workers = workers

    def start(self, parts: Sequence[Part]) -> Playing:
        """See `Executor`."""
        return _Processes(parts, self._workers) if min(self._workers, len(parts)) > 1 else _Alone()


class _Alone:
    """Parts that are played in this process, one after the other: a `Playing`."""

    ahead = 1

    def __init__(self) -> None:
        self._begun: list[tuple[int, Part]] = []

    def begin(self, number: int, part: Part) -> None:
        """See `Playing`."""
        self._begun.append((number, part))

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """See `Playing`; errors of the part are raised."""
        number, part = self._begun.pop()
        yield number, part.play()

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """See `Playing`."""
        return []


class _Processes:
    """Parts that are played in other processes of this machine: a `Playing`."""

    def __init__(self, parts: Sequence[Part], workers: int) -> None:
        self.ahead = 4 * workers
        context = multiprocessing.get_context("spawn")  # a fork would copy only half of numba's and torch's threads
        self._stop, said = context.Event(), context.Event()
        made_of = {spec: roster.HERE.made_of(spec) for spec in agents_of(part.work for part in parts)}
        given = (self._stop, said, made_of, is_trusting())
        self._pool = ProcessPoolExecutor(min(workers, len(parts)), context, _start_worker, given)
        self._running: dict[Future[NDArray[Any]], int] = {}

    def begin(self, number: int, part: Part) -> None:
        """See `Playing`."""
        with without_ctrl_c():  # a process that starts here must get as far as `_start_worker`
            self._running[self._pool.submit(_play_in_worker, part)] = number

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """See `Playing`."""
        finished_now: set[Future[NDArray[Any]]] = set()
        while not finished_now:
            # Not for ever: a package that handles SIGINT in compiled code, as polars does once imported, would delay Ctrl-C.
            finished_now = wait(self._running, SECONDS_DEAF, FIRST_COMPLETED).done
        for future in finished_now:
            yield self._running[future], _outcome(future)
            del self._running[future]  # by now it is kept; else `stop` returns it

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """See `Playing`; the processes stop between two decisions."""
        self._stop.set()
        done = [future for future in self._running if future.done()]
        self._pool.shutdown(wait=True, cancel_futures=True)
        return [
            (self._running[future], future.result())
            for future in done
            if not future.cancelled() and future.exception() is None
        ]


def _outcome(future: Future[NDArray[Any]]) -> NDArray[Any] | BaseException:
    error = future.exception()
    if isinstance(error, BrokenProcessPool):
        died = DominionError(
            "a process that played games has died (out of memory, or killed); finished parts are kept, so the "
            "same command goes on, with --workers 1 in this process"
        )
        died.__cause__ = error
        return died
    return future.result() if error is None else error


_stop: Any = None
_expected: dict[str, str | None] = {}
_trust = False


def _start_worker(stop: Any, said: Any, expected: dict[str, str | None], trust: bool) -> None:
    global _stop, _expected, _trust
    _stop, _expected, _trust = stop, expected, trust
    begin_as_child(said)


def _play_in_worker(part: Part) -> NDArray[Any]:
    for spec in part.work.agents:
        if spec not in roster.HERE:
            with trusting(_trust):
                roster.HERE.make_as_elsewhere(spec, _expected[spec])
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # there are as many processes as cores
    return part.play(_stop.is_set)
