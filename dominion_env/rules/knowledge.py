"""What everyone has seen of the cards in a player's hand and discard pile.

`known_hand` and `known_discard` count, for each card, the copies of which everybody knows that they are there. These
are lower bounds that a player with a perfect memory can derive. Forgetting never depends on what is hidden, so a card
that leaves unseen lowers every count, for it might have been any of them. A card on top of a draw pile bears a mark
that says who knows it (`marks.py`).
"""

from __future__ import annotations

from typing import Any

from dominion_env.cards import NUM_CARDS
from dominion_env.rules.jit import primitive, rule


@primitive
def seen_in_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Know that so many copies, which were shown to all, are in hand."""
    if game.known_hand[player, card] < copies:
        game.known_hand[player, card] = copies


@primitive
def seen_entering_hand(game: Any, player: Any, card: Any) -> None:
    """Know one more copy in the hand, which all saw enter it."""
    game.known_hand[player, card] += 1


@primitive
def seen_leaving_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Know fewer copies in the hand, as all saw them leave it."""
    game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - copies)


@rule
def unseen_leaving_hand(game: Any, player: Any, cards: Any) -> None:
    """Know less of the hand, as so many cards leave it face down."""
    if cards > 0:
        for card in range(NUM_CARDS):
            game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - cards)


@primitive
def seen_entering_discard(game: Any, player: Any, card: Any) -> None:
    """Know one more copy in the discard pile, which all saw enter it."""
    game.known_discard[player, card] += 1


@rule
def unseen_leaving_discard(game: Any, player: Any) -> None:
    """Know less of the discard pile, as a card leaves it face down."""
    for card in range(NUM_CARDS):
        if game.known_discard[player, card] > 0:
            game.known_discard[player, card] -= 1


@primitive
def seen_leaving_discard(game: Any, player: Any, card: Any) -> None:
    """Know one copy less in the discard pile, as all saw it leave."""
    if game.known_discard[player, card] > 0:
        game.known_discard[player, card] -= 1


@primitive
def top_of_discard_is_seen(game: Any, player: Any, card: Any) -> None:
    """Know the card that lies on top of the discard pile now."""
    if game.known_discard[player, card] < 1:
        game.known_discard[player, card] = 1


@primitive
def hand_goes_to_discard(game: Any, player: Any, card: Any) -> None:
    """Know of the discard pile what was known of the hand, at Clean-up."""
    game.known_discard[player, card] += game.known_hand[player, card]
    game.known_hand[player, card] = 0


@primitive
def discard_is_shuffled(game: Any, player: Any) -> None:
    """Forget the discard pile, as nobody knows any more what lies where."""
    for card in range(NUM_CARDS):
        game.known_discard[player, card] = 0
