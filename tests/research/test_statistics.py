"""Intervals hold the truth as often as they say, and too few games are told."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_training.research.analyses.statistics import (
    FEWEST,
    Estimate,
    adjusted,
    contrast,
    games_to_see,
    mean_of,
    proportion,
    too_few,
    within,
)


def coverage(draw, truth, runs=400):
    held = 0
    for run in range(runs):
        found = draw(np.random.default_rng(run))
        held += found.low <= truth <= found.high
    return held / runs


def test_a_mean_is_covered():
    assert 0.92 <= coverage(lambda random: mean_of(random.exponential(2, 120)), 2) <= 0.98


def test_a_difference_within_games_is_covered():
    """Both players of a game share its luck: rows taken for independent would give intervals much too wide."""

    def draw(random):
        luck = random.normal(0, 3, 60).repeat(2)
        values = luck + np.tile([0.5, 0.0], 60) + random.normal(0, 1, 120)
        return contrast(values, np.tile([0, 1], 60), (1, -1), np.arange(60).repeat(2))

    assert 0.92 <= coverage(draw, 0.5) <= 0.98
    found = draw(np.random.default_rng(1))
    assert found.error < 0.3


def test_means_over_players_of_the_same_game_are_covered():
    """All players of a game are alike: rows taken for independent would give intervals much too narrow."""

    def draw(random):
        return contrast(random.normal(1, 1, 80).repeat(4), np.zeros(320, int), (1,), np.arange(80).repeat(4))

    assert 0.92 <= coverage(draw, 1) <= 0.98


def test_what_goes_with_a_card_within_strata_is_covered():
    def draw(random):
        strata = random.integers(0, 5, 600)
        has = random.random(600) < 0.1 + 0.2 * strata
        values = 3.0 * strata + 0.4 * has + random.normal(0, 1, 600)
        return within(values, has[:, None].astype(float), strata, np.arange(600))

    assert 0.92 <= coverage(draw, 0.4) <= 0.98
    assert draw(np.random.default_rng(0)).p < 0.05


def test_within_agrees_with_least_squares():
    random = np.random.default_rng(3)
    strata = random.integers(0, 3, 500)
    columns = random.normal(size=(500, 3)) + strata[:, None]
    values = random.normal(size=500) + columns @ [1, 2, 0.5] - strata
    full = np.column_stack([columns, *(strata == each for each in range(3))])
    assert within(values, columns, strata, np.arange(500)).value == pytest.approx(np.linalg.lstsq(full, values)[0][2])


def test_a_card_that_does_not_vary_within_strata_tells_nothing():
    strata = np.arange(200) % 2
    found = within(np.arange(200.0), (strata == 1)[:, None].astype(float), strata, np.arange(200))
    assert not found.is_known


@pytest.mark.parametrize("games", [0, 1, FEWEST - 1])
def test_too_few_games_are_told(games):
    values = np.linspace(0, 1, games)
    for found in (mean_of(values), proportion(games, games)):
        assert found == too_few(games)
        assert found.text() == f"too few games ({games})"
    assert contrast([1.0] * 80, np.arange(80) < games, (1, -1), np.arange(80)).n == games


def test_as_many_games_as_are_needed_are_enough():
    assert not mean_of(np.arange(FEWEST - 1)).is_known
    assert mean_of(np.arange(FEWEST)).value == (FEWEST - 1) / 2


def test_enough_games_are_no_more_too_few():
    assert mean_of(np.linspace(0, 1, FEWEST)).is_known
    assert mean_of(np.repeat(np.arange(FEWEST), 2)).n == 2 * FEWEST


def test_games_that_all_come_out_alike_are_not_certain():
    found = mean_of(np.ones(50), (0, 1))
    assert found.value == found.high == 1
    assert 0.9 < found.low < 1
    assert proportion(50, 50).low < 1


def test_benjamini_and_hochberg():
    """The example of their paper: with 15 p-values, the four smallest are found at 5%."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.324,
        0.4262,
        0.5719,
        0.6528,
        0.759,
        1,
    ]
    q = adjusted([Estimate(0.1, 0, 1, 100, each) for each in p])
    assert sum(each <= 0.05 for each in q) == 4
    assert adjusted([too_few(3), Estimate(0.1, 0, 1, 100, 0.03)]) == [None, pytest.approx(0.03)]
    assert adjusted([too_few(3)]) == [None]


def test_games_to_see_are_enough_four_times_in_five():
    random = np.random.default_rng(0)
    pilot = mean_of(random.normal(0, 1, 5000))
    needed = games_to_see(pilot, 0.1, 5000)
    assert 700 < needed < 870  # (1.96 + 0.84)^2 / 0.01 = 785
    found = sum(mean_of(random.normal(0.1, 1, needed)).p < 0.05 for _ in range(300))
    assert 0.74 <= found / 300 <= 0.86
    assert games_to_see(too_few(3), 0.1, 100) == 1000
    assert games_to_see(too_few(0), 0.1, 100) is None
