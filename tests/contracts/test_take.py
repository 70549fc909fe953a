"""`GameBatch.take`: some games of a batch, going on by themselves."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from dominion_env import GameBatch, InvalidOption

pytestmark = pytest.mark.compiled


def advance(batch, steps):
    for _ in range(steps):
        batch.step(batch.sample_actions())


def test_games_taken_go_on_as_in_the_batch_they_are_from():
    batch = GameBatch(20, kingdom="random", seed=3, auto_treasures=True)
    advance(batch, 50)
    rows = np.array([17, 2, 5])
    part = batch.take(rows)
    assert part.num_games == 3
    assert (part.state == batch.state[rows]).all()
    advance(batch, 300)
    advance(part, 300)
    assert (part.state == batch.state[rows]).all()
    assert (part.final.scores == batch.final.scores[rows]).all()
    assert part.state["episode"].min() > 0  # each has gone on to a new episode


def test_the_batch_they_are_from_stays_as_it_was():
    batch = GameBatch(4, seed=3)
    before = batch.state.copy()
    advance(batch.take([0, 1]), 30)
    assert (batch.state == before).all()


def test_games_from_positions_keep_their_own_position_for_the_next_episode():
    positions = [{"supply": {"Province": number}} for number in (1, 2, 3)]
    batch = GameBatch(3, start=positions)
    part = batch.take([2])
    part.reset()
    assert part.state["supply"][0, 5] == 3


def test_the_parts_own_seeds_follow_from_its_rows():
    batch = GameBatch(6, seed=1, index=10)
    part = batch.take([4, 0])
    part.reset(seed=9)
    assert part.state["index"].tolist() == [14, 10]


@pytest.mark.parametrize("rows", [[], [3], [-1], [[0]], [0.5], [True, False, True]])
def test_other_rows_are_refused(rows):
    with pytest.raises(InvalidOption, match="rows"):
        GameBatch(3).take(rows)


def test_what_is_asked_is_told_in_words():
    asked = GameBatch(1, start={"players": [{"hand": {"Moat": 1}}, {}], "phase": "action"}).question(0)
    assert asked == "player_0 is asked in the Action phase to play a card; legal: ['pass', 'play Moat']"


def test_equal_batches_pickle_to_equal_bytes():
    """What memory held before lies between the fields of a record that numpy copies one by one."""
    batch = GameBatch(4, kingdom=["first-game-2e", "size-distortion-2e"], seed=1)

    def pickled() -> list[bytes]:
        junk = [np.full(size, 171, np.uint8) for size in range(8, 5000, 8)]
        del junk
        made = batch.take([0, 1]), batch.worlds([0, 1], 2, 3), batch.fork(0, 2, 5), batch.clone()
        return [*map(pickle.dumps, made)]

    first = pickled()
    assert all(pickled() == first for _ in range(5))
