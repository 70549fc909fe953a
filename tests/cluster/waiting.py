"""Waiting for what happens in other processes."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(happened: Callable[[], object], seconds: float = 120) -> None:
    """Wait until something has happened, and fail if it takes too long."""
    waited = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < waited
        time.sleep(0.05)
