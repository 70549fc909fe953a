"""The names of searching agents: `planner`, or with a budget `planner:2000` (playouts) and `planner:10ms`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dominion_agents.searching.budget import InTime, PlayoutBudget, read_budget
from dominion_agents.searching.planner import Planner
from dominion_agents.searching.search import Search
from dominion_env.agent import Agent

SEARCHERS: dict[str, Callable[..., PlayoutBudget]] = {"search": Search, "planner": Planner}
DESCRIBED = {
    "search": "Plays the plan of `auto`, but for actions that playouts show to be clearly better; search:2000 has that many.",
    "planner": "Tries by playouts which plan wins most from here, then which action; planner:2000 has that many playouts.",
}


def has_budget(name: str) -> bool:
    """Return whether this is a searching agent's name with a budget behind it."""
    head, colon, _ = name.partition(":")
    return bool(colon) and head in SEARCHERS


def with_budget(name: str, **settings: Any) -> Agent:
    """Make a searching agent with a budget.

    Args:
        name: its name, a colon, and a number of playouts, or of milliseconds with "ms" behind it.
        settings: its other settings.

    Raises:
        InvalidOption: the budget is wrong.
    """
    head, _, text = name.partition(":")
    number, is_time = read_budget(head, text)
    return InTime(SEARCHERS[head](**settings), number) if is_time else SEARCHERS[head](number, **settings)
