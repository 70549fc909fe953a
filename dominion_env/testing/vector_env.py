"""`check_vector_env`: all checks of a vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from dominion_env.testing.forms import check_close, check_spaces
from dominion_env.testing.partial_reset import check_partial_reset
from dominion_env.testing.repeats import check_repeatable
from dominion_env.testing.rows import check_rows
from dominion_env.testing.trial import AnyVectorEnv, Choose, Make, MakeSingle, Trial, demand


def choose_actions(env: AnyVectorEnv, infos: dict[str, Any], rng: np.random.Generator) -> Any:
    """Draw an action for each row, from those that `infos["action_mask"]` allows if there are masks."""
    masks = infos.get("action_mask")
    if masks is None:
        env.action_space.seed(int(rng.integers(1 << 31)))
        return env.action_space.sample()
    return np.array([rng.choice(np.flatnonzero(mask)) if np.any(mask) else 0 for mask in masks])


def check_vector_env(
    make: Make,
    make_single: MakeSingle | None = None,
    *,
    autoreset_modes: Sequence[AutoresetMode] = tuple(AutoresetMode),
    num_envs: int = 3,
    seed: int = 0,
    episodes: int = 6,
    max_steps: int = 2000,
    copies: bool = True,
    keeps_reset_mask: bool = True,
    choose: Choose = choose_actions,
) -> None:
    """Check a vector environment in each autoreset mode, by playing it and comparing all that it returns.

    Args:
        make: function `make(num_envs, autoreset_mode)` that makes the vector environment.
        make_single: function `make_single()` that makes the single environment. When the vector environment is reset with
            an int s, its row i must play what the single environment, reset with s + i, plays. With None rows are not
            compared, for environments whose rows share their random numbers.
        autoreset_modes: autoreset modes that the environment supports.
        num_envs: number of rows, 2 or more.
        seed: seed of the first row.
        episodes: number of episodes that must end, over all rows and in each mode, within `max_steps` steps.
        max_steps: largest number of steps in each mode.
        copies: whether returned arrays belong to the caller; False for an environment that returns its buffers.
        keeps_reset_mask: whether `reset` must leave "reset_mask" in its options, where wrappers around it look for it.
            Gymnasium's own SyncVectorEnv (1.4) takes it out, so that RecordEpisodeStatistics forgets all rows.
        choose: function that chooses actions from the environment, the last infos and a random generator.

    Raises:
        AssertionError: a rule is broken; the message says which one and where, what was expected and what was got.
    """
    demand(num_envs >= 2, f"num_envs: expected 2 or more, got {num_envs}")
    for mode in autoreset_modes:
        env = make(num_envs, mode)
        check_spaces(env, num_envs, mode, make_single)
        check_close(env, mode)
        trial = Trial(make, mode, num_envs, seed, choose)
        check_rows(trial, make_single, episodes, max_steps)
        check_repeatable(trial, episodes, max_steps, copies)
        if mode == AutoresetMode.DISABLED:
            check_partial_reset(trial, keeps_reset_mask)
