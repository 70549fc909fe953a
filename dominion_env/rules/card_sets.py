"""Sets of cards as whole numbers, a bit per card: which kinds a hand, a draw pile or the Supply holds at all.

Going through a set visits the few kinds that are there, not all that exist; `kinds &= kinds - 1` drops the lowest.
"""

from __future__ import annotations

from typing import Any

from dominion_env.rules.instructions import count_bits, lowest_bit
from dominion_env.rules.jit import primitive

lowest = lowest_bit  # the card of the lowest bit of a set that is not empty
how_many = count_bits  # kinds in a set


@primitive
def with_kind(kinds: Any, card: Any) -> Any:
    """The set with this card."""
    return int(kinds) | 1 << int(card)


@primitive
def without_kind(kinds: Any, card: Any) -> Any:
    """The set without this card."""
    return int(kinds) & ~(1 << int(card))
