from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import FINISHED
from dominion_env.rules.jit import rule
from dominion_env.rules.zones import draw


@rule
def council_room(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Each other player draws a card."""
    for distance in range(1, game.num_players):
        draw(game, (me + distance) % game.num_players)
    return FINISHED
