"""The puzzles that come with the project: what their file promises."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from dominion_agents.coach.losses import STAGES
from dominion_env import Game, IllegalAction, make_agent
from dominion_env.core.questions import KIND_NAMES
from dominion_env.tables.actions import ACTION_NAMES
from dominion_training.puzzles import Puzzle, batch_of, puzzles
from dominion_training.puzzles.solving import solve
from tools.find_puzzles import EASY, LEAST_MARGIN, NUMBER, easy_ones

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def every() -> tuple[Puzzle, ...]:
    return puzzles()


def test_there_are_as_many_as_promised_each_with_one_best_answer(every):
    assert [each.number for each in every] == [*range(NUMBER)]
    assert min(each.margin for each in every) >= LEAST_MARGIN - 1e-4  # they are rounded
    for each in every:
        chances = [*each.chances.values()]
        assert chances == sorted(chances, reverse=True)
        assert 0 <= chances[-1] < chances[0] <= 1


def test_a_row_waits_at_its_puzzle(every):
    batch = batch_of(every)
    assert batch.current_player.tolist() == [each.seat for each in every]
    for row, each in enumerate(every):
        legal = {ACTION_NAMES[action] for action in np.flatnonzero(batch.action_mask[row])}
        assert legal == {*each.chances}
        assert KIND_NAMES[batch.state["kind"][row]] == each.kind


def test_kinds_and_stages_are_balanced_and_no_view_comes_twice(every):
    kinds, stages = (Counter(names) for names in ([each.kind for each in every], [each.stage for each in every]))
    assert {*stages} == {*STAGES.values()}
    assert min(stages.values()) >= NUMBER / 6
    assert len(kinds) >= 6
    assert max(kinds.values()) <= NUMBER / 2.5
    assert len({view.tobytes() for view in batch_of(every).observe()}) == NUMBER
    assert len({tuple(each.position["kingdom"]) for each in every}) >= 90


def test_agents_without_a_thought_solve_at_most_half(every):
    assert EASY == ("big-money", "auto")
    assert easy_ones(every).mean() <= 0.5


def test_a_position_tells_its_seat_nothing_hidden(every):
    """Dealt anew, a puzzle is the same for its seat; and where it comes from, is not said."""
    batch = batch_of(every)
    worlds = batch.worlds(np.arange(len(every)), 1, 7)
    assert (worlds.observe() == batch.observe()).all()
    assert (worlds.action_mask == batch.action_mask).all()
    assert not any({"address", "streams", "decisions"} & {*each.position} for each in every)


def test_a_puzzle_goes_on_as_a_game(every):
    puzzle = every[0]
    game = Game.from_dict(json.loads(json.dumps(puzzle.position)), auto_treasures=True)
    assert game.current_player == puzzle.seat
    game.apply(puzzle.best)
    assert puzzle.loss(puzzle.best) == 0
    assert puzzle.loss([*puzzle.chances][1]) == puzzle.margin > 0
    with pytest.raises(IllegalAction, match=r"puzzle 0: expected one of .*, got 'fly'"):
        puzzle.loss("fly")


def test_agents_that_search_are_asked_too(every):
    found = solve(make_agent("planner:20"), every[:20])
    assert found.name == "Planner"
    assert len(found.answers) == 20
