"""Steps of a search and calls of the arena that are played in parts: put together, they are the step in one piece."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import InvalidOption
from dominion_training.executors.local import Local
from dominion_training.executors.runner import Rounds
from dominion_training.exploit import climb
from dominion_training.lists import against_agent, arena, cutting
from dominion_training.lists.against_agent import AgentGames, play_against
from dominion_training.lists.arena import Arena, ArenaWork
from dominion_training.lists.random_lists import RandomLists
from dominion_training.play import roster
from dominion_training.play.loop import Player, Stopped
from tests.training.exploit.players import BIG_MONEY

K = "first-game-2e"


FAST = pytest.mark.compiled


@pytest.mark.parametrize(
    ("number", "most"), [(2, 6), *(pytest.param(5, most, marks=FAST) for most in (1, 6, 16, 100, 10_000))]
)
def test_parts_of_a_step_put_together_are_the_step(number, most, monkeypatch):
    monkeypatch.setattr(against_agent, "GAMES_OF_A_PART", most)
    lists, rng = RandomLists(K), np.random.default_rng(0)
    strategies = [lists.money(rng) for _ in range(number)]
    games = AgentGames("big-money", 7, 2, {"kingdom": K, "auto_treasures": True})
    with Rounds(Local(1), games.like()) as rounds:
        found = games.play(strategies, range(4, 4 + number), rounds)
    whole = play_against(
        strategies, Player("big-money", BIG_MONEY), range(4, 4 + number), 7, kingdom=K, auto_treasures=True
    )
    assert (found == whole).all()


@FAST
@pytest.mark.parametrize("most", [1, 6, 16, 100])
def test_parts_of_a_call_of_the_arena_put_together_are_the_call(most, monkeypatch):
    monkeypatch.setattr(arena, "GAMES_OF_A_PART", most)
    monkeypatch.setattr(arena, "WORTH_SENDING", 1)
    lists, rng = RandomLists(K), np.random.default_rng(0)
    strategies, opponents = [[lists.money(rng) for _ in range(number)] for number in (5, 3)]
    with Arena(K, 3) as here, Rounds(Local(1), ArenaWork(tuple(here._kingdom), 3).like()) as rounds:
        found = Arena(K, 3, rounds=rounds).play(strategies, opponents, range(2, 5))
        assert (found == here.play(strategies, opponents, range(2, 5))).all()


def test_parts_cover_a_step_once():
    for lists, sets, each, most in ((256, 2, 2, 512), (4, 128, 2, 512), (3, 5, 3, 4), (1, 1, 6, 1), (7, 3, 2, 12)):
        covered = np.zeros((lists, sets), int)
        for rows, which in cutting.cut(lists, sets, each, most):
            covered[rows, which] += 1
            assert (rows.stop - rows.start) * (which.stop - which.start) * each <= max(most, each)
        assert (covered == 1).all()


@FAST
def test_a_search_that_is_late_stops_after_a_part():
    roster.HERE.renew("big-money")
    games = AgentGames("big-money", 7, 2, {"kingdom": K, "auto_treasures": True})
    strategies = [RandomLists(K).money(np.random.default_rng(0))] * 2
    with Rounds(Local(1), games.like()) as rounds, pytest.raises(Stopped):
        games.play(strategies, range(600), rounds, lambda: True)


def test_an_agent_without_a_name_plays_here_only():
    with pytest.raises(InvalidOption, match="agent: expected its name, by which others can make it, got "):
        climb(BIG_MONEY, K, games=10_000, executor=Local(2))
