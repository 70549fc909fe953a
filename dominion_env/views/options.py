"""Options by name: what a view takes, and what was perhaps meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from dominion_env.core.batch import GameBatch
from dominion_env.errors import InvalidOption, UnknownOption

# Options that other libraries have, and what they are called here.
_ELSEWHERE = {"max_episode_steps": "max_turns", "max_cycles": "max_turns", "num_agents": "num_players"}


def check_names(view: str, made_by: Callable[..., Any], given: Mapping[str, Any], instead: Mapping[str, str]) -> None:
    """Whether a view that hands options on to `GameBatch` has been given none but its own and those.

    Args:
        view: what it is called.
        made_by: its class; the parameters are its own options.
        given: the options that are to be handed on, by name.
        instead: of options of `GameBatch` that the view sets itself, what is to be done instead.

    Raises:
        InvalidOption: one is an option that the view sets itself.
        UnknownOption: one is no option; the message names all and offers the nearest.
    """
    for name in given:
        if name in instead:
            raise InvalidOption(f"{name}={given[name]!r}: {instead[name]}")
    possible = [name for each in (made_by, GameBatch) for name in _names(each) if name not in instead]
    for name in given:
        if name not in possible:
            near = [_ELSEWHERE[name]] if name in _ELSEWHERE else get_close_matches(name, possible, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UnknownOption(
                f"{view} got an unexpected keyword argument {name!r}: {hint}it has {', '.join(dict.fromkeys(possible))}"
            )


def _names(made_by: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(made_by).parameters.values()
    return [each.name for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]
