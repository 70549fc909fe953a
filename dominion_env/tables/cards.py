"""All cards, and the columns of their rows that the compiled rules read.

A card is written in its file in `rules/cards/`: everything that it gives by itself (+Cards, +Actions, +Buys, +coins, points)
is its row, and what it does beyond that a function. The rows are listed in `card_table.py`, which is generated. Sources:
rulebooks of the first (2008) and second edition (2016) and the printed cards.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.tables.card_info import BASE, MOST_CARDS
from dominion_env.tables.card_info import CardInfo as CardInfo
from dominion_env.tables.card_info import Type as Type
from dominion_env.tables.card_table import NUM_BASE_CARDS as NUM_BASE_CARDS
from dominion_env.tables.card_table import Card as Card

CARDS: tuple[CardInfo, ...] = tuple(card.info for card in Card)
NUM_CARDS = len(CARDS)
KINGDOM_CARDS: tuple[Card, ...] = tuple(card for card in Card if card >= NUM_BASE_CARDS)

if NUM_CARDS > MOST_CARDS:
    raise ImportError(f"expected at most {MOST_CARDS} cards, as a set of cards is an int64, got {NUM_CARDS}")


class CardSet(NamedTuple):
    """The cards that are there, by which files say what their numbers mean.

    Attributes:
        name: names of the sets with + between, "base" for the base game alone.
        cards: number of cards.
        hash: of the cards' names, numbers and rows, without their texts.
    """

    name: str
    cards: int
    hash: str

    def __str__(self) -> str:
        return f"{self.name} ({self.cards} cards, {self.hash})"


def _card_set(infos: list[CardInfo]) -> CardSet:
    names = list(dict.fromkeys(info.set_name for info in infos))
    rows = [
        (i.name, i.cost, int(i.types), i.cards, i.actions, i.buys, i.coins, i.points, i.editions, i.set_name)
        for i in infos
    ]
    return CardSet("+".join(names), len(infos), sha256(json.dumps(rows).encode()).hexdigest()[:8])


CARD_SET = _card_set([*CARDS])  # all that is installed
BASE_SET = _card_set([info for info in CARDS if info.set_name == BASE])  # what a file means that names no set


def set_of(cards: Iterable[int]) -> dict[str, str]:
    """Return as an entry of a file the set that is needed for these cards, nothing if they are of the base game."""
    return {} if all(card < BASE_SET.cards for card in cards) else {"cards": str(CARD_SET)}


def _column(values: list[int]) -> NDArray[np.int64]:
    column = np.array(values, dtype=np.int64)
    column.setflags(write=False)
    return column


COST = _column([info.cost for info in CARDS])
TYPES = _column([int(info.types) for info in CARDS])
PLUS_CARDS = _column([info.cards for info in CARDS])
PLUS_ACTIONS = _column([info.actions for info in CARDS])
PLUS_BUYS = _column([info.buys for info in CARDS])
PLUS_COINS = _column([info.coins for info in CARDS])
POINTS = _column([info.points for info in CARDS])
