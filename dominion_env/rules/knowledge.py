"""What everyone has seen of the cards in a player's hand and discard pile.

`known_hand` and `known_discard` count, for each card, copies of which everybody knows that they are there: lower
bounds that a player with a perfect memory can derive. Forgetting never depends on what is hidden: a card that leaves
unseen lowers every count, for it might have been any of them. Who knows a card on top of a draw pile is marked on the
card itself (`zones.py`).
"""

from __future__ import annotations

from typing import Any

from dominion_env.cards import NUM_CARDS
from dominion_env.rules.jit import primitive, rule


@primitive
def seen_in_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """So many copies were shown to all and are still in hand."""
    if game.known_hand[player, card] < copies:
        game.known_hand[player, card] = copies


@primitive
def seen_entering_hand(game: Any, player: Any, card: Any) -> None:
    """All saw this card go into the hand."""
    game.known_hand[player, card] += 1


@primitive
def seen_leaving_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """All see copies of this card leave the hand."""
    game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - copies)


@rule
def unseen_leaving_hand(game: Any, player: Any, cards: Any) -> None:
    """So many cards leave the hand face down."""
    if cards > 0:
        for card in range(NUM_CARDS):
            game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - cards)


@primitive
def seen_entering_discard(game: Any, player: Any, card: Any) -> None:
    """All saw this card go onto the discard pile."""
    game.known_discard[player, card] += 1


@rule
def unseen_leaving_discard(game: Any, player: Any) -> None:
    """One card leaves the discard pile face down."""
    for card in range(NUM_CARDS):
        if game.known_discard[player, card] > 0:
            game.known_discard[player, card] -= 1


@primitive
def seen_leaving_discard(game: Any, player: Any, card: Any) -> None:
    """All see this card leave the discard pile."""
    if game.known_discard[player, card] > 0:
        game.known_discard[player, card] -= 1


@primitive
def top_of_discard_is_seen(game: Any, player: Any, card: Any) -> None:
    """This card lies on top of the discard pile now: it counts as known."""
    if game.known_discard[player, card] < 1:
        game.known_discard[player, card] = 1


@primitive
def hand_goes_to_discard(game: Any, player: Any, card: Any) -> None:
    """Clean-up: what was known of the hand is known of the discard pile."""
    game.known_discard[player, card] += game.known_hand[player, card]
    game.known_hand[player, card] = 0


@primitive
def discard_is_shuffled(game: Any, player: Any) -> None:
    """Nobody knows any more what lies where."""
    for card in range(NUM_CARDS):
        game.known_discard[player, card] = 0
