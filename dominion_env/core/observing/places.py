"""Where the fields of an observation begin, and what of a row is cleared before, for the compiled code that writes it."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.compiled.jit import records
from dominion_env.core.observing import fields

# Where each field begins in an observation, for compiled code: `at.my_hand`. An opponent's field has the place of that of
# the first opponent.
NOT_WANTED = -1
PLACES = np.dtype(
    [
        *((name, "i8") for name in fields.FIELD_NAMES),
        ("next_opponent", "i8"),  # from one opponent's field to the next one's
        ("players", "i8"),
    ]
)

# Which fields are written, a truth value each.
WANTED = np.dtype([(name, "u1") for name in fields.FIELD_NAMES])


@cache
def places(num_players: int, names: tuple[str, ...] = fields.FIELD_NAMES) -> NDArray[Any]:
    """Return where these fields begin in an observation, as one record of `PLACES`, shape (1,); others are `NOT_WANTED`."""
    start = {field.name: field.start for field in fields.observation_fields(num_players)}
    table = np.zeros(1, PLACES)
    for name in fields.FIELD_NAMES:
        first = name.replace("opponent_", "opponent_1_")
        table[name] = start[first] if name in names and first in start else NOT_WANTED
    if num_players > 2:
        table["next_opponent"] = start["opponent_2_owned"] - start["opponent_1_owned"]
    table["players"] = num_players
    return records(table)


@cache
def strict_names() -> tuple[str, ...]:
    """Return the names of the fields of the "strict" observation."""
    return tuple(name for name, entry in fields.entries().items() if entry.strict)


@cache
def written_whole() -> frozenset[str]:
    """Return the names of the fields of which all numbers are written, whatever the position."""
    names = {name for name, entry in fields.entries().items() if entry.written_whole}
    only_for_the_seat_that_is_asked = {entry.name for entry in fields.ENTRIES["question"]}
    return frozenset(names - only_for_the_seat_that_is_asked)


@cache
def what_to_write(
    num_players: int, observation: fields.ObservationName, names: tuple[str, ...]
) -> tuple[NDArray[Any] | None, NDArray[np.int64]]:
    """Return `wanted` and `cleared` of `write_row` for these fields; those that "strict" does not show stay zero."""
    fields.check_names(names)
    strict = observation == "strict"
    shown = tuple(name for name in names if not strict or name in strict_names())
    if names == fields.FIELD_NAMES:  # in one go
        cleared = np.array([(0, fields.observation_size(num_players, observation))])
        return (_wanted(shown) if strict else None), cleared
    stretches: list[list[int]] = []
    for field in fields.observation_fields(num_players, observation):
        name = fields.any_opponents(field.name)
        if name in names and not (name in shown and name in written_whole()):
            if not stretches or stretches[-1][1] != field.start:
                stretches.append([field.start, field.start])
            stretches[-1][1] += field.size
    return _wanted(shown), np.array(stretches, np.int64).reshape(-1, 2)


def _wanted(names: tuple[str, ...]) -> NDArray[Any]:
    table = np.zeros(1, WANTED)
    for name in names:
        table[name] = 1
    return records(table)
