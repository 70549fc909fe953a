"""What an executor plays: works, such as a match, in parts that each process plays in one piece.

Which games are in which part depends on their numbers alone, so results do not depend on the number of processes that play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray


class Work(Protocol):
    """Games whose results a folder can hold, such as those of a match."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Specifications of all agents that play."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that all works of one folder share, as plain values for JSON."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Words that tell this work from the others of its folder."""
        ...


class Part(Protocol):
    """A part of a work: one process, to which it is sent, plays it in one piece."""

    @property
    def work(self) -> Work:
        """The work that this is a part of."""
        ...

    @property
    def start(self) -> int:
        """Number of the first set or game of the work that is in this part."""
        ...

    @property
    def stop(self) -> int:
        """Number of the first set or game after this part."""
        ...

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Play this part in this process; raises `Stopped` between two decisions when `stopping()` is true."""
        ...

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """Whether an array that was kept has the form of what `play` returns."""
        ...


@runtime_checkable
class WritingPart(Part, Protocol):
    """A part whose `play` writes files. A machine that does not reach their folder plays it in two steps."""

    def away(self) -> Part:
        """Return a part that plays the same on another machine; what it returns holds the files."""
        ...

    def brought(self, found: NDArray[Any]) -> NDArray[Any]:
        """Write the files that the part played away has brought, and return what `play` would have returned.

        Raises:
            DominionError: a file can't be written.
        """
        ...


def agents_of(works: Iterable[Work]) -> list[str]:
    """Return the specifications of all agents of these works, each once, in alphabetical order."""
    return sorted({spec for work in works for spec in work.agents})
