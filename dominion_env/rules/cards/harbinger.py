from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.rules.decisions import ANY, DISCARD_PILE, FINISHED, TOPDECK, card_of, may_choose
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import topdeck_from_discard


@rule
def harbinger(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Look through your discard pile; you may put a card from it onto your deck."""
    if step == 0:
        return may_choose(game, me, TOPDECK, DISCARD_PILE, ANY)
    if action != PASS:
        topdeck_from_discard(game, me, card_of(action))
    return FINISHED
