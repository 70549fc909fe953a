"""All cards, and the columns of their rows that the compiled rules read.

A card is written in its file in `rules/cards/`: everything that it gives by itself (+Cards, +Actions, +Buys, +coins, points)
is its row, and what it does beyond that a function. The rows are listed in `card_table.py`, which is generated. Sources:
rulebooks of the first (2008) and second edition (2016) and the printed cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_env.card_info import CardInfo as CardInfo
from dominion_env.card_info import Type as Type
from dominion_env.card_table import NUM_BASE_CARDS as NUM_BASE_CARDS
from dominion_env.card_table import Card as Card

CARDS: tuple[CardInfo, ...] = tuple(card.info for card in Card)
NUM_CARDS = len(CARDS)
KINGDOM_CARDS: tuple[Card, ...] = tuple(card for card in Card if card >= NUM_BASE_CARDS)


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
