"""Checks for the tests of other projects. `check_vector_env` says whether a vector environment keeps Gymnasium's promises.

Gymnasium's `check_env` knows only single environments, and stable-baselines3 has no check of its vector environments. But
wrappers and learners rely on a vector environment most of all where an episode ends and the next one begins.

    check_vector_env(
        lambda num_envs, mode: SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * num_envs, autoreset_mode=mode),
        lambda: gymnasium.make("CartPole-v1"),
        keeps_reset_mask=False,
    )
"""

from __future__ import annotations

from dominion_env.testing.vector_env import check_vector_env, choose_actions

__all__ = ["check_vector_env", "choose_actions"]
