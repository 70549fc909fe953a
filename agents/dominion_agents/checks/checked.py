"""A check of every observation and mask before an agent sees them, for programs that are not trusted yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from dominion_agents.checks.arrays import checked
from dominion_env.common.checks import flag
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Actions, Agent, AgentWrapper, Keys, Masks, Observations, Searcher, searches
from dominion_env.players.situation import Situation


class Checked(AgentWrapper):
    """Another agent behind a check of what it is given.

    An agent answers something to any numbers, also to those that no game shows. Behind this check it is given no observation
    with a number that is not finite, and no mask without a legal action; the caller gets an error instead. An agent alone
    does without the check, which may take longer than its answer. So that all numbers mean something, it is shown all fields.

    Args:
        agent: any agent.

    Attributes:
        agent: the same agent.
        observation, reproducible: those of the agent; see `Agent`.
        fields: None, as every field is checked; see `Agent`.
    """

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.agent = agent
        self.fields = None

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says.

        Raises:
            InvalidOption: an array has another shape or dtype, an observation is not finite, or a mask allows nothing.
        """
        self._check(observations, action_masks, keys)
        return self.agent.act(observations, action_masks, keys)

    @property
    def decide(self) -> Callable[[Situation], Actions] | None:
        """The method `decide` of an agent that searches, behind the same check; None if the agent has none."""
        return self._decide if searches(self.agent) else None

    def _decide(self, situation: Situation) -> Actions:
        self._check(situation.observations, situation.action_masks, situation.keys)
        return cast(Searcher, self.agent).decide(situation)

    def _check(self, observations: Observations, action_masks: Masks, keys: Keys) -> None:
        checked(observations, action_masks, keys)
        wrong = ~np.isfinite(observations)
        if wrong.any():
            row, column = np.argwhere(wrong)[0].tolist()
            raise InvalidOption(
                f"observations: expected finite numbers, got {observations[row, column]} in row {row}, column {column}"
            )
        allowed = action_masks.any(axis=1)
        if not allowed.all():
            raise InvalidOption(
                f"action_masks: expected a legal action in each row, got none in row {int(allowed.argmin())}"
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.agent!r})"


def checked_if(check: Any, agent: Agent) -> Agent:
    """Return the agent, behind a check if that is wanted.

    Raises:
        InvalidOption: `check` is neither True nor False.
    """
    return Checked(agent) if flag("check", check) else agent
