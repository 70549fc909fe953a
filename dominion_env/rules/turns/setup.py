"""The preparation of a game: the Supply, the starting decks, the first player."""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules import zones
from dominion_env.rules.record.state import NUM_PILES
from dominion_env.rules.record.streams import setup_below
from dominion_env.rules.turns.turn import HAND_SIZE
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS, TYPES, Card, Type

STARTING_COPPERS, STARTING_ESTATES = 7, 3

_COPPER, _ESTATE = int(Card.COPPER), int(Card.ESTATE)
_IS_VICTORY = TYPES & int(Type.VICTORY) != 0

# Cards in the base piles once the starting decks are dealt, for 1 to 6 players; one player has the Supply of two.
# Five and six players use the base cards of two boxes. Sources: rulebooks, "Preparation"; 5 and 6 players: second ed.
_PLAYERS = range(1, 7)
_BASE_PILES = {
    Card.COPPER: [(120 if n > 4 else 60) - STARTING_COPPERS * n for n in _PLAYERS],
    Card.SILVER: [80 if n > 4 else 40 for n in _PLAYERS],
    Card.GOLD: [60 if n > 4 else 30 for n in _PLAYERS],
    Card.ESTATE: [8 if n <= 2 else 12 for n in _PLAYERS],
    Card.DUCHY: [8 if n <= 2 else 12 for n in _PLAYERS],
    Card.PROVINCE: [8, 8, 12, 12, 15, 18],
    Card.CURSE: [10 * max(1, n - 1) for n in _PLAYERS],
}
_VICTORY_PILE = [8 if n <= 2 else 12 for n in _PLAYERS]
_OTHER_PILE = 10


def pile_size(num_players: int, card: int) -> int:
    """Return how many cards the pile of that card has at the start, if it is in the game."""
    base = _BASE_PILES.get(Card(card))
    if base is not None:
        return base[num_players - 1]
    return _VICTORY_PILE[num_players - 1] if _IS_VICTORY[card] else _OTHER_PILE


PILE_SIZE = np.array([[pile_size(max(n, 1), card) for card in range(NUM_CARDS)] for n in range(7)])


@rule
def lay_out_supply(game: Any, kingdom: Any) -> None:
    """Lay out the seven base piles and the piles of the kingdom, ten Kingdom cards in order of their numbers.

    A pile has its usual size, unless the template of the game has another one (`planned_pile`).
    """
    for i in range(game.piles.shape[0]):
        card = i if i < NUM_BASE_CARDS else int(kingdom[i - NUM_BASE_CARDS])
        game.piles[i] = card
        planned = int(game.supply[card])
        copies = PILE_SIZE[game.num_players, card] if planned == 0 else size_of_planned(planned)
        game.supply[card] = 0
        if copies > 0:
            zones.lay_pile(game, card, copies)


def planned_pile(number: Any) -> Any:
    """Return a size of a pile as a template holds it until the pile is laid out: below 0, as 0 means the usual size.

    It is its own inverse. Python calls this, for a position.
    """
    return -1 - number


size_of_planned = primitive(planned_pile)


@rule
def deal(game: Any) -> None:
    """Give each player 7 Coppers and 3 Estates, which they shuffle, and let them draw 5."""
    for player in range(game.num_players):
        zones.into_bag(game, player, _COPPER, STARTING_COPPERS)
        zones.into_bag(game, player, _ESTATE, STARTING_ESTATES)
        game.owned[player, _COPPER] = STARTING_COPPERS
        game.owned[player, _ESTATE] = STARTING_ESTATES
        zones.draw_cards(game, player, HAND_SIZE)


@rule
def draw_kingdom(game: Any, pool: Any) -> None:
    """Draw ten different cards of the pool, all choices equally likely, and write them where the piles of the kingdom are."""
    taken = 0
    for drawn in range(NUM_PILES - NUM_BASE_CARDS):
        left = setup_below(game, pool.shape[0] - drawn)
        at = 0
        while left > 0 or taken >> at & 1:
            left -= 1 - (taken >> at & 1)
            at += 1
        taken |= 1 << at
    place = NUM_BASE_CARDS
    for at in range(pool.shape[0]):
        if taken >> at & 1:
            game.piles[place] = pool[at]
            place += 1


@rule
def choose_first_player(game: Any, mode: Any, last_winners: Any) -> Any:
    """Return the seat that begins: `mode` itself if it is a seat; any seat (RANDOM); or by the last game (LEFT_OF_WINNER).

    The player to the left of its only winner begins; if several shared the victory, any of those who did not. The set
    `last_winners` has a bit per seat; it is empty if there was no last game, or none with a result.
    """
    players = int(game.num_players)
    if mode >= 0:
        return mode
    everyone = (1 << players) - 1
    losers = everyone & ~last_winners
    if mode == RANDOM or last_winners == 0 or losers == 0:
        return setup_below(game, players)
    winners = 0
    for seat in range(players):
        winners += last_winners >> seat & 1
    if winners == 1:
        seat = 0
        while not last_winners >> seat & 1:
            seat += 1
        return (seat + 1) % players
    left = setup_below(game, players - winners)
    seat = 0
    while left > 0 or not losers >> seat & 1:
        left -= losers >> seat & 1
        seat += 1
    return seat


RANDOM, LEFT_OF_WINNER = -1, -2  # instead of a seat
