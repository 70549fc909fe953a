"""List the kingdoms that can be named: recommended sets, pools of cards from which ten are drawn, and fixed splits.

    dominion kingdoms
    dominion kingdoms witch     # only kingdoms that contain this word
    dominion kingdoms --json

Ten card names with commas between them are a kingdom too, and test:5 is a single one of a split.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tyro

from dominion_env.catalogue.listing import Entry, ListOptions, listing
from dominion_env.kingdoms import KINGDOMS, SPLIT_SIZES, kingdom_names, resolve


def entries() -> Iterator[Entry]:
    """Yield every name of a kingdom."""
    for name in kingdom_names():
        if name in KINGDOMS:
            edition = int(resolve(name).editions[0])
            kind, cards = f"recommended set, edition {edition}", [card.title for card in KINGDOMS[name]]
        elif name in SPLIT_SIZES:
            kind, cards = f"fixed split of {SPLIT_SIZES[name]} kingdoms of all cards, one for each game", []
        else:
            kind, cards = f"ten of {len(resolve(name).pool)} cards, drawn for each game", []
        yield {"name": name, "is": kind, "cards": cards}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    listing([*entries()], tyro.cli(ListOptions, args=arguments, description=__doc__, prog="dominion kingdoms"))
    return 0
