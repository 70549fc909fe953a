"""Inputs of a network from rows of observations and masks: the compiled half of `inputs.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.compiled.jit import primitive, rule
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS, Verb
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS, Card
from dominion_env.tables.kingdoms import KINGDOM_SIZE

PILES = NUM_BASE_CARDS + KINGDOM_SIZE
MOST_COLUMNS, MOST_NUMBERS = 32, 160
MOST = 127  # the largest count that an input shows
_PLAY = int(Verb.PLAY)
_FIRST_TREASURE, _LAST_TREASURE = int(Card.COPPER), int(Card.GOLD)
assert (_FIRST_TREASURE, _LAST_TREASURE) == (0, 2)

READING = np.dtype(
    [
        ("slots", "i8"),
        ("actions", "i8"),
        ("inputs", "i8"),
        ("columns", "i8"),
        ("numbers", "i8"),
        ("cards", "i8"),  # number of slots that name their card
        ("in_game", "i8"),  # where these fields begin in an observation
        ("question_kind", "i8"),
        ("column_start", "i8", MOST_COLUMNS),
        ("column_cards", "i8", MOST_COLUMNS),
        ("column_factor", "f4", MOST_COLUMNS),
        ("number_start", "i8", MOST_NUMBERS),
        ("number_factor", "f4", MOST_NUMBERS),
    ],
    align=True,
)

# What is being looked at, in one decision.
GLANCE = np.dtype(
    [
        ("card_of", "i8", NUM_CARDS),  # the card of each slot
        ("slot_of", "i8", NUM_CARDS),  # the slot of each card, or -1
        ("in_game", "i8"),  # the cards that are in the game, a bit each
        ("num_in_game", "i8"),
        ("legal", "i8", FIRST_CARD_ACTION + NUM_VERBS * NUM_CARDS),  # the network's actions that are legal, in order
        ("num_legal", "i8"),
    ],
    align=True,
)


@rule
def find_slots(glance: Any, reading: Any, row: Any) -> None:
    """Give each card that is in the game a slot, as long as there are slots."""
    slot = 0
    glance.in_game, glance.num_in_game = 0, 0
    for card in range(NUM_CARDS):
        in_game = row[reading.in_game + card] != 0
        if in_game:
            glance.in_game |= 1 << card
            glance.num_in_game += 1
        glance.slot_of[card] = -1
        if (in_game or reading.slots == NUM_CARDS) and slot < reading.slots:
            glance.slot_of[card] = slot
            glance.card_of[slot] = card
            slot += 1


@primitive
def _count(number: Any) -> Any:
    """Return a count as it is kept: rounded, as floats are not exact, and cut off."""
    whole = np.int64(np.floor(number + np.float32(0.5)))
    return max(-MOST, min(whole, MOST))


@rule
def read(glance: Any, reading: Any, row: Any, into: Any, at: Any) -> None:
    """Write the inputs for a row of observations, int8, from `at` on."""
    columns = int(reading.columns)
    for column in range(columns):
        start, factor, cards = reading.column_start[column], reading.column_factor[column], reading.column_cards[column]
        if cards == 0:
            for slot in range(reading.slots):
                into[at + slot * columns + column] = _count(row[start + glance.card_of[slot]] * factor)
        else:
            for slot in range(reading.slots):
                into[at + slot * columns + column] = 0
            for number in range(cards):
                code = 0
                for bit in range(CODE):
                    code |= int(row[start + number * CODE + bit] != 0) << bit
                if 0 < code <= NUM_CARDS and glance.slot_of[code - 1] >= 0:
                    into[at + glance.slot_of[code - 1] * columns + column] += 1
    first = at + reading.slots * columns
    for number in range(reading.numbers):
        into[first + number] = _count(row[reading.number_start[number]] * reading.number_factor[number])
    first += int(reading.numbers)
    for slot in range(reading.cards):
        into[first + slot] = glance.card_of[slot]


@rule
def find_legal(glance: Any, reading: Any, row: Any, mask: Any) -> None:
    """List the actions that the network chooses from.

    These are the legal ones. Only where Treasures are played one by one, the network isn't asked: it plays all of them
    before it buys, as it was trained in games in which that is done for the players.
    """
    glance.num_legal = 0
    if row[reading.question_kind + ASK_BUY] != 0:
        for card in range(_FIRST_TREASURE, _LAST_TREASURE + 1):
            if mask[FIRST_CARD_ACTION + NUM_VERBS * card + _PLAY] and glance.slot_of[card] >= 0:
                glance.legal[0] = FIRST_CARD_ACTION + NUM_VERBS * glance.slot_of[card] + _PLAY
                glance.num_legal = 1
                return
    for action in range(FIRST_CARD_ACTION):
        if mask[action]:
            glance.legal[glance.num_legal] = action
            glance.num_legal += 1
    for slot in range(reading.slots):
        first = FIRST_CARD_ACTION + NUM_VERBS * glance.card_of[slot]
        for verb in range(NUM_VERBS):
            if mask[first + verb]:
                glance.legal[glance.num_legal] = FIRST_CARD_ACTION + NUM_VERBS * slot + verb
                glance.num_legal += 1


@primitive
def as_game_action(glance: Any, action: Any) -> Any:
    """Return the environment's number of an action of the network."""
    if action < FIRST_CARD_ACTION:
        return action
    slot, verb = (action - FIRST_CARD_ACTION) // NUM_VERBS, (action - FIRST_CARD_ACTION) % NUM_VERBS
    return FIRST_CARD_ACTION + NUM_VERBS * glance.card_of[slot] + verb
