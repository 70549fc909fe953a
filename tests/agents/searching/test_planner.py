"""The planner: it decides by playouts, alike in any batch, by nothing that its seat can't know, and better than its plans."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents.searching.beliefs import TURNS, Beliefs
from dominion_agents.searching.decisions import LEAD, worth
from dominion_agents.searching.planner import Planner
from dominion_agents.searching.portfolio import Portfolio, kingdoms_of
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import GameBatch, InvalidOption, make_agent
from dominion_env.common.errors import InvalidStrategy
from dominion_env.players.agent import ask
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.evaluate.match import play_match
from tests.properties import dealt_again

pytestmark = pytest.mark.compiled

FEW = 60  # playouts


def games(number=6, players=2, kingdom="train", turns=4, **options):
    batch = GameBatch(number, players, seed=5, kingdom=kingdom, auto_treasures=True, **options)
    agent = make_agent("auto")
    while batch.turns.max(axis=1).min() < turns:
        batch.step(ask(agent, batch))
    return batch


def test_the_plans_of_a_kingdom_are_those_that_fit_the_strongest_first():
    portfolio = Portfolio(most=3)
    numbers = portfolio.numbers(KINGDOMS["first-game-2e"], 2)
    assert [portfolio.plans[number].name for number in numbers] == [
        "first-game",
        "provincial-market",
        "smithy-optimised",
    ]
    assert all(plan.guard for plan in portfolio.plans)
    three = portfolio.numbers(KINGDOMS["first-game-2e"], 3)
    assert all(portfolio.plans[number].players >= 3 for number in three)
    own = Portfolio(["big-money", "Province; Witch; Gold; Silver"])
    assert own.numbers(KINGDOMS["first-game-2e"], 2).tolist() == [0]
    assert own.numbers(KINGDOMS["size-distortion-2e"], 2).tolist() == [0, 1]


def test_wrong_plans_are_told():
    with pytest.raises(InvalidStrategy, match="plans: expected one that needs no Kingdom card"):
        Portfolio(["Witch; Silver"])
    with pytest.raises(InvalidStrategy):
        Portfolio(["Provinze"])
    with pytest.raises(InvalidStrategy, match="plans: expected a Strategy, its name or its text"):
        Portfolio([3])
    with pytest.raises(InvalidOption, match="most"):
        Portfolio(most=0)
    with pytest.raises(InvalidOption, match="playouts"):
        Planner(playouts=0)


def test_kingdoms_are_told_apart():
    batch = games(5, kingdom=["first-game-2e", "size-distortion-2e"])
    kingdoms, which = kingdoms_of(batch.state["piles"])
    for row, number in enumerate(which):
        assert set(kingdoms[number].tolist()) == set(batch.state["piles"][row].tolist()) - set(range(7))


@pytest.mark.parametrize("players", [2, 3])
def test_the_plan_that_a_player_follows_is_recognised(players):
    portfolio = Portfolio(["first-game", "smithy-optimised", "big-money"])
    beliefs, cards = Beliefs(portfolio), tuple(sorted(map(int, KINGDOMS["first-game-2e"])))
    for number, name in enumerate(("first-game", "smithy-optimised", "big-money")):
        batch, agent = GameBatch(50, players, seed=9, kingdom="first-game-2e", auto_treasures=True), make_agent(name)
        before = beliefs.weights(batch.state["owned"][:, :players], batch.turns, cards)
        assert np.allclose(before, 1 / 3, atol=0.01)
        while batch.turns.min() < 9:
            batch.step(ask(agent, batch))
        chances = beliefs.weights(batch.state["owned"][:, :players], batch.turns, cards)
        assert chances.shape == (50, players, 3)
        assert np.allclose(chances.sum(-1), 1)
        assert chances[..., number].mean() > 0.85
    late = beliefs.weights(batch.state["owned"][:, :players], np.full_like(batch.turns, TURNS + 50), cards)
    assert np.isfinite(late).all()


@pytest.mark.parametrize("players", [2, 3])
def test_a_row_has_the_same_answer_in_any_batch(players):
    batch, planner = games(7, players), Planner(FEW)
    together = ask(planner, batch)
    assert batch.action_mask[np.arange(7), together].all()
    for row in range(7):
        assert ask(planner, batch, [row])[0] == together[row]
    assert ask(planner, batch, [5, 2]).tolist() == together[[5, 2]].tolist()
    assert ask(Planner(FEW), batch).tolist() == together.tolist()


def test_it_sees_no_more_than_its_seat():
    batch, planner = games(8, kingdom="first-game-2e"), Planner(FEW)
    keys = batch.policy_keys()
    assert ask(planner, batch, keys=keys).tolist() == ask(planner, dealt_again(batch, 3), keys=keys).tolist()


def test_it_plays_better_than_the_plans_that_it_has():
    planner = Planner(FEW, plans=["big-money", "smithy-optimised"])
    result = play_match(planner, make_agent("big-money"), 96, 3, kingdom="first-game-2e", auto_treasures=True)
    assert result.score > 0.6, "76% in 600 games"


def test_without_games_it_plays_as_auto():
    batch, planner, auto = games(), Planner(), make_agent("auto")
    given = batch.observe(), batch.action_mask, batch.policy_keys()
    assert planner.act(*given).tolist() == auto.act(*given).tolist()


@pytest.mark.parametrize("name", ["planner", "search"])
@pytest.mark.parametrize(
    "hand",
    [
        {"Village": 127, "Smithy": 100, "Market": 40, "Copper": 46},
        {"Workshop": 127, "Militia": 127, "Gold": 60},
        {"Copper": 127, "Silver": 127, "Gold": 60},
    ],
)
def test_hands_of_everything_there_is_are_answered(name, hand):
    titles = [card.title for card in Card if card < NUM_BASE_CARDS or card in KINGDOMS["first-game-2e"]]
    start = {
        "players": [{"hand": hand}, {"deck_bag": {"Estate": 8}}], "phase": "action",
        "supply": {title: 0 if title in hand else 3 for title in titles},
    }  # fmt: skip
    batch = GameBatch(2, start=start, kingdom="first-game-2e", auto_treasures=True)
    actions = ask(make_agent(name), batch)
    assert batch.action_mask[np.arange(2), actions].all()


def test_forced_moves_and_games_that_are_over_take_no_playouts():
    batch = GameBatch(4, kingdom="first-game-2e", seed=1, auto_treasures=True, autoreset=False)
    asked = 0
    while not batch.state["over"].all():
        forced = np.flatnonzero(batch.action_mask.sum(axis=1) == 1)
        if forced.size and asked < 40:
            asked += 1
            assert ask(Planner(10**9), batch, forced).tolist() == batch.action_mask[forced].argmax(axis=1).tolist()
        batch.step(batch.sample_actions())
    assert asked == 40
    assert ask(Planner(10**9), batch).tolist() == [0] * 4  # PASS, as nothing is asked


def test_a_playout_is_worth_its_share_and_something_for_the_lead():
    shares = np.array([[[1, 0], [0.5, 0.5]], [[0, 1], [1, 0]]], np.float32)
    points = np.array([[[40, 0], [10, 10]], [[0, 40], [40, 0]]], np.int16)
    found = worth(shares, points, np.array([0, 1]))
    assert found.shape == (2, 2)
    assert 1 + LEAD / 2 < found[0, 0] < 1 + LEAD
    assert found[0, 1] == 0.5
    assert found[1, 0] == found[0, 0]
    assert found[1, 1] == pytest.approx(1 - found[0, 0])


def test_every_plan_of_the_project_can_be_followed():
    portfolio = Portfolio()
    assert {plan.name for plan in portfolio.plans} == set(STRATEGIES)
    assert all(isinstance(card, Card) for plan in portfolio.plans for card in plan.kingdom_cards)
