"""Players by name: `make("big-money")`; what an agent is stands in `interface.py`.

More names are added with `register`; the name of a saved model, `runs/first-game/model.zip`, is a name too.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.big_money import BigMoney
from agents.interface import Agent
from agents.random_agent import RandomAgent
from dominion_env.errors import InvalidOption

__all__ = ["Agent", "BigMoney", "RandomAgent", "make", "names", "register"]

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


def make(name: str) -> Agent:
    """A new agent of that name, or the agent saved in that `.zip` file by MaskablePPO.

    Raises:
        InvalidOption: there is no such agent; the message lists the names.
    """
    if name in _MAKERS:
        return _MAKERS[name]()
    if name.endswith(".zip"):
        from agents.ppo_agent import PPOAgent  # needs the extra `train`

        return PPOAgent.load(name)
    raise InvalidOption(f"{name!r} is no agent: known are {', '.join(names())}, or the path of a saved model (.zip)")


register("random", RandomAgent)
register("big-money", BigMoney)
