"""Council Room: +4 Cards, +1 Buy. Each other player draws a card."""

from tests.table import Table


def test_four_cards_and_a_buy():
    table = Table(hands=["Council Room"], decks=["Copper, Silver, Gold, Estate, Duchy"])
    alice, _ = table
    alice.plays("Council Room")
    assert alice.hand == "Copper, Silver, Gold, Estate"
    assert alice.deck == "Duchy"
    assert table.buys == 2
    assert table.actions == 0


def test_each_other_player_draws_a_card():
    table = Table(hands=["Council Room", "Copper", ""], decks=["", "Gold, Estate", "Silver, Estate"])
    alice, bob, carol = table
    alice.plays("Council Room")
    assert table.asks(alice, "action")
    assert bob.hand == "Copper, Gold"
    assert carol.hand == "Silver"


def test_the_drawn_card_stays_in_hand_for_the_next_turn():
    table = Table(hands=["Council Room", "5 Copper"], decks=["", "Gold"])
    alice, bob = table
    alice.plays("Council Room")
    alice.ends_turn()
    assert bob.hand == "5 Copper, Gold"


def test_the_others_shuffle_if_their_deck_is_empty():
    table = Table(hands=["Council Room"], discards=["", "3 Gold"])
    alice, bob = table
    alice.plays("Council Room")
    assert bob.hand == "Gold"
    assert bob.draw_pile == "2 Gold"
    assert bob.discard == ""


def test_a_player_without_cards_draws_nothing():
    table = Table(hands=["Council Room", "Copper", ""], decks=["", "", "Gold"])
    alice, bob, carol = table
    alice.plays("Council Room")
    assert bob.hand == "Copper"
    assert carol.hand == "Gold"


def test_the_player_draws_what_there_is():
    table = Table(hands=["Council Room"], decks=["Gold"], discards=["Silver"])
    alice, _ = table
    alice.plays("Council Room")
    assert alice.hand == "Gold, Silver"
    assert alice.in_play == "Council Room"


def test_it_is_no_attack_and_a_moat_may_not_be_revealed():
    table = Table(hands=["Council Room", "Moat"], decks=["", "Gold"])
    alice, bob = table
    alice.plays("Council Room")
    assert table.asks(alice, "action")
    assert bob.hand == "Moat, Gold"


def test_throne_room_draws_eight_and_the_others_two():
    table = Table(hands=["Throne Room, Council Room", "", ""], decks=["9 Copper", "3 Gold", "Silver"])
    alice, bob, carol = table
    alice.plays("Throne Room, Council Room")
    assert alice.hand == "8 Copper"
    assert table.buys == 3
    assert bob.hand == "2 Gold"
    assert carol.hand == "Silver"


def test_the_drawn_cards_are_seen_by_their_owners_alone():
    table = Table(hands=["Council Room", "Moat"], decks=["4 Copper", "Gold"], known_hands=["", "Moat"])
    alice, bob = table
    alice.plays("Council Room")
    assert alice.known_hand == ""
    assert bob.known_hand == "Moat"


def test_a_card_that_all_knew_on_the_deck_is_known_in_hand():
    table = Table(hands=["Council Room"], decks=["", "Duchy, Copper"], deck_known=[[], ["all", "owner"]])
    alice, bob = table
    alice.plays("Council Room")
    assert bob.known_hand == "Duchy"
    assert bob.deck_known == ["owner"]


def test_knowledge_of_the_discard_pile_goes_with_a_shuffle():
    table = Table(hands=["Council Room"], discards=["", "2 Gold, Silver"], known_discards=["", "Gold, Silver"])
    alice, bob = table
    alice.plays("Council Room")
    assert bob.known_discard == ""
    assert bob.known_hand == ""
