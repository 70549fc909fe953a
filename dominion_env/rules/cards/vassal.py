from __future__ import annotations

from typing import Any

from dominion_env.actions import PASS
from dominion_env.cards import TYPES
from dominion_env.rules.decisions import FINISHED, PLAY, TYPE_ACTION, card_of, may_do
from dominion_env.rules.jit import rule
from dominion_env.rules.play import play
from dominion_env.rules.zones import NONE, discard_top, play_from_discard


@rule
def vassal(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Discard the top card of your deck. If it is an Action card, you may play it."""
    if step == 0:
        card = discard_top(game, me)
        if card == NONE or not TYPES[card] & TYPE_ACTION:
            return FINISHED
        return may_do(game, me, PLAY, card)
    if action != PASS:
        play_from_discard(game, me, card_of(action))
        play(game, me, card_of(action), 0)
    return FINISHED
