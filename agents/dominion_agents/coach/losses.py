"""What decisions have cost on average, in all and by kind of question and stage of the game, with intervals of 95%.

The decisions of a game hang together, and so do those of a turn. So the spread is that of clusters: of games where there are
many, and of the turns of a single game, which say little about other games. Over the turns of one game, 45% (`first-game`)
to 100% (`random`) of the intervals held an agent's mean over 60 games, and over decisions 30% to 97%.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.core.questions import KIND_NAMES

# Stages of a game by the turn of the player who decides: the first turn of each, and its name.
EARLY = 5  # turn from which on turns are not the first ones
STAGES = {0: "turns 1 to 4", EARLY: "turns 5 to 9", 10: "turn 10 and later"}

# Standard errors to either side that an interval of 95% reaches, by one over the degrees of freedom (Student's t).
_ONE_OVER = 0, 1 / 30, 1 / 15, 1 / 10, 1 / 8, 1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1
_STUDENT = 1.95996, 2.04227, 2.13145, 2.22814, 2.30600, 2.44691, 2.57058, 2.77645, 3.18245, 4.30265, 12.7062


@dataclass(frozen=True)
class MeanLoss:
    """The mean loss of some decisions.

    Attributes:
        loss: the mean, a share of the win.
        half_width: half the width of its interval of 95%; NaN for a single cluster, for none, or if nothing was lost.
        decisions: number of decisions.
    """

    loss: float
    half_width: float
    decisions: int

    def __str__(self) -> str:
        """Return the mean and half the width in percent of the win, such as "0.82 ±0.41"."""
        return percent_of(self.loss, self.half_width)


@dataclass(frozen=True)
class MeanLosses:
    """Mean losses of decisions, of all and of groups.

    Attributes:
        losses: loss of each decision, a share of the win, float (decisions,).
        kinds: kind of its question, one of `KIND_NAMES`, str (decisions,).
        turns: turn of the player who decides, from 1, int (decisions,).
        clusters: number of its cluster, which are independent of each other, int (decisions,).
    """

    losses: NDArray[np.floating[Any]]
    kinds: NDArray[np.str_]
    turns: NDArray[np.integer[Any]]
    clusters: NDArray[np.integer[Any]]

    @cached_property
    def overall(self) -> MeanLoss:
        """The mean loss of all decisions."""
        return self._mean(np.ones(len(self.losses), np.bool_))

    @cached_property
    def groups(self) -> dict[str, MeanLoss]:
        """The mean loss by kind of question and by stage of the game, of those that occur."""
        stages = np.array([stage_of(turn) for turn in self.turns.tolist()])
        among = {name: self.kinds == name for name in KIND_NAMES} | {name: stages == name for name in STAGES.values()}
        return {name: self._mean(chosen) for name, chosen in among.items() if chosen.any()}

    def _mean(self, chosen: NDArray[np.bool_]) -> MeanLoss:
        """Return the mean of some decisions: a ratio of two means over clusters, its spread by the delta method."""
        if not chosen.any():
            return MeanLoss(math.nan, math.nan, 0)
        _, place, numbers = np.unique(self.clusters[chosen], return_inverse=True, return_counts=True)
        losses = np.bincount(place, self.losses[chosen])
        mean = float(losses.sum() / numbers.sum())
        half_width = mean_of((losses - mean * numbers) / numbers.mean())[1] if mean else math.nan
        return MeanLoss(mean, half_width, int(numbers.sum()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON; losses are shares of the win."""
        return {**vars(self.overall), "groups": {name: vars(mean) for name, mean in self.groups.items()}}


def stage_of(turn: int) -> str:
    """Return the name of the stage of a game that a turn belongs to, by its number."""
    return STAGES[max(first for first in STAGES if first <= turn)]


def mean_of(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of independent values, and half the width of its 95% interval (Student's t); NaN for a single one."""
    number = len(values)
    if number == 1:
        return float(values[0]), math.nan
    reach = float(np.interp(1 / (number - 1), _ONE_OVER, _STUDENT))
    return float(values.mean()), reach * float(values.std(ddof=1)) / math.sqrt(number)


def percent_of(mean: float, half_width: float, digits: int = 2) -> str:
    """Return a share and half the width of its interval in percent, "0.82 ±0.41", without a width that is NaN or above 1."""
    width = "" if not half_width <= 1 else f" ±{100 * half_width:.{digits}f}"
    return f"{100 * mean:.{digits}f}{width}"
