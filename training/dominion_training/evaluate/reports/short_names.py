"""Short short_names for agents where a table or picture has little room."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_NAME = 24  # letters; no name of the project is longer


def short_names(agents: Sequence[str]) -> list[str]:
    """Return a label for each agent: its name, or its place in the list, such as `#3`, if the name is long."""
    return [
        f"#{place}" if len(agent) > LONGEST_NAME or "\n" in agent else agent for place, agent in enumerate(agents, 1)
    ]


def legend(agents: Sequence[str]) -> list[str]:
    """Return a line for each agent whose label is a place, such as `#3: Province; Gold; Smithy; Silver`."""
    return [
        f"{label}: {'; '.join(agent.splitlines())}"
        for label, agent in zip(short_names(agents), agents, strict=True)
        if label != agent
    ]


def full_name(agents: Sequence[str], agent: int) -> str:
    """Return the full name of an agent, after its label where that is a place in the list."""
    name, label = agents[agent], short_names(agents)[agent]
    return name if label == name else f"{label} {name}"
