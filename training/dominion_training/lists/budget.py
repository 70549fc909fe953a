"""What a search may take, in games and in minutes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

from dominion_env.common.checks import is_whole_in, shown
from dominion_env.common.errors import InvalidOption

MEASURED = 4000  # games on which the best that was found is measured


@dataclass(frozen=True)
class Budget:
    """The most games and minutes of a search.

    Attributes:
        games: most games.
        minutes: most minutes, those before an interruption included.
    """

    games: float = math.inf
    minutes: float = math.inf

    @classmethod
    def checked(cls, games: int | None, minutes: float | None, least: int, least_of: str) -> Self:
        """Return the budget of a search.

        Args:
            games, minutes: see above; None for no limit.
            least: number of games that it takes at least.
            least_of: what takes them, in words.

        Raises:
            InvalidOption: there is no limit, or one is out of range.
        """
        if games is None and minutes is None:
            raise InvalidOption("budget: expected games or minutes, got none")
        if games is not None and not is_whole_in(games, least):
            raise InvalidOption(
                f"games: expected a whole number from {least}, which {least_of} takes, got {shown(games)}"
            )
        check_minutes(minutes)
        return cls(float(games or math.inf), minutes or math.inf)

    def is_late(self, seconds: float) -> bool:
        """Whether the minutes are over."""
        return seconds > 60 * self.minutes

    def is_spent(self, games_ahead: int, seconds: float) -> bool:
        """Whether the minutes are over, or what comes next would make too many games."""
        return games_ahead > self.games or self.is_late(seconds)

    def share(self, games: int, seconds: float) -> float:
        """Return the share of the budget that is spent, 0 to 1."""
        return min(max(games / self.games, seconds / 60 / self.minutes), 1.0)


def check_minutes(minutes: Any) -> None:
    """Check a number of minutes; None is no limit.

    Raises:
        InvalidOption: it is not a finite number above 0.
    """
    if minutes is None:
        return
    is_number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
    if not is_number or not 0 < minutes < math.inf:
        raise InvalidOption(f"minutes: expected a finite number above 0, got {shown(minutes)}")
