"""Players by name: `make("big-money")`; what an agent is stands in `interface.py`.

A name is one of `names()` (more are added with `register`), or says itself what to play: the seed of a random menu
(`random-menu:7`), the path of a saved model (`runs/first-game/model.zip`), the path of a strategy file, or a strategy,
`"Province; Gold; Silver"` or `"e5-d5-p8 Witch1 Gold* Silver*"`; docs/strategies.md tells how to write one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from dominion_agents.auto import auto
from dominion_agents.menus import RANDOM_MENU, RandomMenu, by_name, is_random_menu, random_menu
from dominion_agents.notation import is_provincial
from dominion_agents.random_agent import RandomAgent
from dominion_agents.scripted import ScriptedAgent
from dominion_agents.strategies import STRATEGIES
from dominion_agents.strategy import Strategy
from dominion_agents.ways import Play
from dominion_env.agent import Agent, check_fields, observation_read_by, shown_to
from dominion_env.errors import InvalidOption, InvalidStrategy

__all__ = [
    "STRATEGIES", "Agent", "Play", "RandomAgent", "RandomMenu", "ScriptedAgent", "Strategy", "check_fields", "make",
    "names", "observation_read_by", "random_menu", "register", "shown_to",
]  # fmt: skip

STRATEGY_SUFFIX = ".strategy"

_MAKERS: dict[str, Callable[[], Agent]] = {}


def register(name: str, maker: Callable[[], Agent]) -> None:
    """Let `make(name)` return `maker()`.

    Raises:
        InvalidOption: the name is taken.
    """
    if name in _MAKERS:
        raise InvalidOption(f"an agent named {name!r} is registered already: choose another name")
    _MAKERS[name] = maker


def names() -> tuple[str, ...]:
    """All names that `make` knows, in alphabetical order."""
    return tuple(sorted(_MAKERS))


def make(name: str, **settings: Any) -> Agent:
    """A new agent.

    Args:
        name: one of `names()`; `random-menu:` and a seed; the path of a model saved by MaskablePPO (.zip); the path of a
            strategy file (.strategy, or any path with a directory); or a strategy in either notation, one rule alone with
            a ";" behind it.
        settings: of a scripted agent, instead of its strategy's own: `guard` (bool), `missing` ("skip" or "refuse"),
            `players` (1 to 6), and the decisions of `dominion_agents.ways.WAYS`, such as `trash="keep-6"`.

    Raises:
        InvalidOption: there is no such agent (the message offers names), no model in that file, or settings for an agent
            that has none.
        InvalidStrategy: a strategy or setting that can't be read.
    """
    if not isinstance(name, str):
        raise InvalidOption(f"expected an agent's name, got {type(name).__name__}")
    agent = _make(name)
    if not settings:
        return agent
    if isinstance(agent, RandomMenu):
        return RandomMenu(agent.seed, **settings)
    if not isinstance(agent, ScriptedAgent):
        raise InvalidOption(
            f"{name!r} is no scripted agent and has no settings: expected none, got {', '.join(settings)}"
        )
    return ScriptedAgent(*(strategy.but(**settings) for strategy in agent.strategies))


def _make(name: str) -> Agent:
    if name in _MAKERS:
        return _MAKERS[name]()
    if is_random_menu(name):
        return by_name(name)
    if name.endswith(".zip"):
        from dominion_agents.ppo_agent import PPOAgent  # needs the extra `train`

        return PPOAgent.load(name)
    path = name.endswith(STRATEGY_SUFFIX) or len(Path(name).parts) > 1
    text = is_provincial(name) or re.search(r"[;\n]|\sif\s", name)
    if path and (not text or os.path.isfile(name)):  # `Path.is_file` raises where a text is too long for a path
        return ScriptedAgent(Strategy.read(name))
    if text:
        return ScriptedAgent(Strategy.parse(name))
    near = get_close_matches(name, _MAKERS, n=3)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    if _is_rule(name):
        hint = f"one rule alone needs a ';' behind it, {name + ';'!r}; {hint}"
    raise InvalidOption(
        f"{name!r} is no agent: {hint}known are {', '.join(names())}, the path of a saved model (.zip) or of a strategy "
        f"({STRATEGY_SUFFIX}), or a strategy such as 'Province; Gold; Silver'"
    )


def _is_rule(name: str) -> bool:
    try:
        Strategy.parse(name)
    except InvalidStrategy:
        return False
    return True


def _maker(strategy: Strategy) -> Callable[[], Agent]:
    return lambda: ScriptedAgent(strategy)


register("random", RandomAgent)
register("auto", auto)
register(RANDOM_MENU, RandomMenu)
for _name, _strategy in STRATEGIES.items():
    register(_name, _maker(_strategy))
