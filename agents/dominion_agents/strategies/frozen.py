"""Fields of the frozen records that strategies are made of: setting them, and checking tuples of records."""

from __future__ import annotations

from typing import Any

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidStrategy


def set_fields(record: Any, **values: Any) -> None:
    """Set fields of a frozen record to what they mean: "gold" to "Gold", a numpy number to an int."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def check_tuple(what: str, given: Any, kind: type) -> None:
    """Check that a value is a tuple of one type."""
    if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
        raise InvalidStrategy(f"{what}: expected a tuple of {kind.__name__}, got {shown(given)}")
