"""Positions for the tests of what is loaded: one as it should be, the check that one is refused, and playing on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env import (
    Game,
    GameBatch,
    InvalidPosition,
)
from tests.properties import choose

TEN = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]


def plain_position() -> dict[str, Any]:
    return Game(num_players=3, kingdom=TEN, seed=3, first_player=0).to_dict()


def refused(position: Any, **options: Any) -> str:
    """Fail unless everything that loads a position refuses this one, and return the message."""
    text = repr(position)
    with pytest.raises(InvalidPosition) as raised:
        Game.from_dict(position, **options)
    with pytest.raises(InvalidPosition):
        GameBatch(2, start=position, **options)
    assert repr(position) == text, "the input has been changed"
    assert len(str(raised.value)) > 15
    return str(raised.value)


def play_to_the_end(game: Game, most: int = 400) -> None:
    """Play a loaded position on for a while."""
    cards = count(game)
    rng = np.random.default_rng(0)
    for _ in range(most):
        if game.is_over:
            break
        game._batch.step(choose(game._batch, rng))
    assert count(game) == cards, "cards were lost or came from nowhere"


def count(game: Game) -> int:
    state = game._batch.state[0]
    return int(state["supply"].astype(int).sum() + state["trash"].sum() + state["owned"].astype(int).sum())
