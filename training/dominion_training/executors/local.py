"""Parts that are played on this machine: in this process, or in several that it starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from numpy.typing import NDArray

from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.players.registry import is_trusting, trusting
from dominion_training.common.children import Children, compute_alone, is_stopping, wait_for
from dominion_training.executors.executor import Playing
from dominion_training.executors.work import Part, agents_of
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
        made_of = {spec: roster.HERE.made_of(spec) for spec in agents_of(part.work for part in parts)}
        self._children = Children(_begin, [(made_of, is_trusting())], min(workers, len(parts)))
        self._running: dict[Future[NDArray[Any]], int] = {}

    def begin(self, number: int, part: Part) -> None:
        """See `Playing`."""
        self._running[self._children.do(_play, part)] = number

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """See `Playing`."""
        for future in wait_for(self._running):
            yield self._running[future], _outcome(future)
            del self._running[future]  # by now it is kept; else `stop` returns it

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """See `Playing`; the processes stop between two decisions."""
        self._children.stop()
        return [
            (number, future.result())
            for future, number in self._running.items()
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


# --- in the processes ----------------------------------------------------------------------------------------------------

_expected: dict[str, str | None] = {}
_trust = False


def _begin(expected: dict[str, str | None], trust: bool) -> None:
    global _expected, _trust
    _expected, _trust = expected, trust


def _play(part: Part) -> NDArray[Any]:
    for spec in part.work.agents:
        if spec not in roster.HERE:
            with trusting(_trust):
                roster.HERE.make_as_elsewhere(spec, _expected[spec])
    compute_alone()
    return part.play(is_stopping)
