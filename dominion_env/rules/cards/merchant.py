from __future__ import annotations

from typing import Any

from dominion_env.rules.decisions import FINISHED
from dominion_env.rules.jit import rule


@rule
def merchant(game: Any, me: Any, step: Any, action: Any) -> Any:
    """The first Silver that you play this turn gives 1 coin more (see `play.play_treasures`)."""
    game.merchants += 1
    return FINISHED
