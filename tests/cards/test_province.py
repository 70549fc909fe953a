"""Province: a Victory card worth 6 points, cost 8. The game ends when its pile is empty."""

import pytest

from tests.table import Table


def test_is_worth_six_points():
    table = Table("2 Province", discards="Province")
    alice, _ = table
    assert alice.score == 18


def test_costs_eight():
    table = Table(phase="buy", coins=7)
    assert "buy Province" not in table.legal
    table = Table(phase="buy", coins=8)
    alice, _ = table
    alice.buys("Province")
    assert table.coins == 0
    assert alice.discard == "Province"


def test_cannot_be_played():
    table = Table("Province")
    alice, _ = table
    alice.ends_action_phase()
    assert "play Province" not in table.legal


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_the_game_ends_after_the_turn_in_which_the_last_one_goes(players: int):
    table = Table(phase="buy", coins=8, supply={"Province": 1}, players=players)
    alice = table.seats[0]
    alice.buys("Province")
    assert not table.over
    alice.ends_turn()
    assert table.over
    assert alice.score == 6
    assert table.winners == [alice]


def test_the_buyer_of_the_last_one_finishes_his_turn():
    table = Table(phase="buy", coins=10, buys=2, supply={"Province": 1})
    alice, _ = table
    alice.buys("Province")
    alice.buys("Estate")
    alice.ends_turn()
    assert table.over
    assert table.scores == [7, 0]


def test_the_game_goes_on_while_one_is_left():
    table = Table(phase="buy", coins=8, supply={"Province": 2})
    alice, bob = table
    alice.buys("Province")
    alice.ends_turn()
    assert table.asks(bob, "action")


def test_pile_sizes():
    assert [Table(players=players).supply["Province"] for players in (1, 2, 3, 4, 5, 6)] == [8, 8, 12, 12, 15, 18]
