"""The everyday part of the lockstep: 240 random games; `python -m tests.reference.lockstep` plays thousands."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .engine import ACTIONS, KINGDOM_CARDS
from .lockstep import Tally, play_both, play_in_lockstep
from .play import RandomPlayer

GAMES_A_TEST = 20


@pytest.mark.parametrize("first", range(0, 240, GAMES_A_TEST))
def test_both_engines_agree_at_each_decision(first: int) -> None:
    tally = Tally()
    for number in range(first, first + GAMES_A_TEST):
        play_in_lockstep(2024, number, tally)
    assert tally.games == GAMES_A_TEST
    assert tally.decisions > 0
    assert set(tally.played) & ACTIONS


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize(
    ("hand", "deck"),
    [
        ({"Throne Room": 127, "Village": 45, "Feast": 40, "Vassal": 20}, ["Vassal"] * 100),
        ({"Vassal": 2}, ["Vassal"] * 125),
        ({"Throne Room": 3, "Vassal": 3}, ["Vassal", "Throne Room"] * 60),
        ({"Throne Room": 30, "Library": 10, "Cellar": 10, "Militia": 5, "Bandit": 5}, ["Throne Room", "Sentry"] * 20),
    ],
)
def test_the_longest_chains(hand: dict[str, int], deck: list[str], edition: int) -> None:
    """More effects wait for each other than in any real game."""
    player: dict[str, Any] = {"hand": hand, "deck_top": deck, "deck_bag": {"Moat": 20}, "turns": 1}
    player["in_play"] = ["Feast", "Gold", "Feast"]  # not "this card" of any Feast that is played
    position = {
        "format": 2,
        "edition": edition,
        "num_players": 3,
        "kingdom": KINGDOM_CARDS[:10],
        "actions": 5,
        "players": [player, {"hand": {"Moat": 1, "Copper": 6}, "turns": 0}, {"hand": {"Gold": 5}, "turns": 0}],
    }
    for number in range(3):
        eager = RandomPlayer(random.Random(number))
        eager.pass_rate = eager.decline_rate = 0.0
        play_both({"max_turns": 2, "auto_treasures": True}, position, eager, Tally())
