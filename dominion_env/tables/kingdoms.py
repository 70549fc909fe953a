"""Kingdoms: the recommended sets, random ones, lists of one's own, and fixed splits for training and testing.

Sources of the recommended sets: rulebooks of the first and second edition, "Recommended sets of ten".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import is_whole, is_whole_in, shown
from dominion_env.common.errors import InvalidKingdom, InvalidOption, UnknownCard
from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.tables.card_info import BASE
from dominion_env.tables.cards import CARDS, KINGDOM_CARDS, NUM_BASE_CARDS, Card

KINGDOM_SIZE = 10

Kingdom = tuple[Card, ...]
CardLike: TypeAlias = str | int | np.integer[Any]  # a name, a `Card`, or the number of one
KingdomLike = str | Sequence[str | Card] | Sequence["str | Sequence[str | Card]"]

_SETS: dict[str, str] = {
    "first-game-1e": "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop",
    "big-money-1e": "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, Throne Room",
    "interaction-1e": "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    "size-distortion-1e": "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    "village-square-1e": "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, Woodcutter",
    "first-game-2e": "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop",
    "size-distortion-2e": "Artisan, Bandit, Bureaucrat, Chapel, Festival, Gardens, Sentry, Throne Room, Witch, Workshop",
    "deck-top-2e": "Artisan, Bureaucrat, Council Room, Festival, Harbinger, Laboratory, Moneylender, Sentry, Vassal, Village",
    "sleight-of-hand-2e": "Cellar, Council Room, Festival, Gardens, Harbinger, Library, Militia, Poacher, Smithy, Throne Room",
    "improvements-2e": "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch",
    "silver-and-gold-2e": "Bandit, Bureaucrat, Chapel, Harbinger, Laboratory, Merchant, Mine, Moneylender, Throne Room, Vassal",
}  # fmt: skip

KINGDOMS: dict[str, Kingdom] = {
    name: tuple(Card.named(card) for card in cards.split(", ")) for name, cards in _SETS.items()
}

# Pools and splits hold cards of the base game alone, so that no other set changes what an address means.
_OF_BASE = tuple(card for card in KINGDOM_CARDS if card.info.set_name == BASE)
_POOLS: dict[str, tuple[Card, ...]] = {
    "random": _OF_BASE,
    "random-1e": tuple(card for card in _OF_BASE if 1 in CARDS[card].editions),
    "random-2e": tuple(card for card in _OF_BASE if 2 in CARDS[card].editions),
    **({} if len(_OF_BASE) == len(KINGDOM_CARDS) else {"random-all": KINGDOM_CARDS}),
}

# The kingdoms of each split, by their places in the order in which `_drawn` draws them. Only the two for training share some.
_PLACES = {
    "train": (range(1000),),
    "validation": (range(1000, 1100),),
    "test": (range(1100, 1200),),
    "train-large": (range(1000), range(1200, 10_200)),
}
SPLIT_SIZES = {name: sum(map(len, parts)) for name, parts in _PLACES.items()}


def kingdom_names() -> tuple[str, ...]:
    """Return every name that `kingdom=` understands: recommended sets, random pools, splits."""
    return (*KINGDOMS, *_POOLS, *SPLIT_SIZES)


def split(name: str) -> tuple[Kingdom, ...]:
    """Return the kingdoms of the "train", "validation", "test" or "train-large" split; they are fixed for ever.

    They are drawn one after the other from one SplitMix64 stream, ten words each; a kingdom that was drawn before or is a
    recommended set is left out. No kingdom is in two splits, except that "train-large" begins with those of "train".

    Raises:
        InvalidKingdom: there is no split of that name.
    """
    if not isinstance(name, str) or name not in SPLIT_SIZES:
        raise InvalidKingdom(f"no split is named {shown(name)}: the splits are {', '.join(SPLIT_SIZES)}")
    return _kingdoms_of(name)


def named_of_split(name: str) -> tuple[Kingdom, ...]:
    """Return single kingdoms of a split, which a name tells by their places in it, from 0: "test:5", "train:0+17+300".

    Raises:
        InvalidKingdom: there is no such split, or no such place in it.
    """
    title, _, places = name.partition(":")
    kingdoms = split(title)
    numbers = [int(place) if re.fullmatch(r"[0-9]{1,9}", place) else len(kingdoms) for place in places.split("+")]
    if max(numbers) >= len(kingdoms):
        raise InvalidKingdom(
            f"kingdom: expected places in {title} from 0 to {len(kingdoms) - 1} behind the colon, several with + between, such "
            f"as {title}:0+17, got {shown(name)}"
        )
    return tuple(kingdoms[number] for number in numbers)


@cache
def _kingdoms_of(name: str) -> tuple[Kingdom, ...]:
    parts = _PLACES[name]
    drawn = _drawn(parts[-1].stop)
    return tuple(drawn[place] for place in chain(*parts))


def _drawn(number: int) -> tuple[Kingdom, ...]:
    """Return the first `number` kingdoms that are drawn from the 32 cards of the base game."""
    start = np.uint64(20081031)  # the first edition's release date
    at = np.arange(1, KINGDOM_SIZE + 1, dtype=np.uint64)  # of the words for the next kingdom, in the stream
    seen = set(KINGDOMS.values())
    drawn: list[Kingdom] = []
    while len(drawn) < number:
        pool = list(_OF_BASE)
        chosen = [pool.pop(number_below(word, len(pool))) for word in splitmix(start + at * GAMMA)]
        at += np.uint64(KINGDOM_SIZE)
        kingdom = tuple(sorted(chosen))
        if kingdom not in seen:
            seen.add(kingdom)
            drawn.append(kingdom)
    return tuple(drawn)


def named(kingdom: str) -> str | list[str]:
    """Return the names in a text that has commas between them; any other text is a name itself."""
    return [name.strip() for name in kingdom.split(",")] if "," in kingdom else kingdom


@dataclass(frozen=True)
class Choice:
    """The kingdoms that a game draws its own from: a list, each row with the edition of its wording, or a pool of cards.

    Attributes:
        kingdoms: int64 (k, 10) in order of card number; empty if the ten are drawn from the pool.
        editions: int64 (k,), or (1,) for a pool.
        pool: int64, in order of card number.
    """

    kingdoms: NDArray[np.int64]
    editions: NDArray[np.int64]
    pool: NDArray[np.int64]


def resolve(kingdom: KingdomLike, edition: int | None = None) -> Choice:
    """Return the kingdoms that `kingdom=` and `edition=` mean.

    Args:
        kingdom: a name of `kingdom_names()`, one of `named_of_split`, ten names or cards, such names as a text with commas
            between, or a list of such.
        edition: wording 1 or 2; None means that of the named set or pool, else 2.

    Raises:
        InvalidKingdom: there is no such name, there are not ten cards, a card comes twice, or a card is a base card.
        InvalidOption: the edition is none of 1, 2 and None.
    """
    if edition is not None and not is_whole_in(edition, 1, 2):
        raise InvalidOption(
            f"edition: expected 1 (first edition), 2 (second) or None (the kingdom's), got {shown(edition)}"
        )
    if isinstance(kingdom, str) and kingdom in _POOLS:
        own = 1 if kingdom.endswith("-1e") else 2
        none = np.zeros((0, KINGDOM_SIZE), dtype=np.int64)
        return Choice(none, np.array([edition or own]), np.array(_POOLS[kingdom], dtype=np.int64))
    rows = _rows(kingdom, lists=True)
    kingdoms = np.array([sorted(cards) for cards, _ in rows], dtype=np.int64)
    editions = np.array([edition or own for _, own in rows], dtype=np.int64)
    return Choice(kingdoms, editions, np.array(KINGDOM_CARDS, dtype=np.int64))


def one_set(kingdom: KingdomLike, why: str) -> list[int]:
    """Return the numbers of the ten cards of a kingdom that must be one set.

    Args:
        kingdom: the kingdom.
        why: what needs ten cards, in words for the error.

    Raises:
        InvalidKingdom, UnknownCard: there is no such kingdom, or it is not ten different Kingdom cards.
        InvalidOption: the kingdom is drawn by chance or several.
    """
    kingdoms = resolve(kingdom).kingdoms
    if len(kingdoms) != 1:
        raise InvalidOption(f"kingdom: expected one set of ten cards, as {why}, got {shown(kingdom)}")
    numbers: list[int] = kingdoms[0].tolist()
    return numbers


def _rows(kingdom: KingdomLike | CardLike, lists: bool) -> list[tuple[Kingdom, int]]:
    """Return the kingdoms that are meant, each with its own edition; a list of kingdoms only if `lists` allows it."""
    if isinstance(kingdom, str):
        if kingdom in KINGDOMS:
            return [(KINGDOMS[kingdom], 1 if kingdom.endswith("-1e") else 2)]
        if kingdom in SPLIT_SIZES:
            return [(cards, 2) for cards in split(kingdom)]
        if _is_of_split(kingdom):
            return [(cards, 2) for cards in named_of_split(kingdom)]
        if "," in kingdom:
            return [(ten_cards(named(kingdom)), 2)]
        raise InvalidKingdom(_unknown_kingdom(kingdom))
    if not isinstance(kingdom, Sequence) or len(kingdom) == 0:
        raise InvalidKingdom(f"kingdom: expected a name, ten card names, or a list of kingdoms, got {shown(kingdom)}")
    cards = [item for item in kingdom if _is_card_like(item)]
    if len(cards) == len(kingdom):
        return [(ten_cards(cards), 2)]
    if not lists:
        raise InvalidKingdom(f"kingdom: expected a name or ten cards in a list of kingdoms, got {shown(kingdom)}")
    rows: list[tuple[Kingdom, int]] = []
    for item in kingdom:
        if isinstance(item, str) and item in _POOLS:
            raise InvalidKingdom(
                f"kingdom: expected kingdoms with fixed cards in a list, got {shown(item)}, which is drawn at random"
            )
        if is_whole(item):
            raise InvalidKingdom(f"kingdom: expected ten cards or a list of kingdoms, got both in {shown(kingdom)}")
        rows += _rows(item, lists=False)
    return rows


def _is_card_like(item: object) -> TypeGuard[CardLike]:
    if not isinstance(item, str):
        return is_whole(item)
    return "," not in item and item not in kingdom_names() and not _is_of_split(item)


def _is_of_split(name: str) -> bool:
    return name.partition(":")[0] in SPLIT_SIZES and ":" in name


def ten_cards(cards: Sequence[CardLike]) -> Kingdom:
    """Return ten different Kingdom cards in order of their numbers.

    Raises:
        InvalidKingdom: there are not ten cards, a card comes twice, or a card is a base card.
        UnknownCard: there is no card of that name or number.
    """
    named = [_numbered(card) if is_whole(card) else Card.named(card) for card in cards]
    base = [card.title for card in named if card < NUM_BASE_CARDS]
    if base:
        raise InvalidKingdom(
            f"kingdom: expected Kingdom cards, got {', '.join(base)}; the base cards are in every game"
        )
    twice = sorted({card.title for card in named if named.count(card) > 1})
    if twice:
        raise InvalidKingdom(f"kingdom: expected {KINGDOM_SIZE} different cards, got {', '.join(twice)} twice")
    if len(named) != KINGDOM_SIZE:
        raise InvalidKingdom(f"kingdom: expected {KINGDOM_SIZE} different Kingdom cards, got {len(named)}")
    return tuple(sorted(named))


def _numbered(number: int | np.integer) -> Card:
    if not 0 <= number < len(CARDS):
        raise UnknownCard(f"expected the number of a card, 0 to {len(CARDS) - 1}, got {shown(number)}")
    return Card(int(number))


def _unknown_kingdom(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:40], kingdom_names(), n=3)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"names are {', '.join(kingdom_names())}"
    if re.search("[+=]", name):
        hint = (
            "ten cards have commas between; others, and how many times they come, stand behind the first kingdom of "
            "`dominion train`, such as --kingdom train Village+Smithy=3"
        )
    elif len(name.split()) >= KINGDOM_SIZE:
        hint = "ten cards have commas between"
    return f"no kingdom is named {shown(name)}: {hint}"
