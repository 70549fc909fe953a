"""Whether a policy plays better than at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import Tensor

import dominion_env  # noqa: F401  registers "Dominion-v0"

GAMES = 200


def assert_beats_random(policy: Callable[[Tensor, Tensor], Tensor], **options: Any) -> None:
    """Check that a policy, which draws actions for observations and masks, clearly leads against random play.

    Args:
        policy: the policy.
        options: options of the view that say what it is shown.
    """
    paid = rewards(policy, **options)
    error = float(paid.std()) / GAMES**0.5
    assert paid.mean() > 4 * error, (paid.mean(), error)


def rewards(policy: Callable[[Tensor, Tensor], Tensor], **options: Any) -> Any:
    """Return the reward of the first game in each row, half the result and the lead in points / 50, float64 (GAMES,)."""
    torch.manual_seed(0)
    envs = gymnasium.make_vec("Dominion-v0", num_envs=GAMES, opponents="random", auto_treasures=True, **options)
    obs, infos = envs.reset(seed=2_000_000_000)
    found = np.full(GAMES, np.nan)
    with torch.no_grad():
        while np.isnan(found).any():
            actions = policy(torch.from_numpy(obs), torch.from_numpy(infos["action_mask"]).bool())
            obs, paid, terminated, truncated, infos = envs.step(actions.numpy())
            first = (terminated | truncated) & np.isnan(found)
            found[first] = paid[first]
    return found
