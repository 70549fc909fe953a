"""Playing a card: what it gives by itself, and which effects it starts, in the order of the rulebook."""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules import events, zones
from dominion_env.rules.events import EVERYONE, note
from dominion_env.rules.record.parts import WITH_TEXT
from dominion_env.rules.words.stack import AFTERMATH, EACH_PLAYER, REPLAY, TEXT, WINDOWS, push
from dominion_env.tables.cards import NUM_CARDS, PLUS_ACTIONS, PLUS_BUYS, PLUS_CARDS, PLUS_COINS, TYPES, Card, Type

_ATTACK = int(Type.ATTACK)
_SILVER = int(Card.SILVER)
_HAS_TEXT = np.isin(np.arange(NUM_CARDS), WITH_TEXT)  # the card does more than its numbers say when it is played


@rule
def take_bonuses(game: Any, me: Any, card: Any) -> None:
    """Take +Cards, +Actions, +Buys and +coins, as printed."""
    zones.draw_cards(game, me, PLUS_CARDS[card])
    game.actions += PLUS_ACTIONS[card]
    game.buys += PLUS_BUYS[card]
    game.coins += PLUS_COINS[card]


@rule
def _carry_out(game: Any, me: Any, card: Any, effect: Any) -> None:
    """Carry out a card that is in play: an Attack opens its windows first, then comes the text from top to bottom.

    `effect` is TEXT, or REPLAY when the card is played a second time.
    """
    note(game, events.PLAY, me, card, 1, EVERYONE, EVERYONE)
    if TYPES[card] & _ATTACK:
        game.immune = 0
        push(game, AFTERMATH, card, me, 0)
        push(game, EACH_PLAYER, card, me, 0)
        push(game, effect, card, me, 0)
        push(game, WINDOWS, card, me, 0)
    elif _HAS_TEXT[card]:
        push(game, effect, card, me, 0)
    else:
        take_bonuses(game, me, card)


@primitive
def play(game: Any, me: Any, card: Any) -> None:
    """Play a card that has come into play."""
    _carry_out(game, me, card, TEXT)


@primitive
def play_again(game: Any, me: Any, card: Any) -> None:
    """Play a card a second time, wherever it is now (Throne Room)."""
    _carry_out(game, me, card, REPLAY)


@rule
def play_from_hand(game: Any, me: Any, card: Any) -> None:
    """Play a card of the hand."""
    zones.play_from_hand(game, me, card, 1)
    play(game, me, card)


@rule
def play_treasures(game: Any, me: Any, card: Any, copies: Any) -> None:
    """Play a number of copies of a Treasure: each gives its coins, the first Silver of the turn 1 more for each Merchant."""
    zones.play_from_hand(game, me, card, copies)
    game.coins += copies * PLUS_COINS[card]
    if card == _SILVER and copies > 0 and not game.silver_played:
        game.silver_played = 1
        game.coins += game.merchants
    note(game, events.PLAY, me, card, copies, EVERYONE, EVERYONE)
