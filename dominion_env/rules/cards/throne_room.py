from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.rules.decisions import AGAIN, FINISHED, HAND, PLAY, TYPE_ACTION, card_of, choose_one, of_type
from dominion_env.rules.jit import rule
from dominion_env.rules.play import play, play_from_hand
from dominion_env.rules.stack import count, counted


@rule
def throne_room(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Choose an Action card from your hand (second edition: you may) and play it twice."""
    if step == 0:
        return choose_one(game, me, PLAY, HAND, of_type(TYPE_ACTION))
    if step == 1 and action != PASS:
        count(game, card_of(action))
        play_from_hand(game, me, card_of(action))
        return AGAIN
    if step == 2:
        play(game, me, counted(game), 1)
    return FINISHED
