"""The names of searching agents: `planner`, or with a budget `planner:2000` (playouts) and `planner:10ms`.

`puct` also takes a network, by the name of a model of the project or by a path, before its budget: `puct:first-game-ppo:500`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dominion_agents.searching.budget import InTime, PlayoutBudget, is_budget, read_budget
from dominion_agents.searching.ismcts import Ismcts
from dominion_agents.searching.planner import Planner
from dominion_agents.searching.search import Search
from dominion_env.players.agent import Agent


def _puct(model: Any = None, playouts: int = 800) -> PlayoutBudget:
    from dominion_agents.searching.puct import Puct  # brings compiled functions that others don't need

    return Puct(model, playouts)


SEARCHERS: dict[str, Callable[..., PlayoutBudget]] = {
    "search": Search, "planner": Planner, "ismcts": Ismcts, "puct": _puct,
}  # fmt: skip
DESCRIBED = {
    "search": "Plays the plan of `auto`, but for actions that playouts show to be clearly better; search:2000 has that many.",
    "planner": "Tries by playouts which plan wins most from here, then which action; planner:2000 has that many playouts.",
    "ismcts": "Chooses a plan as `planner` does, then an action by a tree over the decisions to come; ismcts:2000 likewise.",
    "puct": "Searches a tree that a trained network leads and values, `any` or another one; puct:first-game-ppo:500 likewise.",
}
_WITH_NETWORK = "puct"


def has_budget(name: str) -> bool:
    """Return whether this is a searching agent's name with a budget or a network behind it."""
    head, colon, _ = name.partition(":")
    return bool(colon) and head in SEARCHERS


def with_budget(name: str, **settings: Any) -> Agent:
    """Make a searching agent with a budget, and of `puct` one with its network.

    Args:
        name: its name, a colon, and a number of playouts, or of milliseconds with "ms" behind it. For `puct` a network may
            stand between them, or alone behind the colon.
        settings: its other settings.

    Raises:
        InvalidOption: the budget is wrong, or there is no such network.
    """
    head, _, text = name.partition(":")
    if head == _WITH_NETWORK:
        network, _, last = text.rpartition(":")
        if not is_budget(last) and not last[:1].isdigit():
            network, last = text, ""
        if network:
            settings["model"] = network
        text = last
        if not text and network:
            return SEARCHERS[head](**settings)
    number, is_time = read_budget(head, text)
    return InTime(SEARCHERS[head](**settings), number) if is_time else SEARCHERS[head](playouts=number, **settings)
