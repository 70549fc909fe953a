"""What agents that search by playouts have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dominion_agents.choosing.auto import Auto2
from dominion_agents.searching.beliefs import Beliefs
from dominion_agents.searching.decisions import Decisions
from dominion_agents.searching.loops.endings import sound
from dominion_agents.searching.portfolio import MOST_PLANS, Portfolio
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import whole_number
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.players.situation import Situation

PLAYOUTS, LEAST_PLAYOUTS = 500, 2


class PlayoutSearcher(ABC):
    """Chooses by playouts wherever more than one action is legal; without games it plays as `auto-2` does.

    With the same keys its answers are the same, in any batch.

    Args:
        playouts: the most playouts of a decision; a clear one takes fewer.
        plans: strategies that are considered, their names or texts; none for those of the project.
        most_plans: number of plans that are considered in a kingdom.

    Raises:
        InvalidOption, InvalidStrategy: an argument is wrong; see `Portfolio`.
    """

    observation: ObservationName = "recall"

    def __init__(
        self, playouts: int = PLAYOUTS, plans: Sequence[Strategy | str] = (), most_plans: int = MOST_PLANS
    ) -> None:
        self.playouts = whole_number("playouts", playouts, LEAST_PLAYOUTS)
        self.portfolio = Portfolio(plans, most_plans)
        self._given = tuple(plans)
        self._beliefs = Beliefs(self.portfolio)
        self._auto = Auto2()

    @property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`."""
        return self.portfolio.agent.fields

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `auto-2` does: without games there is nothing to try."""
        return self._auto.act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose a legal action in each row; see `Searcher`."""
        choices = sound(situation.action_masks, situation.games)
        found: NDArray[np.int64] = choices.argmax(axis=1)
        rows = np.flatnonzero(choices.sum(axis=1) > 1)
        if rows.size:
            found[rows] = self._answers(Decisions(self.portfolio, self._beliefs, situation, rows, choices[rows]))
        return found

    @abstractmethod
    def _answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return an action for each decision, int64 (decisions,)."""

    def __reduce__(self) -> tuple[type[PlayoutSearcher], tuple[int, tuple[Strategy | str, ...], int]]:
        return type(self), (self.playouts, self._given, self.portfolio.most)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(playouts={self.playouts})"
