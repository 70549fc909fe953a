"""Buy lists that `dominion evolve` found, for two players.

Those for recommended kingdoms, `evolved-first-game-2e` and so on, stand in `evolved.txt`, in the notation of strategies, each
with how it was found. They are no part of `STRATEGIES`, so that what goes by published strategies, such as the plans of agents
that search, stays as it is. Those for kingdoms of the split `train`, `evolved-train:17` and so on, stand in `evolved_train.txt`,
and `evolved_train_places.json` tells on which kingdoms each does best. Trained networks learn from the agent `evolved-train`,
which plays them there.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path

from dominion_agents.strategies.strategy import Strategy, read_named
from dominion_env.common.errors import InvalidKingdom
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS, Kingdom, named_of_split, split

PREFIX = "evolved-"
FILE = Path(__file__).with_name("evolved.txt")
TRAIN_FILE = Path(__file__).with_name("evolved_train.txt")
PLACES_FILE = Path(__file__).with_name("evolved_train_places.json")


def read_evolved(text: str) -> dict[str, Strategy]:
    """Return the lists of such a file, by name.

    Args:
        text: lists with blank lines between, each with its name.

    Raises:
        InvalidStrategy: a part of the text is no strategy.
        ValueError: a list is not named after a kingdom, or two bear the same name.
    """
    found = read_named(text)
    for name in found:
        if kingdom_of(name) is None:
            raise ValueError(f"expected a name such as {PREFIX}{next(iter(KINGDOMS))}, got {name!r}")
    return found


def kingdom_of(name: str) -> Kingdom | None:
    """Return the ten cards for which a list of this name was evolved; None if the name tells none."""
    kingdom = name.removeprefix(PREFIX)
    if kingdom == name:
        return None
    if kingdom in KINGDOMS:
        return KINGDOMS[kingdom]
    try:
        (found,) = named_of_split(kingdom)
    except (InvalidKingdom, ValueError):
        return None
    return found


@cache
def evolved_on_train() -> dict[str, Strategy]:
    """Return the lists that were evolved for kingdoms of `train`, by name."""
    return read_evolved(TRAIN_FILE.read_text(encoding="utf-8"))


@cache
def best_on_train() -> tuple[tuple[Kingdom, str], ...]:
    """Return the kingdoms of `train` for which a list is known that beats what `auto-2` plays there, and the list's name.

    It is one of `evolved_on_train()`, evolved there or elsewhere, or of `STRATEGIES`.
    """
    kingdoms, found = split("train"), json.loads(PLACES_FILE.read_text(encoding="utf-8"))
    return tuple((kingdoms[int(place)], name) for place, name in found.items())


EVOLVED: dict[str, Strategy] = read_evolved(FILE.read_text(encoding="utf-8"))
# By recommended kingdom: the name of its list.
EVOLVED_NAMES: dict[str, str] = {name.removeprefix(PREFIX): name for name in EVOLVED}
_NAME_OF = {frozenset(map(int, KINGDOMS[kingdom])): name for kingdom, name in EVOLVED_NAMES.items()}


def evolved_for(kingdom: Collection[Card | int]) -> str | None:
    """Return the name of the list that was evolved for these ten Kingdom cards; None if there is none."""
    return _NAME_OF.get(frozenset(map(int, kingdom)))
