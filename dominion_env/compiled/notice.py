"""A warning that a part of the project is being compiled; else its first use would be silent for some time."""

from __future__ import annotations

import logging
from threading import Timer
from typing import Any, Protocol

from numba.core import event

LOGGER = logging.getLogger("dominion_env")
PATIENCE = 2.0  # seconds that no user takes for a standstill

SMALL_TABLES, LARGE_TABLES = "the rules for tables of 1 and 2 players", "the rules for tables of 3 to 6 players"
AGENTS, LEARNER, RECORDER = "the agents", "the loops of the learner", "the loops that record games for research"
# Seconds that each part takes on one core of a usual machine (`dominion compile`, `train`, `collect` in an empty cache).
PARTS = {SMALL_TABLES: 15, LARGE_TABLES: 20, AGENTS: 15, LEARNER: 5, RECORDER: 10}
_OF_PACKAGES = {"dominion_training.learner": LEARNER, "dominion_training.research": RECORDER}


class Flag(Protocol):
    """The part of an event that the notice needs, such as `multiprocessing.Event` has it."""

    def is_set(self) -> bool:
        """Whether the flag is set."""
        ...

    def set(self) -> None:
        """Set the flag."""
        ...


class CompilingNotice(event.Listener):  # type: ignore[misc]  # numba's types are unknown to mypy
    """Warns once in a process when one of its functions takes long to compile.

    Numba tells its listeners when it compiles a function, and nothing when it loads one from its cache.

    Attributes:
        functions: the compiled functions that Python calls; there is no warning for other functions that numba compiles.
        shared: flag that is set when the warning has come, if processes that play side by side are to give it once
            together; None in a process of its own.
    """

    def __init__(self) -> None:
        self.functions: set[Any] = set()
        self.shared: Flag | None = None
        self._timer: Timer | None = None
        self._said = False
        self._said_not_kept = False

    def on_start(self, told: Any) -> None:
        """Start the timer when the compiler starts with one of the functions."""
        function = told.data["dispatcher"]
        if function in self.functions and not self._said:
            self._timer = Timer(PATIENCE, self._say, [function, part_of(function, told.data["args"])])
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, told: Any) -> None:
        """Stop the timer when the compiler has come to its end, which may be before the warning was due."""
        if self._timer is not None and told.data["dispatcher"] in self.functions:
            self._timer.cancel()

    def not_kept(self, folder: str, error: OSError) -> None:
        """Say once why what was compiled can't be kept."""
        if not self._said_not_kept:
            self._said_not_kept = True
            LOGGER.warning(
                "dominion_env: the result can't be kept in %s (%s), so the next process compiles again. Set NUMBA_CACHE_DIR to "
                "a folder with room",
                folder,
                error.strerror or error,
            )

    def _say(self, function: Any, part: str) -> None:
        self._said = True
        if self.shared is not None:
            if self.shared.is_set():
                return
            self.shared.set()
        folder = function.stats.cache_path
        if folder is None:
            LOGGER.warning(
                "dominion_env: %s are being compiled, which takes about %d seconds, and so it will in every process, as the "
                "result can't be kept: no folder for it can be written to. Set NUMBA_CACHE_DIR to one that can",
                part,
                PARTS[part],
            )
            return
        others = " and ".join(each for each in (SMALL_TABLES, LARGE_TABLES, AGENTS) if each != part)
        LOGGER.warning(
            "dominion_env: %s are being compiled for this machine, which takes about %d seconds, once after each "
            "installation or update. %s are compiled likewise, when they are first used; `dominion compile` does these "
            "ahead. The result is kept in %s (NUMBA_CACHE_DIR says where)",
            part,
            PARTS[part],
            others[0].upper() + others[1:],
            folder,
        )


def part_of(function: Any, kinds: tuple[Any, ...]) -> str:
    """Return which of `PARTS` is being compiled.

    Args:
        function: the function.
        kinds: numba's types of its arguments; records of games tell for how many seats they are.
    """
    if not function.__module__.startswith("dominion_env."):
        return _OF_PACKAGES.get(function.__module__.rpartition(".")[0], AGENTS)
    for kind in kinds:
        fields = getattr(getattr(kind, "dtype", None), "fields", {})
        if "hand" in fields and fields["hand"].type.shape[0] > 2:
            return LARGE_TABLES
    return SMALL_TABLES


NOTICE = CompilingNotice()
event.register("numba:compile", NOTICE)
