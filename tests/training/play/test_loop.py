"""The one loop that plays: its moments, and the games that end on the way."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import GameBatch, make_agent
from dominion_training.play.loop import Player, Seats, Stopped, play

PLAYERS = [Player(name, make_agent(name)) for name in ("big-money", "random")]
GAMES = 12


def a_batch() -> GameBatch:
    return GameBatch(GAMES, 2, seed=3, auto_treasures=True, autoreset=False)


def seats() -> Seats:
    return Seats(PLAYERS, np.array([[0, 1], [1, 0], [0, 0]] * (GAMES // 3)))


@pytest.mark.compiled
def test_each_game_ends_at_one_moment_and_in_the_same_way_narrowed_or_not():
    ways = []
    for narrowing in (False, True):
        points, widths = {}, []
        for moment in play(a_batch(), seats(), narrowing=narrowing):
            widths.append(len(moment.games))
            for row in moment.ended.tolist():
                game = int(moment.games[row])
                assert game not in points
                points[game] = moment.batch.final.scores[row].tolist()
                assert not moment.running[row]
        assert sorted(points) == [*range(GAMES)]
        assert (min(widths) < GAMES) is narrowing
        ways.append(points)
    assert ways[0] == ways[1]


def test_the_first_moment_comes_before_any_decision_and_a_stop_before_the_next_one():
    batch = a_batch()
    moments = play(batch, seats(), lambda: True)
    moment = next(moments)
    assert moment.running.all()
    assert not moment.ended.size
    assert not batch.state["decisions"].any()
    with pytest.raises(Stopped):
        next(moments)
    assert not batch.state["decisions"].any()
