"""Processes that a command starts: they leave Ctrl-C to it, stop when it says so, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any

from dominion_env.compiled.notice import NOTICE

SECONDS_DEAF = 0.2  # for at most this long Ctrl-C is not heard while other processes play
CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy only half of numba's and torch's threads

_stopping: Any = None  # in a child, a number that is 1 when it is to stop


class Children:
    """Processes in lanes: what is given to a lane is done by its processes.

    Args:
        begin: function that each process calls first, with what is given to its lane.
        given: what is given to each lane.
        workers: number of processes of a lane.
    """

    def __init__(self, begin: Callable[..., None], given: Sequence[tuple[Any, ...]], workers: int = 1) -> None:
        # It has no lock that a process which is killed could keep.
        self._stopping, said = CONTEXT.RawValue("b", 0), CONTEXT.Event()
        self._lanes = [
            ProcessPoolExecutor(workers, CONTEXT, _begin_as_child, (self._stopping, said, begin, each))
            for each in given
        ]

    def do(self, task: Callable[..., Any], *given: Any, lane: int = 0) -> Future[Any]:
        """Let a process of a lane do a task, as soon as one is free."""
        with _without_ctrl_c():  # a process that starts here must get as far as `_begin_as_child`
            return self._lanes[lane].submit(task, *given)

    def stop(self) -> None:
        """Let `is_stopping` be true in all processes, and wait until they have ended."""
        self._stopping.value = 1
        for lane in self._lanes:
            lane.shutdown(wait=True, cancel_futures=True)


def wait_for(asked: Collection[Future[Any]], when: str = FIRST_COMPLETED) -> set[Future[Any]]:
    """Wait until one of these tasks is done, and return all that are; with ALL_COMPLETED, wait for all of them."""
    while True:
        # Not for ever: a package that handles SIGINT in compiled code, as polars does once imported, would delay Ctrl-C.
        done, others = wait(asked, SECONDS_DEAF, when)
        if not others or (done and when == FIRST_COMPLETED):
            return done


def is_stopping() -> bool:
    """Whether this process, which another one has started, is to stop."""
    return bool(_stopping.value)


def compute_alone() -> None:
    """Let torch, if it is there, compute on one core: there are as many processes as cores."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


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


def _begin_as_child(stopping: Any, said: Any, begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    """Begin a process that another one has started.

    Args:
        stopping: a number that becomes 1 when this process is to stop.
        said: an event that these processes share, which the first one that tells of compiling sets.
        begin, given: as in `Children`.
    """
    global _stopping
    _stopping, NOTICE.shared = stopping, said
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears Ctrl-C and says when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*given)


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if it was killed and could say nothing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
