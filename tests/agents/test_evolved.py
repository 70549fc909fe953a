"""Evolved lists: the file that they stand in, who plays them, and that `auto-2` does not."""

from __future__ import annotations

import hashlib
import json
import pickle

import numpy as np
import pytest

from docs.site import evolved as writer
from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.choosing import auto as autos
from dominion_agents.searching.portfolio import Portfolio
from dominion_agents.strategies.evolved import (
    EVOLVED,
    EVOLVED_NAMES,
    FILE,
    PREFIX,
    best_on_train,
    evolved_for,
    evolved_on_train,
    kingdom_of,
    read_evolved,
)
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import GameBatch, InvalidStrategy, make_agent
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS, resolve, split

LISTS = """# how it was found
name: evolved-first-game-2e
players: 2
guard: on
Province; Gold; Market; Silver

# a comment alone

name: evolved-big-money-1e
Province; Gold; Laboratory; Silver
"""
# What `auto-2` plays with 2, 3 and 4 players.
AUTO_2 = {
    "first-game-1e": "first-game first-game big-smithy",
    "big-money-1e": "bureaucrat laboratory laboratory",
    "interaction-1e": "provincial-library library library",
    "size-distortion-1e": "workshop-gardens workshop-gardens workshop-gardens-mirror",
    "village-square-1e": "smithy-optimised big-smithy big-smithy",
    "first-game-2e": "first-game first-game big-smithy",
    "size-distortion-2e": "workshop-gardens workshop-gardens workshop-gardens-mirror",
    "deck-top-2e": "council-room council-room council-room",
    "sleight-of-hand-2e": "smithy-optimised big-smithy big-smithy",
    "improvements-2e": "witches-first witches-first witches-first",
    "silver-and-gold-2e": "bureaucrat laboratory laboratory",
}
# The same on the 100 kingdoms of test, and what these names stand for: a hash of names and lists.
AUTO_2_ON_TEST = "e2e8985f0a9f7235"


@pytest.fixture
def two_lists(monkeypatch):
    """The two lists above instead of the project's."""
    found = read_evolved(LISTS)
    monkeypatch.setattr(autos, "EVOLVED", found)
    return found


def test_a_file_holds_lists_by_the_names_of_kingdoms():
    found = read_evolved(LISTS)
    assert list(found) == ["evolved-first-game-2e", "evolved-big-money-1e"]
    assert found["evolved-first-game-2e"].guard
    assert str(found["evolved-big-money-1e"].rules[2]) == "Laboratory"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "name: evolved-atlantis\nProvince; Gold",
            "expected a name such as evolved-first-game-1e, got 'evolved-atlantis'",
        ),
        ("name: first-game-2e\nProvince; Gold", "expected a name such as"),
        (LISTS + "\n" + LISTS, "expected each name once, got 'evolved-first-game-2e' twice"),
    ],
)
def test_a_file_with_other_names_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        read_evolved(text)


def test_a_part_that_is_no_strategy_is_refused():
    with pytest.raises(InvalidStrategy):
        read_evolved("name: evolved-first-game-2e\nProvinz; Gold")


def test_the_projects_lists_are_agents_for_two_players_and_their_kingdoms_hold_their_cards():
    assert read_evolved(FILE.read_text(encoding="utf-8")) == EVOLVED
    for kingdom, name in EVOLVED_NAMES.items():
        assert evolved_for(KINGDOMS[kingdom]) == name
        assert set(EVOLVED[name].kingdom_cards) <= set(KINGDOMS[kingdom])
        assert EVOLVED[name].players == 2
        assert make_agent(name).strategies == (EVOLVED[name],)
    assert evolved_for(KINGDOMS["first-game-2e"][:9]) is None


def test_no_evolved_list_is_a_published_one_or_a_plan_of_agents_that_search():
    assert not set(EVOLVED) & set(STRATEGIES)
    published = {each.rules for each in STRATEGIES.values()}
    assert not [name for name, each in EVOLVED.items() if each.rules in published]
    assert {plan.name for plan in Portfolio().plans} == set(STRATEGIES)


@pytest.mark.usefixtures("two_lists")
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kingdom", "num_players", "plays"),
    [
        ("first-game-2e", 2, "evolved-first-game-2e"),
        ("big-money-1e", 2, "evolved-big-money-1e"),
        ("silver-and-gold-2e", 2, "bureaucrat"),
        ("first-game-2e", 3, "first-game"),
        ("first-game-2e", 4, "big-smithy"),
    ],
)
def test_auto_3_plays_the_evolved_list_with_two_players_on_its_kingdom(two_lists, kingdom, num_players, plays):
    batch = GameBatch(16, num_players, kingdom, auto_treasures=True, seed=5)
    strategy = two_lists[plays] if plays in two_lists else STRATEGIES[plays]
    auto, alone, differs = autos.Auto(), ScriptedAgent(strategy), False
    older = autos.Auto2()
    for _ in range(60):
        arrays = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = auto.act(*arrays)
        np.testing.assert_array_equal(actions, alone.act(*arrays))
        differs |= bool((actions != older.act(*arrays)).any())
        batch.step(actions)
    assert differs == (plays in two_lists)


