"""Mean losses: their groups and clusters, and intervals by Student's t."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from dominion_agents.coach.losses import STAGES, MeanLosses, mean_of, percent_of, stage_of


@pytest.mark.parametrize("number", [2, 3, 4, 5, 7, 8, 10, 12, 20, 25, 60, 1000])
def test_intervals_are_those_of_student(number):
    values = np.random.default_rng(number).random(number)
    low, high = t.interval(0.95, number - 1, values.mean(), values.std(ddof=1) / number**0.5)
    mean, half = mean_of(values)
    assert mean == pytest.approx((low + high) / 2)
    assert half == pytest.approx((high - low) / 2, rel=0.005)


def test_one_value_has_no_interval():
    mean, half = mean_of(np.array([0.25]))
    assert mean == 0.25
    assert np.isnan(half)
    assert (percent_of(mean, half), percent_of(mean, 0.01, 1)) == ("25.00", "25.0 ±1.0")


def test_decisions_of_a_cluster_count_as_one():
    losses, kinds = np.array([0.1] * 10 + [0.3] * 10), np.array(["buy"] * 20)
    turns = np.arange(20) + 1
    together = MeanLosses(losses, kinds, turns, (turns - 1) // 10).overall
    alone = MeanLosses(losses, kinds, turns, turns).overall
    assert together.loss == alone.loss == pytest.approx(0.2)
    assert together.half_width > 10 * alone.half_width


def test_stages_follow_each_other():
    assert [stage_of(turn) for turn in (0, 4, 5, 9, 10, 99)] == [name for name in STAGES.values() for _ in range(2)]
