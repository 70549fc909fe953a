"""Functions and PettingZoo policies that answer as an `Agent` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.players.agent import Actions, AgentWrapper, Keys, Masks, Observations
from dominion_env.players.situation import Situation

FAILURES = (Exception, SystemExit)  # of a user's code: a call of sys.exit() is reported like any error that it raises


class FunctionAgent(AgentWrapper):
    """An agent from a function `act(observations, action_masks, keys) -> actions`, with attributes as an agent has them."""

    def __init__(self, function: Callable[[Observations, Masks, Keys], Actions]) -> None:
        super().__init__(getattr(function, "__self__", function))  # a method plays for its object
        self._function = function

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        return self._function(observations, action_masks, keys)


class PettingZooPolicy(AgentWrapper):
    """An agent from a policy for one decision at a time, in the form of PettingZoo.

    The policy is called with the observation `{"observation": float32 (observation_size,), "action_mask": int8 (314,)}` and the
    name of the agent that must act, "player_0", "player_1", ...; it returns an action.
    """

    def __init__(self, policy: Callable[[dict[str, NDArray[Any]], str], Any]) -> None:
        super().__init__(getattr(policy, "__self__", policy))
        self._policy = policy

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`. Every row is "player_0", as nothing says whose it is."""
        return self._answers(observations, action_masks, np.zeros(len(keys), np.int64))

    def decide(self, situation: Situation) -> Actions:
        """See `Searcher.decide`. The policy does not search, but it is told whose decision each is."""
        return self._answers(situation.observations, situation.action_masks, situation.seats)

    def _answers(self, observations: Observations, action_masks: Masks, seats: NDArray[Any]) -> Actions:
        masks = action_masks.astype(np.int8)
        answers = [
            # A copy, as PettingZoo gives it: the rows are a buffer that the next decisions are written into.
            self._policy({"observation": observations[row].copy(), "action_mask": masks[row]}, f"player_{seat}")
            for row, seat in enumerate(seats)
        ]
        return np.array([np.asarray(answer).item() for answer in answers])
