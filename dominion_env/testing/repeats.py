"""Check that the same seeds and actions give the same, whatever the caller does with the returned arrays."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from dominion_env.testing.trial import Trial, demand, infos_now


def check_repeatable(trial: Trial, episodes: int, max_steps: int, copies: bool) -> None:
    """Check that the same seeds and actions give the same, whatever the caller does with the returned arrays."""
    first, actions = _run(trial, episodes, max_steps)
    kept, _ = _run(trial, episodes, max_steps, actions, expected=first)
    if not copies:
        return
    for call, (then, now) in enumerate(zip(first, kept, strict=True)):
        equal = data_equivalence(then, now, exact=True)
        demand(
            equal, f"{trial.where(f'call {call}')}: what it returned has been changed by a later call; return copies"
        )
    _run(trial, episodes, max_steps, actions, expected=first, spoil=True)


def _run(
    trial: Trial,
    episodes: int,
    max_steps: int,
    actions: list[Any] | None = None,
    expected: list[Any] | None = None,
    spoil: bool = False,
) -> tuple[list[Any], list[Any]]:
    """Return all that a run returned, as it stands at the end, and its actions; compare each call with `expected`."""
    env, rng, result = trial.begin()
    returned, chosen, ended = [], [], 0
    for step in range(max_steps + 1):
        if expected is not None:
            what = (
                "writing into returned arrays must not change the game"
                if spoil
                else "the same seed and actions must give the same"
            )
            demand(data_equivalence(result, expected[step], exact=True), f"{trial.where(f'call {step}')}: {what}")
        returned.append(deepcopy(result) if expected is None else result)
        ended += int((result[2] | result[3]).sum()) if len(result) == 5 else 0
        if ended >= episodes or step == max_steps:
            break
        infos, done = (result[-1], result[2] | result[3] if len(result) == 5 else np.zeros(1, np.bool_))
        if trial.mode == AutoresetMode.DISABLED and done.any():
            done = done.copy()
            infos = infos_now(deepcopy(infos), env.reset(options={"reset_mask": done.copy()})[1], done)
        action = actions[step] if actions is not None else deepcopy(trial.choose(env, infos, rng))
        chosen.append(action)
        if spoil:
            for array in _arrays(result):
                array[...] = np.zeros((), array.dtype) if array.dtype != object else None
        result = env.step(deepcopy(action))
    env.close()
    return returned, chosen


def _arrays(data: Any) -> Iterator[NDArray[Any]]:
    """Yield all arrays in what a call returned."""
    if isinstance(data, np.ndarray):
        yield data
    elif isinstance(data, dict | tuple | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _arrays(part)
