"""Where parts are played: the interface behind which the processes of this machine and the nodes of a cluster stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from dominion_training.executors.work import Part

KEPT = "finished parts are kept, so the same command goes on"  # what errors say in which nothing is lost


class Playing(Protocol):
    """Parts that are being played, from `Executor.start` to `stop`."""

    @property
    def ahead(self) -> int:
        """Number of parts that may be running, or finished and not handed out: nobody waits, and memory stays bounded."""
        ...

    def begin(self, number: int, part: Part) -> None:
        """Let a part be played as soon as there is room for it; its number tells it from the others."""
        ...

    def finished(self) -> Iterator[tuple[int, NDArray[Any] | BaseException]]:
        """Wait until some parts are finished, and yield the number of each with its games, or with its error.

        Raises:
            DominionError: nothing can be played any more.
        """
        ...

    def stop(self) -> list[tuple[int, NDArray[Any]]]:
        """Stop all that is still played, and return what was finished before and was not handed out yet."""
        ...


@runtime_checkable
class Executor(Protocol):
    """Something that plays parts, several at the same time, wherever that is."""

    def start(self, parts: Sequence[Part]) -> Playing:
        """Make ready to play some of these parts, whose agents are in `roster.HERE`.

        Raises:
            DominionError: they can't be played there.
        """
        ...
