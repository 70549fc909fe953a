"""What a card is: its types, its row, and the base of the generated list of all cards (`card_table.py`)."""

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cache
from typing import Self, cast

from dominion_env.common.checks import shown
from dominion_env.common.errors import UnknownCard

MOST_CARDS = 62  # sets of cards are bits of an int64, shifted by one for the actions without a card
BASE = "base"  # the set of the base game


class Type(IntFlag):
    """The types of a card; a card with two counts as both for every rule."""

    ACTION = 1
    TREASURE = 2
    VICTORY = 4
    CURSE = 8
    ATTACK = 16
    REACTION = 32


@dataclass(frozen=True)
class CardInfo:
    """One card: the numbers printed on it, and its text in our own words.

    Attributes:
        name: name as the rulebook writes it, "Throne Room".
        cost: printed cost in coins.
        types: its types.
        cards, actions, buys, coins: +Cards, +Actions, +Buys and +coins that it gives when it is played. The `coins` of a
            Treasure are its worth.
        points: victory points of one copy at the end, without those that its text gives (Gardens).
        editions: the editions whose box holds it.
        text: text beyond these numbers, empty if there is none.
        gist: what it is for in a few words, if these numbers don't say so.
        set_name: the set that it belongs to.
    """

    name: str
    cost: int
    types: Type
    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0
    points: int = 0
    editions: tuple[int, ...] = (1, 2)
    text: str = ""
    gist: str = ""
    set_name: str = BASE


class NumberedCard(IntEnum):
    """A card, which is its number, with its row."""

    _value_: int
    info: CardInfo
    """The card's row in `CARDS`."""

    def __new__(cls, number: int, info: CardInfo | None = None) -> Self:
        assert info is not None  # `Card(7)` finds a card that is there, and does not come here
        card = int.__new__(cls, number)
        card._value_ = number
        card.info = info
        return card

    @property
    def title(self) -> str:
        """The name as printed: "Throne Room"."""
        return self.info.name

    @classmethod
    def named(cls, name: object) -> Self:
        """Return the card of that printed name, in any case; a `Card` is returned as it is.

        Raises:
            UnknownCard: no card has that name; the message offers the nearest names.
        """
        if isinstance(name, cls):
            return name
        found = _by_name(cls).get(name.strip().lower()) if isinstance(name, str) else None
        if found is None:
            raise UnknownCard(_unknown(name, _by_name(cls)))
        return cast(Self, found)


@cache
def _by_name(cards: type[NumberedCard]) -> dict[str, NumberedCard]:
    return {card.title.lower(): card for card in cards}


def _unknown(name: object, by_name: dict[str, NumberedCard]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:40].lower(), by_name, n=3) if isinstance(name, str) else []
    hint = f"did you mean {' or '.join(by_name[n].title for n in near)}?" if near else "see dominion_env.CARDS"
    sets = sorted({card.info.set_name for card in by_name.values()})
    return f"{shown(name)} is no card of {'the base game' if sets == [BASE] else ' or '.join(sets)}: {hint}"
