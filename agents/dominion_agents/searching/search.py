"""`search`: it plays one plan, and tries at each decision whether another action would be better than the plan's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.decisions import Decisions
from dominion_agents.searching.searcher import PlayoutSearcher


class Search(PlayoutSearcher):
    """Plays the most promising plan of each kingdom, but for actions that playouts show to be clearly better.

    The plan is that of `auto`, or the first of `plans` that fits the kingdom. The others are taken to play as their decks
    suggest.
    """

    def _answers(self, decisions: Decisions) -> NDArray[np.int64]:
        return decisions.best_action(*decisions.first_plan(), self.playouts)
