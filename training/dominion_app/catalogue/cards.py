"""List the cards with type, cost and text.

    dominion cards
    dominion cards attack       # only cards that contain this word
    dominion cards --json

A cost is in coins, and "$" means coins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tyro

from dominion_app.catalogue.listing import Entry, ListOptions, listing
from dominion_env.render.view import printed, types_of
from dominion_env.tables.cards import Card


def entries() -> Iterator[Entry]:
    """Yield every card."""
    for card in Card:
        info = card.info
        text = " ".join([*(f"{bonus}." for bonus in printed(card)), info.text]).strip()
        editions = list(info.editions)
        yield {"name": card.title, "type": types_of(card), "cost": info.cost, "edition": editions, "text": text}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    listing([*entries()], tyro.cli(ListOptions, args=arguments, description=__doc__, prog="dominion cards"))
    return 0
