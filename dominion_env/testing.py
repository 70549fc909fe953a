"""Checks for others to use. `check_vector_env`: does a vector environment keep Gymnasium's promises?

Gymnasium's `check_env` knows single environments only, and stable-baselines3 has no check of its vector environments; but
what wrappers and learners rely on most (which observation belongs to which episode) is a matter of vector environments.

    check_vector_env(
        lambda num_envs, mode: SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * num_envs, autoreset_mode=mode),
        lambda: gymnasium.make("CartPole-v1"),
        keeps_reset_mask=False,
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, iterate
from numpy.typing import NDArray

AnyVectorEnv = VectorEnv[Any, Any, Any]
Make = Callable[[int, AutoresetMode], AnyVectorEnv]
MakeSingle = Callable[[], gymnasium.Env[Any, Any]]
Choose = Callable[[AnyVectorEnv, dict[str, Any], np.random.Generator], Any]


def choose_actions(env: AnyVectorEnv, infos: dict[str, Any], rng: np.random.Generator) -> Any:
    """An action per row, from those that `infos["action_mask"]` allows if there is such a thing."""
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
    """Play a vector environment in each autoreset mode, and compare all that comes back with what should.

    Args:
        make: `make(num_envs, autoreset_mode)`, a new environment.
        make_single: `make_single()`, the environment of which row i, reset with an int s, plays the one reset with
            s + i. None: rows are not compared with anything; for environments whose rows share their luck.
        autoreset_modes: those that there are.
        num_envs: rows, 2 or more. seed: of the first row.
        episodes: that must end, over all rows and in each mode, within `max_steps` steps.
        copies: whether returned arrays are the caller's; False for an environment that hands out its buffers.
        keeps_reset_mask: whether `reset` must leave "reset_mask" in its options, where wrappers around it look for it.
            Gymnasium's own SyncVectorEnv (1.4) takes it out, so that RecordEpisodeStatistics forgets all rows.
        choose: actions from the environment, the last infos and a random generator.

    Raises:
        AssertionError: a rule is broken; the message says which, where, what came and what is right.
    """
    _demand(num_envs >= 2, f"num_envs: expected 2 or more, got {num_envs}")
    for mode in autoreset_modes:
        env = make(num_envs, mode)
        _check_spaces(env, num_envs, mode, make_single)
        _check_close(env, mode)
        story = _Story(make, mode, num_envs, seed, choose)
        _check_rows(story, make_single, episodes, max_steps)
        _check_repeatable(story, episodes, max_steps, copies)
        if mode == AutoresetMode.DISABLED:
            _check_partial_reset(story, keeps_reset_mask)


class _Story(NamedTuple):
    """What all checks of one mode have in common."""

    make: Make
    mode: AutoresetMode
    num_envs: int
    seed: int
    choose: Choose

    def begin(self) -> tuple[AnyVectorEnv, np.random.Generator, Any]:
        """A new environment, where actions come from, and what `reset` returned."""
        env = self.make(self.num_envs, self.mode)
        return env, np.random.default_rng(self.seed), env.reset(seed=self.seed)

    def where(self, call: str, row: int | None = None) -> str:
        return f"autoreset {self.mode.value}, {call}" + ("" if row is None else f", row {row}")


def _demand(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and data_equivalence(one, other, exact=True)


# --- what does not change ----------------------------------------------------------------------------------------------


def _check_spaces(env: AnyVectorEnv, num_envs: int, mode: AutoresetMode, make_single: MakeSingle | None) -> None:
    _demand(isinstance(env, VectorEnv), f"expected a gymnasium.vector.VectorEnv, got {type(env).__name__}")
    _demand(env.num_envs == num_envs, f"num_envs: {num_envs} games were asked for, the attribute says {env.num_envs}")
    for kind in ("observation", "action"):
        single, batched = getattr(env, f"single_{kind}_space"), getattr(env, f"{kind}_space")
        right = batch_space(single, num_envs)
        _demand(batched == right, f"{kind}_space: batch_space(single_{kind}_space, num_envs) is {right}, not {batched}")
        if make_single is not None:
            of_one = getattr(make_single(), f"{kind}_space")
            _demand(single == of_one, f"single_{kind}_space: {of_one} is that of the single environment, not {single}")
    said = env.metadata.get("autoreset_mode")
    _demand(said is mode, f'metadata["autoreset_mode"]: {mode} was asked for, {said!r} stands there')


def _check_close(env: AnyVectorEnv, mode: AutoresetMode) -> None:
    env.reset(seed=0)
    env.close()
    _demand(env.closed, f"autoreset {mode.value}, close(): `closed` must be True")
    env.close()


# --- what comes back ---------------------------------------------------------------------------------------------------


def _check_reset(story: _Story, env: AnyVectorEnv, told: Any, call: str) -> None:
    right = isinstance(told, tuple) and len(told) == 2 and isinstance(told[1], dict)
    _demand(right, f"{story.where(call)}: expected observations and a dictionary of infos, got {type(told)}")
    _check_observations(story, env, told[0], call)
    _check_infos(story, told[1], call)


def _check_observations(story: _Story, env: AnyVectorEnv, observations: Any, call: str) -> None:
    inside = env.observation_space.contains(observations)
    _demand(inside, f"{story.where(call)}: the observations are not in observation_space")


def _check_infos(story: _Story, infos: dict[str, Any], call: str) -> None:
    """Each `name` has a `_name`, which rows it is about, and a row per game."""
    for name, values in infos.items():
        if name.startswith("_"):
            continue
        about = infos.get(f"_{name}")
        right = isinstance(about, np.ndarray) and about.dtype == np.bool_ and about.shape == (story.num_envs,)
        _demand(
            right, f"{story.where(call)}: infos[{name!r}] needs infos['_{name}'], bool ({story.num_envs},): {about}"
        )
        if isinstance(values, dict):
            _check_infos(story, values, call)
        else:
            rows = len(values) if hasattr(values, "__len__") else None
            _demand(
                rows == story.num_envs, f"{story.where(call)}: infos[{name!r}] must have a row per game, not {rows}"
            )


def _check_step(story: _Story, env: AnyVectorEnv, told: Any, call: str) -> None:
    _demand(isinstance(told, tuple) and len(told) == 5, f"{story.where(call)}: expected five things, got {told!r}")
    observations, rewards, terminations, truncations, infos = told
    _check_observations(story, env, observations, call)
    for name, values, kinds in (
        ("rewards", rewards, "fiu"),
        ("terminations", terminations, "b"),
        ("truncations", truncations, "b"),
    ):
        right = isinstance(values, np.ndarray) and values.shape == (story.num_envs,) and values.dtype.kind in kinds
        kind = "bools" if kinds == "b" else "numbers"
        _demand(right, f"{story.where(call)}: {name}: expected an array of {story.num_envs} {kind}, got {values!r}")
    _demand(isinstance(infos, dict), f"{story.where(call)}: infos: expected a dictionary, got {type(infos)}")
    _check_infos(story, infos, call)


# --- what happened -----------------------------------------------------------------------------------------------------


def _check_rows(story: _Story, make_single: MakeSingle | None, episodes: int, max_steps: int) -> None:
    """Each row against a single environment, and what the autoreset mode says about the ends of episodes."""
    mode, rows = story.mode, range(story.num_envs)
    env, rng, told = story.begin()
    call = f"reset(seed={story.seed})"
    _check_reset(story, env, told, call)
    singles = None if make_single is None else [make_single() for _ in rows]
    if singles is not None:
        for row, single in enumerate(singles):
            seen = single.reset(seed=story.seed + row)
            _compare_row(
                story, env, told, row, seen, call, f"that of the single environment's reset({story.seed + row})"
            )
    waiting = np.zeros(story.num_envs, np.bool_)
    ended = 0
    for step in range(1, max_steps + 1):
        actions = story.choose(env, told[-1], rng)
        kept = deepcopy(actions)
        told = env.step(actions)
        call = f"step {step}"
        _check_step(story, env, told, call)
        _demand(_same(actions, kept), f"{story.where(call)}: the caller's actions have been changed")
        _, rewards, terminations, truncations, infos = told
        done = terminations | truncations
        ended += int(done.sum())
        for row in np.flatnonzero(waiting).tolist():
            right = rewards[row] == 0 and not done[row]
            what = "the step after an end starts the next episode: it pays 0 and ends nothing"
            _demand(right, f"{story.where(call, row)}: {what}; got {rewards[row]} and {done[row]}")
        finals = _final_observations(story, env, infos, done, call)
        if singles is not None:
            for row, (single, action) in enumerate(zip(singles, iterate(env.action_space, kept), strict=True)):
                if waiting[row]:
                    _compare_row(story, env, told, row, single.reset(), call, "that of the next episode's reset()")
                    continue
                last, *results, info = single.step(action)
                _compare_results(story, told, row, results, call)
                if done[row] and mode == AutoresetMode.SAME_STEP:
                    right = _same(finals[row], last)
                    _demand(right, f"{story.where(call, row)}: final_obs must be the last observation of the episode")
                    _compare_info(story, infos["final_info"], row, info, call, "final_info")
                    _compare_row(story, env, told, row, single.reset(), call, "that of the next episode's reset()")
                else:
                    _compare_row(story, env, told, row, (last, info), call, "that of the single environment")
        if mode == AutoresetMode.NEXT_STEP:
            waiting = done
        elif mode == AutoresetMode.DISABLED and done.any():
            told = _restart(story, env, told, done, call, singles)
        if ended >= episodes:
            break
    _demand(
        ended >= episodes, f"{ended} of {episodes} episodes ended in {max_steps} steps: allow more or ask for fewer"
    )
    env.close()


def _restart(
    story: _Story,
    env: AnyVectorEnv,
    before: Any,
    done: NDArray[np.bool_],
    call: str,
    singles: list[gymnasium.Env[Any, Any]] | None,
) -> Any:
    """Without autoreset: start the rows that have ended, and only these."""
    told = env.reset(options={"reset_mask": done.copy()})
    call = f"{call}, reset of rows {np.flatnonzero(done).tolist()}"
    _check_reset(story, env, told, call)
    rows = zip(iterate(env.observation_space, before[0]), iterate(env.observation_space, told[0]), strict=True)
    for row, (old, new) in enumerate(rows):
        if not done[row]:
            _demand(_same(old, new), f"{story.where(call, row)}: reset_mask is False, but the observation is another")
        elif singles is not None:
            _compare_row(story, env, told, row, singles[row].reset(), call, "that of the next episode's reset()")
    return told[0], _infos_now(before[-1], told[1], done)


def _infos_now(before: dict[str, Any], after: dict[str, Any], rows: NDArray[np.bool_]) -> dict[str, Any]:
    """What is known of all rows once these have been reset: environments tell of the reset rows alone."""
    now = {**before, **after}
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.shape == new.shape:
            now[name] = np.where(rows.reshape(-1, *[1] * (old.ndim - 1)), new, old)
    return now


def _final_observations(
    story: _Story, env: AnyVectorEnv, infos: dict[str, Any], done: NDArray[np.bool_], call: str
) -> Any:
    """What SAME_STEP says about the ends, checked; nothing in the other modes."""
    finals: Any = infos.get("final_obs")
    if story.mode != AutoresetMode.SAME_STEP or not done.any():
        what = "final_obs belongs to SAME_STEP, and there to steps that end an episode"
        _demand(finals is None or not infos["_final_obs"].any(), f"{story.where(call)}: {what}")
        return finals
    for name in ("final_obs", "final_info"):
        _demand(name in infos, f"{story.where(call)}: an episode ended, so infos[{name!r}] is expected")
        about = infos[f"_{name}"]
        _demand(
            _same(about, done),
            f"{story.where(call)}: infos['_{name}'] must be where episodes ended: {done}, not {about}",
        )
    _demand(
        isinstance(finals, np.ndarray) and finals.dtype == object,
        f"{story.where(call)}: final_obs must be an object array",
    )
    for row, final in enumerate(finals):
        right = env.single_observation_space.contains(final) if done[row] else final is None
        what = "must be in single_observation_space" if done[row] else "must be None where no episode ended"
        _demand(right, f"{story.where(call, row)}: final_obs {what}, got {final!r}")
    return finals


def _compare_row(
    story: _Story, env: AnyVectorEnv, told: Any, row: int, right: tuple[Any, dict[str, Any]], call: str, which: str
) -> None:
    observation = list(iterate(env.observation_space, told[0]))[row]
    _demand(_same(observation, right[0]), f"{story.where(call, row)}: the observation must be {which}")
    _compare_info(story, told[-1], row, right[1], call, "infos")


def _compare_results(story: _Story, told: Any, row: int, right: list[Any], call: str) -> None:
    for name, values, wanted in zip(("reward", "terminated", "truncated"), told[1:4], right, strict=True):
        equal = bool(values[row] == values.dtype.type(wanted))
        _demand(
            equal, f"{story.where(call, row)}: {name} must be the single environment's, {wanted}, not {values[row]}"
        )


def _compare_info(story: _Story, infos: dict[str, Any], row: int, right: dict[str, Any], call: str, where: str) -> None:
    for name, wanted in right.items():
        there = name in infos and bool(infos[f"_{name}"][row])
        _demand(
            there, f"{story.where(call, row)}: the single environment's info has {name!r}, {where} must have it too"
        )
        values = infos[name]
        if isinstance(values, dict):
            _compare_info(story, values, row, wanted, call, f"{where}[{name!r}]")
        else:
            equal = np.array_equal(values[row], wanted)
            _demand(equal, f"{story.where(call, row)}: {where}[{name!r}] must be {wanted!r}, not {values[row]!r}")


# --- the same again ----------------------------------------------------------------------------------------------------


def _check_repeatable(story: _Story, episodes: int, max_steps: int, copies: bool) -> None:
    """The same seeds and actions give the same, whatever the caller does with what has been returned."""
    first, actions = _told(story, episodes, max_steps)
    kept, _ = _told(story, episodes, max_steps, actions, expected=first)
    if not copies:
        return
    for call, (then, now) in enumerate(zip(first, kept, strict=True)):
        equal = data_equivalence(then, now, exact=True)
        _demand(
            equal, f"{story.where(f'call {call}')}: what it returned has been changed by a later call; return copies"
        )
    _told(story, episodes, max_steps, actions, expected=first, spoil=True)


def _told(
    story: _Story,
    episodes: int,
    max_steps: int,
    actions: list[Any] | None = None,
    expected: list[Any] | None = None,
    spoil: bool = False,
) -> tuple[list[Any], list[Any]]:
    """All that a run returns, as it stands at the end, and its actions; with `expected`, compared at each call."""
    env, rng, told = story.begin()
    returned, chosen, ended = [], [], 0
    for step in range(max_steps + 1):
        if expected is not None:
            what = (
                "writing into returned arrays must not change the game"
                if spoil
                else "the same seed and actions must give the same"
            )
            _demand(data_equivalence(told, expected[step], exact=True), f"{story.where(f'call {step}')}: {what}")
        returned.append(deepcopy(told) if expected is None else told)
        ended += int((told[2] | told[3]).sum()) if len(told) == 5 else 0
        if ended >= episodes or step == max_steps:
            break
        infos, done = told[-1], told[2] | told[3] if len(told) == 5 else np.zeros(1, np.bool_)
        if story.mode == AutoresetMode.DISABLED and done.any():
            done = done.copy()
            infos = _infos_now(deepcopy(infos), env.reset(options={"reset_mask": done.copy()})[1], done)
        action = actions[step] if actions is not None else deepcopy(story.choose(env, infos, rng))
        chosen.append(action)
        if spoil:
            for array in _arrays(told):
                array[...] = np.zeros((), array.dtype) if array.dtype != object else None
        told = env.step(deepcopy(action))
    env.close()
    return returned, chosen


def _arrays(data: Any) -> Iterator[NDArray[Any]]:
    """All arrays in what a call returned."""
    if isinstance(data, np.ndarray):
        yield data
    elif isinstance(data, dict | tuple | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _arrays(part)


# --- reset of some rows ------------------------------------------------------------------------------------------------


def _check_partial_reset(story: _Story, keeps_reset_mask: bool) -> None:
    """Rows in `reset_mask` start anew, the others go on as if nothing had happened."""
    env, rng, told = story.begin()
    twin, _, _ = story.begin()
    call = "reset of row 0"
    for _ in range(3):
        action = story.choose(env, told[-1], rng)
        told, other = env.step(deepcopy(action)), twin.step(deepcopy(action))
        _demand(
            not (told[2] | told[3]).any(), f"{story.where(call)}: an episode of less than 4 steps: choose another seed"
        )
    before = deepcopy(told)

    rows = np.zeros(story.num_envs, np.bool_)
    for name, wrong in (
        ("a list", [True] * story.num_envs),
        ("of another shape", np.ones(story.num_envs + 1, np.bool_)),
        ("of ints", np.ones(story.num_envs, np.int64)),
        ("without any row", rows.copy()),
    ):
        refused = False
        try:
            env.reset(options={"reset_mask": wrong})
        except Exception:  # which one is the environment's affair
            refused = True
        _demand(refused, f"{story.where(call)}: a reset_mask {name} must be refused")

    rows[0] = True
    seed = story.seed + 1000
    options = {"reset_mask": rows.copy()}
    told = env.reset(seed=seed, options=options)
    _check_reset(story, env, told, call)
    if keeps_reset_mask:
        kept = _same(options.get("reset_mask"), rows)
        _demand(kept, f"{story.where(call)}: reset_mask must stay in the options, as wrappers around read it")
    fresh = story.make(story.num_envs, story.mode)
    new = next(iter(iterate(env.observation_space, fresh.reset(seed=seed)[0])))
    for row, (old, now) in enumerate(
        zip(iterate(env.observation_space, before[0]), iterate(env.observation_space, told[0]), strict=True)
    ):
        if row == 0:
            _demand(
                _same(now, new), f"{story.where(call, row)}: reset_mask is True, but it did not start from the seed"
            )
        else:
            _demand(_same(now, old), f"{story.where(call, row)}: reset_mask is False, but the observation is another")
    infos = _infos_now(before[-1], told[1], rows)
    for step in range(3):
        action = story.choose(env, infos, rng)
        told, other = env.step(deepcopy(action)), twin.step(deepcopy(action))
        infos = told[-1]
        for row in range(1, story.num_envs):
            now, right = (list(iterate(env.observation_space, one[0]))[row] for one in (told, other))
            equal = _same(now, right) and all(
                one[row] == two[row] for one, two in zip(told[1:4], other[1:4], strict=True)
            )
            what = "a row that was not reset must go on as if nothing had happened"
            _demand(equal, f"{story.where(f'{call}, step {step + 1}', row)}: {what}")
        if (told[2] | told[3]).any() or (other[2] | other[3]).any():
            break
