"""Section 7: the knowledge of a seat. This file holds the ways in which the tests look at it.

A card that a seat has not seen is not named in its log (`test_logs.py`) and not shown to it by events
(`test_events.py`). Cards of a hand or a pile that all have seen stay known until they may have left it
(`test_known_cards.py`). A seat sees its own cards and the question that it is asked (`test_questions.py`), and what it has
chosen and set going (`test_own_choices.py`). Pairs of
positions (`test_hidden_positions.py`) or of courses (`test_hidden_choices.py`) that differ only in something hidden from a
seat must look equal to it, in its observation, its log and, where it is asked, its choices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_env import CARDS, observation_fields
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import Field
from dominion_env.tables.cards import NUM_CARDS
from tests.table import Cards, Seat, Table


def sees_the_same(seat: int, one: Table, other: Table) -> bool:
    """Fail if this seat can tell the two tables apart: by its observation, its log, or what it is asked."""
    differences = np.flatnonzero(one.game.observe(seat) != other.game.observe(seat))
    assert differences.size == 0, f"seat {seat} sees a difference at {differences.tolist()}"
    assert one.log(one.seats[seat]) == other.log(other.seats[seat])
    assert one.over == other.over
    if not one.over:
        assert one.game.decision.player == other.game.decision.player
        if one.game.decision.player == seat:
            assert one.legal == other.legal
            assert one.game.decision == other.game.decision
    return True


def can_tell(seat: int, one: Table, other: Table) -> bool:
    """Whether the observations of this seat differ."""
    return not np.array_equal(one.game.observe(seat), other.game.observe(seat))


def seen(table: Table, seat: Seat, name: str) -> Cards:
    """Return the cards in one field of a seat's observation: counts for each card, or single cards as binary codes."""
    field = _field(table, name)
    values = _values(table, seat, field)
    if field.size == NUM_CARDS:
        return Cards({info.name: round(float(n)) for info, n in zip(CARDS, values, strict=True)}, ordered=False)
    codes = [int(code @ (1 << np.arange(CODE))) for code in values.reshape(-1, CODE)]
    return Cards([CARDS[code - 1].name for code in codes if code], ordered=True)


def number(table: Table, seat: Seat, name: str) -> float:
    """Return a field of a seat's observation that is one number."""
    (value,) = numbers(table, seat, name)
    return value


def numbers(table: Table, seat: Seat, name: str) -> list[float]:
    """Return the counts or numbers in a field of a seat's observation."""
    return [float(value) for value in _values(table, seat, _field(table, name))]


def question(table: Table, seat: Seat) -> list[float]:
    """Return all that a seat sees of the open question: the last fields of its observation."""
    return [float(value) for value in table.game.observe(seat.number)[_field(table, "question_kind").start :]]


def _field(table: Table, name: str) -> Field:
    return next(field for field in observation_fields(len(table.seats)) if field.name == name)


def _values(table: Table, seat: Seat, field: Field) -> NDArray[np.float32]:
    return table.game.observe(seat.number)[field.start : field.start + field.size] / field.scale
