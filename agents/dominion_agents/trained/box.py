"""The models in the box: each file of the folder `models/` is an agent, by the name of the file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dominion_agents.trained.header import SUFFIX, read_description
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.cards import CARDS, Card
from dominion_env.tables.kingdoms import KINGDOMS

FOLDER = Path(__file__).parent / "models"


class Boxed(NamedTuple):
    """A model in the box.

    Attributes:
        path: its file.
        told: what the file says of it; empty if the file is damaged.
    """

    path: Path
    told: Mapping[str, Any]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The Kingdom cards that it was trained with; none if it plays every kingdom."""
        names = self.told.get("kingdom")
        return tuple(Card(n) for n, info in enumerate(CARDS) if info.name in names) if isinstance(names, list) else ()

    @property
    def described(self) -> str:
        """Description for lists of agents."""
        if not self.told:
            return "a trained network whose file is damaged"
        kingdom = f"on {kingdom_name(self.cards)}" if self.cards else "on every kingdom"
        return f"a network that was trained for {self.told.get('players')} players {kingdom}"

    def plays(self, kingdom: Collection[int], num_players: int) -> bool:
        """Whether it was trained for that many players, and for this kingdom or for every kingdom."""
        return self.told.get("players") == num_players and (not self.cards or set(self.cards) == set(kingdom))


def models_in_the_box() -> dict[str, Boxed]:
    """Return the models of the folder by their names, in alphabetical order. Their arrays are not read."""
    return {path.name.removesuffix(SUFFIX): Boxed(path, _told(path)) for path in sorted(FOLDER.glob(f"*{SUFFIX}"))}


def kingdom_name(cards: tuple[Card, ...]) -> str:
    """Return the name of a recommended set, or the names of its cards."""
    named = [name for name, each in KINGDOMS.items() if tuple(sorted(each)) == tuple(sorted(cards))]
    return named[0] if named else ", ".join(card.title for card in cards)


def _told(path: Path) -> dict[str, Any]:
    try:
        return read_description(path)
    except InvalidOption:  # is said when the agent is made; here it would keep all other agents from their names
        return {}
