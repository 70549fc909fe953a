"""Extreme but well-formed positions are played to the end, and nothing is read or written out of bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    PASS,
    Game,
)
from tests.contracts.positions import count, play_to_the_end
from tests.properties import sized

CHAINING = [
    "Throne Room",
    "Vassal",
    "Library",
    "Adventurer",
    "Cellar",
    "Militia",
    "Village",
    "Festival",
    "Sentry",
    "Thief",
]


def extreme(hand: dict[str, int], **more: Any) -> dict[str, Any]:
    me = {
        "hand": hand,
        **{key: more.pop(key) for key in list(more) if key in ("deck_top", "deck_bag", "discard", "in_play")},
    }
    named = [*hand, *me.get("deck_top", []), *me.get("deck_bag", {}), *me.get("discard", []), *CHAINING]
    base = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
    kingdom = list(dict.fromkeys(name for name in named if name not in base))[:10]
    supply = dict.fromkeys((*base, *kingdom), 5) | {"Copper": 0}
    other = {"hand": {"Moat": 1, "Copper": 5}}
    return {"kingdom": kingdom, "supply": supply, "players": [me, other], "actions": 3, **more}


EXTREMES: dict[str, Callable[[], dict[str, Any]]] = {
    "thirty Throne Rooms": lambda: extreme({"Throne Room": 30, "Militia": 2, "Library": 1}, deck_bag={"Village": 50}),
    "a hundred and twenty Throne Rooms": lambda: extreme({"Throne Room": 122, "Thief": 2, "Village": 5}),
    "Throne Rooms alone": lambda: extreme({"Throne Room": 122}),
    "a deck of Vassals": lambda: extreme({"Vassal": 1}, deck_top=["Vassal"] * 121),
    "Throne Rooms and Vassals": lambda: extreme(
        {"Throne Room": 60, "Vassal": 60}, deck_top=["Vassal", "Throne Room"] * 60
    ),
    "Library and three hundred Actions": lambda: extreme(
        {"Library": 1}, deck_bag={"Village": 100, "Festival": 100, "Sentry": 100}
    ),
    "Adventurer and three hundred cards": lambda: extreme(
        {"Throne Room": 2, "Adventurer": 2}, deck_bag={"Village": 100, "Estate": 100, "Festival": 100}, discard=["Gold"]
    ),
    "a hand of three hundred cards": lambda: extreme({"Cellar": 3, "Village": 100, "Festival": 100, "Copper": 97}),
    "a discard pile of three hundred cards": lambda: extreme(
        {"Village": 3, "Cellar": 1}, discard=["Gold"] * 100 + ["Estate"] * 100 + ["Festival"] * 100
    ),
    "huge coins": lambda: extreme({"Festival": 100, "Throne Room": 50}, coins=9999, buys=9999, merchants=9999),
    "many Silvers with many Merchants": lambda: extreme(
        {"Silver": 100, "Gold": 100}, merchants=9999, coins=9999, phase="buy"
    ),
}


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("name", list(EXTREMES))
def test_extreme_positions_are_played_safely(name: str, edition: int) -> None:
    """Play Actions as long as there are any; count the cards, and save the position at any time."""
    game = Game.from_dict({**EXTREMES[name](), "edition": edition}, max_turns=3, auto_treasures=name != "huge coins")
    cards, rng = count(game), np.random.default_rng(1)
    for step in range(sized(1500)):
        if game.is_over:
            break
        legal = np.flatnonzero(game._batch.action_mask[0])
        eager = legal[legal > PASS] if len(legal) > 1 and rng.random() < 0.95 else legal
        game.apply(int(rng.choice(eager)))
        assert min(game.coins, game.buys, game.actions) >= 0
        if step % 15 == 0:
            assert count(game) == cards
            assert Game.from_dict(game.to_dict(), auto_treasures=name != "huge coins").to_dict() == game.to_dict()
    assert count(game) == cards


def test_a_game_of_six_with_six_hundred_cards_is_played_safely() -> None:
    big = {"Village": 20, "Throne Room": 15, "Militia": 10, "Thief": 10, "Library": 10}
    kingdom = [*CHAINING[:9], "Thief"]
    supply = dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *kingdom], 5)
    players = [{"hand": big, "deck_bag": {"Gold": 10, "Estate": 10}} for _ in range(6)]
    game = Game.from_dict({"kingdom": kingdom, "supply": supply, "players": players, "actions": 20}, max_turns=2)
    play_to_the_end(game, sized(1500))
