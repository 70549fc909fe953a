"""Playing a card: what it gives by itself, and which effects it starts, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.cards import CARDS, PLUS_ACTIONS, PLUS_BUYS, PLUS_CARDS, PLUS_COINS, TYPES, Card, Type
from dominion_env.rules import events, zones
from dominion_env.rules.events import EVERYONE, note
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import AFTERMATH, EACH_PLAYER, TEXT, WINDOWS, push

_ATTACK = int(Type.ATTACK)
_SILVER = int(Card.SILVER)

# Which cards do more than their numbers say when they are played. A Reaction's text stands below the dividing line.
_HAS_TEXT = np.array([bool(info.text) and not info.types & Type.REACTION for info in CARDS])


@rule
def take_bonuses(game: Any, me: Any, card: Any) -> None:
    """+Cards, +Actions, +Buys and +coins, as printed."""
    zones.draw_cards(game, me, PLUS_CARDS[card])
    game.actions += PLUS_ACTIONS[card]
    game.buys += PLUS_BUYS[card]
    game.coins += PLUS_COINS[card]


@rule
def play(game: Any, me: Any, card: Any, replayed: Any) -> None:
    """Carry out a card that is in play: an Attack opens its windows first, then comes the text from top to bottom.

    `replayed`, 1 for the second play by a Throne Room, is what the text finds as its first count.
    """
    note(game, events.PLAY, me, card, 1, EVERYONE, EVERYONE)
    if TYPES[card] & _ATTACK:
        game.immune = 0
        push(game, AFTERMATH, card, me, 0)
        push(game, EACH_PLAYER, card, me, 0)
        push(game, TEXT, card, me, replayed)
        push(game, WINDOWS, card, me, 0)
    elif _HAS_TEXT[card]:
        push(game, TEXT, card, me, replayed)
    else:
        take_bonuses(game, me, card)


@rule
def play_from_hand(game: Any, me: Any, card: Any) -> None:
    """Play a card of the hand."""
    zones.play_from_hand(game, me, card, 1)
    play(game, me, card, 0)


@rule
def play_treasures(game: Any, me: Any, card: Any, copies: Any) -> None:
    """Play so many copies of a Treasure: each gives its coins, the first Silver of the turn 1 more for each Merchant."""
    zones.play_from_hand(game, me, card, copies)
    game.coins += copies * PLUS_COINS[card]
    if card == _SILVER and copies > 0 and not game.silver_played:
        game.silver_played = 1
        game.coins += game.merchants
    note(game, events.PLAY, me, card, copies, EVERYONE, EVERYONE)
