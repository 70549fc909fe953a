"""Nash averaging: equilibria that everybody knows."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_training.evaluate.nash import nash_average

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_rock_paper_scissors_is_even():
    result = nash_average(ROCK_PAPER_SCISSORS)
    assert result.weights == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert result.skill == pytest.approx([0] * 3, abs=1e-6)


def test_the_best_of_a_ladder_is_named_alone():
    ladder = np.sign(np.subtract.outer(np.arange(4), np.arange(4))) * 0.25
    result = nash_average(ladder)
    assert result.weights == pytest.approx([0, 0, 0, 1], abs=1e-6)
    assert result.skill == pytest.approx([-0.25, -0.25, -0.25, 0], abs=1e-6)


def test_copies_share_the_weight_of_one():
    twice = np.array([0, 0, 1, 2])  # two rocks
    result = nash_average(ROCK_PAPER_SCISSORS[np.ix_(twice, twice)] * 0.1)
    assert result.weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)


def test_equals_all_have_the_same_weight():
    assert nash_average(np.zeros((5, 5))).weights == pytest.approx([0.2] * 5, abs=1e-6)


def test_unequal_payoffs_give_unequal_weights():
    # p solves matrix @ p = 0: proportional to the payoff between the two others
    result = nash_average([[0, -0.1, 0.2], [0.1, 0, -0.4], [-0.2, 0.4, 0]])
    assert result.weights == pytest.approx(np.array([4, 2, 1]) / 7, abs=1e-6)


@pytest.mark.parametrize("number", [2, 7, 30])
def test_nobody_gains_against_the_mixture(number):
    random = np.random.default_rng(number)
    payoff = random.normal(size=(number, number)) * 0.2
    payoff -= payoff.T
    result = nash_average(payoff)
    assert result.weights.sum() == pytest.approx(1)
    assert result.skill.max() < 1e-6
    assert np.abs(result.skill[result.weights > 1e-4]).max() < 1e-5


@pytest.mark.parametrize("payoff", [[[0, 1], [1, 0]], [[0, 1]], [1, 2]])
def test_other_matrices_are_refused(payoff):
    with pytest.raises(ValueError, match="antisymmetric"):
        nash_average(payoff)
