"""Ratings: known answers, agreement with choix, and intervals that hold what they promise."""

from __future__ import annotations

import math
from dataclasses import replace

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from dominion_env import InvalidOption
from dominion_training.evaluate.match import ELO_PER_NAT, MatchResult
from dominion_training.evaluate.ratings import Encounter, encounter, fit, probability_better
from dominion_training.play.sets import game_dtype
from tests.training.evaluate.simulations import encounters_of, rating_coverage


def pairs(first, second, wins, ties, losses):
    """Return games in arbitrary pairs: the first agent begins in one of each and is second in the other."""
    scores = np.repeat([1.0, 0.5, 0.0], [wins, ties, losses])
    scores = np.random.default_rng(first * 7 + second).permutation(scores).reshape(-1, 2)
    shares = np.stack(
        [np.stack([scores[:, 0], 1 - scores[:, 0]], 1), np.stack([1 - scores[:, 1], scores[:, 1]], 1)], axis=1
    )
    return Encounter(first, second, shares, np.arange(len(shares)))


def test_two_agents_get_the_elo_of_their_score():
    ratings = fit(2, [pairs(0, 1, 300, 0, 100)], seats=False, prior=False)
    assert ratings.elo[0] == 0
    assert ratings.elo[1] == pytest.approx(-400 * math.log10(3))
    assert ratings.expected[0, 1] == pytest.approx(0.75)


def test_it_agrees_with_choix_on_the_same_games():
    counts = {(0, 1): (30, 10, 20), (0, 2): (10, 4, 46), (1, 2): (22, 8, 30), (2, 3): (50, 2, 8), (1, 3): (40, 0, 20)}
    ours = fit(4, [pairs(*who, *what) for who, what in counts.items()], anchor=1, seats=False, prior=False)
    data = []
    for (first, second), (wins, ties, losses) in counts.items():
        data += [(first, second)] * (2 * wins + ties) + [(second, first)] * (2 * losses + ties)
    theirs = choix.opt_pairwise(4, data, method="Newton-CG", tol=1e-12)
    assert ours.elo == pytest.approx((theirs - theirs[1]) * ELO_PER_NAT, abs=1e-3)


def tables(first, second, winners):
    """Return games of three, by the place of the first agent: how often the player at each place won."""
    shares = [[np.eye(3)[winners[q][row]] for q in range(3)] for row in range(len(winners[0]))]
    return Encounter(first, second, np.array(shares), np.arange(len(shares)))


def test_it_agrees_with_choix_at_tables_of_three():
    random = np.random.default_rng(1)
    encounters, data = [], []
    for first, second, chance in ((0, 1, 0.5), (1, 2, 0.25), (2, 0, 0.2)):
        winners = [[q if random.random() < chance else (q + 1) % 3 for _ in range(40)] for q in range(3)]
        encounters.append(tables(first, second, winners))
        data += [
            # a copy of the second agent is one alternative more with the same strength
            (first, [second, second]) if winner == q else (second, [second, first])
            for q in range(3)
            for winner in winners[q]
        ]
    theirs = choix.ilsr_top1(3, data, tol=1e-12)
    ours = fit(3, encounters, seats=False, prior=False)
    assert ours.elo == pytest.approx((theirs - theirs[0]) * ELO_PER_NAT, abs=1e-3)


def test_the_first_seat_term_is_the_maximum_of_the_likelihood():
    random = np.random.default_rng(2)
    truth, advantage = np.array([0.0, 0.4, -0.3]), 0.5
    encounters = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        begins = random.random(400) < 1 / (1 + np.exp(truth[second] - truth[first] - advantage))
        follows = random.random(400) < 1 / (1 + np.exp(truth[second] - truth[first] + advantage))
        shares = np.stack([np.stack([begins, ~begins], 1), np.stack([~follows, follows], 1)], 1).astype(float)
        encounters.append(Encounter(first, second, shares, np.arange(400)))

    def minus_log_likelihood(x):
        rating, b = np.array([0.0, x[0], x[1]]), x[2]
        total = 0.0
        for each in encounters:
            gap = rating[each.first] - rating[each.second]
            total += each.shares[:, 0, 0].sum() * np.logaddexp(0, -gap - b)
            total += each.shares[:, 0, 1].sum() * np.logaddexp(0, gap + b)
            total += each.shares[:, 1, 1].sum() * np.logaddexp(0, -gap + b)
            total += each.shares[:, 1, 0].sum() * np.logaddexp(0, gap - b)
        return total

    best = minimize(minus_log_likelihood, np.zeros(3), tol=1e-12).x
    ratings = fit(3, encounters, prior=False)
    assert ratings.elo[1:] == pytest.approx(best[:2] * ELO_PER_NAT, abs=0.01)
    assert ratings.seat_elo[0] == pytest.approx(best[2] * ELO_PER_NAT, abs=0.01)
    assert ratings.seat_low[0] < advantage * ELO_PER_NAT < ratings.seat_high[0]


