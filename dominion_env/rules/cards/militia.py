from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import DISCARD, FINISHED, HAND, card_of, must_choose_several
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import choose, discard_chosen


@rule
def militia_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Discard down to 3 cards in hand."""
    if step > 0:
        choose(game, victim, card_of(action))
        count(game, counted(game) + 1)
    chosen = counted(game)
    left = int(game.hand_size[victim]) - 3
    if left > 0:
        return must_choose_several(game, victim, DISCARD, HAND, chosen, left)
    discard_chosen(game, victim, chosen)
    return FINISHED
