"""The steps of a search in a tree, one by one: only the interpreter can call them from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_agents.searching.loops.ismcts import Plans, _draw_plans
from dominion_agents.searching.loops.puct import _set_priors, _write_values
from dominion_agents.searching.loops.tree import (
    NONE,
    answer_of,
    back_up,
    drop_worse,
    note_trial,
    offer,
    pick,
    plant,
    step_on,
    tree_for,
    value_of_end,
)
from dominion_agents.trained.forward import THOUGHT
from dominion_agents.trained.reading import GLANCE
from dominion_env import GameBatch
from dominion_env.compiled.jit import COMPILED, records

pytestmark = pytest.mark.skipif(COMPILED, reason="what compiled code calls can't be called from Python")


def planted(arms: int = 4) -> Any:
    """Return an empty tree, and its state."""
    tree = tree_for(40, arms)
    plant(tree)
    return tree, tree.state[0]


def one_node(tree: Any, visits: list[int], sums: list[float]) -> None:
    """Make node 0 one whose actions have been tried so often, with these results."""
    node, edges = tree.nodes[0], tree.edges
    node["first"], node["edges"], node["visits"], node["sum"] = 0, len(visits), sum(visits), sum(sums)
    for edge, (number, total) in enumerate(zip(visits, sums, strict=True)):
        edges[edge]["action"], edges[edge]["visits"], edges[edge]["sum"] = edge, number, total
        edges[edge]["prior"] = 1 / len(visits)


def tried(values: list[list[float]], gate: float = 1.0) -> Any:
    """Return a tree whose arms have been tried with these values."""
    tree, state = planted(len(values))
    state["gate"] = gate
    for action, each in enumerate(values):
        offer(tree, action, 1.0 - action / 10)
        for value in each:
            note_trial(tree, action, value)
    return tree


def test_an_untried_action_is_taken_to_be_worth_a_little_less_than_its_decision():
    tree, state = planted()
    one_node(tree, [10, 0], [4.6, 0.0])
    state["reluctance"] = 0.1
    tree.nodes[0]["sum"] = 5.0
    assert pick(tree, 0, NONE) == 0, "0.46 is more than 0.5 less 0.1"
    state["reluctance"] = 0.01
    assert pick(tree, 0, NONE) == 1


def test_a_new_decision_begins_with_an_empty_tree():
    tree, state = planted(2)
    offer(tree, 5, 0.5)
    state["nodes"], state["edges"] = 3, 9
    plant(tree)
    assert (state["arms"], state["nodes"], state["edges"]) == (0, 0, 0)


def test_what_was_tried_seldom_has_a_bonus():
    tree, state = planted()
    one_node(tree, [90, 10], [45.0, 4.9])
    assert pick(tree, 0, NONE) == 0
    state["curiosity"] = 1.0
    assert pick(tree, 0, NONE) == 1


def test_each_decision_is_worth_what_its_own_seat_gets():
    tree, state = planted()
    state["values"][:2] = 0.2, 0.8
    step_on(tree, 0, 3, 1)
    step_on(tree, 1, NONE, 0)
    back_up(tree)
    assert tree.nodes["sum"][:2].tolist() == [0.8, 0.2]
    assert tree.nodes["visits"][:2].tolist() == [1, 1]
    assert tree.edges["sum"][3] == 0.8


def test_the_worse_half_goes_and_the_usual_action_stays():
    tree = tried([[0.1, 0.3], [0.5, 0.6], [0.3, 0.4], [0.2, 0.3]])
    drop_worse(tree)
    assert tree.arms["left"].tolist() == [1, 1, 1, 0]


def test_the_usual_action_is_left_only_for_one_that_is_better_by_more_than_the_gate():
    some = [[0.5, 0.5, 0.5, 0.5], [0.6, 0.6, 0.6, 0.6]]
    assert answer_of(tried(some, gate=2.0)) == 0
    assert answer_of(tried(some, gate=0.1)) == 1


def test_winners_share_the_win():
    state = planted()[1]
    players = [{"turns": 3}, {"turns": 3}, {"turns": 3, "hand": ["Curse"]}]
    start = {"kingdom": "first-game-2e", "supply": {"Province": 0}, "players": players, "over": True}
    value_of_end(state, GameBatch(1, start=start, autoreset=False).records[0])
    assert state["values"][:3].tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("players", [2, 3])
def test_a_network_expects_the_rest_of_the_win_for_the_others_evenly(players):
    state, thought = planted()[1], records(np.zeros(1, THOUGHT))[0]
    thought["values"] = 0.7, 0.0
    _write_values(state, thought, 1, players)
    assert state["values"][:players].sum() == pytest.approx(1)
    assert state["values"][1] == pytest.approx(0.7)


def test_chances_of_actions_add_up_to_one():
    tree, state = planted()
    one_node(tree, [0, 0], [0.0, 0.0])
    glance, thought = records(np.zeros(1, GLANCE))[0], records(np.zeros(1, THOUGHT))[0]
    glance["num_legal"], glance["legal"][:2] = 2, (0, 1)
    thought["scores"][:2] = np.log([0.9, 0.1])
    state["doubt"] = 0.2
    _set_priors(tree, 0, glance, thought)
    assert tree.edges["prior"][:2].tolist() == pytest.approx([0.1 + 0.8 * 0.9, 0.1 + 0.8 * 0.1])


@np.errstate(over="ignore")  # as entry points have it
def test_each_seat_draws_a_plan_by_its_own_chances():
    followed, considered = np.zeros(3, np.int64), np.array([[5, 9, 7]])
    cumulative = np.array([[[1.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]])
    plans = Plans(considered, cumulative, np.array([5]), followed)
    for number in range(5):
        _draw_plans(plans, 0, number, np.uint64(3))
        assert followed.tolist() == [5, 7, 9]
