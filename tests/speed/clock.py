"""The subjects of the bench, and the loop that measures them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["batch", "views", "search", "learner", "others"]

Piece: TypeAlias = Callable[[], tuple[int, int]]
"""A function that plays on for some milliseconds and returns the decisions answered and the games ended in that time."""


@dataclass(frozen=True)
class Subject:
    """Something that plays.

    Attributes:
        part: part of the table in which it stands.
        name: name of the package or view and of the game.
        decision: meaning of a decision, and how much of it is measured.
        begin: function that makes it ready to play; it raises an ImportError if a package is missing.
        games: number of games played at once.
        extra: extra of this package that installs what the subject needs, or "" if it needs nothing more.
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
        """The lowest, the median and the highest rate of the runs."""
        rates = [run.decisions / run.seconds for run in self.runs]
        return min(rates), median(rates), max(rates)

    @property
    def games_per_second(self) -> float:
        """The rate over all runs together, as a short run may end no game."""
        return sum(run.games for run in self.runs) / sum(run.seconds for run in self.runs)


def measure(
    begun: Sequence[tuple[Subject, Piece]],
    seconds: float,
    runs: int,
    clock: Callable[[], float],
    advance: Callable[[], None] = lambda: None,
) -> list[Figures]:
    """Run all subjects by turns, so that the machine's other work is spread over all of them.

    The first round does not count, as caches fill during it.

    Args:
        begun: subjects, each with the piece that its `begin` returned.
        seconds: shortest time of a run, which ends with a whole piece.
        runs: number of runs of each subject.
        clock: function that returns seconds, such as `time.process_time`.
        advance: function called after each run, `(runs + 1) * len(begun)` times.

    Returns:
        The figures of each subject, in the order of `begun`.
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
