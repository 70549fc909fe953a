"""Adventurer: reveal cards until two Treasures have come; put these into hand, discard the others."""

import pytest

from tests.table import Table


def test_cards_are_revealed_until_two_treasures_have_come():
    table = Table(hands=["Adventurer, Estate"], decks=["Duchy, Copper, Village, Gold, Silver"])
    alice, _ = table
    alice.plays("Adventurer")
    assert table.asks(alice, "action")
    assert alice.hand == "Estate, Copper, Gold"
    assert alice.deck == "Silver"
    assert table.actions == 0


def test_the_other_cards_are_discarded_in_the_order_revealed():
    table = Table(hands=["Adventurer"], decks=["Duchy, Copper, Village, Curse, Gold"], discards=["Estate"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.discard == "Estate, Duchy, Village, Curse"
    assert alice.revealed == ""
    assert alice.set_aside == ""


@pytest.mark.parametrize("treasure", ["Copper", "Silver", "Gold"])
def test_every_treasure_counts(treasure):
    table = Table(hands=["Adventurer"], decks=[f"3 {treasure}"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.hand == f"2 {treasure}"


def test_a_shuffle_in_the_middle_leaves_out_everything_revealed_so_far():
    table = Table(hands=["Adventurer"], decks=["Estate, Copper"], discards=["4 Gold"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.hand == "Copper, Gold"
    assert alice.discard == "Estate"
    assert alice.draw_pile == "3 Gold"


def test_with_one_treasure_in_all_that_one_is_kept_and_the_deck_is_empty():
    table = Table(hands=["Adventurer"], decks=["Estate, Copper"], discards=["Duchy"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.hand == "Copper"
    assert alice.discard == "Estate, Duchy"
    assert alice.draw_pile == ""


def test_without_any_treasure_all_is_discarded():
    table = Table(hands=["Adventurer, Moat"], decks=["Estate"], discards=["2 Duchy"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.hand == "Moat"
    assert alice.discard == "Estate, 2 Duchy"
    assert alice.draw_pile == ""


def test_with_no_cards_at_all_nothing_happens():
    table = Table(hands=["Adventurer"])
    alice, _ = table
    alice.plays("Adventurer")
    assert table.asks(alice, "action")
    assert alice.hand == ""


def test_no_shuffle_if_the_deck_holds_two_treasures():
    table = Table(hands=["Adventurer"], decks=["2 Copper"], discards=["Gold"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.discard == "Gold"
    assert alice.draw_pile == ""


def test_throne_room_finds_four_treasures():
    table = Table(hands=["Throne Room, Adventurer"], decks=["Copper, Estate, Silver, Gold, Duchy, Copper, Curse"])
    alice, _ = table
    alice.plays("Throne Room, Adventurer")
    assert alice.hand == "2 Copper, Silver, Gold"
    assert alice.discard == "Estate, Duchy"
    assert alice.deck == "Curse"


def test_throne_room_the_second_play_reveals_what_the_first_one_discarded_after_a_shuffle():
    table = Table(hands=["Throne Room, Adventurer"], decks=["Estate, Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Throne Room, Adventurer")
    assert alice.hand == "Copper, Silver, Gold"
    assert alice.discard == "Estate"
    assert alice.draw_pile == ""


def test_the_treasures_are_known_in_hand_and_the_others_in_the_discard_pile():
    table = Table(hands=["Adventurer, Moat"], decks=["Estate, Copper, Village, Gold"], discards=["Duchy, Curse"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.known_hand == "Copper, Gold"
    assert alice.known_discard == "Curse, Estate, Village"


def test_the_treasures_are_known_on_top_of_those_known_before():
    table = Table(hands=["Adventurer, Copper"], decks=["2 Copper"], known_hands=["Copper"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.known_hand == "3 Copper"
