"""Gardens: worth 1 point for every 10 cards you own, rounded down."""

import pytest

from dominion_env import Game
from tests.table import Table


@pytest.mark.parametrize(("cards", "points"), [(1, 0), (9, 0), (10, 1), (19, 1), (20, 2), (37, 3), (39, 3), (40, 4)])
def test_one_point_for_every_ten_cards_rounded_down(cards: int, points: int):
    table = Table(discards=f"Gardens, {cards - 1} Copper" if cards > 1 else "Gardens")
    alice, _ = table
    assert len(alice.owned) == cards
    assert alice.score == points


def test_cards_in_all_zones_count():
    table = Table(
        "2 Copper, Gardens",
        decks="2 Gold",
        bags="2 Copper",
        discards="2 Silver",
        in_play="2 Smithy",
        set_aside="2 Village",
    )
    alice, _ = table
    assert len(alice.owned) == 13
    assert alice.score == 1


def test_picks_that_wait_to_be_discarded_count():
    table = Table("Cellar, 6 Copper, 3 Gardens")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("4 Copper, Gardens")
    assert alice.chosen == "4 Copper, Gardens"
    assert alice.score == 3


def test_each_copy_scores_by_itself():
    table = Table(discards="3 Gardens, 18 Copper")
    alice, _ = table
    assert alice.score == 6


def test_gardens_themselves_are_counted():
    table = Table(discards="10 Gardens")
    alice, _ = table
    assert alice.score == 10


def test_cards_in_the_trash_do_not_count():
    table = Table(discards="Gardens, 8 Copper", trash="5 Copper")
    alice, _ = table
    assert alice.score == 0


def test_cards_of_other_players_do_not_count():
    table = Table(discards=["Gardens, 8 Copper", "Gardens, 19 Copper", "40 Copper"])
    assert table.scores == [0, 2, 0]


def test_gardens_add_to_the_other_points():
    table = Table(discards="2 Gardens, Estate, Duchy, Province, Curse, 14 Copper")
    alice, _ = table
    assert alice.score == 2 * 2 + 1 + 3 + 6 - 1


def test_a_gained_card_can_make_the_difference():
    table = Table("Workshop, 8 Copper", discards="Gardens")
    alice, _ = table
    alice.plays("Workshop")
    assert alice.score == 1
    table = Table("Workshop, 7 Copper", discards="Gardens")
    alice, _ = table
    alice.plays("Workshop")
    assert alice.score == 0
    alice.gains("Curse")
    assert alice.score == 0  # 1 for the Gardens, -1 for the Curse


def test_cannot_be_played():
    table = Table("Gardens")
    alice, _ = table
    assert table.legal == ["pass"]
    alice.ends_action_phase()
    assert "play Gardens" not in table.legal


def test_cannot_be_played_by_throne_room_or_vassal():
    table = Table("Throne Room, Gardens, Vassal", decks="Gardens", actions=2)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.legal == ["play Vassal", "pass"]
    alice.passes()
    alice.plays("Vassal")
    assert table.asks(alice, "action")
    assert alice.discard == "Gardens"


def test_costs_four():
    table = Table(kingdom="Gardens", phase="buy", coins=4, players=2)
    alice, _ = table
    alice.buys("Gardens")
    assert table.coins == 0
    assert alice.discard == "Gardens"


@pytest.mark.parametrize(("players", "size"), [(2, 8), (3, 12), (4, 12), (5, 12), (6, 12)])
def test_the_pile_is_as_large_as_other_victory_piles(players: int, size: int):
    game = Game(num_players=players, kingdom="size-distortion-1e")
    assert game.to_dict()["supply"]["Gardens"] == size
    assert game.to_dict()["supply"]["Cellar"] == 10
