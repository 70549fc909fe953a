"""The cards of the base game, one row each, and the columns that the compiled rules read.

Everything a card gives by itself (+Cards, +Actions, +Buys, +coins, points) is in its row; what it does beyond that is
a function in `rules/cards/`. Sources: rulebooks of the first (2008) and second edition (2016) and the printed cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from dominion_env.checks import shown
from dominion_env.errors import UnknownCard


class Type(IntFlag):
    """The types of a card; a card with two counts as both for every rule."""

    ACTION = 1
    TREASURE = 2
    VICTORY = 4
    CURSE = 8
    ATTACK = 16
    REACTION = 32


ACTION, TREASURE, VICTORY, CURSE = Type.ACTION, Type.TREASURE, Type.VICTORY, Type.CURSE
ATTACK, REACTION = Type.ACTION | Type.ATTACK, Type.ACTION | Type.REACTION


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


FIRST, SECOND = (1,), (2,)

# New cards are appended: the place in this list is the card's number, in actions, states, observations and replays.
CARDS: tuple[CardInfo, ...] = (
    CardInfo("Copper", 0, TREASURE, coins=1),
    CardInfo("Silver", 3, TREASURE, coins=2),
    CardInfo("Gold", 6, TREASURE, coins=3),
    CardInfo("Estate", 2, VICTORY, points=1),
    CardInfo("Duchy", 5, VICTORY, points=3),
    CardInfo("Province", 8, VICTORY, points=6),
    CardInfo("Curse", 0, CURSE, points=-1),
    CardInfo(
        "Adventurer",
        6,
        ACTION,
        editions=FIRST,
        text="Reveal cards from your deck until two Treasures have come. Put these into your hand, discard the others.",
    ),
    CardInfo(
        "Artisan",
        6,
        ACTION,
        editions=SECOND,
        text="Gain a card costing up to 5 to your hand. Then put a card from your hand onto your deck.",
    ),
    CardInfo(
        "Bandit",
        5,
        ATTACK,
        editions=SECOND,
        text="Gain a Gold. Each other player reveals the top 2 cards of their deck, trashes a revealed Treasure of their "
        "choice other than Copper, and discards the rest.",
    ),
    CardInfo(
        "Bureaucrat",
        4,
        ATTACK,
        text="Gain a Silver onto your deck. Each other player reveals a Victory card from their hand and puts it "
        "onto their deck, or shows a hand without one.",
    ),
    CardInfo("Cellar", 2, ACTION, actions=1, text="Discard any number of cards, then draw as many."),
    CardInfo(
        "Chancellor", 3, ACTION, coins=2, editions=FIRST, text="You may put your whole deck into your discard pile."
    ),
    CardInfo("Chapel", 2, ACTION, text="Trash up to 4 cards from your hand."),
    CardInfo("Council Room", 5, ACTION, cards=4, buys=1, text="Each other player draws a card."),
    CardInfo("Feast", 4, ACTION, editions=FIRST, text="Trash this card. Gain a card costing up to 5."),
    CardInfo("Festival", 5, ACTION, actions=2, buys=1, coins=2),
    CardInfo("Gardens", 4, VICTORY, text="Worth 1 point for every 10 cards you own, rounded down."),
    CardInfo(
        "Harbinger",
        3,
        ACTION,
        cards=1,
        actions=1,
        editions=SECOND,
        text="Look through your discard pile; you may put a card from it onto your deck.",
    ),
    CardInfo("Laboratory", 5, ACTION, cards=2, actions=1),
    CardInfo(
        "Library",
        5,
        ACTION,
        text="Draw until you have 7 cards in hand. You may set aside each Action as you draw it; discard these "
        "afterwards.",
    ),
    CardInfo("Market", 5, ACTION, cards=1, actions=1, buys=1, coins=1),
    CardInfo(
        "Merchant",
        3,
        ACTION,
        cards=1,
        actions=1,
        editions=SECOND,
        text="The first Silver that you play this turn gives 1 coin more.",
    ),
    CardInfo("Militia", 4, ATTACK, coins=2, text="Each other player discards down to 3 cards in hand."),
    CardInfo(
        "Mine",
        5,
        ACTION,
        text="Trash a Treasure from your hand (second edition: you may). If you did, gain a Treasure costing up to 3 "
        "more to your hand.",
    ),
    CardInfo(
        "Moat",
        2,
        REACTION,
        cards=2,
        text="When another player plays an Attack, you may reveal this from your hand: that play does not affect you.",
    ),
    CardInfo(
        "Moneylender",
        4,
        ACTION,
        text="Trash a Copper from your hand (second edition: you may). If you did, +3 coins.",
    ),
    CardInfo(
        "Poacher",
        4,
        ACTION,
        cards=1,
        actions=1,
        coins=1,
        editions=SECOND,
        text="Discard a card for each empty pile of the Supply.",
    ),
    CardInfo("Remodel", 4, ACTION, text="Trash a card from your hand. Gain a card costing up to 2 more than it."),
    CardInfo(
        "Sentry",
        5,
        ACTION,
        cards=1,
        actions=1,
        editions=SECOND,
        text="Look at the top 2 cards of your deck. Trash any of them, discard any of them, put the rest back in any "
        "order.",
    ),
    CardInfo("Smithy", 4, ACTION, cards=3),
    CardInfo(
        "Spy",
        4,
        ATTACK,
        cards=1,
        actions=1,
        editions=FIRST,
        text="Each player, you included, reveals the top card of their deck; you choose whether it is discarded or put "
        "back.",
    ),
    CardInfo(
        "Thief",
        4,
        ATTACK,
        editions=FIRST,
        text="Each other player reveals the top 2 cards of their deck; you choose a Treasure among them, which is "
        "trashed, and the rest is discarded. You may gain any of the cards trashed this way.",
    ),
    CardInfo(
        "Throne Room",
        4,
        ACTION,
        text="Choose an Action card from your hand (second edition: you may) and play it twice.",
    ),
    CardInfo(
        "Vassal",
        3,
        ACTION,
        coins=2,
        editions=SECOND,
        text="Discard the top card of your deck. If it is an Action card, you may play it.",
    ),
    CardInfo("Village", 3, ACTION, cards=1, actions=2),
    CardInfo("Witch", 5, ATTACK, cards=2, text="Each other player gains a Curse."),
    CardInfo("Woodcutter", 3, ACTION, buys=1, coins=2, editions=FIRST),
    CardInfo("Workshop", 3, ACTION, text="Gain a card costing up to 4."),
)

NUM_CARDS = len(CARDS)
NUM_BASE_CARDS = 7


def snake_case(name: str) -> str:
    """Return the name of a card in files and functions: "throne_room" for "Throne Room"."""
    return name.lower().replace(" ", "_")


class Card(IntEnum):
    """Every card by name: `Card.THRONE_ROOM`, also `Card.named("Throne Room")`."""

    COPPER = 0
    SILVER = 1
    GOLD = 2
    ESTATE = 3
    DUCHY = 4
    PROVINCE = 5
    CURSE = 6
    ADVENTURER = 7
    ARTISAN = 8
    BANDIT = 9
    BUREAUCRAT = 10
    CELLAR = 11
    CHANCELLOR = 12
    CHAPEL = 13
    COUNCIL_ROOM = 14
    FEAST = 15
    FESTIVAL = 16
    GARDENS = 17
    HARBINGER = 18
    LABORATORY = 19
    LIBRARY = 20
    MARKET = 21
    MERCHANT = 22
    MILITIA = 23
    MINE = 24
    MOAT = 25
    MONEYLENDER = 26
    POACHER = 27
    REMODEL = 28
    SENTRY = 29
    SMITHY = 30
    SPY = 31
    THIEF = 32
    THRONE_ROOM = 33
    VASSAL = 34
    VILLAGE = 35
    WITCH = 36
    WOODCUTTER = 37
    WORKSHOP = 38

    @property
    def info(self) -> CardInfo:
        """The card's row in `CARDS`."""
        return CARDS[self]

    @property
    def title(self) -> str:
        """The name as printed: "Throne Room"."""
        return CARDS[self].name

    @classmethod
    def named(cls, name: object) -> Card:
        """Return the card of that printed name, in any case; a `Card` is returned as it is.

        Raises:
            UnknownCard: no card has that name; the message offers the nearest names.
        """
        if isinstance(name, Card):
            return name
        found = _BY_NAME.get(name.strip().lower()) if isinstance(name, str) else None
        if found is None:
            raise UnknownCard(_unknown(name))
        return found


KINGDOM_CARDS: tuple[Card, ...] = tuple(card for card in Card if card >= NUM_BASE_CARDS)
_BY_NAME = {info.name.lower(): Card(number) for number, info in enumerate(CARDS)}


def _unknown(name: object) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:40].lower(), _BY_NAME, n=3) if isinstance(name, str) else []
    hint = f"did you mean {' or '.join(_BY_NAME[n].title for n in near)}?" if near else "see dominion_env.CARDS"
    return f"{shown(name)} is no card of the base game: {hint}"


def _column(values: list[int]) -> NDArray[np.int64]:
    column = np.array(values, dtype=np.int64)
    column.setflags(write=False)
    return column


COST = _column([info.cost for info in CARDS])
TYPES = _column([int(info.types) for info in CARDS])
PLUS_CARDS = _column([info.cards for info in CARDS])
PLUS_ACTIONS = _column([info.actions for info in CARDS])
PLUS_BUYS = _column([info.buys for info in CARDS])
PLUS_COINS = _column([info.coins for info in CARDS])
POINTS = _column([info.points for info in CARDS])
