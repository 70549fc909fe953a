from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import DISCARD, FINISHED, TOPDECK, must_do_one_of, verb_of
from dominion_env.rules.jit import rule
from dominion_env.rules.state import ALL
from dominion_env.rules.zones import NONE, clear_aside, discard_seen, newest_aside, put_on_deck, reveal_top


@rule
def spy_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Reveal the top card of your deck; the spy chooses whether it is discarded or put back."""
    if step == 0:
        card = reveal_top(game, victim)
        if card == NONE:
            return FINISHED
        either = 1 << DISCARD | 1 << TOPDECK
        status = must_do_one_of(game, game.turn_player, either, card, 0)
        game.target = victim
        return status
    card = newest_aside(game, victim)
    clear_aside(game, victim, 1)
    if verb_of(action) == DISCARD:
        discard_seen(game, victim, card)
    else:
        put_on_deck(game, victim, card, ALL)
    return FINISHED
