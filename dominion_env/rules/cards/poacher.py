from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import DISCARD, FINISHED, HAND, card_of, must_choose_several
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import choose, discard_chosen, empty_piles


@rule
def poacher(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Discard a card for each empty pile of the Supply."""
    chosen = 0 if step == 0 else counted(game)
    if step > 0:
        choose(game, me, card_of(action))
        chosen += 1
    count(game, chosen)
    left = min(empty_piles(game) - chosen, int(game.hand_size[me]))
    if left > 0:
        return must_choose_several(game, me, DISCARD, HAND, chosen, left)
    discard_chosen(game, me, chosen)
    return FINISHED
