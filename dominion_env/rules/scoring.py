"""Points and winners."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.cards import NUM_CARDS, POINTS, Card
from dominion_env.rules.jit import rule

_GARDENS = int(Card.GARDENS)
_PRINTED = np.flatnonzero(POINTS)  # cards with points of their own


@rule
def points(game: Any, player: Any) -> Any:
    """Victory points over all cards that the player owns, wherever they are; each Gardens 1 for every 10 cards."""
    total = 0
    for i in range(_PRINTED.shape[0]):
        total += int(game.owned[player, _PRINTED[i]]) * POINTS[_PRINTED[i]]
    gardens = int(game.owned[player, _GARDENS])
    if gardens:
        cards = 0
        for card in range(NUM_CARDS):
            cards += int(game.owned[player, card])
        total += gardens * (cards // 10)
    return total


@rule
def is_winner(game: Any, player: Any) -> Any:
    """Whether nobody has more points, or as many in fewer turns. Several winners share the victory."""
    mine = points(game, player)
    for other in range(game.num_players):
        theirs = points(game, other)
        if theirs > mine or (theirs == mine and game.turns[other] < game.turns[player]):
            return False
    return True
