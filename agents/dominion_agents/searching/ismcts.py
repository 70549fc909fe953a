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
from dominion_agents.searching.decisions import GATE, LEAD, Decisions
from dominion_agents.searching.loops.dealing import dealing_for
from dominion_agents.searching.loops.ismcts import Plans, search_with_plans
from dominion_agents.searching.loops.playouts import playing_for
from dominion_agents.searching.loops.tree import tree_for
from dominion_agents.searching.planner import FOR_PLANS
from dominion_agents.searching.searcher import PlayoutSearcher
from dominion_env.compiled.jit import specialised

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
        tree = tree_for(
            budget, int(decisions.choices.sum(axis=1).max()), curiosity=self.curiosity, reluctance=self.reluctance,
            trust=self.trust, gate=self.gate, lead=LEAD,
        )  # fmt: skip
        plans = Plans(decisions.plans, decisions.cumulative, own, np.zeros(games.num_players, np.int64))
        given = (
            games.records, rows, situation.keys[rows] ^ _TREE, budget, decisions.choices, decisions.considered(usual), plans,
            playing_for(games.num_players, *self._book), dealing_for(games.state.dtype), tree, answers,
        )  # fmt: skip
        specialised(search_with_plans, *given)(*given)
        return answers

    @cached_property
    def _book(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The plans as the compiled loop reads them."""
        plans = self.portfolio.plans
        return book_of(plans, [each.kingdom_cards for each in plans])
