"""What is measured, and the loop that measures it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["batch", "views", "others"]

Piece: TypeAlias = Callable[[], tuple[int, int]]
"""Plays on for some milliseconds; returns the decisions answered and the games ended in it."""


@dataclass(frozen=True)
class Subject:
    """Something that plays.

    Attributes:
        part: of the card, where it stands.
        name: who plays what.
        decision: what counts as one, and what of it is measured.
        begin: makes it ready to play; an ImportError says that a package is missing.
        games: played at once.
        extra: of this package, that brings what it needs; "": nothing more is needed.
    """

    part: Part
    name: str
    decision: str
    begin: Callable[[], Piece]
    games: int = 1
    extra: str = ""


@dataclass(frozen=True)
class Run:
    """One run: decisions answered, games ended, seconds."""

    decisions: int
    games: int
    seconds: float


@dataclass(frozen=True)
class Figures:
    """The runs of one subject."""

    subject: Subject
    runs: tuple[Run, ...]

    @property
    def decisions_per_second(self) -> tuple[float, float, float]:
        """Lowest, median and highest of the runs."""
        rates = [run.decisions / run.seconds for run in self.runs]
        return min(rates), median(rates), max(rates)

    @property
    def games_per_second(self) -> float:
        """Over all runs together, as some end no game in a short one."""
        return sum(run.games for run in self.runs) / sum(run.seconds for run in self.runs)


def measure(
    begun: Sequence[tuple[Subject, Piece]],
    seconds: float,
    runs: int,
    clock: Callable[[], float],
    advance: Callable[[], None] = lambda: None,
) -> list[Figures]:
    """Run all subjects by turns, so that whatever else the machine does is spread over them all.

    The first round does not count: in it caches fill.

    Args:
        begun: subjects, each with what its `begin` returned.
        seconds: that a run takes at least; it ends with a whole piece.
        runs: of each subject.
        clock: seconds, as `time.process_time`.
        advance: called after each run, `(runs + 1) * len(begun)` times.
    """
    found: list[list[Run]] = [[] for _ in begun]
    for _ in range(runs + 1):
        for (_, piece), done in zip(begun, found, strict=True):
            done.append(_run(piece, seconds, clock))
            advance()
    return [Figures(subject, tuple(done[1:])) for (subject, _), done in zip(begun, found, strict=True)]


def _run(piece: Piece, seconds: float, clock: Callable[[], float]) -> Run:
    decisions, games = 0, 0
    start = clock()
    while True:
        more_decisions, more_games = piece()
        decisions += more_decisions
        games += more_games
        spent = clock() - start
        if spent >= seconds:
            return Run(decisions, games, spent)
