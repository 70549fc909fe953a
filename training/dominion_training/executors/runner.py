"""Parts of games played by an executor, and handed out in order: an interrupted command goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from numpy.typing import NDArray

from dominion_training.common.folders import folder_for_work
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.executors.local import Local
from dominion_training.executors.work import Part, agents_of
from dominion_training.play import roster
from dominion_training.play.loop import Stopped

AnyPart = TypeVar("AnyPart", bound=Part)


class Stoppable:
    """What is stopped at the end of a `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop everything that still runs."""


class Rounds(Stoppable):
    """Plays rounds of parts on an executor, which stays started from the first round to the last.

    A search has many rounds, as each depends on what the one before came to. `run_parts` plays a single one.

    Args:
        executor: what plays the parts.
        like: parts as those of the rounds to come, as many as may be played at the same time; their agents must be in
            `roster.HERE`.
        folder: folder in which finished parts are kept, if any. Parts that it holds are not played again.

    Raises:
        DominionError: they can't be played there.
    """

    def __init__(self, executor: Executor, like: Sequence[Part], folder: Folder | None = None) -> None:
        self._playing, self._folder = executor.start(like), folder
        self._begun = 0
        self._running: dict[int, Part] = {}
        self._found: dict[int, NDArray[Any] | BaseException] = {}

    def stop(self) -> None:
        """Stop everything that is still played, and keep what is finished."""
        for number, games in self._playing.stop():
            self._keep(number, games)

    def play(self, parts: Sequence[Part], stopping: Callable[[], bool] | None = None) -> list[NDArray[Any]]:
        """Play all of these parts, and return what each has come to, in their order.

        Args:
            parts: the parts of a round.
            stopping: function that is called after each part and returns True to stop.

        Raises:
            Stopped: `stopping()` was true; there is no next round then.
            Exception: a part failed; the first one in order decides.
        """
        return list(self.in_order(parts, stopping, waits=False))

    def in_order(
        self, parts: Sequence[Part], stopping: Callable[[], bool] | None = None, waits: bool = True
    ) -> Iterator[NDArray[Any]]:
        """Play these parts, each as soon as there is room for it, and yield what each has come to, in their order.

        Args:
            parts: the parts of a round.
            stopping: as for `play`.
            waits: whether no part begins while many are finished that come later than one that is still played.

        Raises:
            Stopped, Exception: as from `play`.
        """
        first, waiting = self._begun, iter(parts)
        stop = first + len(parts)
        for number in range(first, stop):
            self._begin(waiting, waits)
            while number not in self._found:
                self._finish()
                if stopping is not None and (self._running or self._begun < stop) and stopping():
                    raise Stopped
                self._begin(waiting, waits)
            outcome = self._found.pop(number)
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome

    def _begin(self, waiting: Iterator[Part], waits: bool) -> None:
        """Let parts be played as long as there is room."""
        while len(self._running) + waits * len(self._found) < self._playing.ahead:
            part = next(waiting, None)
            if part is None:
                return
            kept = None if self._folder is None else self._folder.load(part)
            if kept is None:
                self._playing.begin(self._begun, part)
                self._running[self._begun] = part
            else:
                self._found[self._begun] = kept
            self._begun += 1

    def _finish(self) -> None:
        """Wait until some parts are finished, and take in what they have come to."""
        for number, found in self._playing.finished():
            if not isinstance(found, BaseException):
                self._keep(number, found)
            self._found[number] = found
            del self._running[number]

    def _keep(self, number: int, games: NDArray[Any]) -> None:
        if self._folder is not None:
            self._folder.save(self._running[number], games)


def run_parts(
    parts: Sequence[AnyPart], workers: int | Executor = 1, folder: Folder | None = None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
    """Play parts, each as soon as a process is free, and hand them out in the order in which they were given.

    Parts that the folder holds are not played again, and each part that is played is kept there as soon as it is
    finished. Ctrl-C, an error, or leaving the iteration early stops the processes between two decisions.

    Args:
        parts: the parts to play.
        workers: number of processes of this machine, as `Local` takes it, or what else plays the parts.
        folder: folder in which finished parts are kept, if any.

    Yields:
        Each part and its games, in the form of its `play`.

    Raises:
        InvalidAgent: an agent can't be made, or failed; the first part in order in which one did decides.
        InvalidOption: there is less than one worker.
        DominionError: an option is wrong, a process died, or another command works in the folder.
    """
    with folder_for_work(None if folder is None else folder.path, "results"):
        executor = workers if isinstance(workers, Executor) else Local(workers)
        for spec in agents_of(part.work for part in parts):
            roster.HERE.renew(spec)  # an agent that can't be made is named before anything is played
        with Rounds(executor, parts, folder) as rounds:
            yield from zip(parts, rounds.in_order(parts), strict=True)
