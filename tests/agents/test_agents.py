"""Agents by name, the random one, and what is left of the simplest one's promises."""

import pickle

import numpy as np
import pytest

import dominion_agents
from dominion_agents.choosing.menus import RandomMenu
from dominion_agents.scripted.random_agent import RandomAgent
from dominion_env import (
    NUM_ACTIONS,
    PASS,
    Card,
    GameBatch,
    InvalidOption,
    action_id,
    agent_names,
    make_agent,
    register_agent,
)
from dominion_env.players.agent import shown_to
from tests.agents import play
from tests.agents.networks import names_for_any_game


def mask(*words):
    legal = np.zeros((1, NUM_ACTIONS), dtype=np.bool_)
    legal[0, [action_id(each) for each in words]] = True
    return legal


@pytest.mark.compiled
def test_big_money_owns_nothing_but_treasures_estates_and_provinces():
    batch = play(GameBatch(16, kingdom="first-game-2e", auto_treasures=True, autoreset=False), make_agent("big-money"))
    owned = batch.state["owned"].sum(axis=(0, 1))
    assert {Card(card) for card in np.flatnonzero(owned)} == {
        Card.COPPER,
        Card.SILVER,
        Card.GOLD,
        Card.ESTATE,
        Card.PROVINCE,
    }
    assert (batch.final.ended == 1).all()


def test_random_does_everything_that_is_legal_about_equally_often():
    masks = np.repeat(mask("pass", "buy Copper", "buy Curse", "buy Workshop"), 4000, axis=0)
    keys = np.random.default_rng(0).integers(0, 2**64, 4000, dtype=np.uint64)
    actions = make_agent("random").act(np.zeros((4000, 1), dtype=np.float32), masks, keys)
    legal, counts = np.unique(actions, return_counts=True)
    assert legal.tolist() == np.flatnonzero(masks[0]).tolist()
    assert (abs(counts - 1000) < 150).all()


def test_random_reaches_the_first_and_the_last_legal_action():
    masks = np.repeat(mask("pass", "buy Curse", "set aside Workshop"), 2, axis=0)
    keys = np.array([0, 2**64 - 1], dtype=np.uint64)
    actions = make_agent("random").act(np.zeros((2, 1), dtype=np.float32), masks, keys)
    assert actions.tolist() == [PASS, NUM_ACTIONS - 1]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["random", "big-money"])
@pytest.mark.parametrize("num_players", [1, 2, 4, 6])
def test_games_of_any_kingdom_come_to_an_end(name, num_players):
    batch = GameBatch(4, kingdom="random", num_players=num_players, autoreset=False)
    play(batch, make_agent(name))
    assert (batch.final.ended > 0).all()


@pytest.mark.parametrize("name", ["random", "random-menu"])
def test_masks_and_keys_that_are_none_are_refused(name):
    agent = make_agent(name)
    batch = GameBatch(3)
    seen, masks, keys = batch.observe(), batch.action_mask, batch.policy_keys()
    for wrong in (keys.tolist(), 5, None, keys[0], keys[:2], keys.astype(np.int64)):
        with pytest.raises(
            InvalidOption, match=rf"for 3 rows masks of shape \(3, {NUM_ACTIONS}\) and uint64 keys of shape \(3,\)"
        ):
            agent.act(seen, masks, wrong)
    for wrong in (masks.tolist(), [[True], []], 5, None, masks[0], masks[:, 1:]):
        with pytest.raises(InvalidOption, match="expected"):
            agent.act(seen, wrong, keys)


def test_agents_by_name():
    assert {"random", "auto", "greedy", "random-buyer", "big-money", "double-witch"} <= set(agent_names())
    assert list(agent_names()) == sorted(agent_names())
    with pytest.raises(InvalidOption, match="registered already"):
        register_agent("random", RandomAgent)


GUARDED = dominion_agents.Strategy.parse("guard: on\nProvince; Duchy; Gold; Silver")
REFUSING = dominion_agents.Strategy.parse("missing: refuse\nProvince; Gold; Smithy if Smithy < 2; Silver")


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("agent", "kingdom"),
    [
        *(pytest.param(make_agent(name), "random", id=name) for name in names_for_any_game()),
        pytest.param(dominion_agents.ScriptedAgent(GUARDED), "random", id="guarded"),
        pytest.param(RandomMenu(3, guard=True), "random", id="guarded-menu"),
        pytest.param(dominion_agents.ScriptedAgent(REFUSING), "first-game-2e", id="refusing"),
    ],
)
@pytest.mark.parametrize("num_players", [2, 4])
def test_an_agent_reads_no_more_than_it_says(agent, kingdom, num_players):
    batch = GameBatch(24, num_players=num_players, kingdom=kingdom, seed=6)
    unread = np.full((24, batch.observation_size), np.nan, dtype=np.float32)
    for step in range(200):
        masks, keys = batch.action_mask, batch.policy_keys()
        answers = agent.act(batch.observe(), masks, keys)
        for out in (unread, None):  # what is not read is no number, or 0
            assert np.array_equal(agent.act(shown_to(agent, batch, out=out), masks, keys), answers)
        batch.step(batch.sample_actions() if step % 3 else answers)


def test_an_agent_is_shown_what_it_says_it_reads():
    class Agent:
        observation = "strict"
        fields = ("my_hand", "my_owned")

        def act(self, observations, action_masks, keys): ...

    batch = GameBatch(3)
    seen = shown_to(Agent(), batch, rows=[2])
    assert seen.shape == (1, batch.observation_size)
    assert np.array_equal(seen, batch.observe(fields=("my_hand",), rows=[2]))  # what is owned does not lie open

    class Wrong(Agent):
        fields = ("my_hans",)

    with pytest.raises(InvalidOption, match=r"Wrong object .* fields: there is no 'my_hans': did you mean 'my_hand'"):
        shown_to(Wrong(), batch)


def test_a_derived_agent_that_names_its_fields_is_shown_these():
    class Nosy(dominion_agents.ScriptedAgent):
        fields = None

    batch = GameBatch(2)
    assert {"my_points", "opponent_points"} <= set(RandomMenu(guard=True).fields)
    assert "my_points" in pickle.loads(pickle.dumps(dominion_agents.ScriptedAgent(GUARDED))).fields
    assert np.array_equal(shown_to(Nosy(GUARDED), batch), batch.observe())
