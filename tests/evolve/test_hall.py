"""The hall of fame: who leads, who counts, and who leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dominion_training.evolve.hall import ANCHORED, SPREAD, Hall


def hall_of(scores):
    scores = np.array(scores, float)
    return Hall(tuple(range(10, 10 + len(scores))), scores)


def hall_with(*anchors):
    """Return a hall of four members with these anchors, whose own scores don't matter."""
    return Hall((0, 1, 2, 3), np.full((4, 4), 0.5), anchors)


def test_a_robust_score_lies_between_the_mean_and_the_worst():
    scores = np.array([0.9, 0.8, 0.3])
    assert scores.min() < hall_with().robust(scores) < scores.mean()
    assert hall_with().robust(np.full(5, 0.6)) == pytest.approx(0.6)


def test_a_list_that_has_just_joined_stays_though_nobody_need_fear_it():
    hall = hall_of([[0.5, 0.6, 0.4], [0.4, 0.5, 0.6], [0.6, 0.4, 0.5]]).joined(99, [0.0, 0.0, 0.0])
    assert 99 in hall.with_room(3).members


def test_one_bad_opponent_costs_the_lead():
    # the first beats the second and loses badly to the third; the second is even with the third
    hall = hall_of([[0.5, 0.6, 0.1], [0.4, 0.5, 0.5], [0.9, 0.5, 0.5]])
    assert hall.leader == 2
    assert hall.by_strength() == [2, 1, 0]


def test_those_that_win_most_count_most_and_none_is_forgotten():
    weights = hall_with().weights_against(np.array([0.9, 0.5, 0.3, 0.9]))
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


def test_anchors_have_a_share_of_their_own():
    scores, hall, anchored = np.array([0.9, 0.5, 0.3, 0.9]), hall_with(), hall_with(0, 1)
    weights = anchored.weights_against(scores)
    assert weights.sum() == pytest.approx(1)
    assert weights[:2].sum() > ANCHORED
    assert weights[1] > weights[2] > weights[0], "the dangerous anchor foremost"
    expected = (1 - ANCHORED) * hall.robust(scores) + ANCHORED * hall.robust(scores[:2])
    assert anchored.robust(scores) == pytest.approx(expected)
    np.testing.assert_array_equal(hall_with(7).weights_against(scores), hall.weights_against(scores))
    assert hall_with(7).robust(scores) == hall.robust(scores), "an anchor that is no member"


def test_an_anchor_can_cost_the_lead():
    # 10 is the strongest but for its score against 12, which loses to all the others and is the anchor
    scores = [[0.5, 0.52, 0.6, 0.7], [0.48, 0.5, 0.8, 0.6], [0.4, 0.2, 0.5, 0.1], [0.3, 0.4, 0.9, 0.5]]
    hall = hall_of(scores)
    anchored = replace(hall, anchors=(12,))
    assert hall.leader == 0
    assert anchored.leader == 1


def test_an_anchor_never_leaves():
    # 10 leads and fears 11 and 12; it need not fear the anchors 13 and still less 14; 15 has just joined
    first = [0.5, 0.52, 0.53, 0.8, 0.99, 0.9]
    scores = np.full((6, 6), 0.5)
    scores[0], scores[:, 0] = first, 1 - np.array(first)
    hall = hall_of(scores)
    assert 14 not in hall.with_room(5).members
    anchored = replace(hall, anchors=(13, 14))
    for room in (5, 4):
        left = anchored.with_room(room)
        assert {13, 14} <= set(left.members)
        assert left.anchors == (13, 14)
    assert anchored.joined(20, [0.5] * 6).anchors == (13, 14)
