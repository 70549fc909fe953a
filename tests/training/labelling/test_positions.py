"""The decisions that are labelled come from games that depend on their addresses alone, and are no neighbours."""

from itertools import pairwise

import numpy as np
import pytest

import dominion_agents
from dominion_env import GameBatch, InvalidAgent
from dominion_training.evaluate.games import Player, Stopped
from dominion_training.labelling.positions import positions

OPTIONS = {"num_players": 2, "auto_treasures": True, "max_turns": 6}


def player(name):
    return Player(name, dominion_agents.make(name))


class Notes:
    """An agent that notes the keys of its decisions."""

    def __init__(self):
        self.keys = set()

    def act(self, observations, action_masks, keys):
        self.keys |= set(keys.tolist())
        return action_masks.argmax(axis=1)


def found(games, by=("big-money",), weights=(1.0,), seed=3, spacing=4, astray=0.2, **options):
    """Return the decisions, by game and number, each with what is seen there."""
    players = [player(name) if isinstance(name, str) else Player("notes", name) for name in by]
    seen = {}
    given = {**OPTIONS, **options}
    for each in positions(players, weights, games, seed, spacing=spacing, astray=astray, **given):
        shown = each.games.observe()
        for row, place in enumerate(zip(each.index.tolist(), each.decision.tolist(), strict=True)):
            assert place not in seen
            assert each.games.action_mask[row].sum() > 1
            assert each.games.state["index"][row] == place[0]
            assert each.games.state["decisions"][row].sum() == place[1]
            seen[place] = shown[row].tobytes()
    return seen


def test_a_game_gives_the_same_decisions_among_any_others():
    together = found(range(5, 11))
    alone = {}
    for game in range(5, 11):
        alone |= found(range(game, game + 1))
    assert together == alone
    assert {game for game, _ in together} == set(range(5, 11))
    assert found(range(5, 11), seed=4) != together


@pytest.mark.parametrize("spacing", [1, 6])
def test_the_decisions_are_no_neighbours(spacing):
    places = sorted(found(range(30), spacing=spacing, max_turns=12))
    gaps = [later[1] - earlier[1] for earlier, later in pairwise(places) if earlier[0] == later[0]]
    assert min(gaps) == spacing - spacing // 2
    assert max(gaps) <= spacing - spacing // 2 + spacing - 1
    assert {number for game, number in places if number < spacing} == set(range(spacing))


def test_without_going_astray_the_games_are_the_agents_own():
    seen = found(range(4), astray=0.0, spacing=1)
    agent, batch = dominion_agents.make("big-money"), GameBatch(4, seed=3, autoreset=False, **OPTIONS)
    number, others = np.zeros(4, int), {}
    while (rows := np.flatnonzero(~batch.state["over"].astype(bool))).size:
        shown = batch.observe()
        for row in rows:
            others[int(row), int(number[row])] = shown[row].tobytes()
        batch.step(agent.act(shown, batch.action_mask, batch.policy_keys())[rows], rows)
        number[rows] += 1
    assert seen == others


def test_some_decisions_go_astray_and_how_many_can_be_said():
    usual = found(range(40), astray=0.0, spacing=1)
    some, all_ = (found(range(40), astray=astray, spacing=1) for astray in (0.1, 1.0))
    assert usual != some
    second = [(game, 1) for game in range(40)]
    assert sum(some[place] != usual[place] for place in second) < 15
    assert sum(all_[place] != usual[place] for place in second) > 20


def test_each_seat_is_drawn_for_one_of_the_players_by_weight():
    first, second = Notes(), Notes()
    seen = found(range(60), (first, second), (3.0, 1.0), spacing=1, max_turns=2)
    assert not first.keys & second.keys
    assert 0.6 < len(first.keys) / len(seen) < 0.9
    mixed = found(range(60), (first, second), (1.0, 1.0), spacing=1, max_turns=2)
    assert len(mixed) == len(seen)  # the two play alike


def test_an_answer_that_is_not_legal_names_the_agent():
    class Wrong:
        def act(self, observations, action_masks, keys):
            return np.full(len(keys), 313)

    with pytest.raises(InvalidAgent, match="agent notes"):
        found(range(2), (Wrong(),))


def test_it_stops_between_two_decisions():
    with pytest.raises(Stopped):
        positions([player("random")], [1.0], range(2), 0, spacing=1, astray=0.0, stopping=lambda: True, **OPTIONS)