@pytest.mark.usefixtures("two_lists")
def test_auto_3_reads_what_its_lists_need_and_takes_their_settings():
    assert "my_points" in autos.Auto().fields
    assert "my_points" not in autos.Auto2().fields
    assert all(each.guard for each in autos.Auto(guard=True)._evolved.strategies)
    again = pickle.loads(pickle.dumps(autos.Auto(guard=True)))
    assert again.settings == {"guard": True}
    assert again._evolved.strategies == autos.Auto(guard=True)._evolved.strategies


@pytest.mark.parametrize(
    "name", ["evolved-", "first-game-2e", "evolved-train", "evolved-train:1000", "evolved-train:1+2", "evolved-test:x"]
)
def test_a_name_that_tells_no_kingdom_has_none(name):
    assert kingdom_of(name) is None


def test_the_lists_of_train_are_for_kingdoms_that_hold_their_cards():
    lists = evolved_on_train()
    assert len(lists) > 20
    for name, strategy in lists.items():
        assert name.startswith("evolved-train:")
        assert set(strategy.kingdom_cards) <= set(kingdom_of(name))
        assert strategy.players == 2


def test_the_best_lists_are_for_different_kingdoms_of_train_and_known():
    places = best_on_train()
    assert len(places) > 100
    assert len({kingdom for kingdom, _ in places}) == len(places)
    assert {kingdom for kingdom, _ in places} <= set(split("train"))
    assert {name for _, name in places} <= set(STRATEGIES | evolved_on_train())


@pytest.mark.compiled
@pytest.mark.parametrize(("num_players", "plays_evolved"), [(2, True), (3, False)])
def test_evolved_train_plays_its_lists_on_their_kingdoms_and_elsewhere_as_auto_2(num_players, plays_evolved):
    lists = STRATEGIES | evolved_on_train()
    name, strategy = next((each, lists[each]) for kingdom, each in best_on_train() if kingdom_of(each) == kingdom)
    agent, older, alone = make_agent("evolved-train"), autos.Auto2(), ScriptedAgent(strategy)
    for kingdom, expected in (
        (name.removeprefix(PREFIX), alone if plays_evolved else older),
        ("first-game-2e", older),
    ):
        batch = GameBatch(16, num_players, kingdom, auto_treasures=True, seed=5)
        differs = False
        for _ in range(80):
            arrays = batch.observe(), batch.action_mask, batch.policy_keys()
            actions = agent.act(*arrays)
            np.testing.assert_array_equal(actions, expected.act(*arrays))
            differs |= bool((actions != older.act(*arrays)).any())
            batch.step(actions)
        assert differs == (expected is alone)


def test_auto_2_plays_what_it_played():
    for kingdom, names in AUTO_2.items():
        assert [autos.choice_of_auto_2(KINGDOMS[kingdom], players) for players in (2, 3, 4)] == names.split()
    chosen = [
        autos.choice_of_auto_2(cards.tolist(), players) for cards in resolve("test").kingdoms for players in (2, 3, 4)
    ]
    said = [*chosen, *(str(STRATEGIES[name]) for name in sorted({*chosen, *" ".join(AUTO_2.values()).split()}))]
    assert hashlib.sha256("\n".join(said).encode()).hexdigest()[:16] == AUTO_2_ON_TEST
    agent = make_agent("auto-2")
    assert type(agent) is autos.Auto2
    assert not any(each.name.startswith(PREFIX) for table in agent._agents.values() for each in table.strategies)


def result(score=0.6, low=0.55, **other):
    match = {"score": score, "low": low, "high": 0.65, "games": 1000}
    matches = {"first-game": match, "big-money": match | {"score": 0.9}}
    return {
        "kingdom": "first-game-2e", "command": "dominion evolve --out results/x --seed 1 --workers 2", "games": 2000,
        "enemy_games": 1500,
        "strategy": "guard: on; Province; Gold; Silver", "matches": matches, "enemy_result": match | {"score": 0.7},
    } | other  # fmt: skip


def test_a_result_of_the_command_becomes_an_entry():
    text = writer.joined(LISTS, [result()])
    found = read_evolved(text)
    assert list(found) == ["evolved-big-money-1e", "evolved-first-game-2e"]  # in the order of the kingdoms
    assert found["evolved-first-game-2e"] == Strategy.parse(
        "name: evolved-first-game-2e; source: dominion evolve; players: 2; guard: on; Province; Gold; Silver"
    )
    assert "# dominion evolve --seed 1\n" in text
    assert (
        "60.0% (55.0% to 65.0%, n = 1,000) against\n# first-game, which auto-2 plays there, and more against all"
        in text
    )
    assert "found in 1,500 games, scores 70.0%" in text
    assert "Market" not in text
    assert writer.joined(text, []) == text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (result(score=0.5, low=0.47), "expected a list that surely beats `first-game`, got a score of 50.0%"),
        (result(kingdom="atlantis"), "kingdom: expected a recommended one, got 'atlantis'"),
    ],
)
def test_a_result_that_has_no_place_there_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        writer.joined(LISTS, [json.loads(json.dumps(wrong))])


def test_kingdoms_are_known_by_their_cards_in_any_order():
    for kingdom, name in EVOLVED_NAMES.items():
        assert evolved_for([Card(int(card)) for card in reversed(KINGDOMS[kingdom])]) == name
