"""The agent that reads from a file which list to play on which kingdom."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dominion_agents import ScriptedAgent
from dominion_agents.choosing.auto import Auto2
from dominion_agents.choosing.by_kingdom import FORMAT, ByKingdom, ListFor, written
from dominion_agents.strategies.strategy import Strategy
from dominion_env import GameBatch, make_agent
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import shown_to
from dominion_env.tables.kingdoms import KINGDOMS

HERE, ELSEWHERE = "first-game-2e", "deck-top-2e"
DUCHIES = Strategy.parse("Duchy; Silver; Copper")


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "lists.json"
    found.write_text(written([(ListFor(KINGDOMS[HERE], DUCHIES), 0.61251)]))
    return found


def test_the_file_tells_cards_list_and_score(path):
    assert json.loads(path.read_text()) == {
        "format": FORMAT,
        "elsewhere": "auto-2",
        "lists": [
            {"kingdom": [card.title for card in KINGDOMS[HERE]], "score": 0.613, "list": "Duchy; Silver; Copper"}
        ],
    }


@pytest.mark.compiled
@pytest.mark.parametrize(("num_players", "plays_it"), [(2, True), (3, False)])
def test_it_plays_its_list_on_its_kingdom_and_elsewhere_as_auto_2(path, num_players, plays_it):
    agent, other, alone = make_agent(str(path)), Auto2(), ScriptedAgent(DUCHIES)
    for kingdom, expected in ((HERE, alone if plays_it else other), (ELSEWHERE, other)):
        batch = GameBatch(16, num_players, kingdom, auto_treasures=True, seed=5)
        differs = False
        for _ in range(60):
            arrays = batch.observe(), batch.action_mask, batch.policy_keys()
            actions = agent.act(*arrays)
            np.testing.assert_array_equal(actions, expected.act(*arrays))
            differs |= bool((actions != other.act(*arrays)).any())
            batch.step(actions)
        assert differs == (expected is alone)


def test_settings_hold_for_all_lists(path):
    agent = make_agent(str(path), guard=True)
    assert list(agent.strategies.values()) == [DUCHIES.but(guard=True)]


@pytest.mark.compiled
@pytest.mark.parametrize("elsewhere", ["double-witch", "any"])
def test_each_game_of_a_batch_is_played_by_who_is_meant_for_its_kingdom(elsewhere):
    agent = ByKingdom([ListFor(KINGDOMS[HERE], DUCHIES)], elsewhere)
    parts = ScriptedAgent(DUCHIES), make_agent(elsewhere)
    batch = GameBatch(32, 2, [HERE, ELSEWHERE], auto_treasures=True, seed=5, autoreset=False)
    here = np.array([set(row[7:]) == set(map(int, KINGDOMS[HERE])) for row in batch.state["piles"].tolist()])
    assert 0 < here.sum() < 32
    for _ in range(80):
        arrays = batch.observe(), batch.action_mask, batch.policy_keys()
        known, other = (each.act(*arrays) for each in parts)
        actions = agent.act(*arrays)
        np.testing.assert_array_equal(actions, np.where(here, known, other))
        shown = shown_to(agent, batch)
        np.testing.assert_array_equal(agent.act(shown, *arrays[1:]), actions)
        batch.step(actions)


def test_an_agent_that_searches_can_not_play_elsewhere():
    with pytest.raises(InvalidOption, match="elsewhere: expected an agent that reads 'recall' alone, got 'planner'"):
        ByKingdom([], "planner")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "expected lists by kingdom as JSON"),
        ("[]", "expected a file of the format"),
        ('{"format": "another"}', "expected a file of the format 'dominion_env lists by kingdom 1', got 'another'"),
        (json.dumps({"format": FORMAT}), "expected ten cards and a list in each entry"),
        (json.dumps({"format": FORMAT, "lists": [{"kingdom": ["Village"], "list": "Gold;"}]}), "expected ten"),
        (json.dumps({"format": FORMAT, "lists": [{"kingdom": list("abcdefghij"), "list": "Gold;"}]}), "expected ten"),
        (json.dumps({"format": FORMAT, "lists": [7]}), "expected ten cards and a list in each entry"),
    ],
)
def test_another_file_is_refused(tmp_path, content, says):
    path = tmp_path / "lists.json"
    path.write_text(content)
    with pytest.raises(InvalidOption, match=says) as caught:
        ByKingdom.read(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InvalidOption, match="it can't be read"):
        ByKingdom.read(tmp_path / "none.json")


def test_a_file_that_names_itself_or_code_is_refused_and_runs_nothing(tmp_path):
    path = tmp_path / "lists.json"
    for elsewhere in (str(path), "os:abort"):
        path.write_text(written([], elsewhere))
        with pytest.raises(InvalidOption, match="expected an agent that is no file of lists by kingdom and no code"):
            ByKingdom.read(path)
