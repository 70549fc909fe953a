from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.rules.decisions import (
    ASIDE,
    FINISHED,
    GAIN,
    LOOT,
    TRASH,
    TYPE_TREASURE,
    WAITING,
    card_of,
    may_choose_several,
    must_choose,
    of_type,
)
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import discard_revealed, gain_from_trash, reveal_cards, trash_revealed


@rule
def thief(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Nothing is stolen yet."""
    game.loot[:] = 0
    return FINISHED


@rule
def thief_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Reveal the top 2 cards of your deck; the thief chooses a Treasure to be trashed; the rest is discarded."""
    if step > 0:
        trash_revealed(game, victim, card_of(action))
        game.loot[card_of(action)] += 1
        discard_revealed(game, victim, counted(game) - 1)
        return FINISHED
    revealed = reveal_cards(game, victim, 2)
    count(game, revealed)
    if must_choose(game, game.turn_player, TRASH, ASIDE, of_type(TYPE_TREASURE)) == WAITING:
        game.target = victim
        return WAITING
    discard_revealed(game, victim, revealed)
    return FINISHED


@rule
def thief_aftermath(game: Any, me: Any, step: Any, action: Any) -> Any:
    """You may gain any of the cards trashed this way."""
    if step > 0 and action != PASS:
        gain_from_trash(game, me, card_of(action))
        game.loot[card_of(action)] -= 1
    left = 0
    for card in range(game.loot.shape[0]):
        left += int(game.loot[card])
    if left > 0 and action != PASS:
        return may_choose_several(game, me, GAIN, LOOT, step, left)
    game.loot[:] = 0
    return FINISHED
