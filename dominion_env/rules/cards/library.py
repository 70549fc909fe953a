from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import TYPES
from dominion_env.rules.decisions import AGAIN, FINISHED, NOTHING, SET_ASIDE, TYPE_ACTION, may_do
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.state import ALL
from dominion_env.rules.zones import (
    NONE,
    card_in,
    discard_revealed,
    keep_newest,
    look_at,
    mark_of,
    set_aside_newest,
    take_into_hand,
    take_top,
)


@rule
def library(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Draw until you have 7 cards in hand. You may set aside each Action as you draw it; discard these afterwards."""
    aside = 0 if step == 0 else counted(game)
    if action == PASS:
        keep_newest(game, me)
    elif action != NOTHING:
        set_aside_newest(game, me)
        aside += 1
    count(game, aside)
    entry = take_top(game, me) if game.hand_size[me] < 7 else NONE
    if entry == NONE:
        discard_revealed(game, me, aside)
        return FINISHED
    card = card_in(entry)
    if TYPES[card] & TYPE_ACTION:
        look_at(game, me, entry)
        return may_do(game, me, SET_ASIDE, card)
    take_into_hand(game, me, card, mark_of(entry) == ALL)
    return AGAIN
