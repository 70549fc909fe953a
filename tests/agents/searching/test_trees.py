"""The agents that search a tree: alike in any batch, by nothing that their seat can't know, and awake to what the tree shows."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from dominion_agents.searching.beliefs import Beliefs
from dominion_agents.searching.ismcts import Ismcts
from dominion_agents.searching.loops.tree import MOST_ARMS, NONE, find, grow, key_of, offer, plant, tree_for
from dominion_agents.searching.puct import Puct
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.more_players import for_players
from dominion_env import GameBatch, InvalidKingdom, InvalidOption, action_name, make_agent
from dominion_env.common.errors import InvalidStrategy
from dominion_env.compiled.jit import COMPILED
from dominion_env.players.agent import ask
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.evaluate.match import play_match
from tests.agents.networks import FIRST_GAME, network
from tests.properties import dealt_again

compiled = pytest.mark.compiled

FEW = 40  # playouts


def games(number=6, players=2, kingdom="train", turns=4, **options):
    batch = GameBatch(number, players, seed=5, kingdom=kingdom, auto_treasures=True, **options)
    agent = make_agent("auto")
    while batch.turns.max(axis=1).min() < turns:
        batch.step(ask(agent, batch))
    return batch


class BoldIsmcts(Ismcts):
    """Takes what is better by anything at all, so that small searches show what they hang on."""

    gate = 0.0


class BoldPuct(Puct):
    """Does likewise."""

    gate = 0.0


def ismcts(players=2, playouts=FEW):
    return BoldIsmcts(playouts)


def puct(players=2, playouts=FEW):
    return BoldPuct(TrainedAgent(network("all", players, seed=4)), playouts)


both = pytest.mark.parametrize("agent_for", [ismcts, puct])


# --- what every agent keeps to -----------------------------------------------------------------------------------------


@pytest.mark.slow
@compiled
@both
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_row_has_the_same_answer_in_any_batch(agent_for, players):
    batch, agent = games(24, players), agent_for(players)
    together = ask(agent, batch)
    assert batch.action_mask[np.arange(24), together].all()
    assert [int(ask(agent, batch, [row])[0]) for row in range(7)] == together[:7].tolist()
    assert ask(agent, batch, [5, 2, 9, 2, 20, 0, 7]).tolist() == together[[5, 2, 9, 2, 20, 0, 7]].tolist()
    assert ask(pickle.loads(pickle.dumps(agent)), batch).tolist() == together.tolist()


@compiled
@both
def test_it_sees_no_more_than_its_seat(agent_for):
    batch, agent = games(16, kingdom="first-game-2e"), agent_for()
    keys = batch.policy_keys()
    assert ask(agent, batch, keys=keys).tolist() == ask(agent, dealt_again(batch, 3), keys=keys).tolist()


@both
def test_a_small_search_runs_without_a_compiler(agent_for, monkeypatch):
    monkeypatch.setattr(Beliefs, "weights", alike)  # which would play hundreds of games first
    agent = Puct(TrainedAgent(network(seed=4)), 16) if agent_for is puct else Ismcts(16, plans=["big-money"])
    start = last_province({"Province": 3}, {"Province": 3, "Duchy": 1}, {"Gold": 3})
    batch = GameBatch(1, start=start, kingdom="first-game-2e", auto_treasures=True)
    assert action_name(int(ask(agent, batch)[0])) == "buy Province"


def alike(beliefs, owned, turns, kingdom):
    plans = len(beliefs._portfolio.numbers(kingdom, turns.shape[1]))
    return np.full((*turns.shape, plans), 1 / plans)


@compiled
@both
def test_other_keys_give_other_luck(agent_for):
    batch, agent = games(48), agent_for()
    keys = batch.policy_keys()
    assert ask(agent, batch, keys=keys).tolist() != ask(agent, batch, keys=keys ^ np.uint64(12345)).tolist()


def test_without_games_another_plays_for_it():
    batch = GameBatch(3, seed=1, auto_treasures=True)
    given = batch.observe(), batch.action_mask, batch.policy_keys()
    assert Ismcts(10).act(*given).tolist() == make_agent("auto-2").act(*given).tolist()
    agent = puct()
    assert agent.act(*given).tolist() == agent.networks[0].act(*given).tolist()


@compiled
@pytest.mark.parametrize(
    ("slots", "kingdom", "ahead"), [("kingdom", "first-game-2e", 4), ("piles", "train", 8), ("all", "train", 8)]
)
def test_a_network_for_every_kingdom_plays_on_longer_before_it_values(slots, kingdom, ahead):
    agents = [BoldPuct(TrainedAgent(network(slots, 2, seed=4)), FEW) for _ in range(3)]
    agents[1].ahead, agents[2].ahead = ahead, 12 - ahead
    chosen, same, other = (ask(agent, games(48, kingdom=kingdom)).tolist() for agent in agents)
    assert chosen == same != other


# --- what a tree finds -------------------------------------------------------------------------------------------------


def last_province(mine, theirs, hand, phase="buy", rival=("Gold", 5)):
    """One Province is left, and the points of both players lie in their draw piles; the rival has five Treasures."""
    return {
        "players": [{"hand": hand, "deck_bag": mine}, {"hand": dict([rival]), "deck_bag": theirs}],
        "phase": phase,
        "supply": {"Province": 1},
    }


@compiled
@both
def test_the_last_province_is_bought_to_win_and_left_to_win_later(agent_for):
    winning = last_province({"Province": 3}, {"Province": 3}, {"Gold": 3})
    losing = last_province({"Province": 2}, {"Province": 4}, {"Gold": 3}, rival=("Copper", 5))
    for start, bought in ((winning, True), (losing, False)):
        batch = GameBatch(12, start=start, kingdom="first-game-2e", auto_treasures=True, index=np.arange(12))
        names = [action_name(int(action)) for action in ask(agent_for(playouts=300), batch)]
        assert [name == "buy Province" for name in names] == [bought] * 12


@compiled
def test_a_win_that_needs_two_decisions_is_found():
    start = last_province({"Province": 3}, {"Province": 3}, {"Gold": 2, "Copper": 1, "Market": 1}, "action")
    batch = GameBatch(12, start=start, kingdom="first-game-2e", auto_treasures=True, index=np.arange(12))
    assert {action_name(int(action)) for action in ask(puct(playouts=300), batch)} == {"play Market"}


@compiled
def test_treasures_one_by_one_are_all_played():
    start = last_province({"Province": 3}, {"Province": 3}, {"Gold": 3})
    batch = GameBatch(1, start=start, kingdom="first-game-2e")
    for agent in (puct(playouts=200), Ismcts(200)):
        playing = batch.clone()
        actions = [ask(agent, playing)]
        while action_name(int(actions[-1][0])).startswith("play"):
            playing.step(actions[-1])
            actions.append(ask(agent, playing))
        assert [action_name(int(action[0])) for action in actions] == ["play Gold"] * 3 + ["buy Province"]


@compiled
def test_ismcts_plays_better_than_the_plans_that_it_has():
    agent = Ismcts(200, plans=["big-money", "smithy-optimised"])
    result = play_match(agent, make_agent("big-money"), 24, 3, kingdom="first-game-2e", auto_treasures=True)
    assert result.score > 0.7


@pytest.mark.slow
@compiled
def test_puct_plays_better_than_a_network_that_knows_nothing():
    agent = Puct(TrainedAgent(network("all", 2, seed=4)), 100)
    result = play_match(agent, agent.networks[0], 24, 3, kingdom="first-game-2e", auto_treasures=True, max_turns=30)
    assert result.score > 0.7


# --- what is asked wrongly ---------------------------------------------------------------------------------------------


def test_wrong_arguments_are_told():
    for kind in (Ismcts, Puct):
        with pytest.raises(InvalidOption, match="playouts"):
            kind(playouts=0)
    with pytest.raises(InvalidStrategy):
        Ismcts(plans=["Provinze"])
    with pytest.raises(InvalidOption, match="nobody"):
        Puct("nobody.safetensors")


@compiled
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_without_a_name_a_network_leads_at_any_table(players):
    batch, agent = GameBatch(3, players, kingdom="random", seed=6, auto_treasures=True), Puct(playouts=20)
    actions = ask(agent, batch)
    assert batch.action_mask[np.arange(3), actions].all()
    given = batch.observe(), batch.action_mask, batch.policy_keys()
    known = {2: make_agent("any"), 3: make_agent("any-3p")}.get(players) or TrainedAgent(
        for_players(make_agent("any").model, players)
    )
    assert agent.act(*given).tolist() == known.act(*given).tolist()
    assert ask(pickle.loads(pickle.dumps(agent)), batch).tolist() == actions.tolist()


def test_alone_at_the_table_no_network_leads():
    with pytest.raises(InvalidOption, match="trained with 2 players"):
        ask(Puct(playouts=20), GameBatch(1, 1, seed=1))


def test_a_network_that_does_not_fit_is_told():
    with pytest.raises(InvalidOption, match="trained with 2 players"):
        ask(puct(2), GameBatch(1, 3, seed=1))
    other = Puct(TrainedAgent(network(kingdom=FIRST_GAME)), FEW)
    with pytest.raises(InvalidKingdom, match="trained for"):
        ask(other, GameBatch(1, kingdom="size-distortion-2e", seed=1))


@compiled
@both
def test_full_decks_are_answered(agent_for):
    start = {
        "players": [{"hand": {"Copper": 3}, "deck_bag": {"Silver": 20, "Curse": 127}}, {}],
        "phase": "buy",
        "supply": {"Curse": 0},
    }
    batch = GameBatch(2, start=start, kingdom="first-game-2e", auto_treasures=True)
    assert batch.action_mask[np.arange(2), ask(agent_for(), batch)].all()


@compiled
@both
@pytest.mark.parametrize("hand", [{"Village": 127, "Market": 127}, {"Copper": 127, "Silver": 127, "Gold": 60}])
def test_hands_of_everything_there_is_are_answered(agent_for, hand):
    piles = [card.title for card in Card if card < NUM_BASE_CARDS or card in KINGDOMS["first-game-2e"]]
    supply = {title: 0 if title in hand else 3 for title in piles}
    start = {"players": [{"hand": hand}, {"deck_bag": {"Estate": 8}}], "phase": "action", "supply": supply}
    batch = GameBatch(1, start=start, kingdom="first-game-2e", auto_treasures=True)
    assert batch.action_mask[0, int(ask(agent_for(playouts=8), batch)[0])]


@compiled
@both
def test_forced_moves_are_answered(agent_for):
    batch = games(24, kingdom="first-game-2e", ask_forced=True)
    actions = ask(agent_for(), batch)
    forced = batch.action_mask.sum(axis=1) == 1
    assert forced.any()
    assert (actions[forced] == batch.action_mask[forced].argmax(axis=1)).all()


@compiled
@both
def test_the_smallest_budget_is_enough(agent_for):
    batch = games(6)
    assert batch.action_mask[np.arange(6), ask(agent_for(playouts=2), batch)].all()


# --- the tree itself ---------------------------------------------------------------------------------------------------


@np.errstate(over="ignore")  # as entry points have it
@pytest.mark.skipif(COMPILED, reason="what compiled code calls can't be called from Python")
def test_a_node_is_found_by_its_key_until_there_is_no_more_room():
    tree, batch = tree_for(2, 1000), GameBatch(3, seed=1, auto_treasures=True)
    plant(tree)
    keys = [key_of(batch.records[0], np.uint64(0), action) for action in range(3)]
    assert len({int(key) for key in keys}) == 3
    legal = int(batch.records[0].num_legal)
    grown = [int(grow(tree, key, batch.records[0])) for key in keys]
    assert grown == [0, 1, NONE]
    assert [int(find(tree, key, legal)) for key in keys] == [0, 1, NONE]
    assert int(find(tree, keys[0], legal + 1)) == NONE
    plant(tree)
    assert int(find(tree, keys[0], legal)) == NONE
    for action in range(MOST_ARMS + 5):
        offer(tree, action, action / 100)
    assert [int(arm["action"]) for arm in tree.arms] == list(range(MOST_ARMS + 4, 4, -1))
