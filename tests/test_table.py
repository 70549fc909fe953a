"""The tests' own table: it must notice what a ruling leaves out or gets wrong."""

import pytest

from tests.table import Cards, Table, cards


def test_a_text_names_cards_with_their_number():
    assert cards("Militia, 2 Copper, Throne Room") == ["Militia", "Copper", "Copper", "Throne Room"]
    assert cards("") == []


def test_zones_are_compared_with_texts_in_order_or_not():
    assert Cards(["Copper", "Estate", "Copper"], ordered=False) == "Estate, 2 Copper"
    assert Cards({"Copper": 2, "Estate": 1}, ordered=False) == "2 Copper, Estate"
    assert Cards(["Copper", "Estate", "Copper"], ordered=True) == "Copper, Estate, Copper"
    assert Cards(["Copper", "Estate", "Copper"], ordered=True) != "Estate, 2 Copper"
    assert Cards(["Copper"], ordered=False) != "2 Copper"
    assert Cards([], ordered=True) == ""


def test_a_choice_of_a_seat_that_is_not_asked_fails():
    table = Table(["Militia", "5 Copper"])
    alice, bob = table
    with pytest.raises(AssertionError, match="alice is asked"):
        bob.ends_turn()
    alice.plays("Militia")
    with pytest.raises(AssertionError, match="bob is asked"):
        alice.passes()


def test_an_illegal_choice_fails():
    table = Table("Village, Copper")
    alice, _ = table
    with pytest.raises(AssertionError, match="play Smithy"):
        alice.plays("Smithy")
    with pytest.raises(AssertionError, match="play Copper"):
        alice.plays("Copper")


def test_an_unanswered_question_fails():
    table = Table("Cellar, Village, Copper", actions=2)
    alice, _ = table
    alice.plays("Cellar")
    with pytest.raises(AssertionError, match="play Village"):
        alice.plays("Village")
    with pytest.raises(AssertionError, match="not as expected"):
        table.asks(alice, "action")


def test_passing_without_a_question_of_a_card_fails():
    table = Table("Village")
    alice, _ = table
    with pytest.raises(AssertionError, match="no card asks"):
        alice.passes()


def test_one_choice_too_many_fails():
    table = Table(["Militia", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    with pytest.raises(AssertionError, match="alice is asked"):
        bob.discards("3 Copper")


def test_an_expectation_of_another_question_fails():
    table = Table(["Militia", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "discard", "Militia", min_left=2, max_left=2)
    for seat, kind, source, left in (
        (alice, "discard", "Militia", 2),
        (bob, "trash", "Militia", 2),
        (bob, "discard", "Poacher", 2),
        (bob, "discard", "Militia", 1),
    ):
        with pytest.raises(AssertionError, match="not as expected"):
            table.asks(seat, kind, source, min_left=left)


def test_the_kingdom_holds_the_cards_named_and_is_filled_up_to_ten():
    table = Table(["Thief, Copper", "Spy"], decks="Feast", supply={"Gardens": 3}, trash="Witch", kingdom="Library")
    kingdom = table.position["kingdom"]
    assert len(set(kingdom)) == 10
    assert {"Thief", "Spy", "Feast", "Gardens", "Witch", "Library"} <= set(kingdom)


def test_a_copy_goes_its_own_way():
    table = Table("Village, Smithy", decks="4 Copper")
    other = table.copy()
    table.seats[0].plays("Village")
    other.seats[0].plays("Smithy")
    assert table.seats[0].hand == "Smithy, Copper"
    assert other.seats[0].hand == "Village, 3 Copper"
