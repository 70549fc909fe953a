"""A search for a buy list, round by round, with games that are made up: each list has a strength of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dominion_agents.strategies.strategy import Strategy
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.lists import climbs
from dominion_training.lists.climbs import PLAN, ClimbState, new_lists, next_state
from dominion_training.lists.random_lists import RandomLists
from dominion_training.lists.search import Candidate

LISTS = RandomLists([Card(card) for card in KINGDOMS["first-game-2e"]])


def strength(strategy: Strategy) -> float:
    """Return the score that a list has: the longer it is, the better."""
    return min(0.1 * len(strategy.rules), 0.9)


class Games:
    """Made-up games; `used` has the numbers of the sets of each step, and `scale` makes all lists weaker."""

    def __init__(self) -> None:
        self.used: list[range] = []
        self.scale = 1.0

    def play(self, strategies: list[Strategy], sets: range) -> Any:
        self.used.append(sets)
        shares = np.array([[self.scale * strength(each)] * (2 * len(sets)) for each in strategies])
        return np.stack([shares, np.zeros_like(shares)])


@pytest.fixture(autouse=True)
def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=32, changed=16))
    monkeypatch.setattr(climbs, "STARTS", ("anything",))


def test_the_best_lists_of_a_round_stay_and_their_games_are_counted():
    games, state = Games(), ClimbState()
    after = next_state(state, LISTS, 0, games.play)
    assert after.games == state.games_ahead(2)
    assert len(after.staying) == 4
    best = max(strength(each) for each in new_lists(state, LISTS, 0))
    assert strength(after.staying[0].strategy) == pytest.approx(best)
    assert after.staying[0].score == pytest.approx(best)


def test_every_step_plays_sets_of_its_own():
    games, state = Games(), ClimbState()
    for _ in range(3):
        state = next_state(state, LISTS, 0, games.play)
    numbers = [number for sets in games.used for number in sets]
    assert len(games.used) > 3
    assert numbers == list(range(state.sets))
    assert len(state.staying) <= PLAN.staying


def test_a_climb_is_over_when_nothing_better_than_its_peak_has_come_for_some_rounds(monkeypatch):
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, patience=2))
    games = Games()
    state = next_state(ClimbState(), LISTS, 0, games.play)
    peak, games.scale = state.peak, 0.5
    weaker = replace(state, staying=tuple(Candidate(each.strategy) for each in state.staying))
    state = next_state(weaker, LISTS, 0, games.play)
    assert (state.since, state.peak) == (1, peak)
    state = next_state(state, LISTS, 0, games.play)
    assert (state.climb, state.round, state.peak, state.staying) == (1, 0, 0.0, ())
    assert 0 < len(state.kept) <= 2
