from __future__ import annotations

from typing import Any

from dominion_env.cards import Card
from dominion_env.rules.decisions import FINISHED, HAND, TOPDECK, TYPE_VICTORY, WAITING, card_of, must_choose, of_type
from dominion_env.rules.jit import rule
from dominion_env.rules.state import ALL
from dominion_env.rules.zones import gain_onto_deck, show_hand, topdeck_from_hand

_SILVER = int(Card.SILVER)


@rule
def bureaucrat(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Gain a Silver onto your deck."""
    gain_onto_deck(game, me, _SILVER)
    return FINISHED


@rule
def bureaucrat_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Reveal a Victory card from your hand and put it onto your deck, or show a hand without one."""
    if step > 0:
        topdeck_from_hand(game, victim, card_of(action), ALL)
        return FINISHED
    if must_choose(game, victim, TOPDECK, HAND, of_type(TYPE_VICTORY)) == WAITING:
        return WAITING
    show_hand(game, victim)
    return FINISHED
