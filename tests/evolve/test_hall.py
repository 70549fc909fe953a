"""The hall of fame: who leads, who counts, and who leaves."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_training.evolve.hall import SPREAD, Hall, robust, weights_against

pytestmark = pytest.mark.plain


def hall_of(scores):
    scores = np.array(scores, float)
    return Hall(tuple(range(10, 10 + len(scores))), scores)


def test_a_robust_score_lies_between_the_mean_and_the_worst():
    scores = np.array([0.9, 0.8, 0.3])
    assert scores.min() < robust(scores) < scores.mean()
    assert robust(np.full(5, 0.6)) == pytest.approx(0.6)


def test_one_bad_opponent_costs_the_lead():
    # the first beats the second and loses badly to the third; the second is even with the third
    hall = hall_of([[0.5, 0.6, 0.1], [0.4, 0.5, 0.5], [0.9, 0.5, 0.5]])
    assert hall.leader == 2
    assert hall.by_strength() == [2, 1, 0]


def test_those_that_win_most_count_most_and_none_is_forgotten():
    weights = weights_against(np.array([0.9, 0.5, 0.3, 0.9]))
    assert weights.sum() == pytest.approx(1)
    assert weights.argmax() == 2
    assert weights[2] > 0.5
    assert weights[0] == weights[3] >= SPREAD / 4


def test_a_list_that_joins_has_its_scores_both_ways():
    hall = Hall((), np.zeros((0, 0))).joined(4, []).joined(7, [0.75])
    assert hall.members == (4, 7)
    np.testing.assert_array_equal(hall.scores, [[0.5, 0.25], [0.75, 0.5]])


def test_of_too_many_leaves_one_that_the_strong_need_not_fear():
    # 10 leads, 11 is its worst opponent, 12 loses to everybody, 13 has just joined
    hall = hall_of([[0.5, 0.45, 0.95, 0.7], [0.55, 0.5, 0.6, 0.2], [0.05, 0.4, 0.5, 0.5], [0.3, 0.8, 0.5, 0.5]])
    left = hall.with_room(3)
    assert left.members == (10, 11, 13)
    np.testing.assert_array_equal(left.scores, hall.scores[np.ix_([0, 1, 3], [0, 1, 3])])
    assert hall.with_room(4) is hall
