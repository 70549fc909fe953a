"""A trained MaskablePPO network as an agent. Its file can run any code when it is loaded (`saved_model.py`)."""

from __future__ import annotations

import copy
import io
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from dominion_agents.sb3.saved_model import PLAYERS, check_environment, no_model, read_saved_model
from dominion_env.common.errors import InvalidOption
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.tables.actions import NUM_ACTIONS


class PPOAgent:
    """Plays the likeliest action of a policy or, with `deterministic=False`, draws from its probabilities.

    The network is copied in double precision. Single precision sums in another order in a batch of another size, and a
    row must get the same action in any batch.

    Args:
        policy: a policy of `MaskablePPO` that was trained in this environment.
        deterministic: True for the likeliest action, False for a draw.
        observation: the observation on which the policy was trained, "recall" or "strict"; None for the one chosen for the
            games.

    Raises:
        InvalidOption: the policy belongs to another environment.
    """

    def __init__(
        self, policy: MaskableActorCriticPolicy, deterministic: bool = True, observation: ObservationName | None = None
    ) -> None:
        shape, actions = policy.observation_space.shape, getattr(policy.action_space, "n", None)
        if shape not in PLAYERS or actions != NUM_ACTIONS:
            raise InvalidOption(
                f"expected a policy of this environment, got one for observations of shape {shape} and {policy.action_space}"
            )
        self.observation = observation
        self._shape = shape
        # A deepcopy of a policy fails once it has been trained (it keeps tensors that are part of a graph).
        self._policy = type(policy)(**policy._get_constructor_parameters())
        self._policy.load_state_dict(copy.deepcopy(policy.state_dict()))
        self._policy.double().set_training_mode(False)
        self._deterministic = deterministic

    @classmethod
    def load(cls, path: str | Path, deterministic: bool = True, observation: ObservationName | None = None) -> PPOAgent:
        """Load an agent that `MaskablePPO.save` has saved.

        A file that is no model of this environment is refused before anything in it runs. A model can run any code that
        was put into its file, so load only files that you trust. `make_agent` asks for `trust=True`; here the call itself
        says so.

        Raises:
            InvalidOption: there is no such file, or it holds no model of this environment.
        """
        saved = read_saved_model(path)
        if saved.module.startswith("stable_baselines3."):
            raise no_model(path, f"expected one of MaskablePPO, got a policy of {saved.module}")
        check_environment(path, saved)
        try:
            model = MaskablePPO.load(io.BytesIO(saved.content), device="cpu")
            return cls(model.policy, deterministic, observation)
        except Exception as error:  # unpickling can raise anything
            raise no_model(path, str(error)) from error

    @torch.no_grad()
    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says. A draw adds Gumbel noise, made from the row's key, to the log-probabilities.

        Raises:
            InvalidOption: the games are for another number of players than those of the training.
        """
        if observations.shape[1:] != self._shape:
            raise InvalidOption(
                f"observations: expected shape (n, {self._shape[0]}), as the model was trained with "
                f"{PLAYERS[self._shape]} players, got {observations.shape}, of games for "
                f"{PLAYERS.get(observations.shape[1:], 'other')} players"
            )
        policy = self._policy
        features = policy.pi_features_extractor(torch.from_numpy(observations.astype(np.float64)))
        logits = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
        if not self._deterministic:
            logits = logits + _gumbel(keys, logits.shape[1])
        actions: Actions = np.argmax(np.where(action_masks, logits, -np.inf), axis=1)
        return actions


def _gumbel(keys: Keys, num_actions: int) -> NDArray[np.float64]:
    """Return independent standard Gumbel numbers, float64 `(n, num_actions)`, each row a function of its key alone."""
    words = splitmix(keys[:, None] + np.arange(1, num_actions + 1, dtype=np.uint64) * GAMMA)
    uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    gumbel: NDArray[np.float64] = -np.log(-np.log(uniform))
    return gumbel
