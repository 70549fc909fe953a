"""Laboratory: +2 Cards, +1 Action."""

from tests.table import Table


def test_two_cards_and_an_action():
    table = Table(hands=["Laboratory"], decks=["Gold, Silver, Copper"])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.hand == "Gold, Silver"
    assert alice.deck == "Copper"
    assert table.actions == 1


def test_laboratories_follow_one_another():
    table = Table(hands=["Laboratory"], decks=["Laboratory, Gold, Silver, Copper"])
    alice, _ = table
    alice.plays("2 Laboratory")
    assert alice.hand == "Gold, Silver, Copper"
    assert table.actions == 1


def test_the_discard_pile_is_shuffled_for_the_second_card():
    table = Table(hands=["Laboratory"], decks=["Gold"], discards=["Silver"])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.hand == "Gold, Silver"
    assert alice.in_play == "Laboratory"


def test_with_one_card_in_all_it_is_drawn():
    table = Table(hands=["Laboratory"], decks=["Gold"])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.hand == "Gold"
    assert table.actions == 1


def test_with_no_cards_at_all_the_action_remains():
    table = Table(hands=["Laboratory"])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.hand == ""
    assert table.actions == 1


def test_throne_room_draws_four_and_gives_two_actions():
    table = Table(hands=["Throne Room, Laboratory"], decks=["5 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Laboratory")
    assert alice.hand == "4 Copper"
    assert table.actions == 2


def test_the_drawn_cards_are_seen_by_their_owner_alone():
    table = Table(hands=["Laboratory"], decks=["Gold, Silver"], deck_known=[["owner", "nobody"]])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.known_hand == ""
