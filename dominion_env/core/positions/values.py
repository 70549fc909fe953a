"""Checks of single values of a position: each function returns what the record holds, or raises InvalidPosition.

`where` names the place in the position, for the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.cards import NUM_CARDS, Card
from dominion_env.core.positions.form import name_of
from dominion_env.errors import DominionError, InvalidPosition
from dominion_env.rules.state import MAX_COPIES


def check_keys(where: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Check that nothing is there under a key that is not known."""
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidPosition(f"{where}: expected keys among {', '.join(known)}, got {unknown[0]!r}")


def check_list(where: str, value: Any) -> None:
    """Check that a value is a list."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidPosition(f"{where}: expected a list, got {value!r}")


def whole(where: str, value: Any, least: int, most: int) -> int:
    """Return a whole number in this range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise InvalidPosition(f"{where}: expected a whole number from {least} to {most}, got {value!r}")
    return int(value)


def flag(where: str, value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidPosition(f"{where}: expected true or false, got {value!r}")
    return bool(value)


def one_of(where: str, value: Any, names: Sequence[str]) -> int:
    """Return the place of a word in this list of names."""
    if value not in names:
        raise InvalidPosition(f"{where}: expected one of {', '.join(names)}, got {value!r}")
    return names.index(value)


def card_named(where: str, name: Any) -> Card:
    """Return the card of a name."""
    try:
        return Card.named(name)
    except DominionError as error:
        raise InvalidPosition(f"{where}: {error}") from error


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
        for name, copies in value.items():
            row[card_named(where, name)] += whole(f"{where}: {name}", copies, 0, MAX_COPIES)
    else:
        check_list(where, value)
        for name in value:
            row[card_named(where, name)] += 1
    if row.max() > MAX_COPIES:
        raise InvalidPosition(
            f"{where}: expected at most {MAX_COPIES} copies of {name_of(int(row.argmax()))}, got {row.max()}"
        )
    return row
