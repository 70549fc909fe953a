"""Tests of the coach."""

from __future__ import annotations

from typing import Any

from dominion_env import Game


def last_province(**more: Any) -> Game:
    """Return a game in which the seat to decide wins if it buys the last Province; else the other one will mostly do that,
    and win."""
    player = {"hand": {"Gold": 3, "Province": 2}, "deck_bag": {"Gold": 9, "Province": 2}}
    position = {
        "players": [player, player],
        "supply": {"Province": 1},
        "turn_player": 0,
        "phase": "buy",
        "coins": 9,
        "buys": 1,
    }
    return Game.from_dict(position | more, kingdom="first-game-2e", auto_treasures=True)
