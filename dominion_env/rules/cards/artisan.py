from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import (
    ANY,
    FINISHED,
    GAIN,
    HAND,
    SUPPLY,
    TOPDECK,
    WAITING,
    card_of,
    must_choose,
    up_to,
    verb_of,
)
from dominion_env.rules.jit import rule
from dominion_env.rules.state import OWNER
from dominion_env.rules.zones import gain_to_hand, topdeck_from_hand


@rule
def artisan(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Gain a card costing up to 5 to your hand. Then put a card from your hand onto your deck."""
    if step == 0 and must_choose(game, me, GAIN, SUPPLY, up_to(5)) == WAITING:
        return WAITING
    if step > 0 and verb_of(action) == TOPDECK:
        topdeck_from_hand(game, me, card_of(action), OWNER)
        return FINISHED
    if step > 0:
        gain_to_hand(game, me, card_of(action))
    return must_choose(game, me, TOPDECK, HAND, ANY)
