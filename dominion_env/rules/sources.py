"""The files from which the rules are compiled, and what a user who waits for the compiler is told of them.

An edit of any of these files makes everything compile again.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dominion_env.compiled.jit import hash_of_sources
from dominion_env.compiled.notice import PARTS, Part

# The files that are compiled, and those whose tables compiled code reads as constants.
FILES = ("common/splitmix.py", "compiled/*.py", "rules/**/*.py", "tables/actions.py", "tables/card*.py")

RULES_HASH = hash_of_sources(Path(__file__).parents[1], FILES)


def _have_many_seats(kinds: Sequence[Any]) -> bool:
    """Whether one of numba's types is that of records for more than two seats."""
    fields = [getattr(getattr(kind, "dtype", None), "fields", {}) for kind in kinds]
    return any("hand" in each and each["hand"].type.shape[0] > 2 for each in fields)


PARTS += [
    Part("the rules for tables of 3 to 6 players", 20, "dominion_env", _have_many_seats, ahead=True),
    Part("the rules for tables of 1 and 2 players", 15, "dominion_env", ahead=True),
]
