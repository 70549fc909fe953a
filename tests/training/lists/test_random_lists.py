"""Lists that are drawn and changed at random are strategies like any other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dominion_agents import Strategy
from dominion_env import InvalidKingdom, InvalidOption
from dominion_training.lists.random_lists import MOST_RULES, RandomLists, builds_on

DRAWS = ("money", "rush", "anything", "published")


@pytest.mark.parametrize("kingdom", ["first-game-2e", "silver-and-gold-2e", "size-distortion-1e"])
def test_every_list_reads_back_from_its_notation(kingdom):
    lists, rng = RandomLists(kingdom), np.random.default_rng(0)
    found = [getattr(lists, draw)(rng) for draw in DRAWS for _ in range(50)]
    for _ in range(400):
        first, second = (found[int(rng.integers(len(found)))] for _ in range(2))
        found += [lists.changed(rng, first), lists.crossed(rng, first, second)]
    for strategy in found:
        assert Strategy.parse(strategy.one_line() + ";") == strategy
        assert Strategy.parse(str(strategy)) == strategy
        assert len(strategy.rules) <= MOST_RULES
        assert {card.title for card in strategy.kingdom_cards} <= set(lists.cards)


def test_a_change_is_one():
    lists, rng = RandomLists("first-game-2e"), np.random.default_rng(1)
    alone = Strategy.parse("Province;")
    assert all(lists.changed(rng, alone) != alone for _ in range(200))


def test_rushes_have_cheap_cards_without_a_limit():
    lists, rng = RandomLists("first-game-2e"), np.random.default_rng(2)
    drawn = [lists.rush(rng) for _ in range(100)]
    assert all(sum(not rule.conditions for rule in strategy.rules) >= 2 for strategy in drawn)
    assert any("Province" not in str(strategy) for strategy in drawn)


def test_the_same_draws_give_the_same_lists():
    one, other = (
        [RandomLists("first-game-2e").anything(np.random.default_rng(seed)) for seed in range(20)] for _ in range(2)
    )
    assert one == other


@pytest.mark.parametrize("kingdom", ["random", "test"])
def test_several_kingdoms_are_refused(kingdom):
    with pytest.raises(InvalidOption, match="kingdom: expected one set of ten cards"):
        RandomLists(kingdom)


def test_an_unknown_kingdom_is_refused():
    with pytest.raises(InvalidKingdom, match="no kingdom is named 'atlantis'"):
        RandomLists("atlantis")


def test_a_list_builds_on_its_two_cards():
    lists, rng = RandomLists("first-game-2e"), np.random.default_rng(3)
    for first, second in combinations(lists.cards, 2):
        for _ in range(10):
            drawn = lists.heart(rng, (first, second))
            assert builds_on(drawn, (first, second))
            assert builds_on(drawn, (second, first))


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Province; Village; Smithy", True),
        ("Province; Village if Village < 4; Smithy if Smithy <= Village", True),
        ("Province; Village if Village < 3; Smithy", False),
        ("Province; Village if turn < 9; Smithy", False),
        ("Province; Village if Village < 4 and turn < 9; Smithy", False),
        ("Province; Village if Village < 2; Village; Smithy", True),
        ("Province; Village if Village > 4; Smithy", False),
        ("Province; Gold; Village; Smithy", False),
        ("Province; Gold if Gold < 2; Village; Smithy", True),
        ("Province; Village", False),
    ],
)
def test_what_it_means_to_build_on_two_cards(text, does):
    assert builds_on(Strategy.parse(text), ("Village", "Smithy")) is does
