"""What a purchase is worth: it depends on nothing but the two cards, and a bad purchase is told from a good one."""

from __future__ import annotations

import pytest

from dominion_env import InvalidOption, UnknownCard
from dominion_training.research.analyses.purchases import worth
from tests.properties import sized

SMALL = {"games": sized(80), "worlds": 8}


@pytest.mark.compiled
def test_a_curse_is_worse_than_a_gold_and_the_other_way_round():
    bad, good = worth("big-money", "Curse", "Gold", **SMALL), worth("big-money", "Gold", "Curse", **SMALL)
    known = [each for each in bad if each.difference.is_known]
    assert known
    assert all(each.difference.high < 0 for each in known if each.at <= 10)
    for one, other in zip(bad, good, strict=True):
        assert (one.at, one.difference.n) == (other.at, other.difference.n)
        if one.difference.is_known:
            assert one.difference.value == pytest.approx(-other.difference.value)


@pytest.mark.compiled
def test_positions_are_sorted_by_the_provinces_that_are_left():
    found = worth("big-money", "Province", "Copper", by="provinces", **SMALL)
    assert [each.at for each in found] == [*range(1, 9)]
    assert all(each.difference.low > 0 for each in found if each.difference.is_known)


def test_only_players_who_own_so_many_copies_count():
    assert worth("big-money", "Copper", "Curse", owned=3, games=2, worlds=1) == []  # everybody begins with seven
    counted = worth("Copper", "Copper", "Curse", owned=8, games=2, worlds=1)
    assert {each.at for each in counted} == {2}  # the eighth Copper was bought on the first turn
    assert sum(each.difference.n for each in counted) == 2


@pytest.mark.compiled
def test_a_position_counts_once_for_each_game_and_turn():
    found = worth("Copper", "Copper", "Curse", games=3, worlds=1)
    assert all(each.difference.n <= 3 for each in found)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("big-money", "Gold", "Gold"), InvalidOption, "expected another card than Gold"),
        (("big-money", "Gold", "Chapel"), InvalidOption, "expected one with Chapel, got first-game-2e"),
        (("big-money", "Golt", "Silver"), UnknownCard, "Golt"),
        (("big-money", "Gold", "Silver", "month"), InvalidOption, "by"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_in_words(arguments: tuple[str, ...], error: type[Exception], words: str):
    with pytest.raises(error, match=words):
        worth(*arguments, games=1, worlds=1)
