from __future__ import annotations

from typing import Any

from dominion_env.actions import DISCARD_DECK
from dominion_env.rules.decisions import FINISHED, may_discard_deck
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import discard_deck


@rule
def chancellor(game: Any, me: Any, step: Any, action: Any) -> Any:
    """You may put your whole deck into your discard pile."""
    if step == 0:
        return may_discard_deck(game, me)
    if action == DISCARD_DECK:
        discard_deck(game, me)
    return FINISHED
