"""Duchy: a Victory card worth 3 points, cost 5."""

from tests.table import Table


def test_is_worth_three_points():
    table = Table("2 Duchy", discards="Duchy")
    alice, _ = table
    assert alice.score == 9


def test_costs_five():
    table = Table(phase="buy", coins=4)
    assert "buy Duchy" not in table.legal
    table = Table(phase="buy", coins=5)
    alice, _ = table
    alice.buys("Duchy")
    assert table.coins == 0
    assert alice.discard == "Duchy"


def test_cannot_be_played():
    table = Table("Duchy")
    alice, _ = table
    alice.ends_action_phase()
    assert "play Duchy" not in table.legal


def test_an_empty_duchy_pile_alone_does_not_end_the_game():
    table = Table(phase="buy", coins=5, supply={"Duchy": 1})
    alice, bob = table
    alice.buys("Duchy")
    alice.ends_turn()
    assert table.asks(bob, "action")


def test_pile_sizes():
    assert [Table(players=players).supply["Duchy"] for players in (1, 2, 3, 4, 5, 6)] == [8, 8, 12, 12, 12, 12]
