"""Going on with the newest effect: a card's text, the windows of an Attack, one victim after the other."""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import layer, rule
from dominion_env.rules import events, zones
from dominion_env.rules.events import note, only
from dominion_env.rules.record.card_sets import lowest
from dominion_env.rules.record.parts import ON_THE_ATTACKER_TOO, WITH_REACTION
from dominion_env.rules.turns.dispatch import continue_aftermath, continue_text, continue_victim, react
from dominion_env.rules.words import stack
from dominion_env.rules.words.decisions import AGAIN, FINISHED, NOTHING, UNASKED, may_reveal
from dominion_env.rules.words.play import take_bonuses
from dominion_env.tables.actions import PASS
from dominion_env.tables.cards import NUM_CARDS

_REACTIONS = sum(1 << card for card in WITH_REACTION)  # as a set
_FIRST_DISTANCE = np.where(np.isin(np.arange(NUM_CARDS), ON_THE_ATTACKER_TOO), 0, 1)  # of a victim, for each Attack


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
    if effect in (stack.TEXT, stack.REPLAY):
        if step == 0:
            take_bonuses(game, player, card)
        status = continue_text(game, card, player, step, action)
    elif effect == stack.VICTIM:
        status = continue_victim(game, card, player, step, action)
    elif effect == stack.AFTERMATH:
        status = continue_aftermath(game, card, player, step, action)
    elif effect == stack.WINDOWS:
        status = open_windows(game, card, player, action)
    elif effect == stack.EACH_PLAYER:
        status = next_victim(game, card, player)
    else:
        status = draw_one_of_many(game, player)
    if status in (FINISHED, UNASKED):
        if effect == stack.AFTERMATH:
            game.immune = 0  # the Attack is over
        stack.remove(game, at)
        return AGAIN
    return status


@rule
def open_windows(game: Any, attack: Any, attacker: Any, action: Any) -> Any:
    """Let each other player reveal a Reaction, in turn order, before anything of the Attack happens."""
    if action != NOTHING:
        holder, reaction = (attacker + stack.distance_so_far(game)) % game.num_players, int(game.source)
        if action == PASS:
            note(game, events.DECLINE, holder, reaction, 1, only(holder), only(holder))
        else:
            react(game, reaction, holder, 0, action)
    for distance in range(stack.distance_so_far(game) + 1, game.num_players):
        holder = (attacker + distance) % game.num_players
        reactions = int(game.hand_set[holder]) & _REACTIONS
        if reactions != 0:  # the base game has one Reaction, which is asked for once
            stack.remember(game, distance)
            return may_reveal(game, holder, lowest(reactions), attack)
    return FINISHED


@rule
def next_victim(game: Any, attack: Any, attacker: Any) -> Any:
    """Make the next player in turn order the victim, unless a Reaction has left them out."""
    distance = max(stack.distance_so_far(game), _FIRST_DISTANCE[attack])
    while distance < game.num_players and game.immune >> (attacker + distance) % game.num_players & 1:
        distance += 1
    if distance >= game.num_players:
        return FINISHED
    stack.remember(game, distance + 1)
    stack.push(game, stack.VICTIM, attack, (attacker + distance) % game.num_players, 0)
    return AGAIN


@rule
def draw_one_of_many(game: Any, player: Any) -> Any:
    """Draw the next of any number of cards."""
    left = stack.num_to_draw(game)
    if left == 0 or not zones.draw(game, player):
        return FINISHED
    stack.remember(game, left - 1)
    return AGAIN
