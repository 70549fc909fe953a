"""Names of agents of earlier versions, each with the agent that has taken its place."""

from __future__ import annotations

VERSION = "0.4"
SUCCESSORS = {
    **{f"any-{number}": "any" for number in range(1, 7)},
    **{f"first-game-ppo-{number}": "first-game-ppo" for number in (1, 2)},
    "auto-1": "auto-2",
}


def removal(name: str) -> str:
    """Return the successor of a removed agent in words; "" if no agent had this name."""
    return f"{name} was removed in version {VERSION}; {SUCCESSORS[name]} is its successor" if name in SUCCESSORS else ""
