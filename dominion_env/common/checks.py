"""Checks of single arguments: each returns the value as the program uses it, or raises an error that names the argument.

A whole number is an int, an integer of numpy, or an array of one without dimensions; True and False are none. An error
reads "NAME: expected A, got B"; it is an `InvalidOption` unless the caller asks for another.
"""

import math
from collections.abc import Sequence
from reprlib import Repr
from typing import Any, TypeGuard, TypeVar

import numpy as np

from dominion_env.common.errors import DominionError, InvalidOption

LARGEST_WORD = (1 << 64) - 1

T = TypeVar("T")
Word = TypeVar("Word", bound=str)

_LONGEST = 200  # characters of a value in an error


class _Shortened(Repr):
    """Write a value in a few words, however long or deeply nested it is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 20
        self.maxstring = self.maxother = 100

    def repr_int(self, value: int, level: int) -> str:
        """Write a whole number; Python refuses to write the longest ones."""
        return repr(value) if value.bit_length() <= 256 else f"a whole number of {value.bit_length()} bits"


_SHORTENED = _Shortened()


def shown(value: Any) -> str:
    """Return a value as an error shows it, which is its `repr`, shortened if it is long or deeply nested."""
    text = _SHORTENED.repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 40]} ... {text[-30:]}"


def is_whole(value: Any) -> TypeGuard[int | np.integer[Any]]:
    """Return whether this is a whole number."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_whole_in(value: Any, least: int, most: int | None = None) -> TypeGuard[int | np.integer[Any]]:
    """Return whether this is a whole number from `least` to `most`, None: without end."""
    return is_whole(value) and least <= int(value) and (most is None or int(value) <= most)


def whole_number(
    name: str, value: Any, least: int, most: int | None = None, error: type[DominionError] = InvalidOption
) -> int:
    """Check that this is a whole number from `least` to `most`, None: without end; return it as an int."""
    if not is_whole_in(value, least, most):
        upper = "" if most is None else " to 2**64 - 1" if most == LARGEST_WORD else f" to {most}"
        raise error(f"{name}: expected a whole number from {least}{upper}, got {shown(value)}")
    return int(value)


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf, above: float = -math.inf) -> float:
    """Check that this is a finite number from `least` to `most` and above `above`; return it as a float."""
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not (math.isfinite(value) and least <= value <= most and value > above):
        lower = f" above {above:g}" if above > -math.inf else f" from {least:g}" if least > -math.inf else ""
        upper = "" if most == math.inf else f" and at most {most:g}" if above > -math.inf else f" to {most:g}"
        raise InvalidOption(f"{name}: expected a finite number{lower}{upper}, got {shown(value)}")
    return float(value)


def flag(name: str, value: Any, error: type[DominionError] = InvalidOption) -> bool:
    """Check that this is True or False, as Python or numpy has them."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def one_of(name: str, value: Any, choices: Sequence[Word], error: type[DominionError] = InvalidOption) -> Word:
    """Check that this is one of these words."""
    if not isinstance(value, str) or value not in choices:
        raise error(f"{name}: expected one of {', '.join(map(repr, choices))}, got {shown(value)}")
    return choices[choices.index(value)]


def seat_or(
    name: str, value: Any, num_players: int, others: Sequence[T], error: type[DominionError] = InvalidOption
) -> int | T:
    """Check that this is one of these words (or None, if it is among them), or a seat of a game for this number of players."""
    if is_whole_in(value, 0, num_players - 1):
        return int(value)
    for other in others:
        if value is other or (isinstance(value, str) and value == other):
            return other
    named = ", ".join(map(repr, others))
    raise error(f"{name}: expected {named} or a seat from 0 to {num_players - 1}, got {shown(value)}")


def array(name: str, value: Any) -> np.ndarray[Any, Any]:
    """Check that this is a list or array in which all rows are equally long; return it as an array."""
    try:
        return np.asarray(value)
    except (ValueError, RecursionError) as error:
        raise InvalidOption(f"{name}: expected an array, got {shown(value)}") from error


def whole_per_row(name: str, value: Any, rows: int, dtype: Any, most: int | None = None) -> np.ndarray[Any, Any]:
    """Check that this is one whole number or one per row; return one per row, as `dtype`.

    The numbers are 0 to `most`; if that is None, any number will do, and is taken modulo 2**64.
    """

    # Made only when it is needed, as to show an array takes longer than to deal a world.
    def refused() -> InvalidOption:
        return InvalidOption(f"{name}: expected a whole number or one per row ({rows}), got {shown(value)}")

    if isinstance(value, np.ndarray):
        given = value
    else:
        try:  # as objects: of large and negative numbers together, numpy would make floats
            given = np.asarray(value, dtype=object)
        except (ValueError, RecursionError) as error:
            raise refused() from error
    if given.shape not in ((), (rows,)):
        raise refused()
    if given.dtype == object:
        numbers = given.ravel().tolist()
        if not all(map(is_whole, numbers)):
            raise refused()
        if most is not None and not all(0 <= int(number) <= most for number in numbers):
            raise InvalidOption(f"{name}: expected whole numbers from 0 to {most}, got {shown(value)}")
        given = np.array([int(number) % (1 << 64) for number in numbers], dtype=np.uint64).reshape(given.shape)
    if given.dtype.kind not in "iu":
        raise refused()
    if most is not None and given.size and (given.min() < 0 or given.max() > most):
        raise InvalidOption(f"{name}: expected whole numbers from 0 to {most}, got {shown(value)}")
    return np.broadcast_to(given.astype(dtype), (rows,)).copy()
