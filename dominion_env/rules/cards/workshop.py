from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import FINISHED, GAIN, SUPPLY, card_of, must_choose, up_to
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import gain


@rule
def workshop(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Gain a card costing up to 4."""
    if step == 0:
        return must_choose(game, me, GAIN, SUPPLY, up_to(4))
    gain(game, me, card_of(action))
    return FINISHED
