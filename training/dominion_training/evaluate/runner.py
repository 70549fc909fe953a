"""Parts of games played on all cores, and handed out in order: an interrupted command goes on where it was."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for
from typing import Any, TypeVar

from numpy.typing import NDArray

from dominion_env.errors import DominionError, InvalidOption
from dominion_env.registry import is_trusting, trusting
from dominion_env.rules.notice import NOTICE
from dominion_training.evaluate import roster
from dominion_training.evaluate.folder import Folder
from dominion_training.evaluate.work import Part, agents_of

SECONDS_DEAF = 0.2  # for at most this long Ctrl-C is not heard while other processes play

AnyPart = TypeVar("AnyPart", bound=Part)


def run_parts(
    parts: Sequence[AnyPart], workers: int = 1, folder: Folder | None = None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
    """Play parts, each as soon as a process is free, and hand them out in the order in which they were given.

    Parts that the folder holds are not played again, and each part that is played is kept there as soon as it is
    finished. Ctrl-C, an error, or leaving the iteration early stops the processes between two decisions.

    Args:
        parts: the parts to play.
        workers: number of processes; 1 plays in this process. A script that uses more starts under
            `if __name__ == "__main__":`.
        folder: folder in which finished parts are kept, if any.

    Yields:
        Each part and its games, in the form of its `play`.

    Raises:
        InvalidAgent: an agent can't be made, or failed; the first part in order in which one did decides.
        InvalidOption: there is less than one worker.
        DominionError: an option is wrong, or a process died.
    """
    if workers < 1:
        raise InvalidOption(f"workers: expected at least 1, got {workers}")
    for spec in agents_of(part.work for part in parts):
        roster.HERE.renew(spec)  # an agent that can't be made is named before anything is played
    if min(workers, len(parts)) > 1:
        yield from _run_in_processes(parts, workers, folder)
        return
    for part in parts:
        games = folder.load(part) if folder is not None else None
        if games is None:
            games = part.play()
            if folder is not None:
                folder.save(part, games)
        yield part, games


def _run_in_processes(
    parts: Sequence[AnyPart], workers: int, folder: Folder | None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
    context = multiprocessing.get_context("spawn")  # a fork would copy only half of numba's and torch's threads
    stop, said = context.Event(), context.Event()
    made_of = {spec: roster.HERE.made_of(spec) for spec in agents_of(part.work for part in parts)}
    pool = ProcessPoolExecutor(min(workers, len(parts)), context, _start_worker, (stop, said, made_of, is_trusting()))
    waiting = iter(range(len(parts)))
    running: dict[Future[NDArray[Any]], int] = {}
    finished: dict[int, NDArray[Any] | BaseException] = {}
    try:
        for number, part in enumerate(parts):
            while number not in finished:
                # A few parts ahead, so that no process waits and memory stays bounded.
                while len(running) + len(finished) < 4 * workers and (following := next(waiting, None)) is not None:
                    kept = folder.load(parts[following]) if folder is not None else None
                    if kept is not None:
                        finished[following] = kept
                    else:
                        with _without_ctrl_c():  # a process that starts here must get as far as `_start_worker`
                            running[pool.submit(_play_in_worker, parts[following])] = following
                if number not in finished:
                    _collect(running, finished, parts, folder)
            outcome = finished.pop(number)
            if isinstance(outcome, BrokenProcessPool):
                raise DominionError(
                    "a process that played games has died (out of memory, or killed); finished parts are kept, so the "
                    "same command goes on, with --workers 1 in this process"
                ) from outcome
            if isinstance(outcome, BaseException):
                raise outcome
            yield part, outcome
    finally:
        stop.set()
        done = [future for future in running if future.done()]
        pool.shutdown(wait=True, cancel_futures=True)
        for future in done:
            if folder is not None and not future.cancelled() and future.exception() is None:
                folder.save(parts[running[future]], future.result())


def _collect(
    running: dict[Future[NDArray[Any]], int],
    finished: dict[int, NDArray[Any] | BaseException],
    parts: Sequence[Part],
    folder: Folder | None,
) -> None:
    """Wait until some parts are finished, and keep them."""
    finished_now: set[Future[NDArray[Any]]] = set()
    while not finished_now:
        # Not for ever: a package that handles SIGINT in compiled code, as polars does once imported, would delay Ctrl-C.
        finished_now = wait(running, SECONDS_DEAF, FIRST_COMPLETED).done
    for future in finished_now:
        number = running[future]
        error = future.exception()
        if error is None and folder is not None:
            folder.save(parts[number], future.result())
        finished[number] = future.result() if error is None else error
        del running[future]


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, and from the processes that start in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stop: Any = None
_expected: dict[str, str | None] = {}
_trust = False


def _start_worker(stop: Any, said: Any, expected: dict[str, str | None], trust: bool) -> None:
    global _stop, _expected, _trust
    _stop, _expected, _trust = stop, expected, trust
    NOTICE.shared = said  # one of the processes that compile the same speaks for all
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears Ctrl-C and says when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if it was killed and could say nothing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait_for([parent.sentinel])
    os._exit(1)


def _play_in_worker(part: Part) -> NDArray[Any]:
    for spec in part.work.agents:
        if spec not in roster.HERE:
            with trusting(_trust):
                roster.HERE.make_as_elsewhere(spec, _expected[spec])
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # there are as many processes as cores
    return part.play(_stop.is_set)
