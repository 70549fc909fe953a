"""The files from which the rules and the core are compiled, and what a user who waits for the compiler is told of them.

An edit of any of these files makes everything compile again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dominion_env.compiled.jit import hash_of_sources
from dominion_env.compiled.notice import PARTS, Part

# The files that are compiled, and those whose tables compiled code reads as constants.
COMPILED_FILES = (
    "actions.py",
    "cards.py",
    "compiled/*.py",
    "core/field_kinds.py",
    "core/fields.py",
    "core/loop.py",
    "core/observation.py",
    "core/places.py",
    "core/put_fields.py",
    "core/putting.py",
    "core/rewards.py",
    "rules/**/*.py",
    "sources.py",
    "splitmix.py",
)

SOURCE_HASH = hash_of_sources(Path(__file__).parent, COMPILED_FILES)


def _have_many_seats(kinds: Sequence[Any]) -> bool:
    """Whether one of numba's types is that of records for more than two seats."""
    fields = [getattr(getattr(kind, "dtype", None), "fields", {}) for kind in kinds]
    return any("hand" in each and each["hand"].type.shape[0] > 2 for each in fields)


PARTS += [
    Part("the rules for tables of 3 to 6 players", 20, "dominion_env", _have_many_seats, ahead=True),
    Part("the rules for tables of 1 and 2 players", 15, "dominion_env", ahead=True),
]
