from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import (
    DISCARD,
    FINISHED,
    NOTHING,
    TOPDECK,
    TRASH,
    card_of,
    must_do_one_of,
    must_sort,
    verb_of,
)
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import NONE, aside, look_at_cards, place_looked_at

_ANYTHING = 1 << TRASH | 1 << DISCARD | 1 << TOPDECK


@rule
def sentry(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Look at the top 2 cards of your deck. Trash any, discard any, put the rest back in any order."""
    if step == 0:
        looked_at = look_at_cards(game, me, 2)
        count(game, looked_at)
        if looked_at == 0:
            return FINISHED
        return must_sort(game, me, _ANYTHING, looked_at)
    if step == 1 and counted(game) == 2:
        first, second = aside(game, me, 2, 0), aside(game, me, 2, 1)
        other = second if card_of(action) == first else first
        count(game, action)
        return must_do_one_of(game, me, _ANYTHING, other, 1)
    if step == 1:
        _carry_out(game, me, action, NOTHING)
    else:
        _carry_out(game, me, counted(game), action)
    return FINISHED


@rule
def _carry_out(game: Any, me: Any, first: Any, second: Any) -> None:
    """Trashing comes first, then discarding, then putting back; the card named last is put back last."""
    for verb in (TRASH, DISCARD, TOPDECK):
        one = first != NOTHING and verb_of(first) == verb
        two = second != NOTHING and verb_of(second) == verb
        place_looked_at(game, me, verb, card_of(first) if one else NONE, card_of(second) if two else NONE)
