"""Functions, PettingZoo policies and stable-baselines3 models that answer as an `Agent` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.agent import Actions, Around, Keys, Masks, Observations
from dominion_env.situation import Situation

FAILURES = (Exception, SystemExit)  # of a user's code: a call of sys.exit() is reported like any error that it raises


class RaisedElsewhere(Exception):
    """An error of an agent in another process; its text is what that process says of it."""


class FunctionAgent(Around):
    """An agent from a function `act(observations, action_masks, keys) -> actions`, with attributes as an agent has them."""

    def __init__(self, function: Callable[[Observations, Masks, Keys], Actions]) -> None:
        super().__init__(getattr(function, "__self__", function))  # a method plays for its object
        self._function = function

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        return self._function(observations, action_masks, keys)


class PettingZooPolicy(Around):
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


class SB3Policy:
    """An agent from a model of stable-baselines3 without masks (PPO, A2C, DQN, ...): its most valued legal action."""

    def __init__(self, model: Any) -> None:
        self._policy = model.policy
        self._policy.double().set_training_mode(False)  # in single precision a row's answer would depend on its batch

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        import torch

        with torch.no_grad():
            seen = torch.from_numpy(observations.astype(np.float64))
            policy = self._policy
            if hasattr(policy, "q_net"):
                values = policy.q_net.q_net(policy.q_net.features_extractor(seen))
            else:
                values = policy.action_net(policy.mlp_extractor.forward_actor(policy.pi_features_extractor(seen)))
        actions: Actions = np.argmax(np.where(action_masks, values.numpy(), -np.inf), axis=1)
        return actions
