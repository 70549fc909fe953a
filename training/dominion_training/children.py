"""Processes that a command starts: they leave Ctrl-C to it, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

from dominion_env.compiled.notice import NOTICE

SECONDS_DEAF = 0.2  # for at most this long Ctrl-C is not heard while other processes play


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, and from the processes that start in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_as_child(said: Any) -> None:
    """Begin a process that another one has started.

    Args:
        said: an event that these processes share, which the first one that tells of compiling sets.
    """
    NOTICE.shared = said
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears Ctrl-C and says when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if it was killed and could say nothing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
