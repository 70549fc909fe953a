"""Checks of the form of what a vector environment has and returns: spaces, types, shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from dominion_env.testing.trial import AnyVectorEnv, MakeSingle, Trial, demand


def check_spaces(env: AnyVectorEnv, num_envs: int, mode: AutoresetMode, make_single: MakeSingle | None) -> None:
    """Check the spaces, the number of rows and the autoreset mode in the metadata."""
    demand(isinstance(env, VectorEnv), f"expected a gymnasium.vector.VectorEnv, got {type(env).__name__}")
    demand(env.num_envs == num_envs, f"num_envs: {num_envs} games were asked for, the attribute says {env.num_envs}")
    for kind in ("observation", "action"):
        single, batched = getattr(env, f"single_{kind}_space"), getattr(env, f"{kind}_space")
        right = batch_space(single, num_envs)
        demand(batched == right, f"{kind}_space: batch_space(single_{kind}_space, num_envs) is {right}, not {batched}")
        if make_single is not None:
            of_one = getattr(make_single(), f"{kind}_space")
            demand(single == of_one, f"single_{kind}_space: {of_one} is that of the single environment, not {single}")
    said = env.metadata.get("autoreset_mode")
    demand(said is mode, f'metadata["autoreset_mode"]: {mode} was asked for, {said!r} stands there')


def check_close(env: AnyVectorEnv, mode: AutoresetMode) -> None:
    """Check that the environment can be closed, also twice."""
    env.reset(seed=0)
    env.close()
    demand(env.closed, f"autoreset {mode.value}, close(): `closed` must be True")
    env.close()


def check_reset(trial: Trial, env: AnyVectorEnv, result: Any, call: str) -> None:
    """Check the form of what `reset` returned."""
    right = isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)
    demand(right, f"{trial.where(call)}: expected observations and a dictionary of infos, got {type(result)}")
    check_observations(trial, env, result[0], call)
    check_infos(trial, result[1], call)


def check_observations(trial: Trial, env: AnyVectorEnv, observations: Any, call: str) -> None:
    inside = env.observation_space.contains(observations)
    demand(inside, f"{trial.where(call)}: the observations are not in observation_space")


def check_infos(trial: Trial, infos: dict[str, Any], call: str) -> None:
    """Check that each `name` has one row for each game, and beside it a `_name` of bools."""
    for name, values in infos.items():
        if name.startswith("_"):
            continue
        about = infos.get(f"_{name}")
        right = isinstance(about, np.ndarray) and about.dtype == np.bool_ and about.shape == (trial.num_envs,)
        demand(right, f"{trial.where(call)}: infos[{name!r}] needs infos['_{name}'], bool ({trial.num_envs},): {about}")
        if isinstance(values, dict):
            check_infos(trial, values, call)
        else:
            rows = len(values) if hasattr(values, "__len__") else None
            demand(rows == trial.num_envs, f"{trial.where(call)}: infos[{name!r}] must have a row per game, not {rows}")


def check_step(trial: Trial, env: AnyVectorEnv, result: Any, call: str) -> None:
    """Check the form of what `step` returned."""
    demand(isinstance(result, tuple) and len(result) == 5, f"{trial.where(call)}: expected five things, got {result!r}")
    observations, rewards, terminations, truncations, infos = result
    check_observations(trial, env, observations, call)
    for name, values, kinds in (
        ("rewards", rewards, "fiu"),
        ("terminations", terminations, "b"),
        ("truncations", truncations, "b"),
    ):
        right = isinstance(values, np.ndarray) and values.shape == (trial.num_envs,) and values.dtype.kind in kinds
        kind = "bools" if kinds == "b" else "numbers"
        demand(right, f"{trial.where(call)}: {name}: expected an array of {trial.num_envs} {kind}, got {values!r}")
    demand(isinstance(infos, dict), f"{trial.where(call)}: infos: expected a dictionary, got {type(infos)}")
    check_infos(trial, infos, call)
