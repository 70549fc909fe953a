from __future__ import annotations

from typing import Any

from dominion_env.cards import Card
from dominion_env.rules.decisions import FINISHED, GAIN, SUPPLY, card_of, must_choose, up_to
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import counted
from dominion_env.rules.zones import gain, trash_from_play

_FEAST = int(Card.FEAST)


@rule
def feast(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Trash this card. Gain a card costing up to 5."""
    if step > 0:
        gain(game, me, card_of(action))
        return FINISHED
    replayed = counted(game)
    if not replayed:  # the first of two plays has trashed it already
        trash_from_play(game, me, _FEAST)
    return must_choose(game, me, GAIN, SUPPLY, up_to(5))
