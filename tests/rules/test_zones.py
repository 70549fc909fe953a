"""Movements of cards that no text of the base game causes, but that a text may rely on."""

from typing import Any

import pytest

from dominion_env import Card, GameBatch
from dominion_env.compiled.jit import COMPILED, records
from dominion_env.rules import zones
from tests.properties import bits

pytestmark = pytest.mark.skipif(COMPILED, reason="Python can't call single rules once they are compiled")


@pytest.mark.parametrize("gain", [zones.gain, zones.gain_to_hand, zones.gain_onto_deck])
def test_nothing_is_gained_from_an_empty_pile(gain: Any) -> None:
    batch = GameBatch(1, start={"supply": {"Silver": 1}, "kingdom": "first-game-2e", "players": [{}, {}]})
    games = batch.state.copy()
    gain(records(games)[0], 0, Card.SILVER)
    once = games.copy()
    assert once["owned"][0, 0, Card.SILVER] == 1
    gain(records(games)[0], 0, Card.SILVER)
    assert bits(games) == bits(once)
