"""List the kingdoms that can be named: recommended sets, pools of cards from which ten are drawn, and fixed splits.

    dominion kingdoms
    dominion kingdoms witch     # only kingdoms that contain this word
    dominion kingdoms test:5    # the cards of a single kingdom of a split; train:0+17 shows two
    dominion kingdoms --json

Ten card names with commas between them are a kingdom too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import tyro

from dominion_app.catalogue.listing import Entry, ListOptions, listing
from dominion_env.tables.kingdoms import KINGDOMS, SPLIT_SIZES, kingdom_names, named_of_split, resolve


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


def of_split(name: str) -> Iterator[Entry]:
    """Yield the single kingdoms of a split that a name such as "train:0+17" means.

    Raises:
        InvalidKingdom: the split has no such place.
    """
    title, _, places = name.partition(":")
    for place, kingdom in zip(places.split("+"), named_of_split(name), strict=True):
        yield {"name": f"{title}:{place}", "is": f"of the split {title}", "cards": [card.title for card in kingdom]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(ListOptions, args=arguments, description=__doc__, prog="dominion kingdoms")
    single = [word for word in options.words if ":" in word and word.partition(":")[0] in SPLIT_SIZES]
    listed = [each for word in single for each in of_split(word)] or [*entries()]
    listing(listed, replace(options, words=tuple(word for word in options.words if word not in single)))
    return 0
