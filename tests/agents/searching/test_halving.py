"""Sequential halving finds the best arm, and what it does for a decision does not depend on the others."""

import numpy as np
import pytest

from dominion_agents.searching.halving import IN_A_TRIAL, Tried, halve


def noisy(values, seed=0, noise=0.1):
    """Trials whose means are these values; the noise of a trial is shared by all arms, but for some."""
    counted = np.zeros(len(values), int)

    def play(arm, trial):
        np.add.at(counted, arm, 1)
        shared = np.random.default_rng([seed, 1]).normal(size=10_000)[trial]
        own = np.random.default_rng([seed, 2]).normal(size=(len(values), 10_000))[arm, trial]
        return np.asarray(values)[arm] + 0.5 * shared + noise * own

    return play, counted


def test_the_best_arm_is_left_and_gets_the_most_trials():
    values = [0.02, 0.04, 0.18, 0.06, 0.0, 0.10, 0.08, 0.12]
    play, counted = noisy(values)
    tried = halve(np.zeros(8, int), 400, np.zeros(8, bool), play)
    assert tried.left.tolist() == [value == 0.18 for value in values]
    assert counted[2] == counted.max() > 4 * counted.min()
    assert (~np.isnan(tried.values)).sum(1).tolist() == counted.tolist()
    assert tried.means[2] == pytest.approx(0.18, abs=0.3)


def test_the_budget_is_spent_where_the_choice_is_close_and_saved_where_it_is_clear():
    close, spent_on_close = noisy([0.5] * 8, noise=1)
    halve(np.zeros(8, int), 400, np.zeros(8, bool), close)
    assert abs(spent_on_close.sum() * IN_A_TRIAL - 400) < 60
    clear, spent_on_clear = noisy([0.1] * 7 + [5.0])
    tried = halve(np.zeros(8, int), 400, np.zeros(8, bool), clear)
    assert tried.left.tolist() == [False] * 7 + [True]
    assert spent_on_clear.sum() * IN_A_TRIAL < 150


@pytest.mark.parametrize("arms", [1, 2, 3, 8, 17])
def test_no_budget_is_exceeded_and_one_that_is_too_small_tries_nothing(arms):
    for budget in [0, 1, 2, 3, 10, 33, 34, 50, 97, 400, 1001]:
        for kept in (0, 1):
            play, counted = noisy([0.5] * arms, noise=1)
            keeps = np.arange(arms) < kept
            tried = halve(np.zeros(arms, int), budget, keeps, play)
            assert counted.sum() * IN_A_TRIAL <= budget
            assert (counted.sum() > 0) == (budget >= arms * IN_A_TRIAL)
            if not counted.any():
                assert tried.left.all()
                assert tried.means.tolist() == [0.0] * arms


def test_an_arm_that_is_surely_worse_goes_at_once_and_a_kept_one_stays():
    values = [0.0, 5.0, 5.0, 0.1, 0.2]
    play, counted = noisy(values, noise=0.3)
    kept = np.array([True, False, False, False, False])
    tried = halve(np.zeros(5, int), 400, kept, play)
    assert tried.left.sum() == 2
    assert tried.left[0]
    assert not tried.left[3:].any()
    assert max(counted[3:]) < counted[0] == max(counted)


def test_arms_to_be_kept_stay_and_are_compared_in_the_same_trials():
    values = [0.0, 0.5, 0.6, 0.7]
    play, counted = noisy(values)
    kept = np.array([True, False, False, False])
    tried = halve(np.zeros(4, int), 200, kept, play)
    assert tried.left.tolist() == [True, False, False, True]
    assert counted[0] == counted[3]
    better, error = tried.advantage(3, 0)
    assert better == pytest.approx(0.7, abs=0.1)
    assert 0 < error < 0.05  # the shared noise cancels out


def test_a_decision_is_halved_alike_among_others():
    values = np.random.default_rng(3).random(30)
    decision = np.repeat([0, 1, 2, 3], [9, 2, 14, 5])
    play, _ = noisy(values)
    together = halve(decision, 300, np.zeros(30, bool), play)
    for number in range(4):
        mine = np.flatnonzero(decision == number)

        def alone(arm, trial, mine=mine):
            return play(mine[arm], trial)

        found = halve(np.full(len(mine), 7), 300, np.zeros(len(mine), bool), alone)
        assert (found.left == together.left[mine]).all()
        shape = found.values.shape[1]
        assert np.array_equal(found.values, together.values[mine][:, :shape], equal_nan=True)
        assert np.isnan(together.values[mine][:, shape:]).all()


def test_a_single_arm_needs_no_halving():
    play, _ = noisy([0.3])
    assert halve(np.zeros(1, int), 10, np.zeros(1, bool), play).left.tolist() == [True]


def test_few_trials_do_not_make_sure():
    alike = Tried(np.array([[0.1] * 3, [0.5] * 3]), np.ones(2, bool))
    assert alike.advantage(1, 0)[0] == pytest.approx(0.4)
    assert alike.advantage(1, 0)[1] > 0.2  # though all differences are the same
    often = Tried(np.array([[0.1, np.nan] * 200, [0.5, 0.7] * 200]), np.ones(2, bool))
    assert often.advantage(1, 0)[0] == pytest.approx(0.4)
    assert often.advantage(1, 0)[1] < 0.01
    noisy = np.random.default_rng(1).normal(size=(2, 900))
    assert Tried(noisy, np.ones(2, bool)).advantage(1, 0)[1] == pytest.approx(2**0.5 / 30, rel=0.1)
