"""Copper: a Treasure worth 1 coin, cost 0."""

from tests.table import Table


def test_is_worth_one_coin():
    table = Table("3 Copper", phase="buy")
    alice, _ = table
    alice.plays("Copper")
    assert table.coins == 1
    alice.plays("2 Copper")
    assert table.coins == 3
    assert alice.in_play == "3 Copper"


def test_gives_nothing_while_it_stays_in_hand():
    table = Table("3 Copper", phase="buy")
    alice, _ = table
    alice.plays("Copper")
    assert "buy Estate" not in table.legal
    assert table.coins == 1


def test_cannot_be_played_in_the_action_phase():
    table = Table("3 Copper, Village")
    assert table.legal == ["play Village", "pass"]


def test_can_be_bought_without_a_coin_and_uses_the_buy():
    table = Table(phase="buy", supply={"Copper": 9})
    alice, _ = table
    alice.buys("Copper")
    assert alice.discard == "Copper"
    assert table.supply["Copper"] == 8
    assert table.buys == 0
    assert table.legal == ["pass"]


def test_cannot_be_bought_from_an_empty_pile():
    table = Table(phase="buy", supply={"Copper": 0})
    assert "buy Copper" not in table.legal


def test_is_worth_no_points():
    table = Table("10 Copper")
    assert table.scores == [0, 0]


def test_its_pile_shrinks_by_seven_for_each_player():
    sizes = [Table(players=players).supply["Copper"] for players in (1, 2, 3, 4, 5, 6)]
    assert sizes == [53, 46, 39, 32, 85, 78]
