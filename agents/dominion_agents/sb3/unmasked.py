"""A network of stable-baselines3 without masks as an agent. Its file can run any code when it is loaded (`saved_model.py`)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import stable_baselines3
import torch

from dominion_agents.sb3.saved_model import check_environment, no_model, read_saved_model
from dominion_env.players.agent import Actions, Keys, Masks, Observations


class SB3Policy:
    """An agent from a model of stable-baselines3 without masks (PPO, A2C, DQN, ...): its most valued legal action."""

    def __init__(self, model: Any) -> None:
        self._policy = model.policy
        self._policy.double().set_training_mode(False)  # in single precision a row's answer would depend on its batch

    @classmethod
    def load(cls, path: str | Path) -> SB3Policy:
        """Load an agent that a model of stable-baselines3 was saved to. Load only files that you trust.

        Raises:
            InvalidOption: there is no such file, or it holds no model of this environment.
        """
        saved = read_saved_model(path)
        check_environment(path, saved)
        # PPO and A2C share their policies, and only the policy is used here.
        is_dqn = saved.module.split(".")[1] == "dqn"
        algorithm = stable_baselines3.DQN if is_dqn else stable_baselines3.PPO
        try:
            return cls(algorithm.load(io.BytesIO(saved.content), device="cpu"))
        except Exception as error:  # unpickling can raise anything
            raise no_model(path, f"it can't be loaded, {type(error).__name__}: {error}") from error

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        with torch.no_grad():
            seen = torch.from_numpy(observations.astype(np.float64))
            policy = self._policy
            if hasattr(policy, "q_net"):
                values = policy.q_net.q_net(policy.q_net.features_extractor(seen))
            else:
                values = policy.action_net(policy.mlp_extractor.forward_actor(policy.pi_features_extractor(seen)))
        actions: Actions = np.argmax(np.where(action_masks, values.numpy(), -np.inf), axis=1)
        return actions
