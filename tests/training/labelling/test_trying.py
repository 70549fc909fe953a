"""Arms are tried in common worlds until the two best can be told apart well enough."""

import numpy as np
import pytest

from dominion_env.splitmix import GAMMA, splitmix
from dominion_training.labelling.trying import FIRST, STEP, tried


def luck(decision, steps):
    """Return the luck of each world, float64 (m, STEP) from 0 to 1, which is the same for all arms of a decision."""
    number = steps[:, None] * STEP + np.arange(STEP) + 1
    words = splitmix(splitmix(decision.astype(np.uint64) * GAMMA)[:, None] ^ splitmix(number.astype(np.uint64) * GAMMA))
    return (words >> np.uint64(11)) * 2.0**-53


def urns(*chances):
    """Return a way of playing in which each arm of each decision wins with its chance, in worlds that all arms share."""

    def play(decision, arm, step):
        wanted = np.array([chances[d][a] for d, a in zip(decision, arm, strict=True)])
        return (luck(decision, step) < wanted[:, None]).astype(np.float32)

    return play


def independent(*chances):
    """Return a way of playing in which each arm has luck of its own."""

    def play(decision, arm, step):
        wanted = np.array([chances[d][a] for d, a in zip(decision, arm, strict=True)])
        return (luck(decision * 100 + arm + 7, step) < wanted[:, None]).astype(np.float32)

    return play


@pytest.mark.parametrize("ways", [urns, independent])
def test_the_values_are_those_of_the_arms_within_their_errors(ways):
    chances = [(0.5, 0.45, 0.2), (0.9, 0.7), (0.1, 0.3, 0.3, 0.25)] * 20
    found = tried([len(each) for each in chances], 0.04, 4096, ways(*chances))
    apart, right = [], []
    for worth, true in zip(found, chances, strict=True):
        assert worth.error <= 0.04
        assert worth.errors_to_best[worth.best] == 0
        assert worth.values[worth.best] == worth.values.max()
        assert worth.second != worth.best
        careful = worth.games > FIRST
        apart += list((worth.values - true)[careful] / worth.errors[careful])
        right.append(true[worth.best] == max(true))
    assert np.sqrt(np.mean(np.square(apart))) < 1.3  # standard errors
    assert np.mean(right) > 0.85


def test_the_error_of_a_difference_is_what_it_is_said_to_be():
    chances = [(0.5, 0.4)] * 400
    found = tried([2] * 400, 0.05, 4096, independent(*chances))
    differences = np.array([worth.values[0] - worth.values[1] for worth in found])
    said = np.mean([worth.error for worth in found])
    assert 0.8 * differences.std() < said < 1.2 * differences.std()
    assert abs(differences.mean() - 0.1) < 0.01


def test_common_worlds_need_fewer_games():
    chances = [(0.5, 0.45)] * 50
    shared, alone = (tried([2] * 50, 0.05, 4096, ways(*chances)) for ways in (urns, independent))
    games = [sum(worth.games.sum() for worth in found) for found in (shared, alone)]
    assert games[0] < 0.4 * games[1]
    # from the errors of the shares it could not be seen
    assert np.mean([worth.error for worth in shared]) < 0.6 * np.mean([np.hypot(*worth.errors) for worth in shared])


def test_clearly_worse_arms_are_dropped_and_the_others_go_on():
    chances = [(0.5, 0.5, 0.01, 0.02)] * 20
    for worth in tried([4] * 20, 0.03, 4096, independent(*chances)):
        assert worth.games[2] == worth.games[3] == FIRST
        assert worth.games[0] == worth.games[1] > 10 * FIRST
        assert {worth.best, worth.second} == {0, 1}


def test_an_arm_that_is_kept_goes_on_although_it_looks_worse():
    def play(decision, arm, step):
        lucky = np.where((arm == 2) & (step < FIRST // STEP), 0.0, 0.6)  # it has no luck in the first worlds
        return (luck(decision * 100 + arm, step) < lucky[:, None]).astype(np.float32)

    [kept] = tried([3], 0.02, 4096, play, [2])
    assert len(set(kept.games.tolist())) == 1
    assert kept.values.min() > 0.5
    [dropped] = tried([3], 0.02, 4096, play)
    assert dropped.games[2] == FIRST
    assert dropped.values[2] == 0


def test_no_decision_is_tried_in_more_worlds_than_allowed():
    [worth] = tried([2], 0.001, 72, independent((0.5, 0.5)))
    assert worth.games.tolist() == [72, 72]
    assert worth.error > 0.001
    [worth] = tried([2], 0.001, 8, independent((0.5, 0.5)))
    assert worth.games.tolist() == [8, 8]


def test_a_few_worlds_without_a_difference_do_not_prove_that_there_is_none():
    [worth] = tried([2], 0.02, 4096, urns((0.5, 0.5)))
    assert FIRST < worth.games[0] == worth.games[1] < 64
    assert 0 < worth.error <= 0.02


def test_a_dropped_arm_is_compared_in_the_worlds_that_it_shares_with_the_best():
    def play(decision, arm, step):
        lucky = np.where(step < FIRST // STEP, 1.0, 0.5)  # all win more in the first worlds, the third arm never
        shares = (luck(decision * 100 + arm, step) < lucky[:, None]).astype(np.float32)
        shares[arm == 2] = 0.25
        return shares

    [worth] = tried([3], 0.03, 4096, play)
    assert worth.games[2] == FIRST
    assert worth.values[2] == pytest.approx(max(worth.values[worth.best] - 0.75, 0))
    assert abs(worth.values[worth.best] - 0.5) < 0.1


def test_a_decision_is_tried_alike_among_any_others():
    chances = [(0.5, 0.4, 0.3), (0.2, 0.1), (0.7, 0.7, 0.7, 0.7)]
    together = tried([3, 2, 4], 0.05, 512, urns(*chances))

    def third(decision, arm, step):
        return urns(*chances)(decision + 2, arm, step)

    [alone] = tried([4], 0.05, 512, third)
    for name in ("values", "errors", "errors_to_best", "games", "second"):
        assert np.array_equal(getattr(together[2], name), getattr(alone, name)), name
