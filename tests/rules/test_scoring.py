"""Section 10: points."""

import numpy as np
import pytest

from dominion_env import GameBatch
from tests.table import Table


@pytest.mark.parametrize(
    ("card", "points"),
    [
        *(("Estate", 1), ("Duchy", 3), ("Province", 6), ("Curse", -1)),
        *(("Copper", 0), ("Silver", 0), ("Gold", 0), ("Village", 0), ("Moat", 0), ("Gardens", 0)),
    ],
)
def test_each_card_is_worth_its_points(card, points):
    table = Table(bags=[card])
    assert table.scores == [points, 0]
    table = Table(bags=[f"4 {card}"])
    assert table.scores == [4 * points, 0]


@pytest.mark.parametrize("zone", ["hands", "decks", "bags", "discards", "in_play", "set_aside"])
def test_cards_count_wherever_they_are(zone):
    table = Table(**{zone: ["Province, 2 Estate, Curse"]})
    assert table.scores == [7, 0]


def test_cards_count_over_all_zones_together():
    table = Table(
        hands=["Estate"],
        decks=["Estate"],
        bags=["Estate"],
        discards=["Estate"],
        in_play=["Estate"],
        set_aside=["Estate"],
    )
    assert table.scores == [6, 0]


def test_cards_chosen_from_the_hand_still_count():
    table = Table(hands=["Cellar, 2 Estate, Duchy"])
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Duchy")
    assert alice.chosen == "Duchy"
    assert table.scores == [5, 0]


def test_cards_revealed_still_count():
    table = Table(hands=["Spy"], decks=["Copper, Province", "Duchy"])
    alice, _ = table
    alice.plays("Spy")
    assert alice.revealed == "Province"
    assert table.scores == [6, 3]


def test_cards_in_the_trash_count_for_nobody():
    table = Table(hands=["Estate"], trash="8 Province, 5 Curse")
    assert table.scores == [1, 0]


def test_cards_in_the_supply_count_for_nobody():
    assert Table(players=4).scores == [0, 0, 0, 0]


def test_a_trashed_card_counts_no_more():
    table = Table(hands=["Chapel, 2 Curse, Province"])
    alice, _ = table
    assert alice.score == 4
    alice.plays("Chapel")
    alice.trashes("2 Curse")
    alice.passes()
    assert alice.score == 6


def test_totals_may_be_negative():
    table = Table(bags=["7 Curse, 2 Estate", "10 Curse"])
    assert table.scores == [-5, -10]


def test_the_higher_of_two_negative_totals_wins():
    table = Table(bags=["3 Curse", "2 Curse"], supply={"Province": 0}, turns=[4, 4], turn=1)
    _, bob = table
    bob.ends_turn()
    assert table.winners == [bob]


@pytest.mark.parametrize(
    ("cards", "points"),
    [(1, 0), (9, 0), (10, 1), (11, 1), (19, 1), (20, 2), (37, 3), (39, 3), (40, 4), (99, 9), (100, 10), (101, 10)],
)
def test_gardens_are_worth_a_point_for_every_ten_cards_rounded_down_themselves_included(cards, points):
    coppers = f"Gardens, {cards - 1} Copper" if cards > 1 else "Gardens"
    assert Table(bags=[coppers], supply={"Copper": 0}).scores == [points, 0]


def test_each_gardens_scores_on_its_own():
    assert Table(bags=["3 Gardens, 37 Copper"]).scores == [12, 0]


def test_gardens_count_the_cards_of_all_zones():
    table = Table(
        hands=["Gardens, 4 Copper"],
        decks=["5 Copper"],
        bags=["5 Copper"],
        discards=["2 Copper"],
        in_play=["2 Copper"],
        set_aside=["Copper"],
    )
    assert table.scores == [2, 0]


def test_gardens_count_their_owners_cards_only():
    assert Table(bags=["Gardens, 8 Copper", "Gardens, 19 Copper"], trash="9 Copper").scores == [0, 2]


def test_gardens_count_victory_cards_and_curses_too():
    assert Table(bags=["Gardens, 5 Curse, 4 Estate"]).scores == [0, 0]
    assert Table(bags=["Gardens, 4 Curse, 5 Estate"]).scores == [2, 0]


def test_buying_a_tenth_card_raises_gardens():
    table = Table(bags=["2 Gardens, 7 Copper"], phase="buy")
    alice, _ = table
    assert alice.score == 0
    alice.buys("Copper")
    assert alice.score == 2


def test_points_are_the_same_before_and_after_clean_up():
    table = Table(hands=["Village, 2 Estate, Gold"], bags=["3 Duchy, 8 Copper"], discards=["Province, Curse"])
    alice, _ = table
    assert alice.score == 2 + 9 + 6 - 1
    alice.plays("Village")
    alice.ends_turn()
    assert alice.score == 16


# Running scores are counted for a whole batch at once, the result of a game by the rules: the two must agree.


@pytest.mark.parametrize(
    ("owned", "points"),
    [
        ("Gardens, 8 Copper", 0),
        ("Gardens, 9 Copper", 1),
        ("Gardens, 18 Copper", 1),
        ("3 Gardens, 18 Copper", 6),
        ("Estate, 2 Duchy, 3 Province, 4 Curse, 5 Gold", 21),
    ],
)
def test_the_result_counts_what_the_running_scores_count(owned, points):
    table = Table(bags=[owned, f"{points} Estate" if points else ""], supply={"Province": 0}, turns=[3, 3], turn=1)
    alice, bob = table
    assert table.scores == [points, points]
    batch = GameBatch(1, start=table.position, autoreset=False, auto_treasures=True)
    while not batch.final.ended[0]:
        batch.step(np.zeros(1, dtype=np.int64))
    assert batch.final.scores.tolist() == [[points, points]]
    bob.ends_turn()
    assert table.scores == [points, points]
    assert table.winners == [alice, bob]
