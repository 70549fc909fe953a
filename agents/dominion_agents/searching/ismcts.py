"""`ismcts`: a tree over the decisions to come, its own and those of the others, whose leaves are played out by plans.

First it chooses a plan, as the planner does. Then each legal action is tried in worlds that the seat may be in. In each of
them the next decisions are searched too, by the results of earlier playouts, and what comes after is played by the plans
that the players seem to follow. Where nothing is known yet, the tree does what the plans do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.auto import Auto
from dominion_agents.book import book_of
from dominion_agents.searching.climbing import climb
from dominion_agents.searching.planner import LEAD, Planner, _Decisions
from dominion_agents.searching.tree import MOST_PLAYOUTS, room_for
from dominion_agents.sight import SIGHT
from dominion_agents.strategy import Strategy
from dominion_env.actions import NUM_ACTIONS
from dominion_env.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.cards import NUM_CARDS
from dominion_env.checks import whole_number
from dominion_env.rules.jit import records, specialised
from dominion_env.rules.redeal import MOST_SEATS, ZONES
from dominion_env.situation import Situation

CURIOSITY = 0.5
RELUCTANCE = 0.1
GATE = 1.0  # standard errors by which an action must be better than the plan's own
TRUST = 0.8  # chance that a plan's own action is the best one, before anything was tried
_TREE = np.uint64(0x5851F42D4C957F2D)  # makes the worlds of the tree others than those in which plans are tried


class Ismcts:
    """Chooses a plan by playouts, and then an action by a tree whose leaves are played out by plans.

    Args:
        playouts: number of playouts of a decision, half for the plans and half for the tree.
        plans: strategies, their names or texts; none for those of the project.
        most_plans: number of plans that are considered in a kingdom.

    Raises:
        InvalidOption, InvalidStrategy: an argument is wrong; see `Portfolio`.
    """

    observation: ObservationName = "recall"
    curiosity, reluctance, gate, trust = CURIOSITY, RELUCTANCE, GATE, TRUST

    def __init__(self, playouts: int = 600, plans: Sequence[Strategy | str] = (), most_plans: int = 6) -> None:
        self._planner = Planner(whole_number("playouts", playouts, 2, MOST_PLAYOUTS), plans, most_plans)
        self._auto = Auto()

    @property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`."""
        return self._planner.fields

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `auto` does: without games there is nothing to try."""
        return self._auto.act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose a legal action in each row; see `Searcher`."""
        found: NDArray[np.int64] = situation.action_masks.argmax(axis=1)
        open_ = np.flatnonzero(situation.action_masks.sum(axis=1) > 1)
        if open_.size:
            found[open_] = self._climb(situation, open_)
        return found

    def _climb(self, situation: Situation, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        decisions = _Decisions(self._planner, situation, rows)
        own, usual = decisions._best_plan()
        budget, players = self._planner.playouts // 2, situation.games.num_players
        state = situation.games.state.dtype
        book, lines = self._book
        tree, *arrays = room_for(budget)
        tree["curiosity"], tree["reluctance"], tree["gate"] = self.curiosity, self.reluctance, self.gate
        tree["lead"] = LEAD
        answers = np.empty(len(rows), np.int64)
        given = (
            situation.games.records, rows, situation.keys[rows] ^ _TREE, budget, usual, own, decisions._plans,
            decisions._cumulative, self.trust, book, lines, records(np.zeros(players, SIGHT)),
            np.zeros(players, np.int64), records(np.zeros(1, state)), records(np.zeros(1, state)),
            np.zeros((MOST_SEATS, ZONES), np.int64), tree, *arrays, NUM_CARDS, NUM_ACTIONS, answers,
        )  # fmt: skip
        specialised(climb, *given)(*given)
        return answers

    @cached_property
    def _book(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        plans = self._planner.portfolio.plans
        return book_of(plans, [each.kingdom_cards for each in plans])
