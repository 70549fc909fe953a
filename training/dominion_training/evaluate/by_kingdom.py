"""One agent against another on each of many kingdoms: where it is strong, and where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.cards import CARDS
from dominion_env.tables.kingdoms import resolve
from dominion_training.common.pictures import figure_of, picture_of
from dominion_training.evaluate.benchmark import play_matches
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.matches import Match
from dominion_training.evaluate.taken import taken_by
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.play.recorded import together


@dataclass(frozen=True)
class ScoresByKingdom:
    """The results of one match on each of several kingdoms, as many games on each.

    Attributes:
        matches: the matches, which differ in their kingdoms.
        results: their results.
    """

    matches: tuple[Match, ...]
    results: tuple[MatchResult, ...]

    @property
    def together(self) -> MatchResult:
        """All games as one match. Its interval also holds for other kingdoms of that kind, so it is a wide one for these."""
        return MatchResult(together([result.games for result in self.results]))

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score on each kingdom, float64 (kingdoms,)."""
        return np.array([result.score for result in self.results])

    @property
    def intervals(self) -> NDArray[np.float64]:
        """95% interval of each score, float64 (kingdoms, 2)."""
        return np.array([result.interval() for result in self.results])

    @property
    def taken(self) -> dict[str, dict[str, Any]]:
        """What the answers of agents took that do not repeat themselves; see `taken_by`."""
        return taken_by([(self.matches[0].first, self.matches[0].second, self.together.games)])

    def above(self, level: float) -> int:
        """Return on how many kingdoms the score is above this level."""
        return int((self.scores > level).sum())

    def surely_below(self, level: float) -> int:
        """Return on how many kingdoms the whole interval is below this level."""
        return int((self.intervals[:, 1] < level).sum())

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        result = self.together
        low, high = result.interval()
        return {
            "first": self.matches[0].first, "second": self.matches[0].second, "score": result.score, "low": low,
            "high": high, "even": result.even, "games": result.num_games, "above_even": self.above(result.even),
            "surely_below_even": self.surely_below(result.even),
            "kingdoms": [
                {"kingdom": match.kingdom, "score": each.score, "low": each.interval()[0], "high": each.interval()[1],
                 "games": each.num_games}
                for match, each in zip(self.matches, self.results, strict=True)
            ],
            **({"taken": self.taken} if self.taken else {}),
        }  # fmt: skip


def matches_of(match: Match) -> tuple[Match, ...]:
    """Return a match for each kingdom of a match whose games draw one of several, such as those of "test".

    Raises:
        InvalidOption: the kingdom is a single one, or its cards are drawn from a pool.
        DominionError: there is no such kingdom.
    """
    kingdoms = resolve(match.kingdom).kingdoms
    if len(kingdoms) < 2:
        raise InvalidOption(f"--each: expected a split such as test, got the kingdom {shown(match.kingdom)}")
    names = (", ".join(CARDS[card].name for card in kingdom) for kingdom in kingdoms)
    return tuple(replace(match, kingdom=name) for name in names)


def compare_by_kingdom(
    matches: Sequence[Match],
    num_games: int,
    workers: int | Executor = 1,
    folder: Folder | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> ScoresByKingdom:
    """Play each match on several cores.

    Args:
        matches: the matches, as `matches_of` returns them.
        num_games: number of games of each, a multiple of the number of players.
        workers, folder: as in `run_parts`.
        progress: function that is called with the number of games so far.

    Raises:
        DominionError: as `run_parts`.
    """
    played = play_matches(matches, num_games, workers, folder, lambda games, _: progress(games))
    return ScoresByKingdom(tuple(matches), tuple(played.values()))


def picture(found: ScoresByKingdom) -> bytes:
    """Return the scores on all kingdoms with their intervals, the lowest first, as the bytes of a PNG."""
    order = np.argsort(found.scores)
    scores, intervals = 100 * found.scores[order], 100 * found.intervals[order]
    figure, axes = figure_of(8, 4)
    places = np.arange(len(scores))
    axes.axhline(100 * found.together.even, color="grey", linewidth=0.8, linestyle="--")
    errors = np.abs(intervals - scores[:, None]).T
    axes.errorbar(places, scores, yerr=errors, fmt="o", markersize=3, linewidth=0.8, color="#0072B2", ecolor="#9ecae1")
    axes.set_xlabel(f"{len(scores)} kingdoms, lowest score first")
    axes.set_ylabel("score and 95% interval (%)")
    first, games = found.matches[0], found.results[0].num_games
    axes.set_title(
        f"{first.first} against {first.second}, {games} games on each kingdom", fontsize=10, parse_math=False
    )
    axes.set_ylim(0, 100)
    return picture_of(figure)
