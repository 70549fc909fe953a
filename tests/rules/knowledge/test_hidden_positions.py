"""Pairs of positions that differ only in what a seat may not know: it sees the same."""

import pytest

from tests.rules.knowledge import can_tell, sees_the_same
from tests.table import Table

HIDDEN_OPPONENTS = [
    {
        "hands": ["2 Copper", "Gold, Copper"],
        "decks": ["", "Silver"],
        "bags": ["Copper", "Estate, Duchy"],
        "discards": ["", "Village, Copper"],
    },
    {
        "hands": ["2 Copper", "Village, Duchy"],
        "decks": ["", "Gold"],
        "bags": ["Copper", "Silver, Copper"],
        "discards": ["", "Estate, Copper"],
    },
    {
        "hands": ["2 Copper", "Estate, Silver"],
        "decks": ["", "Copper"],
        "bags": ["Copper", "Gold, Village"],
        "discards": ["", "Duchy, Copper"],
    },
]


@pytest.mark.parametrize("mark", ["nobody", "owner"])
def test_where_an_opponents_cards_lie_is_hidden(mark):
    tables = [Table(**zones, deck_known=[[], [mark]], kingdom="Village") for zones in HIDDEN_OPPONENTS]
    for other in tables[1:]:
        assert sees_the_same(0, tables[0], other)
        assert can_tell(1, tables[0], other)


def test_the_order_of_ones_own_draw_pile_is_hidden():
    one = Table(hands=["Village, Copper"], decks=["Gold, Silver, Estate"], bags=["2 Duchy"])
    for decks, bags in (("Estate, Gold, Silver", "2 Duchy"), ("Duchy, Silver, Duchy", "Gold, Estate")):
        other = Table(hands=["Village, Copper"], decks=[decks], bags=[bags])
        assert sees_the_same(0, one, other)
        assert sees_the_same(1, one, other)


def test_whether_ones_own_unknown_cards_have_a_place_already_is_hidden():
    one = Table(hands=["Village"], decks=["Gold, Silver, Estate"])
    other = Table(hands=["Village"], bags=["Gold, Silver, Estate"])
    assert sees_the_same(0, one, other)
    assert sees_the_same(1, one, other)


def test_a_card_that_its_owner_knows_is_seen_by_the_owner_alone():
    one = Table(decks=["Gold, Silver"], deck_known=[["owner", "owner"]], players=3)
    other = Table(decks=["Silver, Gold"], deck_known=[["owner", "owner"]], players=3)
    assert can_tell(0, one, other)
    assert sees_the_same(1, one, other)
    assert sees_the_same(2, one, other)


def test_a_card_that_all_know_is_seen_by_all():
    one = Table(decks=["Gold, Silver"], deck_known=[["all"]], players=3)
    other = Table(decks=["Silver, Gold"], deck_known=[["all"]], players=3)
    assert all(can_tell(seat, one, other) for seat in range(3))


def test_a_known_card_of_a_hand_is_seen_by_all():
    one = Table(hands=["Gold, Moat"], known_hands=["Moat"], bags=["Copper"])
    other = Table(hands=["Gold, Moat"], known_hands=["Gold"], bags=["Copper"])
    assert can_tell(1, one, other)


def test_the_top_of_a_discard_pile_is_seen_by_all():
    one, other = (Table(discards=[cards]) for cards in ("Gold, Silver", "Silver, Gold"))
    assert can_tell(0, one, other)
    assert can_tell(1, one, other)


def test_the_order_beneath_the_top_of_a_discard_pile_is_seen_by_nobody():
    one, other = (Table(discards=[f"{cards}, Copper"]) for cards in ("Gold, Silver", "Silver, Gold"))
    assert sees_the_same(0, one, other)
    assert sees_the_same(1, one, other)


def test_sizes_of_hands_and_what_is_owned_are_seen_by_all():
    base = Table(hands=["", "Gold, Silver"], bags=["", "Copper"])
    assert can_tell(0, base, Table(hands=["", "Gold"], bags=["", "Silver, Copper"]))
    assert can_tell(0, base, Table(hands=["", "Gold, Duchy"], bags=["", "Copper"]))


def test_the_trash_and_the_cards_in_play_and_set_aside_are_seen_by_all():
    base = Table(players=3)
    for other in (
        Table(players=3, trash="Gold"),
        Table(in_play=["Gold", "", ""]),
        Table(set_aside=["Gold", "", ""]),
        Table(players=3, supply={"Gold": 29}),
    ):
        assert all(can_tell(seat, base, other) for seat in range(3))


def test_in_the_strict_view_holdings_that_lie_hidden_are_not_shown():
    zones = [{"bags": ["", "3 Gold"]}, {"bags": ["", "3 Curse"]}]
    strict = [Table(**zone, observation="strict") for zone in zones]
    recall = [Table(**zone) for zone in zones]
    assert sees_the_same(0, *strict)
    assert can_tell(0, *recall)


def test_in_the_strict_view_what_was_seen_in_a_hand_is_not_shown_again():
    tables = [
        Table(hands=["", "Gold, Moat"], known_hands=["", known], bags=["", "Copper"], observation="strict")
        for known in ("Moat", "Gold")
    ]
    assert sees_the_same(0, *tables)
