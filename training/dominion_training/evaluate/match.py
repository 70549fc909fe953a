"""Two agents against each other: the score, its interval, and how the games went.

Games come in sets with the same luck (`games.py`). For two players a set is a pair with swapped seats. For more, one copy
of the first agent meets copies of the second and goes round the table. The spread between sets shows how much luck is
left, so intervals are computed over sets, not over games.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Agent
from dominion_env.rules.record.state import TRUNCATED
from dominion_training.play.loop import Player
from dominion_training.play.seeds import seed_of_run
from dominion_training.play.sets import ENDINGS, FORFEIT, GAMES_AT_ONCE, Games, play_sets

ELO_PER_NAT = 400 / math.log(10)
ADDED_VARIATION = 0.5  # sum of squares: that of two sets, one won and one lost


@dataclass(frozen=True)
class MatchResult:
    """The games of one agent against another, and what they say about the first one.

    The score of a game is the share of the win, which is 1 for a single winner, 1/n for each of n winners, and 0 for the
    others. A truncated game counts as shared by all. Between two players the score counts a tie as half a win.

    Attributes:
        games: complete sets, in order (`games.game_dtype`); the first agent is at place 0 of the lineup.
        seed: seed of their addresses, with which they can be played again; None if it is not known.
    """

    games: Games
    seed: int | None = None

    @property
    def num_players(self) -> int:
        """Number of seats at the table."""
        return int(self.games["shares"].shape[1])

    @property
    def num_games(self) -> int:
        """Number of games played."""
        return len(self.games)

    @property
    def game_scores(self) -> NDArray[np.float64]:
        """The first agent's score in each game, float64 (sets, rotations)."""
        shares = self.games["shares"]
        own: NDArray[np.float64] = shares[np.arange(len(shares)), self.games["rotation"]]
        return own.reshape(-1, self.num_players)

    @property
    def set_scores(self) -> NDArray[np.float64]:
        """Mean score in each set, float64 (sets,)."""
        means: NDArray[np.float64] = self.game_scores.mean(axis=1)
        return means

    @property
    def score(self) -> float:
        """Mean score over all games."""
        return float(self.set_scores.mean())

    @property
    def even(self) -> float:
        """Score between equals, 1/k of k players."""
        return 1 / self.num_players

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the score, see `score_interval`."""
        return score_interval(self.set_scores, confidence)

    @property
    def wins(self) -> int:
        """Number of games that the first agent won alone."""
        return int((self.game_scores == 1).sum())

    @property
    def losses(self) -> int:
        """Number of games in which the first agent has no share."""
        return int((self.game_scores == 0).sum())

    @property
    def ties(self) -> int:
        """Number of games whose win the first agent shares, truncated games included."""
        return self.num_games - self.wins - self.losses

    @property
    def truncated(self) -> int:
        """Number of games cut at the turn limit."""
        return self.endings[ENDINGS[TRUNCATED]]

    @property
    def endings(self) -> dict[str, int]:
        """Number of games by the way they ended."""
        counts = {name: int((self.games["ended"] == code).sum()) for code, name in (ENDINGS | FORFEIT).items()}
        return {name: number for name, number in counts.items() if number or name in ENDINGS.values()}

    @property
    def rounds(self) -> tuple[float, float]:
        """Mean and standard deviation of the games' length in rounds."""
        return float(self.games["rounds"].mean()), float(self.games["rounds"].std())

    @property
    def positions(self) -> NDArray[np.int64]:
        """The first agent's place in the order of turns, 0 for the start player, int64 (sets, rotations)."""
        order = (self.games["rotation"] - self.games["starter"]) % self.num_players
        result: NDArray[np.int64] = order.astype(np.int64).reshape(-1, self.num_players)
        return result

    @property
    def score_by_position(self) -> list[float]:
        """The first agent's mean score when it is first to act, second to act, and so on."""
        scores, positions = self.game_scores, self.positions
        return [float(scores[positions == place].mean()) for place in range(self.num_players)]

    @property
    def variance_ratio(self) -> float | None:
        """Variance of the score, divided by that of as many independent games with seats as evenly spread.

        Below 1, playing with the same luck has made the match more precise than its number of games alone would. None
        if single games have no spread or there is only one set.
        """
        scores = self.game_scores
        if len(scores) < 2:
            return None
        independent = scores.var(axis=0, ddof=1).sum() / self.num_players**2
        return float(scores.mean(axis=1).var(ddof=1) / independent) if independent > 0 else None

    @property
    def elo(self) -> float | None:
        """Score as a difference in Elo; None if every game is won or lost, or for more than two players."""
        if self.num_players > 2 or self.score in (0.0, 1.0):
            return None
        return elo_of(self.score)

    def elo_interval(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Confidence interval of the difference in Elo, that of the score on another scale.

        Its ends are infinite where those of the score are 0 or 1. None for more than two players.
        """
        if self.num_players > 2:
            return None
        low, high = self.interval(confidence)
        return elo_of(low), elo_of(high)

    @property
    def superiority(self) -> float:
        """Likelihood of superiority, the confidence that the first agent scores more than an equal would, 0 to 1.

        It is that of the one-sided test against equals which belongs to `score_interval`: above 0.975 just when the 95%
        interval lies above the score of equals.
        """
        number, score, even = len(self.set_scores), self.score, self.even
        error = math.sqrt(even * (1 - even) * effective_ratio(self.set_scores) / number)
        return NormalDist().cdf((score - even) / error)

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        low, high = self.interval()
        elo = self.elo_interval() or (None, None)
        return {
            "score": self.score, "low": low, "high": high, "even": self.even, "games": self.num_games,
            "sets": len(self.set_scores), "wins": self.wins, "ties": self.ties, "losses": self.losses,
            "truncated": self.truncated, "endings": self.endings, "rounds": self.rounds[0], "rounds_sd": self.rounds[1],
            "score_by_position": self.score_by_position, "variance_ratio": self.variance_ratio, "elo": self.elo,
            "elo_low": elo[0], "elo_high": elo[1], "likelihood_of_superiority": self.superiority,
        }  # fmt: skip

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.score:.1%} [{low:.1%}, {high:.1%}], n = {self.num_games}"


def score_interval(set_scores: NDArray[np.float64], confidence: float = 0.95) -> tuple[float, float]:
    """Return a confidence interval of a mean score, over sets.

    It is Wilson's interval for a proportion, with the effective number of sets: if the scores of sets vary a tenth as
    much as sets that are won or lost as a whole, each of them tells as much as ten of those. Half a set's worth of such
    variance is added first, so that neither a clean sweep nor twins that come out even in every set seem certain.

    Args:
        set_scores: mean score in each set, float64 (sets,), from 0 to 1; at least one.
        confidence: share of such intervals that hold the true score.

    Sources: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927); E. Korn and
    B. Graubard, "Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from
    Survey Data" (1998) for the effective number.
    """
    number, score = len(set_scores), float(set_scores.mean())
    chi2 = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2 * effective_ratio(set_scores) / number
    middle = (score + chi2 / 2) / (1 + chi2)
    half = math.sqrt(chi2 * (score * (1 - score) + chi2 / 4)) / (1 + chi2)
    return min(max(middle - half, 0.0), score), max(min(middle + half, 1.0), score)


def effective_ratio(set_scores: NDArray[np.float64]) -> float:
    """Return how much the scores of sets vary, relative to sets won or lost as a whole; see `score_interval`."""
    number, score = len(set_scores), float(set_scores.mean())
    if number < 2:
        return 1.0
    variation = number * float(set_scores.var(ddof=1))
    return (variation + ADDED_VARIATION) / (number * score * (1 - score) + ADDED_VARIATION)


def elo_of(score: float) -> float:
    """Return a score between two players as a difference in Elo; infinite at 0 and 1."""
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1 - score))


def sets_of(num_games: int, num_players: int) -> int:
    """Return the number of sets in that many games.

    Raises:
        InvalidOption: the games are no complete sets, or the number of players is not 2 to 6.
    """
    if not 2 <= num_players <= 6:
        raise InvalidOption(f"players: expected 2 to 6, got {num_players}")
    if num_games < num_players or num_games % num_players:
        raise InvalidOption(
            f"games: expected a multiple of {num_players}, as each agent plays from every seat, got {num_games}"
        )
    return num_games // num_players


def lineup(first: Player, second: Player, num_players: int = 2) -> tuple[Player, ...]:
    """Return the players of a match: the first at one place, the second at all others."""
    return (first, *[second] * (num_players - 1))


def play_match(
    first: Agent,
    second: Agent,
    num_games: int,
    seed: int | None = None,
    num_players: int = 2,
    games_at_once: int = GAMES_AT_ONCE,
    stopping: Callable[[], bool] | None = None,
    **options: Any,
) -> MatchResult:
    """Let two agents play, in this process; `compare` and `benchmark` use all cores.

    Args:
        first, second: the agents; the result is that of the first.
        num_games: number of games, a multiple of the number of players; set s has the address (seed, s, 0).
        seed: seed of the addresses; None for 64 random bits, which no agent can find out by trying, and which the result
            holds.
        num_players: number of seats, 2 to 6; from 3 on the second agent has all seats but one.
        games_at_once, stopping, options: as in `play_sets`.

    Raises:
        InvalidOption: `num_games` is no positive multiple of the number of players, these are not 2 to 6, or an agent is a name.
        InvalidAgent: an agent failed.
        DominionError: an option is wrong.
    """
    if named := [agent for agent in (first, second) if isinstance(agent, str)]:
        raise InvalidOption(f"expected agents, got a name: make_agent({shown(named[0])}) makes its agent")
    sets = range(sets_of(num_games, num_players))
    players = lineup(Player("first", first), Player("second", second), num_players)
    seed = seed_of_run(seed)
    return MatchResult(play_sets(players, sets, seed, games_at_once, stopping, **options), seed)
