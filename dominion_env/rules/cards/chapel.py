from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.rules.decisions import FINISHED, HAND, TRASH, WAITING, card_of, may_choose_several
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import choose, trash_chosen


@rule
def chapel(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Trash up to 4 cards from your hand."""
    chosen = 0 if step == 0 else counted(game)
    if step > 0 and action != PASS:
        choose(game, me, card_of(action))
        chosen += 1
    count(game, chosen)
    left = min(4 - chosen, int(game.hand_size[me]))
    if action != PASS and left > 0 and may_choose_several(game, me, TRASH, HAND, chosen, left) == WAITING:
        return WAITING
    trash_chosen(game, me, chosen)
    return FINISHED
