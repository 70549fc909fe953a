"""The agents that a browser may name: registered names, budgets within bounds, and strategies as text.

Nothing that a visitor writes is ever taken for a path. `make_agent` takes paths too, so only names that were checked here
reach it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path

from dominion_agents.choosing.auto import Auto
from dominion_agents.choosing.menus import RANDOM_MENU, RandomMenu
from dominion_agents.naming.by_name import is_strategy
from dominion_agents.naming.searchers import SEARCHERS
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.random_agent import RandomAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.box import models_in_the_box
from dominion_app.web.guarding.limits import MOST_MILLISECONDS, MOST_NAME, MOST_PLAYOUTS, MOST_TEXT
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, InvalidStrategy
from dominion_env.players.agent import Agent
from dominion_env.players.registry import agent_names, make_agent, register_agent
from dominion_env.tables.cards import Card

_OWN = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
_MODEL = ".safetensors"  # a file of numbers, which holds no code
_MENU = re.compile(rf"{RANDOM_MENU}:(\d{{1,9}})", re.ASCII)
_SEARCHER = re.compile(r"([a-z]+)(?::([a-z0-9-]+?))??(?::(\d{1,7})(ms)?)?", re.ASCII)
_WITH_NETWORK = "puct"
BUY_LIST = "buy list"  # the name of a strategy that has none
_QUICK = (ScriptedAgent, RandomAgent, Auto, RandomMenu)
_SEATED: list[str] = []
_CARDS = {card.title for card in Card}


def seat_models(given: Sequence[str]) -> list[str]:
    """Let visitors name models of this server, whose paths they never see.

    Args:
        given: a name and the path of a model each, with "=" between.

    Returns:
        The same with whole paths, for processes that start elsewhere.

    Raises:
        InvalidOption: a name is wrong or taken, there is no such file, or it holds no model.
    """
    whole = []
    for each in given:
        name, equals, text = each.partition("=")
        path = Path(text).expanduser().resolve()
        if not equals or not text:
            raise InvalidOption(f"agent: expected a name and the path of a model with '=' between, got {shown(each)}")
        if _OWN.fullmatch(name) is None or len(name) > MOST_NAME:
            raise InvalidOption(
                f"agent: expected a name of at most {MOST_NAME} small letters, digits and '-', got {shown(name)}"
            )
        if path.suffix != _MODEL:
            raise InvalidOption(f"agent {name}: expected the path of a model ({_MODEL}), got {shown(text)}")
        if not path.is_file():
            raise InvalidOption(f"agent {name}: expected the path of a model, got {shown(text)}, which is no file")
        make_agent(str(path))  # says now what is wrong with it
        register_agent(name, partial(make_agent, str(path)), "a model of this server")
        _SEATED.append(name)
        whole.append(f"{name}={path}")
    return whole


def models_of_server() -> tuple[str, ...]:
    """Return the names that `seat_models` has been given."""
    return tuple(_SEATED)


@cache
def groups_of_agents() -> dict[str, list[str]]:
    """Return the names of agents for a list, those that play best first, by how they play."""
    groups: dict[str, list[str]] = {
        "Models of this server": list(models_of_server()),
        "Think for some seconds": [name for name in agent_names() if name in SEARCHERS],
        "Trained networks": sorted(models_in_the_box()),
        "Best list known of a kingdom": [name for name in agent_names() if name.startswith(("auto", "evolved"))],
    }
    taken = {name for names in groups.values() for name in names}
    weak = ["greedy", "random", "random-buyer"]
    groups["Published lists"] = [name for name in agent_names() if name not in (*taken, *weak, RANDOM_MENU)]
    groups["Easy to beat"] = [*weak, RANDOM_MENU]
    return {group: names for group, names in groups.items() if names}


def allowed(name: str) -> str:
    """Return the name of an agent, or a strategy as text, after a check that a browser may ask for it.

    Args:
        name: what a visitor wrote.

    Raises:
        InvalidOption: it is no agent, or one that thinks for too long.
        InvalidStrategy: it is a strategy with a mistake.
    """
    if not isinstance(name, str) or len(name) > MOST_TEXT:
        raise InvalidOption(f"agent: expected a text of at most {MOST_TEXT} characters, got {shown(name)}")
    text = "\n".join(name.strip().splitlines())  # a form sends line ends of two letters
    if text in agent_names() or _MENU.fullmatch(text):
        return text
    if (found := _SEARCHER.fullmatch(text)) is not None and found[1] in SEARCHERS:
        return _within_budget(text, found)
    if not is_strategy(text):
        near = get_close_matches(text[:40], agent_names(), n=3)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "the list of agents has the names."
        if text.title() in _CARDS:
            hint = f"a strategy of one rule has a semicolon behind it: '{text.title()};'"
        raise InvalidOption(
            f"{shown(text)} is no agent here: expected a name, or a strategy such as 'Province; Gold; Silver'; {hint}"
        )
    _strategy(text)
    return text


def made(name: str) -> Agent:
    """Make the agent of a name that `allowed` returned.

    Raises:
        DominionError: it can't be made.
    """
    text = allowed(name)
    return ScriptedAgent(_strategy(text)) if _is_strategy(text) else make_agent(text)


def is_quick(agent: Agent) -> bool:
    """Return whether an agent answers at once, so that it may be asked between two messages of visitors."""
    return type(agent) in _QUICK


def short_names(names: list[str]) -> list[str]:
    """Return names by which players are called at the table: strategies by their own name, equal ones with numbers."""
    short = [_short(name) for name in names]
    return [f"{name} {short[:i].count(name) + 1}" if short.count(name) > 1 else name for i, name in enumerate(short)]


def one_line(name: str, most: int | None = None) -> str:
    """Return a name without letters that control a line, such as those that turn its direction.

    Args:
        name: a name of a player, as anybody may write it.
        most: number of characters beyond which it is cut; None for any number.
    """
    plain = "".join(letter for letter in name if letter.isprintable())
    return plain if most is None or len(plain) <= most else plain[: most - 1] + "…"


def _short(name: str) -> str:
    told = _strategy(name).name or BUY_LIST if _is_strategy(name) else name
    return one_line(told, MOST_NAME)


def _is_strategy(text: str) -> bool:
    return text not in agent_names() and is_strategy(text)


def _strategy(text: str) -> Strategy:
    try:
        return Strategy.parse(text)
    except RecursionError as error:
        raise InvalidStrategy("a strategy: expected fewer brackets within brackets") from error


def _within_budget(text: str, found: re.Match[str]) -> str:
    head, network, number, is_time = found[1], found[2], found[3], bool(found[4])
    if network is not None and (head != _WITH_NETWORK or network not in models_in_the_box()):
        raise InvalidOption(
            f"{shown(text)}: expected a budget, or for {_WITH_NETWORK} one of the networks {', '.join(models_in_the_box())}"
        )
    most = MOST_MILLISECONDS if is_time else MOST_PLAYOUTS
    if number is not None and not 1 <= int(number) <= most:
        unit = "milliseconds" if is_time else "playouts"
        raise InvalidOption(f"{shown(text)}: expected 1 to {most} {unit} for a decision on this server, got {number}")
    return text
