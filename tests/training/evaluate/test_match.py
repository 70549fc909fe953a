"""What a match says: known answers from made-up games, and from real ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dominion_env import InvalidOption, make_agent
from dominion_training.evaluate.match import MatchResult, play_match, score_interval
from dominion_training.play.sets import game_dtype
from tests.training.evaluate.made_up import pairs
from tests.training.evaluate.players import Lazy
from tests.training.evaluate.simulations import score_coverage

OPTIONS = {"kingdom": "first-game-2e", "auto_treasures": True}


def test_score_wins_ties_and_seats():
    result = MatchResult(pairs((1, 0), (1, 0.5), (0.5, 0), (1, 1)))
    assert (result.num_games, result.wins, result.ties, result.losses) == (8, 4, 2, 2)
    assert result.score == 5 / 8
    assert result.set_scores.tolist() == [0.5, 0.75, 0.25, 1]
    assert result.score_by_position == [3.5 / 4, 1.5 / 4]
    assert result.elo == pytest.approx(400 * math.log10(5 / 3))
    assert result.even == 0.5


@pytest.mark.parametrize("players", [2, 3, 6])
def test_equals_have_an_even_share_of_the_win(players):
    assert MatchResult(np.zeros(players, game_dtype(players))).even == 1 / players


def test_who_begins_is_not_who_sits_in_seat_0():
    result = MatchResult(pairs((1, 0), (1, 0), starter=1))
    assert result.score_by_position == [0, 1]


def test_endings_lengths_and_truncations():
    games = pairs((1, 0), (0.5, 0.5))
    games["ended"], games["rounds"] = [1, 2, 3, 3], [10, 12, 14, 16]
    result = MatchResult(games)
    assert result.endings == {"Provinces": 1, "piles": 1, "truncated": 2}
    assert (result.truncated, result.ties) == (2, 2)
    assert result.rounds == (13, pytest.approx(math.sqrt(5)))
    summary = result.summary()
    assert summary["endings"]["piles"] == 1
    assert summary["score"] == 0.5


def test_the_variance_ratio_is_that_of_the_luck_that_pairs_share():
    random = np.random.default_rng(0)
    wins = random.random((4000, 2)) < 0.5
    assert MatchResult(pairs(*wins)).variance_ratio == pytest.approx(1, abs=0.05)
    # the player in the lucky seat wins
    assert MatchResult(pairs(*np.stack([wins[:, 0], ~wins[:, 0]], 1))).variance_ratio == 0
    # the luck goes with the agent: twice as bad
    assert MatchResult(pairs(*np.stack([wins[:, 0], wins[:, 0]], 1))).variance_ratio == pytest.approx(2)
    assert MatchResult(pairs((1, 1), (1, 1))).variance_ratio is None
    assert MatchResult(pairs((1, 0))).variance_ratio is None


def test_elo_is_left_out_where_it_is_infinite():
    assert MatchResult(pairs((1, 1))).elo is None


@pytest.mark.parametrize("sets", [10, 100, 1000])
@pytest.mark.parametrize(("players", "score"), [(2, 0.5), (2, 0.9), (3, 0.9), (6, 1 / 6), (6, 0.75), (6, 0.9)])
def test_the_interval_covers_as_often_as_it_says(players, score, sets):
    covered = score_coverage(players, score, sets, alike=0.0, runs=200)
    assert covered > 0.91  # 200 runs: the standard error is 1.5%
    if sets == 1000:
        assert covered < 0.99


def test_the_interval_is_as_wide_as_it_should_be():
    scores = np.tile([0.25, 0.75], 5000)
    low, high = score_interval(scores)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.25 / 100, 0.5 + 1.96 * 0.25 / 100), rel=1e-3)
    low, high = score_interval(scores, confidence=0.5)
    assert high - 0.5 == pytest.approx(0.6745 * 0.25 / 100, rel=2e-3)


@pytest.mark.parametrize("score", [0.0, 1 / 6, 0.5, 1.0])
def test_no_spread_is_no_certainty(score):
    low, high = score_interval(np.full(100, score))
    assert low <= score <= high
    assert 0.005 < high - low < 0.15
    assert low >= 0
    assert high <= 1


def test_one_set_leaves_nearly_everything_open():
    low, high = score_interval(np.array([0.5]))
    assert low < 0.1
    assert high > 0.9


@pytest.mark.compiled
def test_twins_come_out_even_in_every_pair():
    result = play_match(make_agent("big-money"), make_agent("big-money"), 200, **OPTIONS)
    assert (result.set_scores == 0.5).all()
    assert result.wins == result.losses
    assert result.variance_ratio == 0


@pytest.mark.compiled
def test_nearly_equal_agents_gain_from_pairs():
    result = play_match(Lazy(), make_agent("big-money"), 2000, **OPTIONS)
    assert result.score < 0.45
    assert result.variance_ratio < 0.9


@pytest.mark.compiled
def test_big_money_beats_random_in_every_game():
    result = play_match(make_agent("big-money"), make_agent("random"), 100, kingdom="first-game-2e")
    assert result.wins == 100
    assert result.endings["Provinces"] == 100
    low, high = result.interval()
    assert 0.9 < low < 1
    assert high == 1


@pytest.mark.compiled
def test_the_odd_one_out_at_a_table_of_three():
    result = play_match(make_agent("random"), make_agent("big-money"), 30, num_players=3, **OPTIONS)
    assert (result.num_players, result.even, result.score) == (3, 1 / 3, 0)
    twins = play_match(make_agent("big-money"), make_agent("big-money"), 60, num_players=3, **OPTIONS)
    assert twins.set_scores == pytest.approx(1 / 3)
    assert sum(twins.score_by_position) == pytest.approx(1)


@pytest.mark.parametrize("number", [0, -2, 3])
def test_a_match_is_played_in_pairs(number):
    with pytest.raises(InvalidOption, match="multiple"):
        play_match(make_agent("random"), make_agent("random"), number)


def test_a_name_in_place_of_an_agent_is_told_how_it_becomes_one():
    with pytest.raises(InvalidOption, match=r"make_agent\('big-money'\)"):
        play_match(Lazy(), "big-money", 2)


def test_nobody_plays_alone():
    with pytest.raises(InvalidOption, match="2 to 6"):
        play_match(make_agent("random"), make_agent("random"), 4, num_players=1)


def test_the_interval_of_elo_is_that_of_the_score_on_another_scale():
    result = MatchResult(pairs(*np.random.default_rng(0).choice([0, 0.5, 1], size=(50, 2), p=[0.2, 0.2, 0.6])))
    ends = result.elo_interval()
    assert [1 / (1 + 10 ** (-elo / 400)) for elo in ends] == pytest.approx(result.interval())
    assert ends[0] < result.elo < ends[1]
    assert (result.summary()["elo_low"], result.summary()["elo_high"]) == ends
    assert MatchResult(pairs(*[(1, 1)] * 10)).elo_interval()[1] == np.inf


def test_superiority_is_sure_just_when_the_interval_leaves_the_score_of_equals_out():
    rng = np.random.default_rng(0)
    surely = set()
    for _ in range(200):
        result = MatchResult(pairs(*rng.choice([0, 0.5, 1], size=(30, 2), p=[0.3, 0.2, 0.5])))
        assert (result.superiority > 0.975) == (result.interval()[0] > 0.5)
        surely.add(result.superiority > 0.975)
    assert surely == {True, False}


def test_equals_are_as_likely_to_be_better_as_worse():
    assert MatchResult(pairs(*[(1, 0)] * 10)).superiority == 0.5
    ahead, behind = MatchResult(pairs(*[(1, 0)] * 10, (1, 1))), MatchResult(pairs(*[(1, 0)] * 10, (0, 0)))
    assert ahead.superiority > 0.5
    assert ahead.superiority == pytest.approx(1 - behind.superiority)


def test_superiority_is_as_often_wrong_as_it_says():
    rng = np.random.default_rng(1)
    scores = rng.choice([0, 0.5, 1], size=(1000, 30, 2), p=[0.4, 0.2, 0.4])
    likely = np.array([MatchResult(pairs(*each)).superiority for each in scores])
    assert (likely > 0.95).mean() == pytest.approx(0.05, abs=0.02)
    assert (likely < 0.05).mean() == pytest.approx(0.05, abs=0.02)
