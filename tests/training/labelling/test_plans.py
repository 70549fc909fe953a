"""The plans that go on in playouts: which fit a kingdom, and which the others seem to follow."""

import numpy as np
import pytest

from dominion_env import GameBatch, InvalidKingdom, InvalidStrategy
from dominion_training.labelling.plans import Considered, Plans


def names(plans, considered, row=0):
    return [plans.portfolio.plans[plan].name for plan in considered.plans[row, : considered.number[row]]]


def test_one_strategy_is_followed_by_every_seat():
    plans = Plans(["first-game"], "first-game-2e")
    considered = plans.considered(GameBatch(3, 3))
    assert names(plans, considered) == ["first-game"]
    assert (considered.drawn(np.array([0, 2]), np.array([1, 2], np.uint64)) == considered.plans[0, 0]).all()
    assert plans.portfolio.plans[0].guard  # a plan that loses by its own last purchase says little
    assert not plans.are_several


@pytest.mark.compiled
def test_of_several_those_are_considered_whose_cards_are_there():
    plans = Plans(["first-game", "big-money-ultimate", "double-witch"], "random")
    kingdoms = ["first-game-2e", "big-money-1e", "size-distortion-2e"]
    batch = GameBatch(40, kingdom=kingdoms)
    considered = plans.considered(batch)
    found = {frozenset(names(plans, considered, row)) for row in range(40)}
    assert found == {
        frozenset({"first-game", "big-money-ultimate"}),
        frozenset({"big-money-ultimate"}),
        frozenset({"big-money-ultimate", "double-witch"}),
    }


def test_a_plan_is_drawn_by_its_chance():
    chances = np.tile([[0.2, 0.8, 0.0], [0.0, 1.0, 0.0]], (1, 1, 1))
    considered = Considered(np.array([[4, 7, 0]]), np.array([2]), chances)
    drawn = considered.drawn(np.zeros(4000, int), np.arange(4000, dtype=np.uint64) * np.uint64(77777))
    assert set(drawn[:, 0].tolist()) == {4, 7}
    assert abs((drawn[:, 0] == 4).mean() - 0.2) < 0.03
    assert (drawn[:, 1] == 7).all()


def test_a_kingdom_without_the_cards_is_refused_in_words():
    with pytest.raises(InvalidStrategy, match="whose cards are in the kingdom, got 1 of 1 kingdoms without such as "):
        Plans(["double-witch"], "first-game-2e")
    with pytest.raises(InvalidStrategy, match=r"got [\d,]+ of [\d,]+ kingdoms without such as .*; auto, or"):
        Plans(["first-game"], "train")
    with pytest.raises(InvalidStrategy, match="got kingdoms that are drawn from a pool without such as"):
        Plans(["first-game"], "random")
    Plans(["first-game", "big-money-ultimate"], "random")
    Plans(["double-witch", "first-game"], ["first-game-2e", "size-distortion-2e"])


@pytest.mark.parametrize("given", [[], ["auto", "first-game"]])
def test_auto_stands_alone(given):
    with pytest.raises(InvalidStrategy, match="expected one or several strategies, or auto alone"):
        Plans(given, "first-game-2e")


def test_wrong_names_are_refused():
    with pytest.raises(InvalidStrategy):
        Plans(["no such strategy"], "first-game-2e")
    with pytest.raises(InvalidKingdom):
        Plans(["first-game"], "atlantis")


@pytest.mark.compiled
def test_auto_guesses_by_the_deck_what_the_others_follow():
    plans = Plans(["auto"], "size-distortion-2e")
    start = {
        "players": [
            {"deck_bag": {"Copper": 7, "Estate": 3, "Witch": 2, "Silver": 2}, "turns": 8},
            {"deck_bag": {"Copper": 7, "Estate": 3, "Silver": 4, "Gold": 2}, "turns": 8},
        ],
        "turn_player": 0,
    }  # fmt: skip
    considered = plans.considered(GameBatch(1, kingdom="size-distortion-2e", start=start))
    assert considered.number[0] > 1
    assert np.allclose(considered.chances.sum(axis=2), 1)
    witches = [at for at, name in enumerate(names(plans, considered)) if "witch" in name]
    assert considered.chances[0, 0, witches].sum() > considered.chances[0, 1, witches].sum()
