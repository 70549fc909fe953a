"""Nash averaging: equilibria that everybody knows, and intervals that hold them."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_training.evaluate.nash import nash_average, nash_estimate, set_payoffs
from tests.training.evaluate.simulations import CYCLE, LADDER, nash_coverage

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


def test_of_many_equilibria_the_one_of_greatest_entropy_names_all_that_any_names():
    # two cycles that are even with each other, an agent that loses to all, and one that is even with the first cycle only
    payoff = np.zeros((8, 8))
    payoff[:3, :3] = payoff[3:6, 3:6] = ROCK_PAPER_SCISSORS
    payoff[6, :] = -0.5
    payoff[7, 3:6] = -0.5
    payoff[:, 6:] = -payoff[6:, :].T
    payoff[6:, 6:] = [[0, -0.5], [0.5, 0]]
    assert nash_average(payoff).weights == pytest.approx([1 / 6] * 6 + [0, 0], abs=1e-5)


def test_agents_that_are_even_with_each_other_share_the_weight_though_one_beats_a_weak_agent_by_more():
    payoff = np.zeros((4, 4))
    payoff[:3, 3] = 0.1, 0.2, 0.3
    payoff -= payoff.T
    assert nash_average(payoff).weights == pytest.approx([1 / 3] * 3 + [0], abs=1e-5)


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


def test_the_intervals_of_a_cycle_hold_its_equilibrium():
    inside, widths, spread = nash_coverage(CYCLE, np.array([4, 2, 1]) / 7, sets=300, runs=8, resamples=50)
    assert inside.mean() > 0.6  # only eight fields, of which all three intervals hold or fail together
    assert widths / spread == pytest.approx([4, 4, 4], abs=2)  # from 2 standard deviations below to 2 above


def test_where_two_agents_are_nearly_equal_the_intervals_say_that_the_weights_are_noise():
    inside, widths, spread = nash_coverage(LADDER, np.array([1, 0, 0]), sets=100, runs=15, resamples=40)
    assert spread[:2].min() > 0.2  # another seed gives the whole weight to the other agent
    assert widths[:2].mean() > 0.8
    assert inside.mean() > 0.75
    assert widths[2] < 0.1  # the weak one is never named


def test_sets_without_spread_give_the_equilibrium_itself():
    result = nash_estimate(np.repeat(ROCK_PAPER_SCISSORS[None] * 0.1, 20, axis=0), resamples=5)
    for weights in (result.weights, result.weights_low, result.weights_high):
        assert weights == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert result.skill_low == pytest.approx([0] * 3, abs=1e-6)
    assert result.named.tolist() == [1, 1, 1]


def test_the_estimate_is_that_of_the_mean_and_the_same_for_the_same_seed():
    random = np.random.default_rng(1)
    scores = {each: random.random(40) for each in ((0, 1), (0, 2), (2, 1))}
    payoffs = set_payoffs(3, scores)
    assert payoffs[:, 2, 1] == pytest.approx(scores[2, 1] - 0.5)
    assert payoffs[:, 1, 2] == pytest.approx(0.5 - scores[2, 1])
    first, second = (nash_estimate(payoffs, resamples=20, seed=3) for _ in range(2))
    assert (first.weights == nash_average(payoffs.mean(axis=0)).weights).all()
    for name in ("weights_low", "weights_high", "skill_low", "skill_high", "named"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert (first.weights_low <= first.weights_high).all()


@pytest.mark.parametrize("shape", [(1, 3, 3), (5, 3), (5, 3, 2)])
def test_payoffs_of_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="expected"):
        nash_estimate(np.zeros(shape))
