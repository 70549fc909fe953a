"""Figures with their standard errors."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


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
    """Return the mean of independent games."""
    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std())
    return Measured(float(array.mean()), _not_zero(spread, len(array)) / math.sqrt(len(array)), spread)


def deviation(values: ArrayLike) -> Measured:
    """Return the standard deviation of independent games, as a figure of its own."""
    array = np.asarray(values, dtype=np.float64)
    away = array - array.mean()
    found = float(array.std())
    spread = math.sqrt(max(float((away**4).mean()) - found**4, 0.0)) / (2 * found) if found > 0 else 0.0
    return Measured(found, spread / math.sqrt(len(array)), spread)


def _not_zero(spread: float, number: int) -> float:
    """Return the spread, or a small one instead of none: an event that n games never show may happen once in n."""
    return max(spread, 1 / math.sqrt(number))
