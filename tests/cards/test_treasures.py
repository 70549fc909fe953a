"""Copper, Silver and Gold: Treasures worth 1, 2 and 3 coins, cost 0, 3 and 6."""

import pytest

from tests.table import Table


@pytest.mark.parametrize(("treasure", "coins"), [("Copper", 1), ("Silver", 2), ("Gold", 3)])
def test_each_one_played_is_worth_its_coins(treasure: str, coins: int):
    table = Table(f"3 {treasure}", phase="buy")
    alice, _ = table
    alice.plays(treasure)
    assert table.coins == coins
    alice.plays(f"2 {treasure}")
    assert table.coins == 3 * coins
    assert alice.in_play == f"3 {treasure}"


@pytest.mark.parametrize(("treasure", "cost"), [("Silver", 3), ("Gold", 6)])
def test_costs(treasure: str, cost: int):
    table = Table(phase="buy", coins=cost - 1)
    assert f"buy {treasure}" not in table.legal
    table = Table(phase="buy", coins=cost + 1, supply={treasure: 6})
    alice, _ = table
    alice.buys(treasure)
    assert table.coins == 1
    assert alice.discard == treasure
    assert table.supply[treasure] == 5


def test_the_last_gold_can_be_bought_with_the_last_coins():
    table = Table(phase="buy", coins=6, supply={"Gold": 1})
    alice, _ = table
    alice.buys("Gold")
    assert table.coins == 0
    assert alice.discard == "Gold"
    assert table.supply["Gold"] == 0


def test_a_copper_can_be_bought_without_a_coin_and_uses_the_buy():
    table = Table(phase="buy", supply={"Copper": 9})
    alice, _ = table
    alice.buys("Copper")
    assert alice.discard == "Copper"
    assert table.supply["Copper"] == 8
    assert table.buys == 0
    assert table.legal == ["pass"]


def test_a_copper_cannot_be_bought_from_an_empty_pile():
    table = Table(phase="buy", supply={"Copper": 0})
    assert "buy Copper" not in table.legal


@pytest.mark.parametrize("treasure", ["Copper", "Silver", "Gold"])
def test_is_worth_no_points(treasure: str):
    table = Table(f"10 {treasure}")
    assert table.scores == [0, 0]


@pytest.mark.parametrize(
    ("treasure", "sizes"),
    [("Copper", [53, 46, 39, 32, 85, 78]), ("Silver", [40, 40, 40, 40, 80, 80]), ("Gold", [30, 30, 30, 30, 60, 60])],
)
def test_the_pile_by_number_of_players(treasure: str, sizes: list[int]):
    """Five and six players use two sets of Treasures; each player's 7 Coppers come from the pile."""
    assert [Table(players=players).supply[treasure] for players in (1, 2, 3, 4, 5, 6)] == sizes


# When Treasures are played.


def test_a_treasure_that_stays_in_hand_gives_nothing():
    table = Table("3 Copper", phase="buy")
    alice, _ = table
    alice.plays("Copper")
    assert "buy Estate" not in table.legal
    assert table.coins == 1


def test_treasures_are_not_played_in_the_action_phase():
    table = Table("3 Copper, Village")
    assert table.legal == ["play Village", "pass"]


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


def test_a_bought_treasure_cannot_be_played_this_turn():
    table = Table("Silver", phase="buy", coins=3, buys=2)
    alice, _ = table
    alice.buys("Silver")
    assert table.legal == ["buy Copper", "buy Curse", "pass"]


# After they were played.


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
