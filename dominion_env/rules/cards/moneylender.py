from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import Card
from dominion_env.rules.decisions import FINISHED, HAND, TRASH, card_of, choose_one, only_card
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import trash_from_hand

_COPPER = int(Card.COPPER)


@rule
def moneylender(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Trash a Copper from your hand (second edition: you may). If you did, +3 coins."""
    if step == 0:
        return choose_one(game, me, TRASH, HAND, only_card(_COPPER))
    if action != PASS:
        trash_from_hand(game, me, card_of(action))
        game.coins += 3
    return FINISHED
