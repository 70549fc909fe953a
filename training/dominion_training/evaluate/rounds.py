"""Parts that come up in rounds, such as the games of a search: the next round depends on what the one before came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from numpy.typing import NDArray

from dominion_training.evaluate.executor import Executor
from dominion_training.evaluate.work import Part
from dominion_training.play.loop import Stopped


class Stoppable:
    """What is stopped at the end of a `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop everything that still runs."""


class Rounds(Stoppable):
    """Plays rounds of parts on an executor, which stays started from the first round to the last.

    Args:
        executor: what plays the parts.
        like: parts as those of the rounds to come, as many as may be played at the same time; their agents must be in
            `roster.HERE`.

    Raises:
        DominionError: they can't be played there.
    """

    def __init__(self, executor: Executor, like: Sequence[Part]) -> None:
        self._playing = executor.start(like)
        self._begun = 0

    def stop(self) -> None:
        """Stop everything that is still played."""
        self._playing.stop()

    def play(self, parts: Sequence[Part], stopping: Callable[[], bool] | None = None) -> list[NDArray[Any]]:
        """Play all of these parts, and return what each has come to, in their order.

        Args:
            parts: the parts of a round.
            stopping: function that is called after each part and returns True to stop.

        Raises:
            Stopped: `stopping()` was true; there is no next round then.
            Exception: a part failed; the first one in order decides.
        """
        first, begun = self._begun, 0
        self._begun += len(parts)
        found: dict[int, NDArray[Any] | BaseException] = {}
        while len(found) < len(parts):
            while begun < len(parts) and begun - len(found) < self._playing.ahead:
                self._playing.begin(first + begun, parts[begun])
                begun += 1
            found |= {number - first: outcome for number, outcome in self._playing.finished()}
            if stopping is not None and len(found) < len(parts) and stopping():
                raise Stopped
        games = []
        for number in range(len(parts)):
            outcome = found[number]
            if isinstance(outcome, BaseException):
                raise outcome
            games.append(outcome)
        return games
