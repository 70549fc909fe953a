from __future__ import annotations

from typing import Any

from dominion_env.cards import TYPES, Type
from dominion_env.rules.decisions import AGAIN, FINISHED
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import NONE, aside, discard_revealed, reveal_top, take_revealed_into_hand

_TREASURE = int(Type.TREASURE)


@rule
def adventurer(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Reveal cards from your deck until two Treasures have come. Put these into your hand, discard the others."""
    revealed = 0 if step == 0 else counted(game)
    treasures, first, second = 0, NONE, NONE
    for i in range(revealed):
        card = aside(game, me, revealed, i)
        if TYPES[card] & _TREASURE:
            treasures += 1
            first, second = second, card
    if treasures < 2 and reveal_top(game, me) != NONE:
        count(game, revealed + 1)
        return AGAIN
    if first != NONE:
        take_revealed_into_hand(game, me, first)
    if second != NONE:
        take_revealed_into_hand(game, me, second)
    discard_revealed(game, me, revealed - treasures)
    return FINISHED
