"""The everyday part of the lockstep: 240 random games; `python -m tests.reference.lockstep` plays thousands."""

from __future__ import annotations

import pytest

from .engine import ACTIONS
from .lockstep import Tally, play_in_lockstep

GAMES_A_TEST = 20


@pytest.mark.parametrize("first", range(0, 240, GAMES_A_TEST))
def test_both_engines_agree_at_each_decision(first: int) -> None:
    tally = Tally()
    for number in range(first, first + GAMES_A_TEST):
        play_in_lockstep(2024, number, tally)
    assert tally.games == GAMES_A_TEST
    assert tally.decisions > 0
    assert set(tally.played) & ACTIONS
