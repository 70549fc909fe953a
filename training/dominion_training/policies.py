"""A MaskablePPO policy whose masked distribution costs one pass over the actions instead of three.

sb3-contrib builds each distribution a second time for masking and takes exponentials of -1e8. With 314 actions that is
more work than the network itself. The probabilities are the same, as a test shows.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

MASKED = -1e8  # as in sb3-contrib


class MaskedCategorical(MaskableDistribution):
    """Distribution over the legal actions."""

    def __init__(self, num_actions: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # sb3-contrib gives it no types
        self.num_actions = num_actions

    def proba_distribution_net(self, latent_dim: int) -> nn.Module:
        """Return the layer that gives a logit for each action."""
        return nn.Linear(latent_dim, self.num_actions)

    def proba_distribution(self, action_logits: Tensor) -> MaskedCategorical:
        """Set the logits, float (n, num_actions), with every action legal."""
        self._logits = action_logits
        self._set(action_logits)
        return self

    def apply_masking(self, masks: Tensor | NDArray[np.bool_] | None) -> None:
        """Make only those actions legal whose mask, (n, num_actions), is not zero."""
        if masks is None:
            self._set(self._logits)
        else:
            legal = torch.as_tensor(masks, dtype=torch.bool).reshape(self._logits.shape)
            self._set(self._logits.masked_fill(~legal, MASKED))

    def _set(self, logits: Tensor) -> None:
        self._log_probs = torch.log_softmax(logits, dim=-1)
        # The exponential for an illegal action is 0 but slow to compute; that of -80 is fast and too small to count.
        self._probs = self._log_probs.clamp(min=-80.0).exp()

    def log_prob(self, actions: Tensor) -> Tensor:
        """Return the log-probabilities of the chosen actions, float (n,)."""
        return self._log_probs.gather(-1, actions.long().reshape(-1, 1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """Return the entropies, float (n,)."""
        return -(self._log_probs.clamp(min=-80.0) * self._probs).sum(-1)

    def sample(self) -> Tensor:
        """Return an action a row, found by one random number on the running sum of the probabilities."""
        illegal = self._log_probs < MASKED / 2
        running = self._probs.masked_fill(illegal, 0.0).cumsum(-1)
        # A little below 1, as rounding must not carry the number past the last legal action.
        at = torch.rand_like(running[:, :1]) * (1 - 1e-6) * running[:, -1:]
        return torch.searchsorted(running, at, right=True).squeeze(-1)

    def mode(self) -> Tensor:
        """Return the likeliest action of each row."""
        return self._log_probs.argmax(-1)

    def actions_from_params(self, action_logits: Tensor, deterministic: bool = False) -> Tensor:
        """Return actions for these logits."""
        return self.proba_distribution(action_logits).get_actions(deterministic=deterministic)

    def log_prob_from_params(self, action_logits: Tensor) -> tuple[Tensor, Tensor]:
        """Return actions for these logits, and their log-probabilities."""
        actions = self.actions_from_params(action_logits)
        return actions, self.log_prob(actions)


class Trunk(BaseFeaturesExtractor):
    """The first layer, with half the work of the network, which policy and value share."""

    def __init__(self, observation_space: spaces.Space[Any], width: int) -> None:
        super().__init__(observation_space, width)
        size = cast(spaces.Box, observation_space).shape[0]
        self.layers = nn.Sequential(nn.Linear(size, width), nn.ReLU())

    def forward(self, observations: Tensor) -> Tensor:
        """Return the features, float (n, width)."""
        return cast(Tensor, self.layers(observations))


class FastMaskablePolicy(MaskableActorCriticPolicy):
    """`MaskableActorCriticPolicy` for a Discrete action space, with `MaskedCategorical`."""

    def _build(self, lr_schedule: Any) -> None:
        assert isinstance(self.action_space, spaces.Discrete)
        self.action_dist = MaskedCategorical(int(self.action_space.n))
        super()._build(lr_schedule)
