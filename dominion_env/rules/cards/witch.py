from __future__ import annotations

from typing import Any

from dominion_env.cards import Card
from dominion_env.rules.decisions import FINISHED
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import gain

_CURSE = int(Card.CURSE)


@rule
def witch_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Gain a Curse."""
    gain(game, victim, _CURSE)
    return FINISHED
