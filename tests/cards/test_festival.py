"""Festival: +2 Actions, +1 Buy, +2 coins."""

from tests.table import Table


def test_two_actions_a_buy_and_two_coins():
    table = Table(hands=["Festival"], decks=["Gold"])
    alice, _ = table
    alice.plays("Festival")
    assert table.actions == 2
    assert table.buys == 2
    assert table.coins == 2
    assert alice.hand == ""
    assert alice.deck == "Gold"


def test_two_festivals_add_up():
    table = Table(hands=["2 Festival"])
    alice, _ = table
    alice.plays("2 Festival")
    assert table.actions == 3
    assert table.buys == 3
    assert table.coins == 4


def test_the_coins_buy_without_any_treasure():
    table = Table(hands=["Festival"])
    alice, _ = table
    alice.plays("Festival")
    alice.ends_action_phase()
    alice.buys("Estate, Copper")
    assert table.coins == 0
    assert table.buys == 0
    assert alice.discard == "Estate, Copper"


def test_throne_room_gives_all_twice():
    table = Table(hands=["Throne Room, Festival"])
    alice, _ = table
    alice.plays("Throne Room, Festival")
    assert table.actions == 4
    assert table.buys == 3
    assert table.coins == 4


def test_nothing_of_it_is_left_for_the_next_turn():
    table = Table(hands=["Festival"])
    alice, bob = table
    alice.plays("Festival")
    alice.ends_turn()
    assert table.turn_player is bob
    assert (table.actions, table.buys, table.coins) == (1, 1, 0)


def test_playing_a_known_festival_takes_it_from_the_known_hand():
    table = Table(hands=["Festival, Moat"], known_hands=["Festival, Moat"])
    alice, _ = table
    alice.plays("Festival")
    assert alice.known_hand == "Moat"
