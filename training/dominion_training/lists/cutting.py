"""Games of many buy lists cut into parts, for other processes and machines: some lists and some sets of a step each.

How a step is cut does not depend on who plays it. What a list does in a set depends on these two and on the opponent there,
so that the outcomes of the parts, put together, are those of the step in one piece.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

AT_ONCE = 32  # parts of a round that may be played at the same time

Outcomes = NDArray[np.float64]
"""Share of the win, and points ahead of the best other player, float64 (2, lists, games); a truncated game is shared."""

Cut = tuple[slice, slice]
"""The lists and the sets of a part."""


def cut(lists: int, sets: int, games_of_a_set: int, most: int) -> list[Cut]:
    """Return the parts of a step, none of more games than `most` unless a single set is.

    Args:
        lists: number of lists.
        sets: number of sets that each of them plays.
        games_of_a_set: number of games of a set.
        most: number of games of a part.
    """
    sets_at_once = min(sets, max(1, most // games_of_a_set))
    lists_at_once = max(1, most // (sets_at_once * games_of_a_set)) if sets_at_once == sets else 1
    return [
        (slice(first, min(first + lists_at_once, lists)), slice(start, min(start + sets_at_once, sets)))
        for first in range(0, lists, lists_at_once)
        for start in range(0, sets, sets_at_once)
    ]


def together(
    cuts: Sequence[Cut], outcomes: Sequence[Outcomes], lists: int, games: int, games_of_a_set: int
) -> Outcomes:
    """Return the outcomes of a step, float64 (2, lists, games), from those of its parts."""
    found = np.empty((2, lists, games))
    for (rows, sets), outcome in zip(cuts, outcomes, strict=True):
        found[:, rows, sets.start * games_of_a_set : sets.stop * games_of_a_set] = outcome
    return found
