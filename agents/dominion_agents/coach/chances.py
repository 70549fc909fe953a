"""Chances to win and their differences, as playouts measure them, with intervals of 95%."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

Z = 1.959964  # standard errors to either side that an interval of 95% reaches


@dataclass(frozen=True)
class Chance:
    """A chance to win, which is the mean share of the win.

    Attributes:
        share: the mean, 0 to 1.
        low, high: ends of its interval of 95%, 0 to 1.
        playouts: number of playouts that measured it.
    """

    share: float
    low: float
    high: float
    playouts: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval, 0 to 0.5."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        """Return the chance in percent and its interval, such as "62% [59, 65]"."""
        return f"{self.share:.0%} [{100 * self.low:.0f}, {100 * self.high:.0f}]"


@dataclass(frozen=True)
class Difference:
    """By how much one chance to win is higher than another, in the same worlds.

    Attributes:
        share: the mean, -1 to 1.
        low, high: ends of its interval of 95%.
        playouts: number of worlds in which both were played.
    """

    share: float
    low: float
    high: float
    playouts: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval is above zero."""
        return self.low > 0

    def __str__(self) -> str:
        """Return the difference in percent of the win and its interval, such as "4.1 [0.6, 7.6]"."""
        return f"{100 * self.share:.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def chance_of(shares: ArrayLike) -> Chance:
    """Return the chance to win that playouts in independent worlds have shown.

    Wilson's interval is made for wins and losses, and never too narrow for shared wins, whose spread is smaller.

    Args:
        shares: share of the win in each playout, 0 to 1, at least one.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22, 1927.
    """
    values = np.asarray(shares, np.float64)
    number, share = len(values), float(values.mean())
    middle = (share + Z**2 / (2 * number)) / (1 + Z**2 / number)
    half = Z * math.sqrt(share * (1 - share) / number + Z**2 / (4 * number**2)) / (1 + Z**2 / number)
    # An end that is 0 or 1 misses it by rounding.
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return Chance(share, low, high, number)


def difference_of(shares: ArrayLike, others: ArrayLike) -> Difference:
    """Return by how much the first shares are higher than the second, pair by pair.

    Few worlds may show no difference where there sometimes is one. So the spread is taken as if Z**2 worlds more had shown a
    difference of one win, half of them to either side, as Agresti and Coull do for a single share.

    Args:
        shares, others: share of the win in each of the same worlds, at least one.
    """
    found = np.asarray(shares, np.float64) - np.asarray(others, np.float64)
    number, mean = len(found), float(found.mean())
    spread = math.sqrt((float(((found - mean) ** 2).sum()) + Z**2) / (number + Z**2))
    half = Z * spread / math.sqrt(number + Z**2)
    return Difference(mean, max(-1.0, mean - half), min(1.0, mean + half), number)
