"""List the agents that can be named as opponents and players.

    dominion agents             # those to choose among first, the easiest ones first
    dominion agents --all       # all of them, with what they play
    dominion agents witch       # all agents that contain this word
    dominion agents quick       # the name of a trained agent: also its model card, with all results
    dominion agents --json      # all of them as JSON

A trained model, a strategy as text or a strategy's file is an agent too, by its path or its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import tyro
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from dominion_app.catalogue.listing import Entry, ListOptions, listing
from dominion_env.common.errors import printable
from dominion_env.players.registry import LEVELS, Strength, registered_agents

_FOOT = """Elo, measured between two players: 100 more is a score of 64%. "On all" is over all recommended kingdoms, and "-" is \
not measured. `dominion agents NAME` says more about one agent, and `dominion agents --all` lists all {number} names."""


@dataclass(frozen=True)
class AgentOptions(ListOptions):
    """Which agents are listed, and how."""

    all: bool = False
    """List all names with what they play, and not only those to choose among first."""


def entries() -> Iterator[Entry]:
    """Yield every registered agent."""
    for name, agent in registered_agents().items():
        level = agent.strength.level if agent.strength is not None else ""
        yield {"name": name, "level": level, "cards": [card.title for card in agent.cards], "is": agent.described}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(AgentOptions, args=arguments, description=__doc__, prog="dominion agents")
    if not (options.words or options.json or options.all):
        Console().print(_by_strength())
        Console().print(_FOOT.format(number=len(registered_agents())), highlight=False, markup=False)
        return 0
    listing([*entries()], options, ("name", "is"))  # which names the cards too, and 80 columns hold no more
    about = [registered_agents()[name].about for name in options.words if name in registered_agents()]
    for page in about if len(options.words) == 1 and not options.json else ():
        if page is not None:
            Console().print(Markdown(printable(page().expandtabs())))
    return 0


def rated_agents() -> list[tuple[str, Strength]]:
    """Return the agents to choose among first, the easiest level first; in a level those without a rating come last."""
    found = ((name, agent.strength) for name, agent in registered_agents().items())
    return sorted(((name, strength) for name, strength in found if strength is not None), key=_place)


def _place(agent: tuple[str, Strength]) -> tuple[int, bool, int]:
    strength = agent[1]
    ratings = [each for each in (strength.elo, *strength.elo_on.values()) if each is not None]
    return LEVELS.index(strength.level), not ratings, max(ratings, default=0)


def _by_strength() -> Table:
    agents = rated_agents()
    kingdoms = list(dict.fromkeys(chain.from_iterable(strength.elo_on for _, strength in agents)))
    table = Table(box=None, pad_edge=False)
    for heading in ("level", "name"):
        table.add_column(heading, style="bold" if heading == "name" else "", no_wrap=True)
    for heading in ("on all", *kingdoms):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("plays")
    for level, members in groupby(agents, key=lambda agent: agent[1].level):
        for number, (name, strength) in enumerate(members):
            ratings = (strength.elo, *(strength.elo_on.get(kingdom) for kingdom in kingdoms))
            table.add_row("" if number else level, name, *map(rating, ratings), strength.brief)
    return table


def rating(elo: int | None) -> str:
    """Return a rating as lists show it, "-" if it was not measured."""
    return "-" if elo is None else f"{elo:+d}" if elo else "0"