@pytest.mark.parametrize(
    ("agents", "spread", "sets", "alike"), [(3, 0, 100, 0.0), (3, 600, 25, 0.0), (6, 600, 25, 0.5), (10, 300, 100, 0.5)]
)
def test_the_intervals_cover_as_often_as_they_say(agents, spread, sets, alike):
    share, error, _ = rating_coverage(agents, spread, sets, alike, runs=240 // (agents - 1))
    assert 0.92 < share < 0.985  # about 240 intervals: the standard error is 1.4% or more
    assert abs(error) < 25


def test_luck_in_common_makes_intervals_narrow():
    widths = [rating_coverage(3, 0, 100, alike, runs=10)[2] for alike in (0.0, 0.9)]
    assert widths[1] < widths[0] / 2


@pytest.mark.parametrize("matches", [1, 5])
def test_the_prior_weighs_the_same_however_many_matches_there_are(matches):
    """Two agents of 600 Elo more than the anchor: a set won and lost in each match would draw them together."""
    lost = [pairs(0, other, 3, 0, 97) for other in range(1, matches + 1)]
    even = [pairs(a, b, 50, 0, 50) for a in range(1, matches + 1) for b in range(a + 1, matches + 1)]
    expected = -400 * math.log10(3 / 97)
    ratings = fit(matches + 1, lost + even, seats=False)
    assert ratings.elo[1:] == pytest.approx([expected] * matches, rel=0.05)


def test_without_seats_between_two_the_prior_is_half_a_game_won_and_half_a_game_lost():
    ratings = fit(2, [pairs(0, 1, 7, 0, 3)], seats=False)
    assert ratings.elo[1] == pytest.approx(-400 * math.log10(7.5 / 3.5))


def test_the_interval_of_twins_shrinks_with_their_sets():
    even = np.array([[[1.0, 0.0], [1.0, 0.0]]])  # the first to act wins
    widths = []
    for sets in (50, 500):
        ratings = fit(2, [Encounter(0, 1, np.repeat(even, sets, axis=0), np.arange(sets))], seats=False)
        assert ratings.elo[1] == pytest.approx(0)
        widths.append(ratings.high[1] - ratings.low[1])
    assert 0 < widths[1] < widths[0] / 5 < 10


def test_the_intervals_are_those_of_a_bootstrap_by_luck():
    random = np.random.default_rng(4)
    encounters = encounters_of(random, [0.0, 0.3, -0.5], 400, 0.7)
    ratings = fit(3, encounters)
    replicates = []
    for _ in range(150):
        drawn = random.integers(0, 400, 400)
        again = [Encounter(each.first, each.second, each.shares[drawn], each.sets) for each in encounters]
        replicates.append(fit(3, again).elo)
    assert np.sqrt(np.diag(ratings.covariance))[1:] == pytest.approx(np.std(replicates, axis=0)[1:], rel=0.15)


def test_who_wins_all_games_gets_a_finite_rating_with_a_wide_interval():
    ratings = fit(2, [pairs(0, 1, 2000, 0, 0)])
    assert -1800 < ratings.elo[1] < -1000
    assert ratings.high[1] - ratings.low[1] > 400
    assert ratings.high[1] < -600


def test_agents_without_games_against_the_others_are_refused():
    with pytest.raises(InvalidOption, match=r"no games connect the agents \[2, 3\]"):
        fit(4, [pairs(0, 1, 2, 2, 2), pairs(2, 3, 2, 2, 2)])


def test_how_sure_a_difference_is():
    ratings = fit(3, [pairs(0, 1, 60, 0, 40), pairs(0, 2, 50, 0, 50), pairs(1, 2, 40, 0, 60)])
    assert 0.9 < probability_better(ratings, 0, 1) < 1
    assert probability_better(ratings, 1, 0) == pytest.approx(1 - probability_better(ratings, 0, 1))
    assert probability_better(ratings, 0, 0) == 0.5


def test_a_difference_of_agents_that_are_rated_together_is_surer():
    ratings = fit(3, [pairs(0, 1, 60, 0, 40), pairs(0, 2, 50, 0, 50), pairs(1, 2, 40, 0, 60)])
    apart, together = (
        replace(
            ratings, elo=np.array([0.0, 0.0, 3.0]), covariance=np.array([[0, 0, 0], [0, 4, shared], [0, shared, 4]])
        )
        for shared in (0.0, 3.9)
    )
    assert probability_better(together, 2, 1) > probability_better(apart, 2, 1) > 0.5


def test_shares_are_sorted_by_the_order_of_turns():
    games = np.zeros(3, game_dtype(3))
    games["rotation"], games["starter"] = [0, 1, 2], 1  # the first agent is third, first and second to act
    games["shares"] = np.eye(3)[[0, 1, 0]]  # by seat: itself, itself, another one
    found = encounter(4, 5, MatchResult(games))
    assert (found.first, found.second) == (4, 5)
    assert found.shares[0, 0].tolist() == [1, 0, 0]  # it began and won
    assert found.shares[0, 1].tolist() == [0, 0, 1]  # it was second, seat 0 is third to act and won
    assert found.shares[0, 2].tolist() == [0, 0, 1]  # it was third and won
