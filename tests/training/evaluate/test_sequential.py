"""The sequential test: its error rates by simulation, and known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from dominion_env import InvalidOption
from dominion_training.evaluate.matches import SETS_PER_PART
from dominion_training.evaluate.sequential import ELO_PER_T, SETS_PER_LOOK, SMALLEST_COUNT, SequentialTest
from tests.training.evaluate.simulations import fixed_sets, pair_chances, sequential_runs

SCORES = np.arange(5) / 4


def test_the_simulated_strength_is_what_is_measured():
    random = np.random.default_rng(0)
    pairs = random.choice(SCORES, 200_000, p=pair_chances(50, 2.0))
    assert SequentialTest().normalised_elo(pairs) == pytest.approx(50, abs=2.5)


@pytest.mark.slow
@pytest.mark.parametrize("middle", [0.5, 10.0])
def test_error_rates_are_at_most_what_was_asked_for(middle):
    test = SequentialTest(elo0=0, elo1=60, alpha=0.05, beta=0.1)
    # 250 runs: three standard errors are 0.041 and 0.057
    accepted, length_of_null = sequential_runs(test, 0, middle, 250)
    assert accepted < 0.05 + 0.041
    accepted, length_of_alternative = sequential_runs(test, 60, middle, 250)
    assert accepted > 0.9 - 0.057
    assert max(length_of_null, length_of_alternative) < fixed_sets(test)
    # far outside, it stops early and is right
    accepted, length = sequential_runs(test, 200, middle, 50)
    assert accepted == 1
    assert length < min(length_of_null, length_of_alternative) / 1.5


def test_it_takes_fewer_sets_than_a_fixed_match_and_errs_no_more_often():
    test = SequentialTest(elo0=0, elo1=100, alpha=0.05, beta=0.05)
    assert fixed_sets(test) == 66
    for nelo, right in ((0, 0), (100, 1)):
        accepted, length = sequential_runs(test, nelo, 0.5, 40)
        assert abs(accepted - right) <= 0.1
        assert length < 66


def test_it_looks_every_25_sets_and_the_parts_do_not_matter():
    test = SequentialTest(elo0=0, elo1=100)
    pairs = np.random.default_rng(5).choice(SCORES, 500, p=pair_chances(60, 0.5))
    verdict, looked_at = test.first_verdict(pairs)
    assert verdict != "undecided"
    assert 25 < looked_at < 500
    assert looked_at % SETS_PER_LOOK == 0
    assert test.verdict(pairs[:looked_at]) == verdict
    assert all(test.verdict(pairs[:number]) == "undecided" for number in range(25, looked_at, 25))
    for part in (25, 50, 100):
        for stop in range(part, 501, part):
            found = test.first_verdict(pairs[:stop], already=stop - part)
            if found[0] != "undecided":
                break
        assert found == (verdict, looked_at)


def test_the_verdicts_come_at_the_bounds_of_their_own_error_rates():
    strict, careless = SequentialTest(alpha=0.001, beta=0.2), SequentialTest(alpha=0.2, beta=0.001)
    assert strict.bounds == pytest.approx((math.log(0.2 / 0.999), math.log(0.8 / 0.001)))
    assert careless.bounds == pytest.approx((math.log(0.001 / 0.8), math.log(0.999 / 0.2)))


def test_looks_are_at_the_same_sets_whatever_was_looked_at_before():
    test = SequentialTest(elo0=0, elo1=100)
    for already in (0, 10, 24):
        assert test.first_verdict(np.ones(60), already) == ("accept", SETS_PER_LOOK)


def test_the_last_look_is_at_all_sets():
    test = SequentialTest(elo0=0, elo1=100)
    assert test.first_verdict(np.full(10, 0.5)) == ("undecided", 10)
    assert test.first_verdict(np.zeros(0)) == ("undecided", 0)
    assert test.first_verdict(np.ones(10)) == ("accept", 10)
    assert SETS_PER_PART % SETS_PER_LOOK == 0  # so that only the last part can end between two looks


def test_the_ratio_is_that_of_students_t_for_many_pairs():
    random = np.random.default_rng(2)
    pairs = random.choice(SCORES, 100_000, p=pair_chances(20, 1.0))
    test = SequentialTest(elo0=0, elo1=30)
    t0, t1 = (elo / ELO_PER_T * math.sqrt(2) for elo in (0, 30))
    t = (pairs.mean() - 0.5) / pairs.std()
    expected = len(pairs) / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    assert test.log_likelihood_ratio(pairs) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ([40, 10, 30, 5, 60], -20, 120),  # far from normal
        ([0, 3, 56, 1, 0], 0, 60),  # nearly all even: other distributions, too, are the best of those nearby
        ([10, 49, 280, 25, 2], 0, 200),
    ],
)
def test_the_ratio_is_that_of_the_most_likely_distributions(counts, elo0, elo1):
    scores = np.repeat(SCORES, counts)
    counts = np.maximum(counts, SMALLEST_COUNT)
    test = SequentialTest(elo0, elo1)

    def log_likelihood(elo):
        t = elo / ELO_PER_T * math.sqrt(2)

        def off(p):
            mean = p @ SCORES
            return mean - 0.5 - t * math.sqrt(p @ (SCORES - mean) ** 2)

        conditions = [{"type": "eq", "fun": off}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
        found = minimize(
            lambda p: -counts @ np.log(p), counts / counts.sum(), bounds=[(1e-9, 1)] * 5, constraints=conditions,
            method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
        )  # fmt: skip
        assert found.success
        return -found.fun

    expected = log_likelihood(elo1) - log_likelihood(elo0)
    assert test.log_likelihood_ratio(scores) == pytest.approx(expected, abs=1e-3)


def test_turned_round_the_ratio_changes_its_sign():
    random = np.random.default_rng(3)
    pairs = random.choice(SCORES, 500, p=[0.1, 0.2, 0.3, 0.25, 0.15])
    forth, back = SequentialTest(-10, 20), SequentialTest(-20, 10)
    assert forth.log_likelihood_ratio(pairs) == pytest.approx(-back.log_likelihood_ratio(1 - pairs), abs=1e-6)


def test_twins_are_not_better_and_a_clean_sweep_is_better():
    test = SequentialTest(elo0=0, elo1=20)
    assert test.verdict(np.full(50, 0.5)) == "undecided"
    assert test.verdict(np.full(2000, 0.5)) == "reject"
    assert test.verdict(np.ones(100)) == "accept"
    assert test.verdict(np.zeros(100)) == "reject"
    assert test.verdict(np.zeros(0)) == "undecided"


def test_counts_of_pairs_are_pentanomial():
    counts = SequentialTest().counts(np.array([0, 0.5, 0.5, 1, 0.75]))
    assert counts == {0.0: 1, 0.25: 0, 0.5: 2, 0.75: 1, 1.0: 1}


def test_at_a_table_of_three_equals_score_a_third():
    test = SequentialTest(elo0=0, elo1=30, players=3)
    random = np.random.default_rng(4)
    even = random.choice([0, 1 / 3, 2 / 3, 1], 5000, p=[0.3, 0.45, 0.2, 0.05])
    assert abs(even.mean() - 1 / 3) < 0.01
    assert test.verdict(even) == "reject"
    better = random.choice([0, 1 / 3, 2 / 3, 1], 5000, p=[0.15, 0.45, 0.3, 0.1])
    assert test.verdict(better) == "accept"
    assert test.counts(np.array([1 / 3, 2 / 3, 1 / 3 + 1e-12])) == {0.0: 0, 1 / 3: 2, 0.666666667: 1, 1.0: 0}


@pytest.mark.parametrize(
    "wrong", [{"elo0": 10, "elo1": 10}, {"alpha": 0}, {"beta": 0.5}, {"alpha": math.nan}, {"elo1": math.nan}]
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(InvalidOption):
        SequentialTest(**wrong)


@pytest.mark.parametrize("elo1", [200, 300, 500])
@pytest.mark.parametrize("counts", [[1, 0, 0, 0, 0], [300, 400, 200, 80, 20], [0, 0, 1000, 0, 0]])
def test_however_far_off_a_hypothesis_is_there_is_a_ratio(counts, elo1):
    assert SequentialTest(0, elo1).log_likelihood_ratio(np.repeat(SCORES, counts)) < 0
