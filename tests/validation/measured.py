"""Figures with their standard errors."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

LIMIT = 4.0  # standard errors by which two figures may differ


class Measured(NamedTuple):
    """One figure of ours.

    Attributes:
        value: the figure.
        error: its standard error.
        spread: standard deviation of one game, so that others' standard error over n games is spread / sqrt(n).
    """

    value: float
    error: float
    spread: float


def mean(values: ArrayLike) -> Measured:
    """Return the mean of independent games.

    If all values lie within 0 and 1, the mean is a share, and its error is at least that of `_error_of_share`.
    """
    array = np.asarray(values, dtype=np.float64)
    found, spread = float(array.mean()), float(array.std())
    error = spread / math.sqrt(len(array))
    if array.min() >= 0 and array.max() <= 1:
        error = max(error, _error_of_share(found, len(array)))
    return Measured(found, error, spread)


def deviation(values: ArrayLike) -> Measured:
    """Return the standard deviation of independent games, as a figure of its own."""
    array = np.asarray(values, dtype=np.float64)
    away = array - array.mean()
    found = float(array.std())
    spread = math.sqrt(max(float((away**4).mean()) - found**4, 0.0)) / (2 * found) if found > 0 else 0.0
    return Measured(found, spread / math.sqrt(len(array)), spread)


def _error_of_share(share: float, number: int) -> float:
    """Return the standard error of a share that few of the games, or all but a few, show.

    Their own spread tells too little then: an event that 100 games never show may still happen in one game of ten. So half
    of LIMIT**2 games are added that show it, and as many that don't. Within LIMIT such errors lie all shares that may well
    have brought the one that was found.

    Source: Agresti and Coull, "Approximate is better than exact for interval estimation of binomial proportions", The
    American Statistician 52, 1998.
    """
    likely = (share * number + LIMIT**2 / 2) / (number + LIMIT**2)
    return math.sqrt(likely * (1 - likely) / (number + LIMIT**2))
