"""Which puzzle an address names, the puzzle of a day among them, and what the deciding seat sees of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from urllib.parse import urlencode

from dominion_app.web.house.games import Seen, VisitorGame
from dominion_app.web.house.link import Link, number_in, pack
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_training.puzzles import puzzles

# The day whose puzzle is number 0; the days after it have the others in their order, again and again.
FIRST_DAY = date(2025, 1, 1)
_OPPONENT = "opponent"


@dataclass(frozen=True)
class PuzzleLink:
    """Which puzzle a page shows.

    Attributes:
        number: number of the puzzle.
        day: day whose puzzle it is; None if it was asked for by its number.
        kind: kind of question that the puzzles before and after it have as well, "" for any.
    """

    number: int
    day: date | None = None
    kind: str = ""

    @staticmethod
    def read(query: Sequence[tuple[str, str]], today: date, tried: int = 0) -> PuzzleLink:
        """Read the query of an address; without one it is today's puzzle, and with no more than a kind a random one.

        Args:
            query: names and values.
            today: the day by UTC.
            tried: puzzles that a random one is none of while there are others; bit n is that of puzzle n.

        Raises:
            InvalidOption: there is no such puzzle.
        """
        given = {key: value.strip() for key, value in query}
        if "day" in given or not given:
            day = _day(given.pop("day", str(today)), today)
            _check_keys(given, ())
            return _of_day(day)
        _check_keys(given, ("number", "kind"))
        kind = given.get("kind", "")
        among = _of_kind(kind)
        if not among:
            raise InvalidOption(f"kind: expected one of {', '.join(kinds())}, got {shown(kind)}")
        drawn = random.choice([number for number in among if not tried >> number & 1] or among)
        number = number_in("number", given, drawn, 0, len(puzzles()) - 1)
        if number not in among:
            raise InvalidOption(f"number: expected a puzzle of the kind {kind}, got {number}")
        return PuzzleLink(number, None, kind)

    @property
    def query(self) -> str:
        """The query that `read` reads, in one form for each puzzle."""
        named = {"number": self.number} if self.day is None else {"day": self.day}
        return urlencode({**named, "kind": self.kind} if self.kind else named)

    def neighbours(self, today: date) -> dict[str, PuzzleLink]:
        """Return the puzzles before and after this one, by day or by number, with the words that lead to each."""
        if self.day is not None:
            days = {"The day before": self.day - timedelta(1), "The day after": self.day + timedelta(1)}
            return {words: _of_day(day) for words, day in days.items() if FIRST_DAY <= day <= today}
        among = _of_kind(self.kind)
        at = among.index(self.number)
        numbers = {"Previous": among[:at][-1:], "Next": among[at + 1 :][:1]}
        return {words: replace(self, number=number) for words, found in numbers.items() for number in found}


@cache
def kinds() -> dict[str, int]:
    """Return the kinds of question, each with the number of its puzzles, most first."""
    found = [puzzle.kind for puzzle in puzzles()]
    return {kind: found.count(kind) for kind in sorted({*found}, key=lambda kind: (-found.count(kind), kind))}


def _of_kind(kind: str) -> list[int]:
    return [puzzle.number for puzzle in puzzles() if kind in ("", puzzle.kind)]


def _of_day(day: date) -> PuzzleLink:
    return PuzzleLink((day - FIRST_DAY).days % len(puzzles()), day)


def _day(text: str, today: date) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if str(day) != text or not FIRST_DAY <= day <= today:  # Python also reads other forms
        raise InvalidOption(f"day: expected one from {FIRST_DAY} to {today}, written like these, got {shown(text)}")
    return day


def _check_keys(given: dict[str, str], known: tuple[str, ...]) -> None:
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidOption(f"puzzle: expected a day, or a number, a kind or both, got {shown(unknown[0])} as well")


@cache
def seen_at(number: int) -> Seen:
    """Return what the deciding seat of a puzzle sees; cards that are picked together are asked for one by one."""
    puzzle = puzzles()[number]
    agents = tuple(None if seat == puzzle.seat else _OPPONENT for seat in range(2))
    link = Link(agents=agents, seat=puzzle.seat, ask_treasures=False, position=pack(puzzle.position))
    return replace(VisitorGame(link).seen(), several=False)
