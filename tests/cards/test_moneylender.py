"""Moneylender: trash a Copper from your hand (second edition: you may). If you did, +3 coins."""

import pytest

from tests.table import Table

both_editions = pytest.mark.parametrize("edition", [1, 2])


@both_editions
def test_a_trashed_copper_gives_three_coins(edition: int):
    table = Table("Moneylender, 2 Copper, Estate", edition=edition)
    alice, _ = table
    alice.plays("Moneylender")
    assert table.coins == 0
    alice.trashes("Copper")
    assert table.coins == 3
    assert table.trash == "Copper"
    assert alice.hand == "Copper, Estate"
    assert (table.actions, table.buys) == (0, 1)
    assert table.asks(alice, "action")


@both_editions
def test_without_a_copper_there_are_no_coins_and_no_question(edition: int):
    table = Table("Moneylender, Silver, Gold, Estate", edition=edition, decks="Copper", discards="Copper")
    alice, _ = table
    alice.plays("Moneylender")
    assert table.asks(alice, "action")
    assert table.coins == 0
    assert table.trash == ""


@both_editions
def test_with_an_empty_hand_nothing_happens(edition: int):
    table = Table("Moneylender", edition=edition)
    alice, _ = table
    alice.plays("Moneylender")
    assert table.asks(alice, "action")
    assert table.coins == 0


def test_second_edition_may_decline():
    table = Table("Moneylender, 2 Copper", edition=2)
    alice, _ = table
    alice.plays("Moneylender")
    assert table.asks(alice, "trash", "Moneylender", min_left=0, max_left=1)
    assert table.legal == ["trash Copper", "pass"]
    alice.passes()
    assert table.coins == 0
    assert table.trash == ""
    assert alice.hand == "2 Copper"


def test_first_edition_must_trash():
    table = Table("Moneylender, 2 Copper", edition=1)
    alice, _ = table
    alice.plays("Moneylender")
    assert table.asks(alice, "trash", "Moneylender", min_left=1, max_left=1)
    assert table.legal == ["trash Copper"]


def test_first_edition_trashes_without_a_question_where_forced_choices_are_not_asked():
    table = Table("Moneylender, 2 Copper", edition=1, ask_forced=False)
    alice, _ = table
    alice.plays("Moneylender")
    assert table.asks(alice, "buy")
    assert table.coins == 3
    assert table.trash == "Copper"


@both_editions
def test_no_other_card_can_be_trashed(edition: int):
    table = Table("Moneylender, Copper, Silver, Gold, Estate, Curse, Moneylender", edition=edition)
    alice, _ = table
    alice.plays("Moneylender")
    assert {words for words in table.legal if words != "pass"} == {"trash Copper"}


@both_editions
def test_only_one_copper_is_trashed(edition: int):
    table = Table("Moneylender, 4 Copper", edition=edition)
    alice, _ = table
    alice.plays("Moneylender")
    alice.trashes("Copper")
    assert table.asks(alice, "action")
    assert alice.hand == "3 Copper"


def test_the_trashed_copper_gives_no_coin_of_its_own():
    table = Table("Moneylender, Copper")
    alice, _ = table
    alice.plays("Moneylender")
    alice.trashes("Copper")
    alice.ends_action_phase()
    assert "play Copper" not in table.legal
    assert table.coins == 3


def test_the_trashed_copper_is_seen_to_leave_the_hand():
    table = Table("Moneylender, 3 Copper", known_hands="2 Copper")
    alice, _ = table
    alice.plays("Moneylender")
    alice.trashes("Copper")
    assert alice.known_hand == "Copper"


def test_declining_shows_nothing_of_the_hand():
    table = Table("Moneylender, 3 Copper", edition=2)
    alice, _ = table
    alice.plays("Moneylender")
    alice.passes()
    assert alice.known_hand == ""


@both_editions
def test_under_throne_room_two_coppers_give_six_coins(edition: int):
    table = Table("Throne Room, Moneylender, 3 Copper", edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moneylender")
    alice.trashes("Copper")
    assert table.coins == 3
    alice.trashes("Copper")
    assert table.coins == 6
    assert table.trash == "2 Copper"
    assert alice.hand == "Copper"
    assert table.actions == 0


@both_editions
def test_under_throne_room_with_one_copper_the_second_play_does_nothing(edition: int):
    table = Table("Throne Room, Moneylender, Copper, Silver", edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moneylender")
    alice.trashes("Copper")
    assert table.asks(alice, "action")
    assert table.coins == 3


def test_under_throne_room_each_play_may_be_declined_in_the_second_edition():
    table = Table("Throne Room, Moneylender, 2 Copper", edition=2)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moneylender")
    alice.passes()
    alice.trashes("Copper")
    assert table.coins == 3
    table = Table("Throne Room, Moneylender, 2 Copper", edition=2)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moneylender")
    alice.trashes("Copper")
    alice.passes()
    assert table.coins == 3
    assert table.trash == "Copper"


def test_under_throne_room_both_plays_must_trash_in_the_first_edition():
    table = Table("Throne Room, Moneylender, 2 Copper", edition=1)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moneylender")
    assert table.legal == ["trash Copper"]
    alice.trashes("Copper")
    assert table.legal == ["trash Copper"]


def test_the_log_of_the_others_names_the_trashed_copper():
    table = Table("Moneylender, 3 Copper")
    alice, bob = table
    alice.plays("Moneylender")
    assert "Copper" not in table.log(bob)
    alice.trashes("Copper")
    assert "Copper" in table.log(bob)
