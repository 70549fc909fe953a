"""A row of observations that is being written: what its numbers are, and where in a field each card has its place.

A row holds float32, each number times the scale of its field, or whole numbers as they are. In a row of all cards, the place
of a card is its number; in one of a kingdom's cards, it is the number of its pile.
"""

from typing import Any, NamedTuple

from dominion_env.compiled.instructions import counts_copy, counts_rest, element, largest, picking
from dominion_env.compiled.jit import primitive
from dominion_env.rules.record.state import NUM_PILES
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS

MOST_IN_A_BYTE = 255
_copy, _rest = counts_copy(NUM_CARDS), counts_rest(NUM_CARDS)
_PICKING = picking(NUM_CARDS, NUM_PILES)
_choose, _copy_piles, _rest_of_piles = _PICKING.choose, _PICKING.copy, _PICKING.rest


class Row(NamedTuple):
    """A row for compiled code, which compiles what writes it once for each kind.

    Attributes:
        values: its numbers.
        slots: None for a row of all cards; otherwise, at the number of each card of the kingdom plus 1, its place plus 1,
            and 0 at 0; from `PILES` on, the cards of the piles as `_PICKING` takes them.
    """

    values: Any
    slots: Any


PILES = NUM_CARDS + 1
SIZE_OF_SLOTS = PILES + _PICKING.size

# What depends on `slots` is a function of its own, as compiled code knows of its arguments whether they are None.


@primitive
def lay_out(slots: Any, piles: Any) -> None:
    """Write the places of these cards into the slots, if there are any; games in a row mostly have the same kingdom."""
    if slots is not None:
        same = True
        for pile in range(NUM_BASE_CARDS, NUM_PILES):
            same &= slots[PILES + pile] == piles[pile]
        if not same:
            for pile in range(NUM_PILES):
                slots[piles[pile] + 1] = pile + 1
            _choose(slots, PILES, piles)


@primitive
def _num_slots(slots: Any) -> Any:
    return NUM_CARDS if slots is None else NUM_PILES


@primitive
def num_slots(row: Any) -> Any:
    """Return the number of cards that have a place."""
    return _num_slots(row.slots)


@primitive
def _code(slots: Any, card: Any) -> Any:
    if slots is None:
        return card + 1
    return int(slots[card + 1])


@primitive
def code_of(row: Any, card: Any) -> Any:
    """Return the place of a card plus 1, and 0 for no card, which is negative."""
    return _code(row.slots, card)


@primitive
def holds_bytes(row: Any) -> Any:
    """Return whether the numbers of the row are bytes."""
    return largest(row.values) == MOST_IN_A_BYTE


@primitive
def most(row: Any, high: Any) -> Any:
    """Return the highest number that is shown of those up to `high`."""
    return min(high, largest(row.values))


@primitive
def put(row: Any, place: Any, number: Any, scale: Any) -> None:
    """Write a whole number that the row can hold."""
    row.values[place] = element(row.values, number, scale)


@primitive
def add_copies(row: Any, place: Any, card: Any, copies: Any, scale: Any) -> None:
    """Add to the count of a card."""
    row.values[place + code_of(row, card) - 1] += element(row.values, copies, scale)


@primitive
def mark(row: Any, place: Any) -> None:
    """Write 1."""
    row.values[place] = 1


@primitive
def _put_each(values: Any, place: Any, counts: Any, scale: Any, slots: Any) -> None:
    if slots is None:
        _copy(values, place, counts, scale)
    else:
        _copy_piles(values, place, counts, slots, PILES, scale)


@primitive
def put_each(row: Any, place: Any, counts: Any, scale: Any) -> None:
    """Write the count of each card that has a place."""
    _put_each(row.values, place, counts, scale, row.slots)


@primitive
def _put_rest(values: Any, place: Any, counts: Any, less: Any, lesser: Any, scale: Any, slots: Any) -> None:
    if slots is None:
        _rest(values, place, counts, less, lesser, scale)
    else:
        _rest_of_piles(values, place, counts, less, lesser, slots, PILES, scale)


@primitive
def put_rest(row: Any, place: Any, counts: Any, less: Any, lesser: Any, scale: Any) -> None:
    """Write the count of each card that has a place, without those of two others."""
    _put_rest(row.values, place, counts, less, lesser, scale, row.slots)
