"""Going on with the newest effect: a card's text, the windows of an Attack, one victim after the other."""

from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import Card
from dominion_env.rules import events, knowledge, zones
from dominion_env.rules.decisions import AGAIN, FINISHED, HAND, NOTHING, ONLY_MOAT, REVEAL, WAITING, may_choose
from dominion_env.rules.dispatch import continue_aftermath, continue_text, continue_victim
from dominion_env.rules.events import EVERYONE, note, only
from dominion_env.rules.jit import layer, rule
from dominion_env.rules.play import take_bonuses
from dominion_env.rules.stack import (
    AFTERMATH,
    EACH_PLAYER,
    TEXT,
    VICTIM,
    WINDOWS,
    count,
    counted,
    push,
    remove,
)

_MOAT, _SPY = int(Card.MOAT), int(Card.SPY)


@layer
def continue_effect(game: Any, action: Any) -> Any:
    """Enter the newest effect, with the answer that it has asked for, or `NOTHING`."""
    at = game.stack_size - 1
    frame = game.stack[at]
    effect = frame.effect
    card = int(frame.card)
    player = int(frame.player)
    step = int(frame.step)
    frame.step = step + 1
    if effect == TEXT:
        if step == 0:
            take_bonuses(game, player, card)
        status = continue_text(game, card, player, step, action)
    elif effect == VICTIM:
        status = continue_victim(game, card, player, step, action)
    elif effect == AFTERMATH:
        status = continue_aftermath(game, card, player, step, action)
    elif effect == WINDOWS:
        status = open_windows(game, card, player, action)
    elif effect == EACH_PLAYER:
        status = next_victim(game, card, player)
    else:
        status = draw_one_of_many(game, player)
    if status == FINISHED:
        remove(game, at)
        return AGAIN
    return status


@rule
def open_windows(game: Any, attack: Any, attacker: Any, action: Any) -> Any:
    """Each other player who holds a Moat may reveal it, in turn order, before anything of the Attack happens."""
    if action != NOTHING:
        holder = (attacker + counted(game)) % game.num_players
        if action == PASS:
            note(game, events.DECLINE, holder, _MOAT, 1, only(holder), only(holder))
        else:
            game.immune |= 1 << holder
            knowledge.seen_in_hand(game, holder, _MOAT, 1)
            note(game, events.REACT, holder, _MOAT, 1, EVERYONE, EVERYONE)
    for distance in range(counted(game) + 1, game.num_players):
        holder = (attacker + distance) % game.num_players
        if game.hand[holder, _MOAT] > 0:
            count(game, distance)
            may_choose(game, holder, REVEAL, HAND, ONLY_MOAT)
            game.source = _MOAT
            game.subject = attack
            return WAITING
    return FINISHED


@rule
def next_victim(game: Any, attack: Any, attacker: Any) -> Any:
    """The next player in turn order who is not exempt becomes the victim; of Spy, the attacker comes first."""
    distance = counted(game)
    if distance == 0 and attack != _SPY:
        distance = 1
    while distance < game.num_players and game.immune >> (attacker + distance) % game.num_players & 1:
        distance += 1
    if distance >= game.num_players:
        game.immune = 0
        return FINISHED
    count(game, distance + 1)
    push(game, VICTIM, attack, (attacker + distance) % game.num_players, 0)
    return AGAIN


@rule
def draw_one_of_many(game: Any, player: Any) -> Any:
    """Draw the next of any number of cards."""
    left = counted(game)
    if left == 0 or not zones.draw(game, player):
        return FINISHED
    count(game, left - 1)
    return AGAIN
