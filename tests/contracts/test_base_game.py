"""The base game is frozen: its cards, actions, kingdoms, pools and splits never change their numbers or meaning.

Addresses, replays, trained models and published results refer to these numbers. An expansion is a set of its own, whose cards
come after these: it makes observations longer, and changes nothing of what is said here. If a test of this file fails, the
change that made it fail is wrong.
"""

from __future__ import annotations

import hashlib

import pytest

from dominion_env import CARDS, KINGDOMS, NUM_ACTIONS, Card, action_id, action_name, split
from dominion_env.tables.actions import ACTION_NAMES
from dominion_env.tables.cards import BASE_SET, CARD_SET, KINGDOM_CARDS, NUM_CARDS
from dominion_env.tables.kingdoms import SPLIT_SIZES, Kingdom, resolve

CARD_NAMES = """
    Copper, Silver, Gold, Estate, Duchy, Province, Curse,
    Adventurer, Artisan, Bandit, Bureaucrat, Cellar, Chancellor, Chapel, Council Room, Feast, Festival, Gardens,
    Harbinger, Laboratory, Library, Market, Merchant, Militia, Mine, Moat, Moneylender, Poacher, Remodel, Sentry, Smithy,
    Spy, Thief, Throne Room, Vassal, Village, Witch, Woodcutter, Workshop
""".replace("\n", " ").strip()  # fmt: skip
NAMES = [name.strip() for name in CARD_NAMES.split(",")]
VERBS = ["play", "buy", "gain", "trash", "discard", "topdeck", "reveal", "set aside"]
NOT_IN_THE_FIRST_EDITION = {"Artisan", "Bandit", "Harbinger", "Merchant", "Poacher", "Sentry", "Vassal"}
NOT_IN_THE_SECOND_EDITION = {"Adventurer", "Chancellor", "Feast", "Spy", "Thief", "Woodcutter"}


def digest(kingdoms: tuple[Kingdom, ...]) -> str:
    """Return the hash of a list of kingdoms, written as card numbers, one kingdom a line."""
    text = "\n".join(",".join(str(int(card)) for card in kingdom) for kingdom in kingdoms)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def titles(kingdom: Kingdom) -> str:
    return ", ".join(card.title for card in kingdom)


def test_there_are_39_cards_with_these_numbers():
    assert BASE_SET.cards == len(NAMES) == 39 <= NUM_CARDS
    assert [info.name for info in CARDS[:39]] == NAMES
    assert [card.title for card in Card][:39] == NAMES
    assert [int(card) for card in Card] == list(range(NUM_CARDS))
    assert (Card.COPPER, Card.CURSE, Card.ADVENTURER, Card.MOAT, Card.WORKSHOP) == (0, 6, 7, 25, 38)


def test_the_set_has_this_name_and_hash():
    assert str(BASE_SET) == "base (39 cards, 61c6d485)"
    assert (CARD_SET == BASE_SET) is (NUM_CARDS == 39)


def test_there_are_314_actions_with_these_words():
    assert NUM_ACTIONS == 2 + 8 * NUM_CARDS
    expected = ["pass", "discard deck", *(f"{verb} {name}" for name in NAMES for verb in VERBS)]
    assert list(ACTION_NAMES)[:314] == expected
    assert [action_name(number) for number in range(314)] == expected
    assert [action_id(words) for words in expected] == list(range(314))


@pytest.mark.parametrize(
    ("words", "number"),
    [
        *(("pass", 0), ("discard deck", 1), ("play Copper", 2), ("buy Province", 43), ("gain Silver", 12)),
        *(("trash Estate", 29), ("reveal Moat", 208), ("set aside Village", 289), ("set aside Workshop", 313)),
    ],
)
def test_an_action_has_this_number(words: str, number: int):
    assert action_id(words) == number
    assert action_name(number) == words


def test_the_pools_of_random_kingdoms_hold_these_cards():
    kingdom_cards = NAMES[7:]
    assert [card.title for card in KINGDOM_CARDS][:32] == kingdom_cards
    for name, missing in (
        ("random", set()),
        ("random-1e", NOT_IN_THE_FIRST_EDITION),
        ("random-2e", NOT_IN_THE_SECOND_EDITION),
    ):
        pool = [Card(number).title for number in resolve(name).pool]
        assert pool == [card for card in kingdom_cards if card not in missing], name


def test_the_recommended_kingdoms_have_these_names_in_this_order():
    assert list(KINGDOMS) == [
        *("first-game-1e", "big-money-1e", "interaction-1e", "size-distortion-1e", "village-square-1e"),
        *("first-game-2e", "size-distortion-2e", "deck-top-2e", "sleight-of-hand-2e", "improvements-2e"),
        "silver-and-gold-2e",
    ]
    assert digest(tuple(KINGDOMS.values())) == "887e8ace84d5fb4b"


@pytest.mark.parametrize(
    ("name", "size", "first", "last", "hash_of_all"),
    [
        (
            "train",
            1000,
            "Adventurer, Bureaucrat, Cellar, Chapel, Feast, Harbinger, Market, Remodel, Spy, Thief",
            "Bureaucrat, Cellar, Council Room, Feast, Market, Mine, Moat, Moneylender, Smithy, Workshop",
            "61fc6e54559c44b3",
        ),
        (
            "validation",
            100,
            "Chancellor, Feast, Gardens, Militia, Moat, Remodel, Sentry, Smithy, Woodcutter, Workshop",
            "Bandit, Cellar, Merchant, Mine, Moat, Moneylender, Poacher, Smithy, Woodcutter, Workshop",
            "b93ff9d5117e73c1",
        ),
        (
            "test",
            100,
            "Artisan, Cellar, Chapel, Feast, Harbinger, Laboratory, Moat, Smithy, Spy, Witch",
            "Bandit, Cellar, Feast, Library, Market, Mine, Poacher, Sentry, Smithy, Spy",
            "6dac1c01e4abd239",
        ),
        (
            "train-large",
            10_000,
            "Adventurer, Bureaucrat, Cellar, Chapel, Feast, Harbinger, Market, Remodel, Spy, Thief",
            "Bandit, Cellar, Festival, Laboratory, Moat, Moneylender, Smithy, Throne Room, Vassal, Workshop",
            "6f7dc7ad7868c65d",
        ),
    ],
)
def test_the_splits_hold_these_kingdoms(name: str, size: int, first: str, last: str, hash_of_all: str):
    kingdoms = split(name)
    assert len(kingdoms) == SPLIT_SIZES[name] == size
    assert (titles(kingdoms[0]), titles(kingdoms[-1])) == (first, last)
    assert digest(kingdoms) == hash_of_all


def test_there_are_four_splits():
    assert list(SPLIT_SIZES) == ["train", "validation", "test", "train-large"]
