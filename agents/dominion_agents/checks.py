"""Checks of what a strategy is made of in Python; each raises `InvalidStrategy` and names the field."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from dominion_env.checks import shown
from dominion_env.errors import InvalidStrategy


def set_fields(record: Any, **values: Any) -> None:
    """Set fields of a frozen record to what they stand for: "gold" to "Gold", a numpy number to an int."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def whole_number(what: str, given: Any, least: int, most: int) -> int:
    """Return a whole number, of Python or numpy, as an int."""
    if isinstance(given, bool) or not isinstance(given, Integral) or not least <= int(given) <= most:
        raise InvalidStrategy(f"{what}: expected a whole number from {least} to {most}, got {shown(given)}")
    return int(given)


def check_bool(what: str, given: Any) -> None:
    """Check that a value is True or False."""
    if not isinstance(given, bool):
        raise InvalidStrategy(f"{what}: expected True or False, got {shown(given)}")


def check_tuple(what: str, given: Any, kind: type) -> None:
    """Check that a value is a tuple of one type."""
    if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
        raise InvalidStrategy(f"{what}: expected a tuple of {kind.__name__}, got {shown(given)}")
