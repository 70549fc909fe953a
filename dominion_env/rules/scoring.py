"""Points and winners. `points_of` is the only place that knows what cards are worth at the end."""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import rule
from dominion_env.rules.record.state import PILES, PROVINCES
from dominion_env.tables.cards import NUM_CARDS, POINTS, Card

_GARDENS = int(Card.GARDENS)
_PRINTED = np.flatnonzero(POINTS)  # cards with points of their own


@rule
def points_of(game: Any, player: Any) -> Any:
    """Return the victory points over all cards that the player owns, wherever they are.

    Each Gardens is worth 1 for every 10 of these cards.
    """
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
    """Return whether nobody has more points, or as many in fewer turns. Several winners share the victory."""
    mine = points_of(game, player)
    for other in range(game.num_players):
        theirs = points_of(game, other)
        if theirs > mine or (theirs == mine and game.turns[other] < game.turns[player]):
            return False
    return True


@rule
def winners_of(game: Any) -> Any:
    """Return a bit per winner of a game that has ended by the rules; 0 of any other game."""
    winners = 0
    if game.ended == PROVINCES or game.ended == PILES:
        for player in range(game.num_players):
            if is_winner(game, player):
                winners |= 1 << player
    return winners
