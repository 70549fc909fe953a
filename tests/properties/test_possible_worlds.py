"""Worlds hold nothing that the rules, the options and what has been seen exclude, and all else as often as it should be.

What is possible is listed in two ways. All deals of a position's hidden cards are gone through; and a turn is played in all
ways from all such deals, and what looks the same to the other seat is put together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from dominion_env import CARDS, Card, Game, GameBatch, InvalidPosition, Type
from dominion_env.core.positions.form import LACKED_WORDS
from dominion_env.render.log import seen_by
from dominion_env.rules.record.state import BEFORE_SHUFFLE, LACKED
from dominion_env.tables.cards import NUM_CARDS
from tests.rules import fits

from . import sized

Deal = tuple[tuple[str, ...], tuple[str, ...]]  # the cards of a hand and of a discard pile, in order of their names

KINGDOM = [
    "Harbinger",
    "Mine",
    "Moneylender",
    "Smithy",
    "Throne Room",
    "Village",
    "Cellar",
    "Militia",
    "Moat",
    "Vassal",
]
ME = {"hand": {"Copper": 3}, "deck_bag": {"Copper": 5}}


def names(text: str) -> list[str]:
    return [word.replace("_", " ") for word in text.split()]


def deal_of(batch: GameBatch, row: int) -> Deal:
    game = batch.state[row]
    hand = np.repeat(np.arange(NUM_CARDS), game["hand"][1])
    return tuple(CARDS[card].name for card in hand), in_order(game["pile"][1, : game["discard_size"][1]])


def in_order(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(CARDS[card].name for card in sorted(cards))


def test_the_words_of_a_position_name_the_cards_that_a_place_lacks() -> None:
    for words, lacked in zip(LACKED_WORDS, LACKED, strict=True):
        assert ("shuffled card" in words) == (
            len(LACKED_WORDS) - LACKED_WORDS.index(words) > len(LACKED) - BEFORE_SHUFFLE
        )
        named = {
            card for card, row in enumerate(CARDS) for word in words.split(" or ")
            if row.name == word or (word.upper() in Type.__members__ and Type[word.upper()] in row.types)
        }  # fmt: skip
        assert sum(1 << card for card in named) == lacked


# All deals of the hidden cards of a position are gone through.

# Hidden cards; how many of them were there before the last shuffle, where that matters; what places of the hand and of the
# discard pile lack; how many cards lie hidden in each.
HIDDEN: list[tuple[str, str, dict[str, int], dict[str, int], int, int]] = [
    ("Copper Gold Estate Smithy Smithy Curse", "", {}, {}, 2, 1),
    ("Copper Gold Estate Smithy Smithy Curse", "", {"Treasure": 2}, {}, 2, 2),
    ("Copper Gold Estate Estate Smithy Curse", "", {}, {"Treasure": 2}, 1, 3),
    ("Copper Copper Gold Estate Smithy Curse", "", {"Copper": 1, "Treasure": 1}, {"Action or Treasure": 1}, 3, 2),
    ("Copper Copper Gold Estate Smithy Village", "", {"Action": 2}, {"Treasure": 2}, 2, 2),
    (
        "Copper Gold Gold Estate Smithy Village", "", {"Action or Copper": 2},
        {"Treasure": 1, "Copper": 1, "Action": 1}, 2, 3,
    ),
    ("Copper Gold Estate", "", {"Action": 1}, {"Treasure": 1}, 1, 1),
    ("Copper Gold Estate Smithy Smithy Curse", "Copper Estate Smithy", {"shuffled card": 2}, {}, 3, 0),
    (
        "Copper Gold Estate Smithy Smithy Curse", "Copper Copper Estate Smithy", {"shuffled card": 1},
        {"Treasure or shuffled card": 1, "Treasure": 1}, 2, 2,
    ),
    ("Copper Gold Estate Smithy Curse", "Copper Estate Smithy", {"shuffled card": 2}, {"Treasure": 2}, 2, 2),
]  # fmt: skip


def laid(deal: Sequence[str], in_hand: int, in_discard: int) -> Deal:
    """Return the hand and the discard pile of a deal, with the Duchy that all see on top."""
    numbers = [Card[name.upper()] for name in (*deal[: in_hand + in_discard], "Duchy")]
    return in_order(numbers[:in_hand]), in_order(numbers[in_hand:])


def can_lie(card: str, word: str, was_shuffled: bool) -> bool:
    """Return whether this card can lie in a place that lacks what the word says."""
    lacks = LACKED_WORDS.index(word)
    return not (LACKED[lacks] >> Card[card.upper()] & 1 or (was_shuffled and lacks < BEFORE_SHUFFLE))


def listed(
    cards: list[str], before: list[str], hand: dict[str, int], discard: dict[str, int], in_hand: int, in_discard: int
) -> Counter[Deal]:
    """Return how many deals of these cards give each hand and discard pile."""
    lacking = [[word for word, number in zone.items() for _ in range(number)] for zone in (hand, discard)]
    places = [*lacking[0], *[""] * (in_hand - len(lacking[0])), *lacking[1]]
    came = [cards[:at].count(card) >= before.count(card) for at, card in enumerate(cards)]  # with the last shuffle
    found: Counter[Deal] = Counter()
    for deal in permutations(range(len(cards))):
        if all(can_lie(cards[at], word, came[at]) for word, at in zip(places, deal, strict=False) if word):
            found[laid([cards[at] for at in deal], in_hand, in_discard)] += 1
    return found


@pytest.mark.parametrize("case", HIDDEN, ids=[f"{case[2]}-{case[3]}" for case in HIDDEN])
def test_each_deal_that_is_possible_is_as_likely_and_no_other_occurs(case: tuple[Any, ...]) -> None:
    text, before, hand, discard, in_hand, in_discard = case
    cards = names(text)
    expected = listed(cards, names(before), hand, discard, in_hand, in_discard)
    lies = next(deal for deal in permutations(cards) if laid(deal, in_hand, in_discard) in expected)
    other = {
        "hand": lies[:in_hand], "discard": [*lies[in_hand : in_hand + in_discard], "Duchy"],
        "deck_bag": lies[in_hand + in_discard :], "lacking_hand": hand, "lacking_discard": discard,
        "unshuffled": dict(Counter(names(before))),
    }  # fmt: skip
    batch = GameBatch(1, start={"kingdom": KINGDOM, "players": [ME, other]})
    number = max(sized(4000), 7 * sum(expected.values()) // min(expected.values()))
    worlds = batch.worlds([0], number, 3)
    found = Counter(deal_of(worlds, row) for row in range(number))
    assert {*found} == {*expected}
    assert len(expected) == 1 or fits([found[deal] for deal in expected], list(expected.values()))


# A turn is played in all ways.


def endings(start: dict[str, Any], **options: Any) -> Iterator[tuple[Any, GameBatch]]:
    """Play on until the first player is asked, in all ways, and yield what that player has seen with each game."""
    waiting: list[tuple[tuple[Any, ...], GameBatch]]
    waiting = [((), GameBatch(1, start=start, record=True, autoreset=False, **options))]
    while waiting:
        seen, batch = waiting.pop()
        seen += tuple(seen_by(batch.events(), 0))
        if batch.current_player[0] == 0 or batch.state["over"][0]:
            yield seen, batch
            continue
        for action in np.flatnonzero(batch.action_mask[0]):
            copy = batch.clone()
            copy.step([action])
            waiting.append((seen, copy))


def turns(cards: str, in_hand: int, known: str, edition: int, **options: Any) -> dict[Any, list[GameBatch]]:
    """Return the games that look the same to the first player, after the other's turn with any hand of these cards.

    The other cards are the other's deck, of which the next hand is drawn.
    """
    alike: dict[Any, list[GameBatch]] = defaultdict(list)
    for deal in {(*sorted(deal[:in_hand]), *sorted(deal[in_hand:])) for deal in permutations(names(cards))}:
        held = names(known)
        other = {
            "hand": [*held, *deal[:in_hand]],
            "known_hand": held,
            "in_play": ["Village"],
            "deck_top": deal[in_hand:],
        }
        start = {"kingdom": KINGDOM, "players": [ME, other], "turn_player": 1, "buys": 0, "edition": edition}
        for seen, batch in endings(start, **options):
            alike[seen].append(batch)
    return alike


FEW = "Copper Gold Estate Moneylender Curse Copper Estate"
TURNS: dict[str, dict[str, Any]] = {
    "all Treasures are played": {
        "cards": "Copper Gold Estate Curse Moneylender Copper Estate Duchy", "in_hand": 3, "known": "", "edition": 2,
        "auto_treasures": True,
    },
    "Throne Room finds no Action": {"cards": FEW, "in_hand": 2, "known": "Throne_Room", "edition": 1},
    "Throne Room finds no Action before all Treasures are played": {
        "cards": FEW, "in_hand": 2, "known": "Throne_Room", "edition": 1, "auto_treasures": True,
    },
    "Moneylender finds no Copper": {"cards": FEW, "in_hand": 2, "known": "Moneylender", "edition": 1},
    "Mine finds no Treasure": {
        "cards": "Copper Gold Estate Silver Curse Copper Estate", "in_hand": 2, "known": "Mine", "edition": 1,
    },
    "Throne Room may be declined": {"cards": FEW, "in_hand": 2, "known": "Throne_Room", "edition": 2},
}  # fmt: skip


@pytest.mark.parametrize("case", TURNS)
def test_worlds_hold_what_some_turn_could_have_left_and_nothing_else(case: str) -> None:
    alike = turns(**TURNS[case])
    assert len(alike) > 1
    for seen, games in alike.items():
        possible = {deal_of(game, 0) for game in games}
        worlds = games[0].worlds([0], sized(1000), 5)
        found = {deal_of(worlds, row) for row in range(len(worlds))}
        assert found == possible, (seen, found - possible, possible - found)


@pytest.mark.parametrize("held", ["", "Copper"])
def test_a_hand_drawn_before_a_shuffle_holds_no_cards_that_came_with_it(held: str) -> None:
    """The last cards of the deck are drawn at Clean-up, then the discard pile is shuffled, most of which all have seen."""
    alike: dict[Any, set[Deal]] = defaultdict(set)
    games: dict[Any, GameBatch] = {}
    for seed in range(40):
        for deck in combinations(["Estate", "Gold", "Curse", "Moat"], 3):
            (other,) = {"Estate", "Gold", "Curse", "Moat"} - {*deck}
            player = {
                "hand": [other, *names(held)], "known_hand": names(held), "deck_top": [*deck], "in_play": ["Village", "Village"],
                "discard": ["Silver", "Silver"], "known_discard": {"Silver": 2},
            }  # fmt: skip
            start = {"kingdom": KINGDOM, "players": [ME, player], "turn_player": 1, "buys": 0, "phase": "buy"}
            for seen, batch in endings(start, seed=seed):
                alike[seen].add(deal_of(batch, 0))
                games[seen] = batch
    for seen, possible in alike.items():
        worlds = games[seen].worlds([0], sized(2000), 5)
        assert {deal_of(worlds, row) for row in range(len(worlds))} <= possible, seen
        assert len(possible) > 1


def test_a_worlds_own_worlds_exclude_the_same() -> None:
    """A world is a game in which the same has been seen, and it can be played on, saved and loaded as any other."""
    for seen, games in turns(**TURNS["all Treasures are played"]).items():
        possible = {deal_of(game, 0) for game in games}
        world = games[0].worlds([0], 1, 7)
        loaded = GameBatch(1, start=world.to_dict(0), resume=True)
        for batch in (world, loaded):
            again = batch.worlds([0], 200, 5)
            assert {deal_of(again, row) for row in range(len(again))} <= possible, seen


@pytest.mark.parametrize("edition", [1, 2])
def test_no_more_unseen_cards_are_known_to_lack_something_than_there_are(edition: int) -> None:
    games = GameBatch(8, kingdom=KINGDOM, edition=edition, auto_treasures=True, seed=edition)
    found = np.zeros(2, np.int64)
    for _ in range(250):
        games.step(games.sample_actions())
        state = games.state
        in_discard = np.arange(state["pile"].shape[-1]) < state["discard_size"][..., None]
        for i, (key, cards) in enumerate((("hand", state["hand"].sum(-1)), ("discard", in_discard.sum(-1)))):
            lacking, known = (state[f"{word}_{key}"].sum(-1, dtype=np.int64) for word in ("lacking", "known"))
            picked = state["aside_size"]  # and not yet gone from the hand
            assert (lacking + known <= cards + (picked if key == "hand" else 0)).all(), key
            found[i] += lacking.sum()
    assert found.all()


# Positions.

OTHER = {
    "hand": {"Estate": 1, "Smithy": 1, "Copper": 1},
    "discard": ["Gold", "Curse", "Smithy", "Moat"],
    "deck_bag": {"Gold": 2},
}


def test_a_position_without_what_cards_are_not_is_as_it_was() -> None:
    batch = GameBatch(1, start={"kingdom": KINGDOM, "players": [ME, OTHER]})
    assert not {"lacking_hand", "lacking_discard"} & {*batch.to_dict(0)["players"][1]}
    assert not batch.state["lacking_hand"].any()
    assert not batch.state["lacking_discard"].any()


def test_what_cards_are_not_changes_neither_observation_nor_address() -> None:
    lacking = {"lacking_hand": {"Treasure": 2}, "lacking_discard": {"Action or Treasure": 1, "Copper": 1}}
    batches = [
        GameBatch(1, start={"kingdom": KINGDOM, "players": [ME, OTHER | more]}, seed=3) for more in ({}, lacking)
    ]
    assert batches[0].observe().tobytes() == batches[1].observe().tobytes()
    positions = [batch.to_dict(0) for batch in batches]
    assert positions[0]["address"] == positions[1]["address"]
    assert {key: positions[1]["players"][1].pop(key) for key in lacking} == lacking
    assert positions[0] == positions[1]


@pytest.mark.parametrize(
    ("lacking", "words"),
    [
        ({"lacking_hand": {"Treasure": 3}}, r"lacking_hand: expected at most 2 cards without Treasure, got 3"),
        ({"lacking_hand": {"Treasure": 1, "Action": 2, "Action or Treasure": 1}}, "expected"),
        (
            {"lacking_hand": {"Action or Treasure": 1, "Action or Copper": 1}},
            "expected at most 1 cards without Action or",
        ),
        ({"lacking_discard": {"Treasure": 3}}, "expected at most 2 cards without Treasure, got 3"),  # all know the top
        ({"lacking_discard": {"Victory": 1}}, "lacking_discard"),
        ({"lacking_discard": {"Treasure": -1}}, "lacking_discard: Treasure"),
        ({"lacking_hand": 2}, "lacking_hand: expected a dictionary, got 2"),
    ],
)
def test_a_position_whose_cards_are_what_they_can_not_be_is_refused(lacking: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidPosition, match=words):
        GameBatch(1, start={"kingdom": KINGDOM, "players": [ME, OTHER | lacking]})


def test_a_deal_that_can_not_be_made_leaves_out_what_cards_are_not() -> None:
    """A player who has picked cards and isn't asked is met in no game, and a position may have one."""
    other = {
        "hand": {"Copper": 1},
        "chosen": ["Estate", "Curse"],
        "lacking_hand": {"Treasure": 2},
        "deck_bag": {"Gold": 3},
    }
    worlds = GameBatch(1, start={"kingdom": KINGDOM, "players": [ME, other]}).worlds([0], 20, 1)
    assert {tuple(deal_of(worlds, row)[0]) for row in range(20)} == {("Copper",), ("Gold",)}
    assert (worlds.state["hand_size"][:, 1] == 1).all()


def test_what_cards_are_not_survives_a_choice_of_several_cards() -> None:
    """Picked cards count as cards in hand until they move; a game saved then is read again as it was."""
    start = {
        "kingdom": KINGDOM, "edition": 1, "actions": 2,
        "players": [{"hand": ["Moneylender", "Cellar", "Estate", "Curse", "Smithy"], "deck_bag": {"Copper": 5}}, ME],
    }  # fmt: skip
    game = Game(start=start)
    for words in ("play Moneylender", "play Cellar", "discard Estate", "discard Curse"):
        game.apply(words)
    position = game.to_dict()
    assert position["players"][0]["lacking_hand"] == {"Copper": 3}
    assert Game.from_dict(position).to_dict() == position
    game.apply("pass")
    assert game.to_dict()["players"][0]["lacking_hand"] == {"Copper": 1}
