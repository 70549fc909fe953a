"""What the planner makes of its playouts, with playouts that are made up: how many it plays, by whom, and what they decide."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from dominion_agents.searching import decisions
from dominion_agents.searching.beliefs import TURNS, Beliefs
from dominion_agents.searching.decisions import Decisions
from dominion_agents.searching.halving import Tried
from dominion_agents.searching.planner import Planner
from dominion_agents.searching.portfolio import Portfolio
from dominion_env import GameBatch
from dominion_env.players.agent import ask
from dominion_env.tables.cards import NUM_CARDS, Card
from dominion_env.tables.kingdoms import KINGDOMS

CARDS = tuple(sorted(map(int, KINGDOMS["first-game-2e"])))
PLANS = ("big-money", "Province; Gold; Smithy if Smithy < 2; Silver")


def expecting(*decks: dict[Card, float]) -> Beliefs:
    """Return beliefs by which each plan has this deck in every turn."""
    beliefs = Beliefs(Portfolio(PLANS))
    means = np.zeros((len(decks), TURNS + 1, NUM_CARDS))
    for plan, deck in enumerate(decks):
        for card, copies in deck.items():
            means[plan, :, card] = copies
    beliefs._decks = lambda kingdom, players: means  # type: ignore[method-assign,assignment]
    return beliefs


def test_a_plan_whose_cards_are_missing_is_unlikely():
    beliefs = expecting({Card.SILVER: 3}, {Card.SILVER: 3, Card.SMITHY: 5})
    owned = np.zeros((1, 2, NUM_CARDS), np.int8)
    owned[..., Card.SILVER] = 3
    owned[0, 1, Card.SMITHY] = 5
    chances = beliefs.weights(owned, np.full((1, 2), 9, np.int16), CARDS)
    assert chances[0, 0, 0] > 0.9
    assert chances[0, 1, 1] > 0.9


def test_chances_of_the_plans_add_up_to_one_for_each_player():
    beliefs = expecting({Card.SILVER: 3}, {Card.GOLD: 2})
    owned = np.random.default_rng(0).integers(4, size=(5, 3, NUM_CARDS)).astype(np.int8)
    chances = beliefs.weights(owned, np.full((5, 3), 9, np.int16), CARDS)
    np.testing.assert_allclose(chances.sum(axis=-1), 1)


def test_an_action_is_chosen_if_it_is_better_by_more_than_chance_would_make_it():
    decision, kept = np.zeros(2, np.int64), np.array([True, False])
    left = np.ones(2, np.bool_)
    better = Tried(np.array([[0.2] * 40, [0.6] * 40]), left)
    hardly = Tried(np.array([[0.20] * 4, [0.25] * 4]), left)
    assert Decisions._clearly_best(decision, better, kept, 1.0).tolist() == [1]
    assert Decisions._clearly_best(decision, hardly, kept, 1.0).tolist() == [0]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Make up playouts; return a list that fills with the rows and the strategies of each call."""
    calls: list[Any] = []

    def playouts(batch: Any, rows: Any, actions: Any, worlds: int, strategies: Any, seeds: Any) -> Any:
        calls.append((np.repeat(rows, worlds), strategies))
        shares = np.random.default_rng(len(calls)).random((len(rows), worlds, batch.num_players))
        return shares.astype(np.float32), np.zeros(shares.shape, np.int16)

    def weights(beliefs: Any, owned: Any, turns: Any, kingdom: Any) -> Any:
        return np.broadcast_to([0.0, 1.0], (*turns.shape, 2))  # all follow the second plan

    monkeypatch.setattr(decisions, "playouts", playouts)
    monkeypatch.setattr(Beliefs, "weights", weights)
    return calls


def asked_to_buy(games: int) -> GameBatch:
    """Return games in which the first purchase is asked for."""
    return GameBatch(games, seed=1, kingdom="first-game-2e", auto_treasures=True)


@pytest.mark.parametrize("budget", [40, 60, 100, 160])
def test_no_decision_takes_more_playouts_than_it_may(played, budget):
    ask(Planner(budget, PLANS), asked_to_buy(2))
    counts = Counter(row for rows, _ in played for row in rows.tolist())
    assert set(counts) == {0, 1}
    assert max(counts.values()) <= budget


def test_the_seat_that_is_asked_follows_the_plan_and_the_others_what_their_decks_suggest(played):
    batch = asked_to_buy(1)
    ask(Planner(60, PLANS), batch)
    _, strategies = played[-1]  # of an action, whose plan is the kingdom's first in the first turns or a better one
    me = int(batch.current_player[0])
    assert len({id(each) for each in strategies[:, me]}) == 1
    by_plan = [{id(each) for each in strategies[:, me]} for _, strategies in played]
    assert len(set.union(*by_plan)) == 2, "the two plans are tried for the seat that is asked"
    assert {each.one_line() for _, strategies in played for each in strategies[:, 1 - me]} == {
        Portfolio(PLANS).plans[1].one_line()
    }
