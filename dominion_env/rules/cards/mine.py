from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import COST
from dominion_env.rules.decisions import (
    FINISHED,
    GAIN,
    HAND,
    SUPPLY,
    TRASH,
    TYPE_TREASURE,
    card_of,
    choose_one,
    must_choose,
    of_type,
    up_to,
)
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import gain_to_hand, trash_from_hand


@rule
def mine(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Trash a Treasure from your hand (second edition: you may). Gain one costing up to 3 more to your hand."""
    if step == 0:
        return choose_one(game, me, TRASH, HAND, of_type(TYPE_TREASURE))
    if action == PASS:
        return FINISHED
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        status = must_choose(game, me, GAIN, SUPPLY, of_type(TYPE_TREASURE) | up_to(COST[card] + 3))
        game.subject = card
        return status
    gain_to_hand(game, me, card)
    return FINISHED
