"""A warning that a part of the project is being compiled; else its first use would be silent for some time."""

import logging
from collections.abc import Callable, Sequence
from threading import Timer
from typing import TYPE_CHECKING, Any, NamedTuple

from numba.core import event

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

LOGGER = logging.getLogger("dominion_env")
PATIENCE = 2.0  # seconds that no user takes for a standstill


class Part(NamedTuple):
    """Compiled code that the warning calls by one name.

    Attributes:
        name: the name, such as "the agents".
        seconds: seconds that compiling it takes on one core of a usual machine, in an empty cache.
        modules: beginning of the names of the modules that it comes from.
        fits: tells by numba's types of a function's arguments whether the function belongs to it.
        ahead: whether the warning about another part says that this one is to come.
    """

    name: str
    seconds: int
    modules: str
    fits: Callable[[Sequence[Any]], bool] = lambda kinds: True
    ahead: bool = False


PARTS: list[Part] = []  # each room adds its own; the first that fits counts


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
        self.shared: Event | None = None
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

    def _say(self, function: Any, part: Part) -> None:
        self._said = True
        if self.shared is not None:
            if self.shared.is_set():
                return
            self.shared.set()
        takes = f"about {part.seconds} seconds" if part.seconds else "some seconds"
        folder = function.stats.cache_path
        if folder is None:
            LOGGER.warning(
                "dominion_env: %s are being compiled, which takes %s, and so it will in every process, as the "
                "result can't be kept: no folder for it can be written to. Set NUMBA_CACHE_DIR to one that can",
                part.name,
                takes,
            )
            return
        others = " and ".join(each.name for each in PARTS if each.ahead and each != part)
        likewise = (
            f"{others[0].upper()}{others[1:]} are compiled likewise, when they are first used; " if others else ""
        )
        LOGGER.warning(
            "dominion_env: %s are being compiled for this machine, which takes %s, once after each installation or update. "
            "%s`dominion compile` compiles ahead. The result is kept in %s (NUMBA_CACHE_DIR says where)",
            part.name,
            takes,
            likewise,
            folder,
        )


def part_of(function: Any, kinds: Sequence[Any]) -> Part:
    """Return what is being compiled.

    Args:
        function: the function.
        kinds: numba's types of its arguments.
    """
    module = function.__module__
    for part in PARTS:
        if f"{module}.".startswith(f"{part.modules}.") and part.fits(kinds):
            return part
    return Part(f"functions of {module}", 0, module)


NOTICE = CompilingNotice()
event.register("numba:compile", NOTICE)
