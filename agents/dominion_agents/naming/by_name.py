"""The names of the project's agents, and the forms of names that are in no list."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

from dominion_agents.checks.checked import checked_if
from dominion_agents.choosing.auto import Auto, Auto2, EvolvedTrain
from dominion_agents.choosing.by_kingdom import SUFFIX as BY_KINGDOM_SUFFIX
from dominion_agents.choosing.by_kingdom import ByKingdom
from dominion_agents.choosing.menus import RANDOM_MENU, RandomMenu, by_name, is_random_menu
from dominion_agents.naming.levels import LEVELS
from dominion_agents.naming.searchers import DESCRIBED, SEARCHERS, has_budget, with_budget
from dominion_agents.own_code.loading import FORM, is_code, naming_hint, own_code
from dominion_agents.removed import removal
from dominion_agents.sb3.saved_model import read_saved_model
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.random_agent import RandomAgent
from dominion_agents.strategies import provincial
from dominion_agents.strategies.evolved import EVOLVED
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.box import Boxed, models_in_the_box
from dominion_agents.trained.header import SUFFIX as TRAINED_SUFFIX
from dominion_env.common.errors import InvalidStrategy
from dominion_env.players.agent import Agent, ObservationName
from dominion_env.players.registry import check_trust, register_agent, register_form
from dominion_env.tables.cards import Card

MODEL_SUFFIX, STRATEGY_SUFFIX = ".zip", ".strategy"
OTHER_SUFFIXES = (".xml", ".coffee", ".txt", ".html", ".log")  # of other programs, which reading then names


def register_agents() -> None:
    """Register all agents of this package; the entry point group `dominion_env.agents` names this function."""
    _register("random", RandomAgent)
    evolved_first = (
        "Plays as `auto-2`, but with two players on a recommended kingdom the list that was evolved for it, if any."
    )
    _register("auto", _checkable(Auto), evolved_first)
    _register("auto-2", _checkable(Auto2), "The `auto` that knows published strategies alone.")
    _register("auto-3", _checkable(Auto), "The `auto` of now, by a name that will not change its meaning.")
    _register(
        "evolved-train", _checkable(EvolvedTrain), "Plays the best list known on each kingdom of train, else as auto-2."
    )
    _register(RANDOM_MENU, _checkable(RandomMenu))
    for name, strategy in (STRATEGIES | EVOLVED).items():
        _register(name, _checkable(_maker(strategy)), _described(strategy), strategy.kingdom_cards)
    for name, searcher in SEARCHERS.items():
        _register(name, _checkable(searcher), DESCRIBED[name])
    for name, boxed in models_in_the_box().items():
        _register(name, _boxed_maker(boxed), boxed.described, boxed.cards, _page(name, boxed))
    register_form(f"a random menu with its seed ({RANDOM_MENU}:7)", is_random_menu, _checkable(by_name))
    register_form("a searching agent with its budget (planner:2000, planner:10ms)", has_budget, _checkable(with_budget))
    register_form(FORM, is_code, own_code, naming_hint)
    register_form(f"the path of a trained model ({TRAINED_SUFFIX})", _ends_with(TRAINED_SUFFIX), _trained_model)
    register_form(f"the path of a saved model ({MODEL_SUFFIX}, with trust)", _ends_with(MODEL_SUFFIX), _saved_model)
    by_kingdom = _checkable(ByKingdom.read)
    register_form(f"the path of lists by kingdom ({BY_KINGDOM_SUFFIX})", _ends_with(BY_KINGDOM_SUFFIX), by_kingdom)
    from_file, from_text = _checkable(_scripted(Strategy.read)), _checkable(_scripted(Strategy.parse))
    register_form(f"the path of a strategy ({STRATEGY_SUFFIX})", _is_strategy_file, from_file)
    register_form("a strategy such as 'Province; Gold; Silver'", is_strategy, from_text, _advice)


def _register(
    name: str,
    maker: Callable[..., Agent],
    described: str = "",
    cards: Sequence[Card] = (),
    about: Callable[[], str] | None = None,
) -> None:
    register_agent(name, maker, described, cards, about, LEVELS.get(name))


def _checkable(maker: Callable[..., Agent]) -> Callable[..., Agent]:
    """Return a maker that also takes `check`; see `Checked`."""

    @wraps(maker)
    def make(*name: str, check: bool = False, **settings: Any) -> Agent:
        return checked_if(check, maker(*name, **settings))

    return make


def _maker(strategy: Strategy) -> Callable[..., Agent]:
    return lambda **settings: ScriptedAgent(strategy.but(**settings))


def _described(strategy: Strategy) -> str:
    rules = [line for line in strategy.lines() if not line.startswith(("name:", "source:"))]
    return f"{f'{strategy.source}: ' if strategy.source else ''}{'; '.join(rules)}"


def _boxed_maker(boxed: Boxed) -> Callable[..., Agent]:
    return lambda deterministic=True: _trained_model(str(boxed.path), deterministic)


def _page(name: str, boxed: Boxed) -> Callable[[], str]:
    def page() -> str:
        from dominion_agents.trained.card import page_of

        return page_of(name, boxed)

    return page


def _ends_with(suffix: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffix)


def _trained_model(path: str, deterministic: bool = True) -> Agent:
    from dominion_agents.trained.agent import TrainedAgent  # brings compiled functions that others don't need

    return TrainedAgent.load(path, deterministic)


def _saved_model(
    path: str, deterministic: bool = True, observation: ObservationName | None = None, trust: bool = False
) -> Agent:
    saved = read_saved_model(path)  # a missing file, or one that is no model, is told first, as trust would not help
    check_trust(path, trust)
    if saved.module.startswith("stable_baselines3."):
        from dominion_agents.sb3.unmasked import SB3Policy

        return SB3Policy.load(path)
    from dominion_agents.sb3.agent import PPOAgent  # needs the extra `train`

    return PPOAgent.load(path, deterministic, observation)


def _is_strategy_file(name: str) -> bool:
    """Whether a name is a path; a strategy may contain a slash too, so its text decides unless there is such a file."""
    path = name.endswith((STRATEGY_SUFFIX, *OTHER_SUFFIXES)) or len(Path(name).parts) > 1
    return path and (not is_strategy(name) or os.path.isfile(name))  # `Path.is_file` raises if a text is too long


def _scripted(read: Callable[[str], Strategy]) -> Callable[..., Agent]:
    """Return a maker of the agent that plays what is read from a name."""
    return lambda name, **settings: ScriptedAgent(read(name).but(**settings))


def is_strategy(name: str) -> bool:
    """Return whether a name is meant as the text of a strategy. One rule alone has a ";" behind it."""
    return provincial.is_menu(name) or re.search(r"[;\n]|\sif\s", name) is not None


def _advice(name: str) -> str:
    """Say which agent follows a removed one, or what one rule alone lacks, such as "Province", which could be a name as well."""
    try:
        Strategy.parse(name)
    except InvalidStrategy:
        return removal(name)
    return f"one rule alone needs a ';' behind it, {name + ';'!r}"
