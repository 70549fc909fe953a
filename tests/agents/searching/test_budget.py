"""Budgets and names of searching agents: what they say, what is refused, and that time is kept."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from dominion_agents import Checked
from dominion_agents.choosing.restricted import Restricted
from dominion_agents.naming.searchers import SEARCHERS
from dominion_agents.own_code.adapters import FunctionAgent, PettingZooPolicy
from dominion_agents.scripted.agent import _InRows
from dominion_agents.searching.budget import LEAST, InTime, read_budget
from dominion_agents.searching.planner import Planner
from dominion_agents.searching.search import Search
from dominion_agents.searching.searcher import PLAYOUTS
from dominion_agents.trained.box import models_in_the_box
from dominion_env import GameBatch, InvalidOption, agent_names, make_agent
from dominion_env.players.agent import AgentWrapper, ask, reproducible, searches
from dominion_env.tables.cards import CARDS
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.self_play.learner import SelfPlayPPO
from dominion_training.play.entrants import fingerprint, make_entrant


class Slow:
    """Takes a given time for each playout, and notes the numbers of playouts that it was told."""

    observation = "recall"

    def __init__(self, clock, each):
        self.clock, self.each, self.told, self._playouts = clock, each, [], 0

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "playouts":
            self.told.append(value)

    def act(self, observations, action_masks, keys):
        return action_masks.argmax(axis=1)

    def decide(self, situation):
        decisions = int((situation.action_masks.sum(axis=1) > 1).sum())
        self.clock.now += self.each * self.playouts * decisions
        return self.act(situation.observations, situation.action_masks, situation.keys)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_names_with_a_budget():
    assert make_agent("planner:250").playouts == 250
    assert isinstance(make_agent("search:20"), Search)
    timed = make_agent("planner:10ms")
    assert isinstance(timed, InTime)
    assert isinstance(timed.agent, Planner)
    assert timed.milliseconds == 10
    assert repr(timed) == f"InTime(Planner(playouts={PLAYOUTS}), 10)"
    assert {"search", "planner", "ismcts", "puct"} == set(SEARCHERS) <= set(agent_names())
    assert all(searches(make_agent(name)) for name in SEARCHERS)
    assert make_agent("planner", plans=["big-money"], playouts=9).playouts == 9
    assert read_budget("x", "12ms") == (12, True)


def test_puct_is_led_by_a_network_of_ones_choice(tmp_path):
    assert [each.model.layout.num_players for each in make_agent("puct").networks] == [2, 3]
    for name in ("puct:first-game-ppo:40", "puct:quick:40"):
        led = make_entrant(name)
        assert led.playouts == 40
        assert set(led.networks[0].model.kingdom) == {CARDS[card].name for card in KINGDOMS["first-game-2e"]}
    assert make_entrant("puct:any").playouts == make_agent("puct").playouts
    assert make_agent("puct:any:20ms").agent.networks[0].model.layout.slots == "all"
    assert make_agent("puct", model="quick", playouts=7).playouts == 7
    file = tmp_path / "mine.safetensors"
    file.write_bytes(models_in_the_box()["quick"].path.read_bytes())
    assert make_agent(f"puct:{file}:9").playouts == 9
    assert make_agent(f"puct:{file}").networks[0].model.kingdom is not None
    with pytest.raises(InvalidOption, match="nobody"):
        make_agent("puct:nobody:40")
    with pytest.raises(InvalidOption, match="puct: expected a budget"):
        make_agent("puct:any:0")
    with pytest.raises(InvalidOption, match="puct:quick:20ms: expected an agent that answers alike"):
        make_entrant("puct:quick:20ms")


def test_wrong_settings_are_told():
    for name in SEARCHERS:
        with pytest.raises(InvalidOption, match=r"has no such settings: expected .*playouts"):
            make_agent(name, gate=3)


@pytest.mark.parametrize("budget", ["0", "0ms", "", "ten", "-5", "10 ms", "1.5", "10s", "99999999", "٣"])
def test_budgets_of_nothing_are_told(budget):
    with pytest.raises(InvalidOption, match=r"planner: expected a budget .* such as planner:600 or planner:10ms, got"):
        make_agent(f"planner:{budget}")
    with pytest.raises(InvalidOption, match="milliseconds"):
        InTime(Planner(), 0)


def test_a_budget_in_time_is_refused_where_results_are_kept():
    told = "planner:10ms: expected an agent that answers alike each time.*planner:600"
    with pytest.raises(InvalidOption, match=told):
        make_entrant("planner:10ms")
    with pytest.raises(InvalidOption, match=told):
        SelfPlayPPO(Settings(opponents=("planner:10ms=1",), samples=1000))
    with pytest.raises(InvalidOption, match=told):
        SelfPlayPPO(Settings(teacher="planner:10ms", samples=1000))
    with pytest.raises(InvalidOption, match=told):
        reproducible("planner:10ms", make_agent("planner:10ms", check=True))
    assert make_entrant("planner:600").playouts == 600


def test_an_agent_that_does_not_think_by_the_clock_is_not_advised_about_budgets():
    class Moody:
        reproducible = False

        def act(self, observations, action_masks, keys): ...

    with pytest.raises(InvalidOption, match="mine: expected an agent that answers alike") as raised:
        reproducible("mine", Moody())
    assert "playouts" not in str(raised.value)


def test_no_wrapper_forgets_an_attribute_of_the_agent_inside():
    class Own:
        observation, fields, reproducible = "strict", ("my_hand",), False

        def act(self, observations, action_masks, keys): ...

    own = Own()
    wrappers = {
        Checked(own): {"fields": None},
        InTime(own, 10): {},
        Restricted(own, np.zeros(0, np.int64)): {},
        _InRows(own, np.zeros(0, np.int64), np.zeros(0, np.int64)): {},
        FunctionAgent(own.act): {},
        PettingZooPolicy(own.act): {},
    }
    assert {type(each) for each in wrappers} == set(AgentWrapper.__subclasses__())
    for wrapper, changed in wrappers.items():
        expected = {"observation": "strict", "fields": ("my_hand",), "reproducible": False} | changed
        assert {name: getattr(wrapper, name) for name in expected} == expected


def test_searchers_are_pickled_and_have_fingerprints():
    for name in ("planner:70", "search:70", "ismcts:70", "puct:quick:70"):
        agent = make_agent(name)
        assert repr(pickle.loads(pickle.dumps(agent))) == repr(agent)
        assert fingerprint(name) == fingerprint(name) is not None
    assert fingerprint("planner:70") != fingerprint("planner:71")
    own = Planner(9, ["big-money", "Province; Gold; Silver"], 2)
    again = pickle.loads(pickle.dumps(own))
    assert [plan.one_line() for plan in again.portfolio.plans] == [plan.one_line() for plan in own.portfolio.plans]
    assert again.portfolio.most == 2


def test_time_is_turned_into_playouts(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("dominion_agents.searching.budget.perf_counter", clock)
    batch = GameBatch(3, kingdom="first-game-2e", auto_treasures=True)
    slow = Slow(clock, 0.001)
    agent = InTime(slow, 50)
    for _ in range(4):
        before = clock.now
        ask(agent, batch)
    assert slow.told[1:] == [50, 50, 50]
    assert clock.now - before == pytest.approx(3 * 0.050)
    slow.each = 1.0  # another program takes the machine
    for _ in range(20):
        ask(agent, batch)
    assert slow.told[-1] == LEAST


@pytest.mark.compiled
def test_search_plays_better_than_its_plan():
    from dominion_training.evaluate.match import play_match

    agent = Search(60, plans=["big-money"])
    result = play_match(agent, make_agent("big-money"), 40, 3, kingdom="first-game-2e", auto_treasures=True)
    assert result.score > 0.6


@pytest.mark.compiled
@pytest.mark.parametrize("players", [1, 2, 4])
def test_search_answers_alike_in_any_batch(players):
    batch = GameBatch(5, players, seed=5, kingdom="train", auto_treasures=True)
    auto = make_agent("auto")
    for _ in range(9):
        batch.step(ask(auto, batch))
    agent = Search(40)
    together = ask(agent, batch)
    assert batch.action_mask[np.arange(5), together].all()
    assert [int(ask(agent, batch, [row])[0]) for row in range(5)] == together.tolist()
