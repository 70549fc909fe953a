"""Checks of the rows of a vector environment against single environments, and of the ends of episodes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import iterate
from numpy.typing import NDArray

from dominion_env.testing.forms import check_reset, check_step
from dominion_env.testing.trial import AnyVectorEnv, MakeSingle, Trial, demand, infos_now, same


def check_rows(trial: Trial, make_single: MakeSingle | None, episodes: int, max_steps: int) -> None:
    """Check each row against a single environment, and the ends of episodes against the autoreset mode."""
    mode, rows = trial.mode, range(trial.num_envs)
    env, rng, result = trial.begin()
    call = f"reset(seed={trial.seed})"
    check_reset(trial, env, result, call)
    singles = None if make_single is None else [make_single() for _ in rows]
    if singles is not None:
        for row, single in enumerate(singles):
            seen = single.reset(seed=trial.seed + row)
            _compare_row(
                trial, env, result, row, seen, call, f"that of the single environment's reset({trial.seed + row})"
            )
    waiting = np.zeros(trial.num_envs, np.bool_)
    ended = 0
    for step in range(1, max_steps + 1):
        actions = trial.choose(env, result[-1], rng)
        kept = deepcopy(actions)
        result = env.step(actions)
        call = f"step {step}"
        check_step(trial, env, result, call)
        demand(same(actions, kept), f"{trial.where(call)}: the caller's actions have been changed")
        _, rewards, terminations, truncations, infos = result
        done = terminations | truncations
        ended += int(done.sum())
        for row in np.flatnonzero(waiting).tolist():
            right = rewards[row] == 0 and not done[row]
            what = "the step after an end starts the next episode: it pays 0 and ends nothing"
            demand(right, f"{trial.where(call, row)}: {what}; got {rewards[row]} and {done[row]}")
        finals = _final_observations(trial, env, infos, done, call)
        if singles is not None:
            for row, (single, action) in enumerate(zip(singles, iterate(env.action_space, kept), strict=True)):
                if waiting[row]:
                    _compare_row(trial, env, result, row, single.reset(), call, "that of the next episode's reset()")
                    continue
                last, *results, info = single.step(action)
                _compare_results(trial, result, row, results, call)
                if done[row] and mode == AutoresetMode.SAME_STEP:
                    right = same(finals[row], last)
                    demand(right, f"{trial.where(call, row)}: final_obs must be the last observation of the episode")
                    _compare_info(trial, infos["final_info"], row, info, call, "final_info")
                    _compare_row(trial, env, result, row, single.reset(), call, "that of the next episode's reset()")
                else:
                    _compare_row(trial, env, result, row, (last, info), call, "that of the single environment")
        if mode == AutoresetMode.NEXT_STEP:
            waiting = done
        elif mode == AutoresetMode.DISABLED and done.any():
            result = _restart(trial, env, result, done, call, singles)
        if ended >= episodes:
            break
    demand(ended >= episodes, f"{ended} of {episodes} episodes ended in {max_steps} steps: allow more or ask for fewer")
    env.close()


def _restart(
    trial: Trial,
    env: AnyVectorEnv,
    before: Any,
    done: NDArray[np.bool_],
    call: str,
    singles: list[gymnasium.Env[Any, Any]] | None,
) -> Any:
    """Reset the rows that have ended, and check that no others are reset."""
    result = env.reset(options={"reset_mask": done.copy()})
    call = f"{call}, reset of rows {np.flatnonzero(done).tolist()}"
    check_reset(trial, env, result, call)
    rows = zip(iterate(env.observation_space, before[0]), iterate(env.observation_space, result[0]), strict=True)
    for row, (old, new) in enumerate(rows):
        if not done[row]:
            demand(same(old, new), f"{trial.where(call, row)}: reset_mask is False, but the observation is another")
        elif singles is not None:
            _compare_row(trial, env, result, row, singles[row].reset(), call, "that of the next episode's reset()")
    return result[0], infos_now(before[-1], result[1], done)


def _final_observations(
    trial: Trial, env: AnyVectorEnv, infos: dict[str, Any], done: NDArray[np.bool_], call: str
) -> Any:
    """Return the final observations of SAME_STEP after checking them; in other modes check that there are none."""
    finals: Any = infos.get("final_obs")
    if trial.mode != AutoresetMode.SAME_STEP or not done.any():
        what = "final_obs belongs to SAME_STEP, and there to steps that end an episode"
        demand(finals is None or not infos["_final_obs"].any(), f"{trial.where(call)}: {what}")
        return finals
    for name in ("final_obs", "final_info"):
        demand(name in infos, f"{trial.where(call)}: an episode ended, so infos[{name!r}] is expected")
        about = infos[f"_{name}"]
        demand(
            same(about, done),
            f"{trial.where(call)}: infos['_{name}'] must be where episodes ended: {done}, not {about}",
        )
    demand(
        isinstance(finals, np.ndarray) and finals.dtype == object,
        f"{trial.where(call)}: final_obs must be an object array",
    )
    for row, final in enumerate(finals):
        right = env.single_observation_space.contains(final) if done[row] else final is None
        what = "must be in single_observation_space" if done[row] else "must be None where no episode ended"
        demand(right, f"{trial.where(call, row)}: final_obs {what}, got {final!r}")
    return finals


def _compare_row(
    trial: Trial, env: AnyVectorEnv, result: Any, row: int, right: tuple[Any, dict[str, Any]], call: str, which: str
) -> None:
    observation = list(iterate(env.observation_space, result[0]))[row]
    demand(same(observation, right[0]), f"{trial.where(call, row)}: the observation must be {which}")
    _compare_info(trial, result[-1], row, right[1], call, "infos")


def _compare_results(trial: Trial, result: Any, row: int, right: list[Any], call: str) -> None:
    for name, values, wanted in zip(("reward", "terminated", "truncated"), result[1:4], right, strict=True):
        equal = bool(values[row] == values.dtype.type(wanted))
        demand(equal, f"{trial.where(call, row)}: {name} must be the single environment's, {wanted}, not {values[row]}")


def _compare_info(trial: Trial, infos: dict[str, Any], row: int, right: dict[str, Any], call: str, where: str) -> None:
    for name, wanted in right.items():
        there = name in infos and bool(infos[f"_{name}"][row])
        demand(there, f"{trial.where(call, row)}: the single environment's info has {name!r}, {where} must have it too")
        values = infos[name]
        if isinstance(values, dict):
            _compare_info(trial, values, row, wanted, call, f"{where}[{name!r}]")
        else:
            equal = np.array_equal(values[row], wanted)
            demand(equal, f"{trial.where(call, row)}: {where}[{name!r}] must be {wanted!r}, not {values[row]!r}")
