from __future__ import annotations

from typing import Any

from dominion_env.cards import COST
from dominion_env.rules.decisions import ANY, FINISHED, GAIN, HAND, SUPPLY, TRASH, card_of, must_choose, up_to
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import gain, trash_from_hand


@rule
def remodel(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Trash a card from your hand. Gain a card costing up to 2 more than it."""
    if step == 0:
        return must_choose(game, me, TRASH, HAND, ANY)
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        status = must_choose(game, me, GAIN, SUPPLY, up_to(COST[card] + 2))
        game.subject = card
        return status
    gain(game, me, card)
    return FINISHED
