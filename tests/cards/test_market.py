"""Market: +1 Card, +1 Action, +1 Buy, +1 coin."""

from tests.table import Table


def test_a_card_an_action_a_buy_and_a_coin():
    table = Table(hands=["Market"], decks=["Gold, Silver"])
    alice, _ = table
    alice.plays("Market")
    assert alice.hand == "Gold"
    assert alice.deck == "Silver"
    assert (table.actions, table.buys, table.coins) == (1, 2, 1)


def test_with_no_cards_at_all_the_rest_is_given():
    table = Table(hands=["Market"])
    alice, _ = table
    alice.plays("Market")
    assert alice.hand == ""
    assert (table.actions, table.buys, table.coins) == (1, 2, 1)


def test_an_empty_deck_is_shuffled_without_the_market():
    table = Table(hands=["Market"], discards=["Gold"])
    alice, _ = table
    alice.plays("Market")
    assert alice.hand == "Gold"
    assert alice.in_play == "Market"


def test_throne_room_gives_all_twice():
    table = Table(hands=["Throne Room, Market"], decks=["3 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Market")
    assert alice.hand == "2 Copper"
    assert (table.actions, table.buys, table.coins) == (2, 3, 2)


def test_the_coin_is_added_to_the_treasures():
    table = Table(hands=["Market, Silver"])
    alice, _ = table
    alice.plays("Market")
    alice.ends_action_phase()
    alice.plays("Silver")
    alice.buys("Silver, Copper")
    assert alice.discard == "Silver, Copper"


def test_the_drawn_card_is_seen_by_its_owner_alone():
    table = Table(hands=["Market"], decks=["Gold"])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_hand == ""
