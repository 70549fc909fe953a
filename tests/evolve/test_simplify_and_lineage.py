"""What a list can do without, and where it comes from."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents import Strategy
from dominion_training.evolve.evolution import Member
from dominion_training.evolve.lineage import difference, line_of, lineage, lineage_picture, lineage_table
from dominion_training.evolve.simplify import simplified
from dominion_training.lists.arena import Arena
from tests.evolve.fields import PlantedArena

MONEY = Strategy.parse("Province; Gold; Silver")


def test_what_costs_nothing_is_left_out_and_what_counts_stays():
    full = Strategy.parse(
        "guard: on; trash: keep-6; Province if money > 9; Gold if turn >= 2 and Gold < 9; Curse; Silver; Estate"
    )

    def strength(strategy):
        text = str(strategy)
        return 3.0 * sum(word in text for word in ("Province", "money > 9", "Gold < 9", "Silver"))

    shorter, games = simplified(full, [MONEY], np.ones(1), PlantedArena(strength), 0)
    assert str(shorter) == "Province if money > 9\nGold if Gold < 9\nSilver"
    assert games > 0


def test_a_single_rule_stays():
    alone = Strategy.parse("Province;")
    assert simplified(alone, [MONEY], np.ones(1), PlantedArena(lambda each: 0.0), 0) == (alone, 0)


@pytest.mark.compiled
def test_in_real_games_a_rule_for_a_card_that_is_never_bought_goes_and_gold_stays():
    full = Strategy.parse("Province; Gold; Silver; Curse if Curse > 20; Copper if turn >= 300")
    with Arena("first-game-2e", 1) as arena:
        shorter, _ = simplified(full, [MONEY], np.ones(1), arena, 0)
    assert str(shorter) == "Province\nGold\nSilver"


def family():
    def member(text, how, *parents, games=0):
        return Member(Strategy.parse(text), how, parents, len(parents), games)

    return {
        0: member("Province; Silver", "money"),
        1: member("Province; Gold; Silver", "changed", 0, games=1000),
        2: member("Province; Copper", "rush"),
        5: member("guard: on; Gold; Province; Silver", "crossed", 1, 2, games=5000),
    }


def test_the_line_goes_by_the_first_parents_and_the_oldest_comes_first():
    assert line_of(family(), 5) == [0, 1, 5]
    assert line_of(family(), 2) == [2]


def test_the_table_tells_what_is_new_and_how_each_list_does_against_the_last():
    known = family()
    arena = PlantedArena(lambda strategy: 50.0 * len(strategy.rules))
    rows = lineage_table(lineage(known, 5, arena))
    assert [row["list"] for row in rows] == [0, 1, 5]
    assert [row["made"] for row in rows] == ["money", "changed", "crossed"]
    assert rows[0]["score"] == 0
    assert rows[1]["low"] < 0.5 < rows[1]["high"]
    assert rows[0]["n"] == rows[2]["n"] == arena.games / 3
    assert rows[0]["what_is_new"] == "Province; Silver"
    assert rows[1]["what_is_new"] == "with Gold"
    assert rows[2]["what_is_new"] == "with guard: on; in another order"
    assert rows[2]["parents"] == [1, 2]


def test_differences_are_named():
    before, after = Strategy.parse("Province; Gold; Silver"), Strategy.parse("Province; Gold if Gold < 2; Silver")
    assert difference(before, after) == "without Gold; with Gold if Gold < 2"


def test_the_picture_is_a_png_and_an_svg_whose_letters_are_letters():
    ancestors = lineage(family(), 5, PlantedArena(lambda strategy: 0.0))
    assert lineage_picture(ancestors, "of first-game-2e", "png").startswith(b"\x89PNG")
    drawn = lineage_picture(ancestors, "of first-game-2e", "svg")
    assert drawn == lineage_picture(ancestors, "of first-game-2e", "svg")
    for words in (b"of first-game-2e", b"score against the last list, %", b"drawn", b"changed", b"crossed"):
        assert words in drawn


class RareArena:
    """An arena in which the second list wins one of a hundred sets more than the first, and loses another one."""

    def play(self, strategies, opponents, sets):
        shares = np.full((2, len(sets), 2), 0.5)
        for place, number in enumerate(sets):
            if number % 50 == 0:
                shares[1, place] = 1.0 if number % 100 else 0.0
        return np.stack([shares.reshape(2, -1)] * 2)


def test_a_test_that_has_not_told_yet_goes_on():
    whole = Strategy.parse("Province; Gold")
    shorter, games = simplified(whole, [MONEY], np.ones(1), RareArena(), 0)
    assert len(shorter.rules) == 1
    assert games > 2 * 2 * 250


def test_what_is_worth_one_game_in_eighty_stays():
    full = Strategy.parse("Province; Gold")
    worth = 4 * 0.0125  # a quarter of it is the score that it brings, between lists about equally strong
    arena = PlantedArena(lambda strategy: 5.0 * ("Province" in str(strategy)) + worth * ("Gold" in str(strategy)))
    shorter, games = simplified(full, [Strategy.parse("Province; Gold; Silver")], np.ones(1), arena, 0)
    assert shorter == full
    assert games > 2 * 2 * 250
