"""A card and its mark in one byte, as cards on top of a draw pile and beside the play area are stored.

The mark says who knows the card, or what it is there for (`state.py`). These are plain functions: positions call them as
they are, and `zones.py` compiles them for the rules.
"""

from typing import Any

_MARK = 6
_CARD = (1 << _MARK) - 1


def card_in(entry: Any) -> Any:
    """Return the card of an entry."""
    return int(entry) & _CARD


def mark_of(entry: Any) -> Any:
    """Return the mark of an entry."""
    return int(entry) >> _MARK


def marked(card: Any, mark: Any) -> Any:
    """Return the entry for a card with a mark."""
    return int(card) | int(mark) << _MARK
