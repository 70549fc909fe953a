"""Agents against each other over kingdoms: scores of each against each, ratings, and Nash averaging."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.common.files import as_plain
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.match import MatchResult, score_interval
from dominion_training.evaluate.matches import Match, check_limits_of
from dominion_training.evaluate.nash import NashEstimate, nash_estimate, set_payoffs
from dominion_training.evaluate.ratings import Ratings, encounter, fit
from dominion_training.evaluate.taken import taken_by
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import SETTINGS, Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.recorded import together
from dominion_training.play.seeds import seed_of_run
from dominion_training.play.sets import Games

ANCHOR = "big-money"  # whose rating is 0

RATINGS_METHOD = (
    "Bradley-Terry (Luce's choice rule at tables of more than two) by maximum likelihood, shared victories in parts, an "
    "advantage for each place in the order of turns, Jeffreys' prior; intervals from the robust covariance with all games "
    "of one address as one observation; Big Money is 0"
)


@dataclass(frozen=True)
class Benchmark:
    """All matches between some agents on some kingdoms, on the same addresses each.

    Attributes:
        agents: specifications; one of them is the anchor, Big Money.
        kingdoms: kingdoms as in `Match`.
        num_players: number of seats. From 3 on, one copy of the row's agent meets copies of the column's.
        results: results by the numbers (row, column, kingdom); for two players only those with row < column.
    """

    agents: tuple[str, ...]
    kingdoms: tuple[str, ...]
    num_players: int
    results: dict[tuple[int, int, int], MatchResult]

    def payoff(self, kingdom: int | None = None) -> NDArray[np.float64]:
        """Return the scores of row against column on one kingdom, or their mean over all, float64 (agents, agents).

        An agent against itself scores 1 / players.
        """
        return self._payoffs[kingdom][0]

    def interval(self, kingdom: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the low and the high ends of the 95% confidence intervals of `payoff`."""
        _, low, high = self._payoffs[kingdom]
        return low, high

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings over all kingdoms, with Big Money at 0."""
        return self._fit(range(len(self.kingdoms)))

    @cached_property
    def ratings_by_kingdom(self) -> list[Ratings]:
        """Ratings on each kingdom alone."""
        return [self._fit([kingdom]) for kingdom in range(len(self.kingdoms))]

    @cached_property
    def nash(self) -> NashEstimate | None:
        """Nash averaging of the mean payoff, with intervals over sets.

        It is None after a single set, which says nothing about its spread, and at tables of more than two, whose game is
        not zero-sum between two.
        """
        sets = {
            (row, column): np.mean([self.results[row, column, k].set_scores for k in range(len(self.kingdoms))], axis=0)
            for row, column in dict.fromkeys((row, column) for row, column, _ in self.results)
        }
        if self.num_players != 2 or len(next(iter(sets.values()))) < 2:
            return None
        return nash_estimate(set_payoffs(len(self.agents), sets))

    @property
    def by_strength(self) -> list[int]:
        """Numbers of the agents, highest rating first."""
        return [int(agent) for agent in np.argsort(-self.ratings.elo, kind="stable")]

    @property
    def field_scores(self) -> NDArray[np.float64]:
        """Mean score against the other agents on each kingdom, float64 (agents, kingdoms)."""
        n = len(self.agents)
        others = ~np.eye(n, dtype=np.bool_)
        return np.array([self.payoff(k)[others].reshape(n, n - 1).mean(axis=1) for k in range(len(self.kingdoms))]).T

    @property
    def taken(self) -> dict[str, dict[str, Any]]:
        """What the answers of agents took that do not repeat themselves; see `taken_by`."""
        return taken_by(
            [(self.agents[row], self.agents[col], each.games) for (row, col, _), each in self.results.items()]
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        low, high = self.interval()
        matches = [
            {"first": self.agents[row], "second": self.agents[column], "kingdom": self.kingdoms[k], **result.summary()}
            for (row, column, k), result in self.results.items()
        ]
        plain: dict[str, Any] = as_plain(
            {
                "agents": self.agents,
                "kingdoms": self.kingdoms,
                "players": self.num_players,
                "payoff": self.payoff(),
                "payoff_low": low,
                "payoff_high": high,
                "ratings": self.ratings,
                "ratings_by_kingdom": dict(zip(self.kingdoms, self.ratings_by_kingdom, strict=True)),
                "ratings_method": RATINGS_METHOD,
                "nash": self.nash,
                "field_scores": self.field_scores,
                "matches": matches,
            }
            | ({"taken": self.taken} if self.taken else {})
        )
        return plain

    @cached_property
    def _payoffs(self) -> dict[int | None, tuple[NDArray[np.float64], ...]]:
        numbers = range(len(self.kingdoms))
        return {kingdom: self._matrix(numbers if kingdom is None else [kingdom]) for kingdom in (None, *numbers)}

    def _matrix(self, kingdoms: Sequence[int]) -> tuple[NDArray[np.float64], ...]:
        """Return the scores and their intervals; games of one address on several kingdoms count as one observation."""
        n = len(self.agents)
        score, low, high = np.full((3, n, n), 1 / self.num_players)
        for row, column in {(row, column) for row, column, _ in self.results}:
            sets = np.mean([self.results[row, column, kingdom].set_scores for kingdom in kingdoms], axis=0)
            score[row, column] = sets.mean()
            low[row, column], high[row, column] = score_interval(sets)
            if self.num_players == 2:
                score[column, row] = 1 - score[row, column]
                low[column, row], high[column, row] = 1 - high[row, column], 1 - low[row, column]
        return score, low, high

    def _fit(self, kingdoms: Sequence[int]) -> Ratings:
        chosen = [encounter(row, column, result) for (row, column, k), result in self.results.items() if k in kingdoms]
        return fit(len(self.agents), chosen, anchor=self.agents.index(ANCHOR))


def benchmark(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_games: int,
    workers: int | Executor = 1,
    folder: Path | None = None,
    num_players: int = 2,
    seed: int | None = None,
    progress: Callable[[int, str], None] = lambda games, note: None,
    limits: Mapping[str, float] | None = None,
    **options: Any,
) -> Benchmark:
    """Let every agent meet every other.

    Args:
        agents: specifications; Big Money is added if it is missing, as ratings count from it.
        kingdoms: kingdoms as in `Match`.
        num_games: number of games of each match on each kingdom.
        workers: as in `run_parts`.
        folder: path of the folder in which games are kept, if any.
        num_players, limits, options: as in `Match`.
        seed: seed of the games' addresses; None for that of the folder, or 64 random bits, which each result then holds.
        progress: function that is called with the number of finished games and the match they belong to.

    Raises:
        InvalidOption: an agent or kingdom is named twice or is no text, or there is no kingdom or no agent but Big Money.
        DominionError: as `run_parts` and `Folder`.
    """
    seed = seed_of_run(seed, folder and folder / SETTINGS)
    everybody, matches = plan_matches(agents, kingdoms, num_players, seed, options, limits)
    with folder_for_work(folder, "results"):
        kept = None if folder is None else Folder(folder, matches)
        played = play_matches(matches, num_games, workers, kept, progress)
    return collect(everybody, kingdoms, num_players, played)


def play_matches(
    matches: Sequence[Match],
    num_games: int,
    workers: int | Executor = 1,
    folder: Folder | None = None,
    progress: Callable[[int, str], None] = lambda games, note: None,
) -> dict[Match, MatchResult]:
    """Play matches and return their results; arguments as in `benchmark`."""
    check_limits_of(matches)
    played: dict[Match, list[Games]] = {}
    done = 0
    for part, games in run_parts([part for match in matches for part in match.parts(num_games)], workers, folder):
        match = part.work
        played.setdefault(match, []).append(games)
        done += len(games)
        progress(done, f"{match.first} against {match.second}, {match.kingdom}")
    return {match: MatchResult(together(games), match.seed) for match, games in played.items()}


def collect(
    agents: Sequence[str], kingdoms: Sequence[str], num_players: int, played: Mapping[Match, MatchResult]
) -> Benchmark:
    """Return the benchmark of these agents on these kingdoms from results that hold all their matches, and maybe more."""
    results = {
        (agents.index(match.first), agents.index(match.second), kingdoms.index(match.kingdom)): result
        for match, result in played.items()
        if match.first in agents and match.second in agents and match.kingdom in kingdoms
    }
    return Benchmark(tuple(agents), tuple(kingdoms), num_players, results)


def plan_matches(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_players: int,
    seed: int,
    options: dict[str, Any],
    limits: Mapping[str, float] | None = None,
) -> tuple[tuple[str, ...], list[Match]]:
    """Return the agents that take part, Big Money among them, and the matches to play.

    Raises:
        InvalidOption: as `benchmark`.
    """
    check_names("agents", agents)
    check_kingdoms(kingdoms)
    everybody = tuple(agents) if ANCHOR in agents else (*agents, ANCHOR)
    if len(everybody) < 2:
        raise InvalidOption(f"agents: expected at least one other than {ANCHOR}, got none")
    matches = [
        Match(everybody[row], everybody[column], kingdom, num_players, seed, options, limits or {})
        for row, column in permutations(range(len(everybody)), 2)
        if row < column or num_players > 2
        for kingdom in kingdoms
    ]
    return everybody, matches


def check_kingdoms(given: Sequence[str]) -> None:
    """Check that there are kingdoms, each named once.

    Raises:
        InvalidOption: there are not.
    """
    check_names("kingdoms", given)
    if not given:
        raise InvalidOption("kingdoms: expected at least one, got none")


def check_names(option: str, given: Sequence[str]) -> None:
    """Check that an option is a list of names without repetition.

    Raises:
        InvalidOption: it is not.
    """
    if isinstance(given, str):
        raise InvalidOption(f"{option}: expected a list such as [{shown(given)}], got {shown(given)}")
    strange = [each for each in given if not isinstance(each, str)]
    if strange:
        raise InvalidOption(
            f"{option}: expected names, got {strange[0]!r}; code of your own is named as module:attribute or "
            'path/to/file.py:attribute, or by the name that it has from register_agent("name", maker)'
        )
    twice = sorted({each for each in given if list(given).count(each) > 1})
    if twice:
        raise InvalidOption(f"{option}: expected each once, got {', '.join(twice)} twice")
