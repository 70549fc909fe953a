"""Waiting for what happens in other processes, and losing a node while it plays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
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
    """Let one more node join, and lose it with all its processes as soon as the watched agent, slow until then, plays there."""
    nodes.add()
    watched.be_slow()

    def lose() -> None:
        wait_until(lambda: watched.processes & nodes.playing_last())
        nodes.lose_last()
        watched.be_fast()

    losing = threading.Thread(target=lose)
    losing.start()
    yield
    losing.join()
