"""Check of resets of some rows."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from gymnasium.vector.utils import iterate

from dominion_env.testing.forms import check_reset
from dominion_env.testing.trial import Trial, demand, infos_now, same


def check_partial_reset(trial: Trial, keeps_reset_mask: bool) -> None:
    """Check that the rows in `reset_mask` start again, and that all others go on as if nothing had happened."""
    env, rng, result = trial.begin()
    twin, _, _ = trial.begin()
    call = "reset of row 0"
    for _ in range(3):
        action = trial.choose(env, result[-1], rng)
        result, other = env.step(deepcopy(action)), twin.step(deepcopy(action))
        demand(
            not (result[2] | result[3]).any(),
            f"{trial.where(call)}: an episode of less than 4 steps: choose another seed",
        )
    before = deepcopy(result)

    rows = np.zeros(trial.num_envs, np.bool_)
    for name, wrong in (
        ("a list", [True] * trial.num_envs),
        ("of another shape", np.ones(trial.num_envs + 1, np.bool_)),
        ("of ints", np.ones(trial.num_envs, np.int64)),
        ("without any row", rows.copy()),
    ):
        refused = False
        try:
            env.reset(options={"reset_mask": wrong})
        except Exception:  # which one is the environment's affair
            refused = True
        demand(refused, f"{trial.where(call)}: a reset_mask {name} must be refused")

    rows[0] = True
    seed = trial.seed + 1000
    options = {"reset_mask": rows.copy()}
    result = env.reset(seed=seed, options=options)
    check_reset(trial, env, result, call)
    if keeps_reset_mask:
        kept = same(options.get("reset_mask"), rows)
        demand(kept, f"{trial.where(call)}: reset_mask must stay in the options, as wrappers around read it")
    fresh = trial.make(trial.num_envs, trial.mode)
    new = next(iter(iterate(env.observation_space, fresh.reset(seed=seed)[0])))
    for row, (old, now) in enumerate(
        zip(iterate(env.observation_space, before[0]), iterate(env.observation_space, result[0]), strict=True)
    ):
        if row == 0:
            demand(same(now, new), f"{trial.where(call, row)}: reset_mask is True, but it did not start from the seed")
        else:
            demand(same(now, old), f"{trial.where(call, row)}: reset_mask is False, but the observation is another")
    infos = infos_now(before[-1], result[1], rows)
    for step in range(3):
        action = trial.choose(env, infos, rng)
        result, other = env.step(deepcopy(action)), twin.step(deepcopy(action))
        infos = result[-1]
        for row in range(1, trial.num_envs):
            now, right = (list(iterate(env.observation_space, one[0]))[row] for one in (result, other))
            equal = same(now, right) and all(
                one[row] == two[row] for one, two in zip(result[1:4], other[1:4], strict=True)
            )
            what = "a row that was not reset must go on as if nothing had happened"
            demand(equal, f"{trial.where(f'{call}, step {step + 1}', row)}: {what}")
        if (result[2] | result[3]).any() or (other[2] | other[3]).any():
            break
