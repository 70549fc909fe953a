"""Parts of games played on all cores, and handed out in order: an interrupted command goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from numpy.typing import NDArray

from dominion_training.evaluate.executor import Executor
from dominion_training.evaluate.folder import Folder
from dominion_training.evaluate.local import Local
from dominion_training.evaluate.work import Part, agents_of
from dominion_training.folders import folder_for_work
from dominion_training.play import roster

AnyPart = TypeVar("AnyPart", bound=Part)


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
        yield from _run_parts(parts, workers, folder)


def _run_parts(
    parts: Sequence[AnyPart], workers: int | Executor, folder: Folder | None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
    executor = workers if isinstance(workers, Executor) else Local(workers)
    for spec in agents_of(part.work for part in parts):
        roster.HERE.renew(spec)  # an agent that can't be made is named before anything is played
    playing = executor.start(parts)
    waiting = iter(range(len(parts)))
    running: set[int] = set()
    finished: dict[int, NDArray[Any] | BaseException] = {}
    try:
        for number, part in enumerate(parts):
            while number not in finished:
                while len(running) + len(finished) < playing.ahead and (following := next(waiting, None)) is not None:
                    kept = folder.load(parts[following]) if folder is not None else None
                    if kept is not None:
                        finished[following] = kept
                    else:
                        playing.begin(following, parts[following])
                        running.add(following)
                if number not in finished:
                    for each, found in playing.finished():
                        if folder is not None and not isinstance(found, BaseException):
                            folder.save(parts[each], found)
                        finished[each] = found
                        running.remove(each)
            outcome = finished.pop(number)
            if isinstance(outcome, BaseException):
                raise outcome
            yield part, outcome
    finally:
        for each, games in playing.stop():
            if folder is not None:
                folder.save(parts[each], games)
