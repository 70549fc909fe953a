"""A warning that the core is being compiled, when that takes a while; else its first use would be silent for a minute."""

from __future__ import annotations

import logging
from threading import Timer
from typing import Any

from numba.core import event

LOGGER = logging.getLogger("dominion_env")
PATIENCE = 2.0  # seconds that no user takes for a standstill


class CompilingNotice(event.Listener):  # type: ignore[misc]  # numba's types are unknown to mypy
    """Warns once in a process when one of its functions takes long to compile.

    Numba tells its listeners when it compiles a function, and nothing when it loads one from its cache.

    Attributes:
        functions: the compiled functions that Python calls; there is no warning for other functions that numba compiles.
    """

    def __init__(self) -> None:
        self.functions: set[Any] = set()
        self._timer: Timer | None = None
        self._said = False

    def on_start(self, told: Any) -> None:
        """Start the timer when the compiler starts with one of the functions."""
        function = told.data["dispatcher"]
        if function in self.functions and not self._said:
            self._timer = Timer(PATIENCE, self._say, [function])
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, told: Any) -> None:
        """Stop the timer when the compiler has come to its end, which may be before the warning was due."""
        if self._timer is not None and told.data["dispatcher"] in self.functions:
            self._timer.cancel()

    def _say(self, function: Any) -> None:
        self._said = True
        LOGGER.warning(
            "dominion_env: the game's core is being compiled for this machine, which takes about a minute; it is kept for "
            "next time in %s (NUMBA_CACHE_DIR says where)",
            function.stats.cache_path,
        )


NOTICE = CompilingNotice()
event.register("numba:compile", NOTICE)
