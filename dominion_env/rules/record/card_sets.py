"""Sets of cards as whole numbers, a bit per card: the different cards in a hand, in a draw pile or in the Supply.

Going through a set visits only the cards that are in it, not all that exist:

    while cards:
        card = lowest(cards)
        ...
        cards = without_lowest(cards)
"""

from typing import Any

from dominion_env.compiled.instructions import count_bits, lowest_bit
from dominion_env.compiled.jit import primitive

lowest = lowest_bit  # the card of the lowest number in a set that is not empty
how_many = count_bits  # different cards in a set


@primitive
def without_lowest(cards: Any) -> Any:
    """Return the set without the card of the lowest number."""
    return cards & (cards - 1)


@primitive
def with_card(cards: Any, card: Any) -> Any:
    """Return the set with this card."""
    return int(cards) | 1 << int(card)


@primitive
def without_card(cards: Any, card: Any) -> Any:
    """Return the set without this card."""
    return int(cards) & ~(1 << int(card))
