"""Woodcutter: +1 Buy, +2 coins."""

from tests.table import Table


def test_gives_a_buy_and_two_coins():
    table = Table("Woodcutter", decks="Gold")
    alice, _ = table
    alice.plays("Woodcutter")
    assert (table.actions, table.buys, table.coins) == (0, 2, 2)
    assert alice.hand == ""
    assert alice.deck == "Gold"
    assert table.asks(alice, "action")


def test_two_cards_can_be_bought_from_one_sum():
    table = Table("Woodcutter, 3 Copper")
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_action_phase()
    alice.plays("3 Copper")
    alice.buys("Silver")
    assert (table.coins, table.buys) == (2, 1)
    alice.buys("Estate")
    assert (table.coins, table.buys) == (0, 0)
    assert alice.discard == "Silver, Estate"


def test_the_second_buy_may_stay_unused():
    table = Table(["Woodcutter", "Copper"])
    alice, bob = table
    alice.plays("Woodcutter")
    alice.ends_action_phase()
    alice.buys("Estate")
    alice.ends_turn()
    assert table.asks(bob, "action")
    assert (table.buys, table.coins) == (1, 0)


def test_playing_it_is_seen():
    table = Table("Woodcutter, Copper", known_hands="Woodcutter, Copper")
    alice, _ = table
    alice.plays("Woodcutter")
    assert alice.known_hand == "Copper"


def test_under_throne_room_gives_two_buys_and_four_coins():
    table = Table("Throne Room, Woodcutter")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Woodcutter")
    assert (table.actions, table.buys, table.coins) == (0, 3, 4)
    assert alice.in_play == "Throne Room, Woodcutter"
