from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import Card
from dominion_env.rules.decisions import DISCARD, FINISHED, HAND, WAITING, card_of, may_choose_several
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import DRAWING, count, counted, push
from dominion_env.rules.zones import choose, discard_chosen

_CELLAR = int(Card.CELLAR)


@rule
def cellar(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Discard any number of cards, then draw as many."""
    chosen = 0 if step == 0 else counted(game)
    if step > 0 and action != PASS:
        choose(game, me, card_of(action))
        chosen += 1
    count(game, chosen)
    left = int(game.hand_size[me])
    if action != PASS and may_choose_several(game, me, DISCARD, HAND, chosen, left) == WAITING:
        return WAITING
    discard_chosen(game, me, chosen)
    push(game, DRAWING, _CELLAR, me, chosen)
    return FINISHED
