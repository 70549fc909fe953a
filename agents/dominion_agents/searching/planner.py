"""`planner`: it tries which plan wins most from here, and then whether another action would be better than the plan's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.decisions import Decisions
from dominion_agents.searching.searcher import PlayoutSearcher


class Planner(PlayoutSearcher):
    """Chooses a plan by playouts, and then an action; the others are taken to play as their decks suggest.

    Half of the playouts are for the plans. With the other half each legal action is tried with the best plan behind it, and
    one that is not the plan's is taken only if it is better by more than chance would easily make it.
    """

    def _answers(self, decisions: Decisions) -> NDArray[np.int64]:
        plan, usual = decisions.best_plan(self.playouts // 2)
        return decisions.best_action(plan, usual, self.playouts // 2)
