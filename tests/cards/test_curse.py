"""Curse: worth -1 point, cost 0."""

from tests.table import Table


def test_takes_one_point():
    table = Table(["2 Curse", "Estate"], discards=["Curse"])
    alice, bob = table
    assert alice.score == -3
    assert bob.score == 1


def test_can_be_bought_without_a_coin_and_uses_the_buy():
    table = Table(phase="buy")
    alice, _ = table
    alice.buys("Curse")
    assert alice.discard == "Curse"
    assert table.buys == 0
    assert table.legal == ["pass"]


def test_cannot_be_played():
    table = Table("Curse")
    alice, _ = table
    assert table.legal == ["pass"]
    alice.ends_action_phase()
    assert "play Curse" not in table.legal


def test_is_no_victory_card_for_bureaucrat():
    table = Table(["Bureaucrat", "Curse, Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    assert table.asks(alice, "action")
    assert bob.hand == "Curse, Copper"


def test_ten_for_each_player_but_one_and_ten_for_a_single_one():
    assert [Table(players=players).supply["Curse"] for players in (2, 3, 4, 5, 6)] == [10, 20, 30, 40, 50]
    assert Table(players=1).supply["Curse"] == 10


def test_its_pile_is_there_in_every_game():
    table = Table(kingdom="Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop")
    assert len(table.supply) == 17
    assert "Curse" in table.supply


def test_an_empty_curse_pile_is_one_of_the_three_that_end_the_game():
    table = Table(phase="buy", supply={"Curse": 1, "Copper": 0, "Moat": 0})
    alice, _ = table
    alice.buys("Curse")
    alice.ends_turn()
    assert table.over
    assert table.scores == [-1, 0]
