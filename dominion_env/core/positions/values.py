"""Checks of single values of a position: each function returns what the record holds, or raises InvalidPosition.

`where` names the place in the position, for the message.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common import checks
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidPosition
from dominion_env.core.positions.form import title_of
from dominion_env.rules.record.state import MAX_COPIES
from dominion_env.tables.cards import NUM_CARDS, Card


def check_keys(where: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Check that nothing is there under a key that is not known."""
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidPosition(f"{where}: expected keys among {', '.join(known)}, got {shown(unknown[0])}")


def check_list(where: str, value: Any) -> None:
    """Check that a value is a list."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidPosition(f"{where}: expected a list, got {shown(value)}")


def whole(where: str, value: Any, least: int, most: int) -> int:
    """Return a whole number in this range."""
    return checks.whole_number(where, value, least, most, InvalidPosition)


def flag(where: str, value: Any) -> bool:
    """Return whether this is true, which JSON writes in small letters."""
    return checks.flag(where, value, InvalidPosition)


def one_of(where: str, value: Any, names: Sequence[str]) -> int:
    """Return the place of a word in this list of names."""
    if not isinstance(value, str) or value not in names:
        raise InvalidPosition(f"{where}: expected one of {', '.join(names)}, got {shown(value)}")
    return names.index(value)


def card_named(where: str, name: Any) -> Card:
    """Return the card of a name."""
    try:
        return Card.named(name)
    except DominionError as error:
        raise InvalidPosition(f"{where}: {error}") from error


def copies_by_card(where: str, value: Mapping[str, Any]) -> dict[Card, int]:
    """Return how many copies of which cards a dictionary names, each card once."""
    copies: dict[Card, int] = {}
    for name, number in value.items():
        card = card_named(where, name)
        if card in copies:
            raise InvalidPosition(f"{where}: expected each card once, got {card.title} twice")
        copies[card] = whole(f"{where}: {card.title}", number, 0, MAX_COPIES)
    return copies


def card_list(where: str, value: Any) -> list[int]:
    """Return an ordered zone, given as a list of names or as counts."""
    if isinstance(value, Mapping):
        return [card for card, copies in enumerate(count_row(where, value)) for _ in range(copies)]
    check_list(where, value)
    return [int(card_named(where, name)) for name in value]


def count_row(where: str, value: Any) -> NDArray[np.int64]:
    """Return a zone without order, given as counts or as a list of names."""
    row = np.zeros(NUM_CARDS, dtype=np.int64)
    if isinstance(value, Mapping):
        for card, copies in copies_by_card(where, value).items():
            row[card] = copies
    else:
        check_list(where, value)
        for name in value:
            row[card_named(where, name)] += 1
    if row.max() > MAX_COPIES:
        raise InvalidPosition(
            f"{where}: expected at most {MAX_COPIES} copies of {title_of(int(row.argmax()))}, got {row.max()}"
        )
    return row
