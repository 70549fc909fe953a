"""Games of lists among themselves: the same in any call and on any number of workers, and those that agents play."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import InvalidKingdom, InvalidOption
from dominion_training.evaluate.match import play_match
from dominion_training.lists.arena import Arena

MONEY, SMITHY = STRATEGIES["big-money"], STRATEGIES["smithy-optimised"]
ENGINE = STRATEGIES["first-game"]
K = "first-game-2e"


def test_a_list_plays_the_same_games_alone_and_among_others():
    with Arena(K, 3) as arena:
        together = arena.play([MONEY, SMITHY], [SMITHY, MONEY], range(4, 6))
        alone = arena.play([SMITHY], [SMITHY, MONEY], range(4, 6))
        second_set = arena.play([MONEY], [MONEY], range(5, 6))
    assert together.shape == (2, 2, 4)
    np.testing.assert_array_equal(together[:, 1:], alone)
    np.testing.assert_array_equal(together[:, :1, 2:], second_set)


def test_against_itself_a_list_wins_what_it_loses():
    with Arena(K, 5) as arena:
        shares, ahead = arena.play([MONEY], [MONEY, Strategy.parse(str(MONEY))], range(2))
    np.testing.assert_array_equal(shares.reshape(-1, 2).sum(axis=1), 1.0)
    np.testing.assert_array_equal(ahead.reshape(-1, 2).sum(axis=1), 0.0)


def test_other_seeds_are_other_games():
    with Arena(K, 0) as one, Arena(K, 1) as other:
        played = [arena.play([MONEY], [SMITHY] * 3, range(3))[1] for arena in (one, other)]
    assert (played[0] != played[1]).any()


@pytest.mark.compiled
def test_the_number_of_workers_changes_nothing():
    lists = [MONEY, SMITHY, ENGINE, STRATEGIES["militia"], STRATEGIES["moat"]]
    found = []
    for workers in (1, 2, 3):
        with Arena(K, 11, workers) as arena:
            found.append(arena.play(lists, [SMITHY, ENGINE] * 20, range(40)))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("first", "second"), [("first-game", "smithy-optimised"), ("greedy", "random-buyer")])
def test_lists_score_as_the_agents_do_that_play_them(first, second):
    lists = STRATEGIES[first], STRATEGIES[second]
    match = play_match(*map(ScriptedAgent, lists), 4000, 1, kingdom=K, auto_treasures=True)
    with Arena(K, 2) as arena:
        shares, ahead = arena.play([lists[0]], [lists[1]] * 2000, range(2000))
    assert abs(shares.mean() - match.score) < 0.04  # more than three standard errors
    points = match.games["points"][:, 0] - match.games["points"][:, 1]
    margin = np.where(match.games["rotation"] == 0, points, -points)
    assert abs(ahead.mean() - margin.mean()) < 4 * np.hypot(ahead.std(), margin.std()) / np.sqrt(4000)


def test_wrong_arenas_are_refused():
    with pytest.raises(InvalidKingdom, match="no kingdom is named 'atlantis'"):
        Arena("atlantis", 0)
    with pytest.raises(InvalidOption, match="kingdom: expected one set of ten cards"):
        Arena("random", 0)
    with pytest.raises(InvalidOption, match="workers: expected a whole number from 1"):
        Arena(K, 0, 0)
