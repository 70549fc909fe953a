"""Waiting for what happens in other processes, and losing a node while it plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any


def wait_until(happened: Callable[[], object], seconds: float = 120) -> None:
    """Wait until something has happened, and fail if it takes too long."""
    waited = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < waited
        time.sleep(0.05)


@contextmanager
def a_node_lost(nodes: Any, watched: Any) -> Iterator[None]:
    """Let one more node join, and lose one with all its processes as soon as the watched agent, slow until then, plays there.

    It fails if what runs meanwhile has ended before that, as nothing was lost then.
    """
    nodes.add()
    watched.be_slow()

    def lose() -> None:
        wait_until(lambda: nodes.started(watched.processes))
        nodes.lose(nodes.started(watched.processes))
        watched.be_fast()

    with ThreadPoolExecutor(1) as thread:
        losing = thread.submit(lose)
        yield
        losing.result(timeout=10)
