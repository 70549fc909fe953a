"""Estate, Duchy and Province: worth 1, 3 and 6 points, cost 2, 5 and 8. The game ends when the Provinces are gone."""

import pytest

from tests.table import Table

VICTORY = ["Estate", "Duchy", "Province"]


@pytest.mark.parametrize(("card", "points"), [("Estate", 1), ("Duchy", 3), ("Province", 6)])
def test_each_one_is_worth_its_points(card: str, points: int):
    table = Table(f"2 {card}", discards=card)
    alice, _ = table
    assert alice.score == 3 * points


@pytest.mark.parametrize(("card", "cost"), [("Estate", 2), ("Duchy", 5), ("Province", 8)])
def test_costs(card: str, cost: int):
    table = Table(phase="buy", coins=cost - 1)
    assert f"buy {card}" not in table.legal
    table = Table(phase="buy", coins=cost)
    alice, _ = table
    alice.buys(card)
    assert table.coins == 0
    assert alice.discard == card


@pytest.mark.parametrize("card", VICTORY)
def test_cannot_be_played(card: str):
    table = Table(f"3 {card}")
    alice, _ = table
    assert table.legal == ["pass"]
    alice.ends_action_phase()
    assert f"play {card}" not in table.legal


@pytest.mark.parametrize(
    ("card", "sizes"),
    [("Estate", [8, 8, 12, 12, 12, 12]), ("Duchy", [8, 8, 12, 12, 12, 12]), ("Province", [8, 8, 12, 12, 15, 18])],
)
def test_the_pile_by_number_of_players(card: str, sizes: list[int]):
    """The Estates that are dealt don't come from the pile."""
    assert [Table(players=players).supply[card] for players in (1, 2, 3, 4, 5, 6)] == sizes


# The end of the game.


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_the_game_ends_after_the_turn_in_which_the_last_province_goes(players: int):
    table = Table(phase="buy", coins=8, supply={"Province": 1}, players=players)
    alice = table.seats[0]
    alice.buys("Province")
    assert not table.over
    alice.ends_turn()
    assert table.over
    assert alice.score == 6
    assert table.winners == [alice]


def test_the_buyer_of_the_last_province_finishes_the_turn():
    table = Table(phase="buy", coins=10, buys=2, supply={"Province": 1})
    alice, _ = table
    alice.buys("Province")
    alice.buys("Estate")
    alice.ends_turn()
    assert table.over
    assert table.scores == [7, 0]


def test_the_game_goes_on_while_a_province_is_left():
    table = Table(phase="buy", coins=8, supply={"Province": 2})
    alice, bob = table
    alice.buys("Province")
    alice.ends_turn()
    assert table.asks(bob, "action")


def test_an_empty_duchy_pile_alone_does_not_end_the_game():
    table = Table(phase="buy", coins=5, supply={"Duchy": 1})
    alice, bob = table
    alice.buys("Duchy")
    alice.ends_turn()
    assert table.asks(bob, "action")
