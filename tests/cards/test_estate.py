"""Estate: a Victory card worth 1 point, cost 2."""

from tests.table import Table


def test_is_worth_one_point():
    table = Table("2 Estate", discards="Estate")
    alice, _ = table
    assert alice.score == 3


def test_costs_two():
    table = Table(phase="buy", coins=1)
    assert "buy Estate" not in table.legal
    table = Table(phase="buy", coins=2)
    alice, _ = table
    alice.buys("Estate")
    assert table.coins == 0
    assert alice.discard == "Estate"


def test_cannot_be_played():
    table = Table("3 Estate")
    alice, _ = table
    assert table.legal == ["pass"]
    alice.ends_action_phase()
    assert "play Estate" not in table.legal


def test_the_pile_does_not_count_the_dealt_estates():
    assert [Table(players=players).supply["Estate"] for players in (1, 2, 3, 4, 5, 6)] == [8, 8, 12, 12, 12, 12]
