"""Intervals and tests of the analyses: means over games that share players, contrasts of groups, many tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

FEWEST = 30  # games in a group, below which nothing is said about it
CONFIDENCE = 0.95
_VARIES = 0.01  # a part of a card: what differs by less from what is expected does not tell
POWER = 0.8  # with which a difference is to be seen where the games that it takes are counted


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, and what it rests on.

    Attributes:
        value: the number; None if there are too few games.
        low, high: ends of the 95% interval; None likewise.
        n: number of games in the smallest group that it rests on.
        p: p-value of the test that the true number is 0; None if there are too few games, or no test is meant.
        error: standard error; None if there are too few games.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    p: float | None = None
    error: float | None = None

    @property
    def is_known(self) -> bool:
        """Whether there are enough games."""
        return self.value is not None

    def text(self, form: str = "{:.3f}") -> str:
        """Return the number and its interval in words, or "too few games"."""
        if self.value is None or self.low is None or self.high is None:
            return f"too few games ({self.n:,})"
        return f"{form.format(self.value)} [{form.format(self.low)}, {form.format(self.high)}]"


def too_few(games: int) -> Estimate:
    """Return an estimate of which nothing can be said."""
    return Estimate(None, None, None, games)


def mean_of(values: ArrayLike, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """Return the mean of a number a game, with Student's interval.

    Args:
        values: one number for each of the games, which are independent, float (games,).
        bounds: least and greatest possible value.
    """
    return contrast(values, np.zeros(np.size(values), np.int64), (1.0,), np.arange(np.size(values)), bounds)


def contrast(
    values: ArrayLike,
    groups: NDArray[np.integer],
    weights: Sequence[float],
    games: NDArray[np.integer],
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate:
    """Return a weighted sum of the means of groups; values of one game may depend on each other.

    The standard error is that of the linearised sum, with all that a game adds to it as one observation ("cluster-robust"),
    and the interval Student's with one degree of freedom less than the smallest group has games. If all values of a group
    are the same, there is no telling how much they would vary: half a game's worth of the largest possible variation is
    then added, where `bounds` say what that is.

    Args:
        values: float (rows,).
        groups: number of each row's group, int (rows,); rows of other numbers than the weights' places are left out.
        weights: weight of each group's mean, such as (1, -1) for a difference.
        games: number of each row's game, int (rows,).
        bounds: least and greatest value that the sum can have.

    Source: Liang and Zeger, "Longitudinal data analysis using generalized linear models" (1986).
    """
    numbers, groups = np.asarray(values, np.float64), np.asarray(groups)
    kept = (groups >= 0) & (groups < len(weights))
    numbers, groups = numbers[kept], groups[kept]
    _, game = np.unique(np.asarray(games)[kept], return_inverse=True)
    smallest, total, spread, share = len(numbers), 0.0, 0.0, np.zeros(int(game.max(initial=-1)) + 1)
    for group, weight in enumerate(weights):
        rows = np.flatnonzero(groups == group)
        num_games = len(np.unique(game[rows]))
        smallest = min(smallest, num_games)
        if num_games < FEWEST:
            continue
        mean = float(numbers[rows].mean())
        total += weight * mean
        share += np.bincount(game[rows], weight * (numbers[rows] - mean) / len(rows), len(share))
        if math.isfinite(bounds[1] - bounds[0]) and np.ptp(numbers[rows]) == 0:
            spread += (weight * (bounds[1] - bounds[0]) / 2 / num_games) ** 2 / 2
    if smallest < FEWEST:
        return too_few(smallest)
    return _estimate(total, math.sqrt(float((share**2).sum()) * smallest / (smallest - 1) + spread), smallest, bounds)


def within(
    values: ArrayLike, columns: NDArray[np.floating], strata: NDArray[np.integer], games: NDArray[np.integer]
) -> Estimate:
    """Return what goes with the last column among rows of the same stratum and with the same other columns.

    That is its coefficient in the linear regression on all columns and a constant for each stratum ("fixed effects"), with
    the standard error and interval of `contrast`. Strata in which it does not vary say nothing about it. `n` counts the
    games in which it is higher than the others let expect, or those in which it is lower, whichever are fewer.

    Args:
        values: float (rows,).
        columns: float (rows, columns).
        strata: number of each row's stratum, int (rows,).
        games: number of each row's game, int (rows,); values of one game may depend on each other.
    """
    _, stratum = np.unique(strata, return_inverse=True)
    sizes = np.bincount(stratum)
    table = np.column_stack([columns, np.asarray(values, np.float64)])
    means = np.column_stack([np.bincount(stratum, each) for each in table.T]) / sizes[:, None]
    table = table - means[stratum]
    others, last, outcome = table[:, :-2], table[:, -2], table[:, -1]
    for wanted in (last, outcome):  # what the other columns explain is taken out of both
        wanted -= others @ np.linalg.lstsq(others, wanted)[0] if others.shape[1] else 0.0
    _, game = np.unique(games, return_inverse=True)
    smallest = min(len(np.unique(game[last > _VARIES])), len(np.unique(game[last < -_VARIES])))
    if smallest < FEWEST:
        return too_few(smallest)
    total = float(last @ last)
    slope = float(last @ outcome) / total
    share = np.bincount(game, last * (outcome - slope * last)) / total
    return _estimate(slope, math.sqrt(float((share**2).sum()) * smallest / (smallest - 1)), smallest)


def _estimate(value: float, error: float, games: int, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """Return a number with Student's interval and test, of one degree of freedom less than there are games."""
    half = float(stats.t.ppf(0.5 + CONFIDENCE / 2, games - 1)) * error
    p = float(2 * stats.t.sf(abs(value) / error, games - 1)) if error else float(value == 0)
    return Estimate(value, max(bounds[0], value - half), min(bounds[1], value + half), games, p, error)


def proportion(successes: int, games: int) -> Estimate:
    """Return a share of independent games with Wilson's interval."""
    if games < FEWEST:
        return too_few(games)
    interval = stats.binomtest(successes, games).proportion_ci(CONFIDENCE, "wilson")
    return Estimate(successes / games, float(interval.low), float(interval.high), games)


def adjusted(estimates: Sequence[Estimate]) -> list[float | None]:
    """Return the q-values of Benjamini and Hochberg, None where nothing is known.

    Calling all with a q-value of at most 0.05 different from 0 is wrong, on average, in at most one of twenty of those that
    are called so.

    Source: Benjamini and Hochberg, "Controlling the False Discovery Rate" (1995).
    """
    tested = [each.p for each in estimates if each.p is not None]
    found = iter(stats.false_discovery_control(tested).tolist() if tested else [])
    return [None if each.p is None else float(next(found)) for each in estimates]


def games_to_see(estimate: Estimate, difference: float, games: int) -> int | None:
    """Return how many such games it takes to tell a true difference from 0.

    That is the number with which the test at 5% finds it four times in five, or, if there are too few games to say how they
    vary, the number in which the smallest group would have FEWEST; None if it has none at all.

    Args:
        estimate: an estimate of that kind.
        difference: the true difference that is to be seen.
        games: number of all games that the estimate was made from.
    """
    if estimate.error is None:
        return math.ceil(games * FEWEST / estimate.n) if estimate.n else None
    needed = float(stats.norm.ppf(0.5 + CONFIDENCE / 2) + stats.norm.ppf(POWER))
    return math.ceil(games * (needed * estimate.error / difference) ** 2)
