"""`planner`: it asks at each purchase whether another plan would win more, and at each decision whether another action would."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.decisions import Decisions
from dominion_agents.searching.searcher import PlayoutSearcher

FOR_PLANS = 0.2  # part of the playouts: actions gain more by theirs


class Planner(PlayoutSearcher):
    """Follows a plan, leaves it for one that clearly wins more, and then chooses an action; see `Decisions`.

    It follows the plan that its own deck suggests, at first the most promising one of the kingdom. At purchases a fifth of
    the playouts says whether another plan is better. With the rest each legal action is tried with the plan behind it, and
    one that is not the plan's is taken only if it is better by more than chance would easily make it. The others are taken
    to play as their decks suggest.
    """

    def _answers(self, decisions: Decisions) -> NDArray[np.int64]:
        for_plans = round(self.playouts * FOR_PLANS)
        plan, usual = decisions.better_plan(*decisions.own_plan(), for_plans)
        return decisions.best_action(plan, usual, self.playouts - for_plans)
