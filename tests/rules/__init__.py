"""The rulebook section by section. This file holds the checks that the tests of chance share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_QUANTILE = 3.719  # of the normal distribution: above it once in ten thousand draws. Seeds are fixed: no test is flaky.


def critical(freedom: int) -> float:
    """Return what chi-square is above once in ten thousand right draws, after Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + _QUANTILE * part**0.5) ** 3)


def fits(counts: Sequence[int] | Any, shares: Sequence[float] | Any) -> bool:
    """Fail unless these counts could come from these probabilities."""
    counts, shares = [int(count) for count in counts], [float(share) for share in shares]
    assert len(counts) == len(shares)
    total, whole = sum(counts), sum(shares)
    expected = [total * share / whole for share in shares]
    assert min(expected) >= 5, "too few draws for a test"
    chi_square = sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))
    assert chi_square < critical(len(counts) - 1), f"{counts} do not come from {shares}: chi-square {chi_square:.1f}"
    return True


def uniform(counts: Sequence[int] | Any) -> bool:
    """Fail unless these counts could come from equally likely cases."""
    return fits(counts, [1.0] * len(counts))
