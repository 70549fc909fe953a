"""List the agents that can be named as opponents and players.

    dominion agents
    dominion agents witch       # only agents that contain this word
    dominion agents quick       # the name of a trained agent: also its card, with all results
    dominion agents --json

A trained model, a strategy as text or a strategy's file is an agent too, by its path or its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tyro
from rich.console import Console
from rich.markdown import Markdown

from dominion_env.catalogue.listing import Entry, ListOptions, listing
from dominion_env.errors import printable
from dominion_env.registry import registered_agents


def entries() -> Iterator[Entry]:
    """Yield every registered agent."""
    for name, agent in registered_agents().items():
        yield {"name": name, "cards": [card.title for card in agent.cards], "is": agent.described}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(ListOptions, args=arguments, description=__doc__, prog="dominion agents")
    listing(entries(), options)
    about = [registered_agents()[name].about for name in options.words if name in registered_agents()]
    for page in about if len(options.words) == 1 and not options.json else ():
        if page is not None:
            Console().print(Markdown(printable(page().expandtabs())))
    return 0
