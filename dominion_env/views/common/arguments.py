"""Checks of what the views are given: names of options, seeds, numbers of games, actions."""

import inspect
import operator
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from dominion_env.common.checks import LARGEST_WORD, is_whole, shown, whole_number
from dominion_env.common.errors import IllegalAction, InvalidOption, UnknownOption
from dominion_env.common.superseded import advice_on
from dominion_env.core.address import fresh_seed
from dominion_env.core.batch import GameBatch
from dominion_env.core.rewards import Reward
from dominion_env.tables.actions import NUM_ACTIONS

# Options of other libraries, each with its name here.
_ELSEWHERE = {"max_episode_steps": "max_turns", "max_cycles": "max_turns", "num_agents": "num_players"}


def check_options(view: str, made_by: Callable[..., Any], given: Mapping[str, Any], instead: Mapping[str, str]) -> None:
    """Check that a view which hands options on to `GameBatch` is given no others than its own and those.

    Args:
        view: name of the view in errors.
        made_by: class of the view, whose parameters are its own options.
        given: options to be handed on, by name.
        instead: options of `GameBatch` that the view sets itself, each with a hint for the caller.

    Raises:
        InvalidOption: the view sets that option itself.
        UnknownOption: a name is no option; the message lists all options and suggests the most similar one.
    """
    for name in given:
        if name in instead:
            raise InvalidOption(f"{name}={given[name]!r}: {instead[name]}")
    possible = [name for each in (made_by, GameBatch) for name in _parameters(each) if name not in instead]
    for name in given:
        if name not in possible:
            near = [_ELSEWHERE[name]] if name in _ELSEWHERE else get_close_matches(name, possible, n=1)
            hint = advice_on(name) or (f"did you mean {near[0]!r}? " if near else "")
            raise UnknownOption(
                f"{view} got an unexpected keyword argument {shown(name)}: {hint}it has {', '.join(dict.fromkeys(possible))}"
            )


def _parameters(made_by: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(made_by).parameters.values()
    return [each.name for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]


def checked_seed(seed: Any) -> int:
    """Return a seed of Gymnasium's `reset` as an int.

    Raises:
        InvalidOption: the seed is no whole number from 0 to 2**64 - 1.
    """
    return whole_number("seed", seed, 0, LARGEST_WORD)


def row_seeds(seed: Any, num_games: int) -> Any:
    """Return one seed for each row: s + i for an int s, as vector environments have it; None draws s at random.

    Anything else is returned unchanged, for `GameBatch` to check.
    """
    if seed is None:
        seed = fresh_seed()
    return [int(seed) + row for row in range(num_games)] if is_whole(seed) else seed


def reward_or_default(reward: Reward | None, opponents: object | None) -> Reward:
    """Return the reward of a view with one learner; None means "lead" with opponents, and for "result" without.

    A beginner loses every game against `big-money` by 50 points, and only the lead varies. In self-play somebody wins.
    """
    if reward is None:
        return "result" if opponents is None else "lead"
    return reward


def checked_action(batch: GameBatch, action: Any) -> int:
    """Return an action for a batch of one game as an int; `GameBatch.step` checks whether it is legal.

    Args:
        batch: the game, for the message of an error.
        action: a whole number, as an int, a number of numpy, or an array or tensor without dimensions.

    Raises:
        IllegalAction: it is no whole number, or outside of the action space; the message says what is asked and legal.
    """
    if type(action) is int and 0 <= action < NUM_ACTIONS:  # the usual case, kept fast
        return action
    try:
        number = -1 if isinstance(action, (bool, np.bool_)) else operator.index(action)
    except TypeError:
        number = -1
    if 0 <= number < NUM_ACTIONS:
        return number
    asked = "the game is over" if batch.state["over"][0] else batch.question(0)
    raise IllegalAction(f"expected an action from 0 to {NUM_ACTIONS - 1}, got {shown(action)}; {asked}")
