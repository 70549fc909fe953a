"""Gold: a Treasure worth 3 coins, cost 6."""

from tests.table import Table


def test_is_worth_three_coins():
    table = Table("2 Gold", phase="buy")
    alice, _ = table
    alice.plays("Gold")
    assert table.coins == 3
    alice.plays("Gold")
    assert table.coins == 6


def test_costs_six():
    table = Table(phase="buy", coins=5)
    assert "buy Gold" not in table.legal
    table = Table(phase="buy", coins=6, supply={"Gold": 1})
    alice, _ = table
    alice.buys("Gold")
    assert table.coins == 0
    assert alice.discard == "Gold"
    assert table.supply["Gold"] == 0


def test_coins_left_over_are_lost_at_the_end_of_the_turn():
    table = Table("3 Gold", phase="buy")
    alice, bob = table
    alice.plays("3 Gold")
    alice.buys("Gold")
    assert table.coins == 3
    alice.ends_turn()
    assert table.asks(bob, "action")
    assert table.coins == 0


def test_played_treasures_are_discarded_in_clean_up_in_the_order_played_after_the_hand():
    table = Table("Gold, Copper, Silver, Estate", phase="buy", decks="5 Curse")
    alice, _ = table
    alice.plays("Gold, Silver, Copper")
    alice.ends_turn()
    assert alice.discard == "Estate, Gold, Silver, Copper"
    assert alice.known_discard == "Gold, Silver, Copper"
    assert alice.in_play == ""


def test_played_treasures_are_seen_by_all():
    table = Table("Gold, 2 Copper", phase="buy", known_hands="Gold, Copper")
    alice, _ = table
    alice.plays("Gold")
    assert alice.known_hand == "Copper"


def test_is_worth_no_points():
    table = Table("10 Gold")
    assert table.scores == [0, 0]


def test_its_pile_is_doubled_for_five_and_six_players():
    assert [Table(players=players).supply["Gold"] for players in (1, 2, 3, 4, 5, 6)] == [30, 30, 30, 30, 60, 60]
