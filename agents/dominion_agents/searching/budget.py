"""Budgets of searching agents, in playouts or in milliseconds."""

from __future__ import annotations

import re
from time import perf_counter
from typing import Protocol

import numpy as np

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Actions, AgentWrapper, Keys, Masks, Observations, Searcher
from dominion_env.players.situation import Situation

LEAST, MOST = 8, 1_000_000  # playouts that any time comes to
_FIRST = 64  # playouts before the first measurement
_AT_ONCE = 0.5  # weight of the latest measurement
_BUDGET = re.compile(r"(\d{1,7})(ms)?", re.ASCII)


class PlayoutBudget(Searcher, Protocol):
    """A searching agent that can be told how many playouts a decision may take."""

    playouts: int


class InTime(AgentWrapper):
    """Gives an agent a number of milliseconds for each decision.

    How many playouts that is depends on the machine and on what else it does, so two games with the same keys may go another
    way. Therefore it is for people: wherever results are kept, such an agent is refused.

    Args:
        agent: a searching agent with a budget in playouts.
        milliseconds: time for each decision with more than one legal action, at least 1.

    Attributes:
        reproducible: False; see `Agent`.
    """

    def __init__(self, agent: PlayoutBudget, milliseconds: int) -> None:
        if milliseconds < 1:
            raise InvalidOption(f"milliseconds: expected at least 1, got {shown(milliseconds)}")
        super().__init__(agent)
        self.agent, self.milliseconds = agent, milliseconds
        self.reproducible = False
        self._per_millisecond: float | None = None

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as the agent does without games."""
        return self.agent.act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose as the agent does with as many playouts as the time is likely to suffice for."""
        rate = self._per_millisecond
        playouts = _FIRST if rate is None else round(min(max(rate * self.milliseconds, LEAST), MOST))
        self.agent.playouts = playouts
        start = perf_counter()
        actions = self.agent.decide(situation)
        taken = (perf_counter() - start) * 1000
        decisions = int(np.count_nonzero(situation.action_masks.sum(axis=1) > 1))
        if decisions:
            latest = playouts * decisions / max(taken, 1e-3)
            self._per_millisecond = latest if rate is None else _AT_ONCE * latest + (1 - _AT_ONCE) * rate
        return actions

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.agent!r}, {self.milliseconds})"


def is_budget(text: str) -> bool:
    """Return whether a text has the form of a budget."""
    return _BUDGET.fullmatch(text) is not None


def read_budget(name: str, text: str) -> tuple[int, bool]:
    """Return the number of a budget, and whether it is in milliseconds instead of playouts.

    Args:
        name: name of the agent, for the message.
        text: the budget, such as "600" or "10ms".

    Raises:
        InvalidOption: it is nothing of the kind.
    """
    found = _BUDGET.fullmatch(text)
    if found is None or int(found[1]) < 1:
        raise InvalidOption(
            f"{name}: expected a budget of playouts or of milliseconds for each decision, such as {name}:600 or {name}:10ms, "
            f"got {shown(text)}"
        )
    return int(found[1]), found[2] is not None
