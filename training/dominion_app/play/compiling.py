"""Whether something is being compiled, for those who wait: it takes up to a minute, once, and looks like a standstill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event

SECONDS = 60  # about as long as the agents take on one core of a usual machine, if the rules are compiled
TOLD = f"is being compiled, which takes about {SECONDS} seconds, once after each installation"


class Compiling(event.Listener):  # type: ignore[misc]  # numba's types are unknown to mypy
    """Knows whether numba compiles in this process; it is told nothing of what is loaded from the cache.

    Args:
        tell: function that is called with True when compiling begins and with False when it ends.
    """

    def __init__(self, tell: Callable[[bool], None] = lambda begins: None) -> None:
        self._tell, self._depth = tell, 0
        event.register("numba:compile", self)

    @property
    def goes_on(self) -> bool:
        """Whether something is being compiled now."""
        return self._depth > 0

    def on_start(self, told: Any) -> None:
        """Count a function whose compiling begins, perhaps for the sake of another one."""
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, told: Any) -> None:
        """Count a function that is compiled."""
        self._depth -= 1
        if self._depth == 0:
            self._tell(False)
