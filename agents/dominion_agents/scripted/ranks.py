"""The order in which Actions are played, and the sets of cards that all heuristics speak of.

An Action of the base game has its places in `PLAY_ORDER` and `THRONE_ORDER`; those of other sets take places by their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dominion_env.tables.cards import COST, NUM_CARDS, PLUS_ACTIONS, TYPES, Card, Type

Flags: TypeAlias = NDArray[np.bool_]

# Cards that give their Action back come first, as they cost nothing: those with more Actions before the others, which may
# draw cards that need them, and Cellar last, when the rest of the hand is known. Then come the terminals, of which a turn
# has room for one: those that hurt or draw most before the others.
PLAY_ORDER = (
    "Village", "Festival", "Laboratory", "Market", "Spy", "Sentry", "Harbinger", "Merchant", "Poacher", "Cellar",
    "Throne Room", "Witch", "Council Room", "Smithy", "Library", "Bandit", "Adventurer", "Mine", "Artisan", "Militia",
    "Moneylender", "Bureaucrat", "Remodel", "Thief", "Feast", "Workshop", "Vassal", "Woodcutter", "Chancellor", "Moat",
    "Chapel",
)  # fmt: skip
# For Throne Room the card comes first that is worth most when it is played twice.
THRONE_ORDER = (
    "Witch", "Council Room", "Bandit", "Laboratory", "Smithy", "Festival", "Market", "Adventurer", "Artisan", "Militia",
    "Bureaucrat", "Sentry", "Mine", "Village", "Thief", "Poacher", "Spy", "Merchant", "Vassal", "Woodcutter", "Harbinger",
    "Library", "Moat", "Chancellor", "Workshop", "Feast", "Cellar", "Moneylender", "Remodel", "Chapel", "Throne Room",
)  # fmt: skip

# The order in which the program Provincial plays the cards that it knows, and chooses among them for Throne Room.
PROVINCIAL_ORDER = (
    "Throne Room", "Spy", "Laboratory", "Market", "Festival", "Village", "Cellar", "Witch", "Council Room", "Smithy",
    "Library", "Militia", "Moneylender", "Adventurer", "Chancellor", "Bureaucrat", "Mine", "Woodcutter", "Moat", "Remodel",
    "Workshop", "Chapel", "Feast",
)  # fmt: skip


def _ranks(order: Sequence[str]) -> NDArray[np.int64]:
    """Return a number per card, the highest for the first of the order, 0 for cards that are not in it."""
    ranks = np.zeros(NUM_CARDS, dtype=np.int64)
    ranks[[Card.named(name) for name in order]] = np.arange(len(order), 0, -1)
    return ranks


def _with_others(order: Sequence[str]) -> list[str]:
    """Return the order with all Actions: others come first if they give Actions, and last if they don't, the dearest first."""
    others = [card for card in Card if Type.ACTION in card.info.types and card.title not in order]
    others.sort(key=lambda card: -card.info.cost)
    first, last = ([card.title for card in others if (card.info.actions > 0) is gives] for gives in (True, False))
    return [*first, *order, *last]


PLAY_RANK, THRONE_RANK = _ranks(_with_others(PLAY_ORDER)), _ranks(_with_others(THRONE_ORDER))
PROVINCIAL_RANK = 1 + _ranks(PROVINCIAL_ORDER)  # cards that it does not know come last
GAIN_RANK = COST - (np.arange(NUM_CARDS) == Card.COPPER) - 2 * (np.arange(NUM_CARDS) == Card.CURSE)
FIRST_OF_ALL = 1000  # above every rank

IS_ACTION: Flags = TYPES & int(Type.ACTION) != 0
IS_TREASURE: Flags = TYPES & int(Type.TREASURE) != 0
IS_VICTORY: Flags = TYPES & int(Type.VICTORY) != 0
IS_DEAD: Flags = ~(IS_ACTION | IS_TREASURE)  # Victory cards and Curses do nothing in a hand
IS_TERMINAL: Flags = IS_ACTION & (PLUS_ACTIONS == 0)  # it gives no Action back


def _set_of(cards: np.ndarray[Any, Any]) -> int:
    """Return a set of cards, a bit each."""
    return sum(1 << card for card in range(NUM_CARDS) if cards[card])


ACTIONS, DEAD, CHEAP, DEAR = _set_of(IS_ACTION), _set_of(IS_DEAD), _set_of(COST <= 2), _set_of(COST >= 6)
THRONE_OR_TERMINAL = _set_of(IS_TERMINAL)
TERMINALS = THRONE_OR_TERMINAL & ~(1 << Card.THRONE_ROOM)  # which takes no Action from the card that it plays
STRONG_TERMINALS = TERMINALS & _set_of(COST >= 4)  # worth an Action even if another one could be doubled instead
