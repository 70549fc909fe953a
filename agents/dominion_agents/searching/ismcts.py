"""`ismcts`: a tree over the decisions to come, its own and those of the others, whose leaves are played out by plans.

First it chooses a plan as the planner does. Then each legal action is tried in worlds that the seat may be in. In each of
them the next decisions are searched too, by the results of earlier playouts, and what comes after is played by the plans
that the players seem to follow. Where nothing is known yet, the tree does what the plans do.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted.book import book_of
from dominion_agents.scripted.sight import SIGHT
from dominion_agents.searching.decisions import GATE, LEAD, Decisions
from dominion_agents.searching.loops.ismcts import climb
from dominion_agents.searching.loops.tree import room_for
from dominion_agents.searching.planner import FOR_PLANS
from dominion_agents.searching.searcher import PlayoutSearcher
from dominion_env.compiled.jit import records, specialised
from dominion_env.rules.turns.redeal import MOST_SEATS, ZONES
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.tables.cards import NUM_CARDS

_TREE = np.uint64(0xD1B54A32D192ED03)  # makes the worlds of the tree others than those in which plans are tried


class Ismcts(PlayoutSearcher):
    """Chooses a plan by playouts, and then an action by a tree whose leaves are played out by plans.

    A fifth of the playouts is for the plans, as for the planner. An action that is not the plan's is taken only if it is
    better by more than chance would easily make it.

    Attributes:
        curiosity: factor of the bonus for what was tried seldom below the first decision, in shares of the win.
        reluctance: by how much less than its decision an action is taken to be worth until it is tried.
        trust: chance that a plan's own action is the best one, before anything was tried.
        gate: standard errors by which another action must be better than the plan's own.
    """

    curiosity, reluctance, trust, gate = 0.25, 0.1, 0.95, GATE

    def _answers(self, decisions: Decisions) -> NDArray[np.int64]:
        for_plans = round(self.playouts * FOR_PLANS)
        own, usual = decisions.better_plan(*decisions.own_plan(), for_plans)
        budget = self.playouts - for_plans
        situation, rows = decisions.situation, decisions.rows
        games, answers = situation.games, np.empty(len(rows), np.int64)
        state = games.state.dtype
        tree, *arrays = room_for(budget, int(decisions.choices.sum(axis=1).max()))
        tree["curiosity"], tree["reluctance"], tree["gate"], tree["lead"] = (
            self.curiosity, self.reluctance, self.gate, LEAD,
        )  # fmt: skip
        given = (
            games.records, rows, situation.keys[rows] ^ _TREE, budget, decisions.choices, decisions.considered(usual), own,
            decisions.plans, decisions.cumulative, self.trust, *self._book, records(np.zeros(games.num_players, SIGHT)),
            np.zeros(games.num_players, np.int64), records(np.zeros(1, state)), records(np.zeros(1, state)),
            np.zeros((MOST_SEATS, ZONES), np.int64), tree, *arrays, NUM_CARDS, NUM_ACTIONS, answers,
        )  # fmt: skip
        specialised(climb, *given)(*given)
        return answers

    @cached_property
    def _book(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The plans as the compiled loop reads them."""
        plans = self.portfolio.plans
        return book_of(plans, [each.kingdom_cards for each in plans])
