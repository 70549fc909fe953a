"""Smithy: +3 Cards."""

from tests.table import Table


def test_three_cards_are_drawn():
    table = Table(hands=["Smithy, Copper"], decks=["Silver, Gold, Estate, Duchy"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Copper, Silver, Gold, Estate"
    assert alice.deck == "Duchy"
    assert table.actions == 0
    assert table.asks(alice, "action")


def test_the_cards_come_from_the_top_of_the_deck_before_those_beneath():
    table = Table(hands=["Smithy"], decks=["Silver, Gold"], bags=["9 Estate"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Silver, Gold, Estate"
    assert alice.bag == "8 Estate"


def test_a_deck_of_exactly_three_is_drawn_without_a_shuffle():
    table = Table(hands=["Smithy"], decks=["Silver, Gold, Estate"], discards=["Duchy"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.draw_pile == ""
    assert alice.discard == "Duchy"


def test_with_a_short_deck_the_discard_pile_is_shuffled_for_the_rest():
    table = Table(hands=["Smithy"], decks=["Gold"], discards=["5 Copper"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Gold, 2 Copper"
    assert alice.bag == "3 Copper"
    assert alice.discard == ""


def test_the_smithy_that_caused_the_shuffle_is_not_shuffled_in():
    table = Table(hands=["Smithy"], discards=["2 Copper"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "2 Copper"
    assert alice.in_play == "Smithy"
    assert alice.draw_pile == ""


def test_with_fewer_than_three_cards_all_are_drawn():
    table = Table(hands=["Smithy"], decks=["Gold"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Gold"


def test_with_no_cards_at_all_nothing_is_drawn():
    table = Table(hands=["Smithy"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == ""
    assert table.asks(alice, "action")


def test_throne_room_draws_six():
    table = Table(hands=["Throne Room, Smithy"], decks=["7 Silver"])
    alice, _ = table
    alice.plays("Throne Room, Smithy")
    assert alice.hand == "6 Silver"
    assert alice.deck == "Silver"


def test_throne_room_draws_as_far_as_the_cards_go():
    table = Table(hands=["Throne Room, Smithy"], decks=["2 Silver"], discards=["2 Gold"])
    alice, _ = table
    alice.plays("Throne Room, Smithy")
    assert alice.hand == "2 Silver, 2 Gold"


def test_nobody_else_draws_or_reacts():
    table = Table(hands=["Smithy", "Moat", "Moat"], decks=["3 Silver", "Gold", "Gold"])
    alice, bob, carol = table
    alice.plays("Smithy")
    assert table.asks(alice, "action")
    assert bob.hand == "Moat"
    assert carol.hand == "Moat"


def test_the_drawn_cards_are_not_seen_by_others():
    table = Table(hands=["Smithy, Moat"], decks=["3 Silver"], known_hands=["Moat"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.known_hand == "Moat"


def test_a_drawn_card_that_all_knew_is_known_in_hand():
    table = Table(
        hands=["Smithy"], decks=["Silver, Gold, Estate, Duchy"], deck_known=[["all", "owner", "nobody", "all"]]
    )
    alice, _ = table
    alice.plays("Smithy")
    assert alice.known_hand == "Silver"
    assert alice.deck_known == ["all"]
