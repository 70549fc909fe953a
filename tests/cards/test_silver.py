"""Silver: a Treasure worth 2 coins, cost 3."""

from tests.table import Table


def test_is_worth_two_coins():
    table = Table("2 Silver", phase="buy")
    alice, _ = table
    alice.plays("Silver")
    assert table.coins == 2
    alice.plays("Silver")
    assert table.coins == 4


def test_costs_three():
    table = Table(phase="buy", coins=2)
    assert "buy Silver" not in table.legal
    table = Table(phase="buy", coins=4, supply={"Silver": 6})
    alice, _ = table
    alice.buys("Silver")
    assert table.coins == 1
    assert alice.discard == "Silver"
    assert table.supply["Silver"] == 5


def test_treasures_are_played_in_any_order():
    table = Table("Silver, Copper, Gold", phase="buy")
    alice, _ = table
    alice.plays("Gold, Copper, Silver")
    assert alice.in_play == "Gold, Copper, Silver"
    assert table.coins == 6


def test_no_treasure_is_played_after_the_first_buy():
    table = Table("2 Silver", phase="buy", buys=2)
    alice, _ = table
    alice.plays("Silver")
    alice.buys("Estate")
    assert table.buys == 1
    assert "play Silver" not in table.legal
    assert alice.hand == "Silver"


def test_a_loaded_position_knows_that_something_was_bought():
    table = Table("2 Silver", phase="buy", bought=True)
    assert "play Silver" not in table.legal


def test_a_bought_silver_cannot_be_played_this_turn():
    table = Table("Silver", phase="buy", coins=3, buys=2)
    alice, _ = table
    alice.buys("Silver")
    assert table.legal == ["buy Copper", "buy Curse", "pass"]


def test_is_worth_no_points():
    table = Table("10 Silver")
    assert table.scores == [0, 0]


def test_its_pile_is_doubled_for_five_and_six_players():
    assert [Table(players=players).supply["Silver"] for players in (1, 2, 3, 4, 5, 6)] == [40, 40, 40, 40, 80, 80]
