"""A trained MaskablePPO network as an agent."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.interface import Actions, Keys, Masks, Observations


class PPOAgent:
    """Plays the likeliest action of a policy or, with `deterministic=False`, draws from its probabilities.

    The network is copied in double precision: single precision sums in another order in a batch of another size, and a
    row must get the same action in any batch.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, deterministic: bool = True) -> None:
        # A deepcopy of a policy fails once it has been trained (it keeps tensors that are part of a graph).
        self._policy = type(policy)(**policy._get_constructor_parameters())
        self._policy.load_state_dict(copy.deepcopy(policy.state_dict()))
        self._policy.double().set_training_mode(False)
        self._deterministic = deterministic

    @classmethod
    def load(cls, path: str | Path, deterministic: bool = True) -> PPOAgent:
        """The agent saved by `MaskablePPO.save`."""
        return cls(MaskablePPO.load(path, device="cpu").policy, deterministic)

    @torch.no_grad()
    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`. A draw adds Gumbel noise, made from the row's key, to the log-probabilities."""
        policy = self._policy
        features = policy.pi_features_extractor(torch.from_numpy(observations.astype(np.float64)))
        logits = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
        if not self._deterministic:
            logits = logits + _gumbel(keys, logits.shape[1])
        actions: Actions = np.argmax(np.where(action_masks, logits, -np.inf), axis=1)
        return actions


def _gumbel(keys: Keys, num_actions: int) -> NDArray[np.float64]:
    """Independent standard Gumbel numbers, float64 `(n, num_actions)`, each row a function of its key alone."""
    z = keys[:, None] + np.arange(1, num_actions + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    uniform = ((z >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    gumbel: NDArray[np.float64] = -np.log(-np.log(uniform))
    return gumbel
