"""The stages of a judgement, on decisions whose true chances are known."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from dominion_agents.coach import judging
from dominion_agents.coach.chances import Z, chance_of, difference_of
from dominion_agents.coach.judging import CHOOSING, HALF_WIDTH, MEASURING, MOST_CLOSE, MOST_ROUGH, Judging
from dominion_agents.strategies.strategy import Strategy

PLANS = [Strategy.parse("Province; Gold; Silver", name) for name in "abcdef"]


class KnownTrials:
    """A decision whose chances are known; as in games, the worlds of a stage are the same for all ways to go on."""

    def __init__(self, truth, seed):
        self.truth, self.seed, self.seat = np.asarray(truth), seed, 1
        self.actions, self.plans = np.arange(len(self.truth)) + 20, np.arange(self.truth.shape[1])
        self.calls = []

    def play(self, actions, plans, stage, begin, end):
        self.calls.append((stage, begin, end, [*zip(actions.tolist(), plans.tolist(), strict=True)]))
        luck = np.array([np.random.default_rng([self.seed, stage, world]).random(2) for world in range(begin, end)])
        own = np.array([[(a * 7 + p * 3) % 10 / 10] for a, p in zip(actions, plans, strict=True)])
        mixed = (luck[:, 0] + own * (luck[:, 1] > 0.5)) % 1  # half of the worlds treat all alike
        return (mixed < self.truth[actions - 20, plans][:, None]).astype(np.float32)


def judged(truth, seed=0, playouts=24_000, seconds=None):
    trials = KnownTrials(truth, seed)
    return Judging(trials, PLANS, playouts, seconds).judgement(), trials


@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 0.97, 1.0])
def test_the_interval_of_a_chance_covers_it(share):
    rng = np.random.default_rng(3)
    found = [chance_of(rng.random(200) < share) for _ in range(2000)]
    covered = np.mean([each.low <= share <= each.high for each in found])
    assert covered >= 0.93
    assert all(0 <= each.low <= each.share <= each.high <= 1 for each in found)
    if share in (0.0, 1.0):
        assert 0.008 < found[0].half_width < 0.01, "200 playouts alike are not proof"
    else:
        assert covered < 0.99


def test_a_chance_says_how_many_playouts_and_reads_as_percent():
    found = chance_of([1, 0, 0.5, 0.5] * 100)
    assert (found.share, found.playouts) == (0.5, 400)
    assert str(found) == "50% [45, 55]"
    assert found.half_width == pytest.approx(Z * 0.5 / 20, rel=0.01)


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.3])
def test_the_interval_of_a_difference_covers_it(gap):
    rng = np.random.default_rng(4)
    covered, clear = 0, 0
    for _ in range(2000):
        luck = rng.random(300)
        found = difference_of(luck < 0.4 + gap, luck < 0.4)
        covered += found.low <= gap <= found.high
        clear += found.is_clear
    assert covered >= 0.93 * 2000
    assert clear <= 0.025 * 2000 if gap == 0 else gap < 0.1 or clear == 2000


def test_no_difference_in_any_world_is_no_proof_either():
    found = difference_of(np.ones(100), np.ones(100))
    assert found.share == 0
    assert 0.02 < found.high < 0.06
    assert not found.is_clear
    assert str(difference_of([1, 1, 1, 0], [0, 0, 0, 0])).startswith("75.0 [")


def test_every_action_has_its_best_plan_and_a_chance_that_covers_the_truth():
    rng = np.random.default_rng(5)
    inside, regrets, best = [], [], []
    for seed in range(20):
        truth = rng.uniform(0.2, 0.8, (8, 6))
        found, _ = judged(truth, seed)
        for each in found.actions:
            own = truth[each.action - 20, each.number]
            inside.append(each.chance.low <= own <= each.chance.high)
            regrets.append(truth[each.action - 20].max() - own)
            assert each.plan is PLANS[each.number]
        best.append(truth.max() - truth[found.best.action - 20, found.best.number])
    assert 0.92 <= np.mean(inside) < 1
    assert np.mean(regrets) < 0.02
    assert np.mean(best) < 0.01


def test_the_best_of_many_equal_plans_and_actions_is_not_praised():
    best, every = [], []
    for seed in range(60):
        found, _ = judged(np.full((10, 6), 0.5), seed, playouts=3000)
        every += [each.chance.share for each in found.actions]
        best += [each.chance.low <= 0.5 <= each.chance.high for each in found.actions]
    assert abs(np.mean(every) - 0.5) < 0.01, "the best of six equal plans would seem better than it is"
    assert np.mean(best) >= 0.9


def test_an_action_that_is_good_under_one_plan_only_is_found():
    truth = np.full((12, 6), 0.3)
    truth[7, 4] = 0.9
    found, _ = judged(truth)
    assert (found.best.action, found.best.plan_name) == (27, "e")
    assert found.best.chance.low < 0.9 < found.best.chance.high


@pytest.mark.parametrize("actions", [1, 2, 17])
@pytest.mark.parametrize("best", [0.5, 0.9])
def test_the_best_two_are_as_exact_as_promised_within_the_budget(actions, best):
    truth = np.tile(np.linspace(0.2, best, 6), (actions, 1)) - np.arange(actions)[:, None] * 0.01
    for seed in range(3):
        found, trials = judged(truth, seed)
        assert all(each.chance.half_width <= HALF_WIDTH for each in found.actions[:2])
        assert len(found.actions) == actions
        assert found.playouts == sum((end - begin) * len(ways) for _, begin, end, ways in trials.calls) <= 24_000


def measured_in(trials):
    """Return the worlds of each stage in which each action was played with each plan."""
    seen = {}
    for stage, begin, end, ways in trials.calls:
        for way in ways:
            seen.setdefault((stage, *way), []).extend(range(begin, end))
    return seen


def test_only_fresh_worlds_are_told_and_all_worlds_of_a_stage_are_common():
    found, trials = judged(np.tile(np.linspace(0.3, 0.6, 9)[:, None], (1, 6)))
    seen = measured_in(trials)
    assert {stage for stage, *_ in seen} == {CHOOSING, MEASURING}
    assert all(worlds == [*range(len(worlds))] for worlds in seen.values()), "each world once, from the first on"
    told = {(each.action, each.number): each.chance.playouts for each in found.actions}
    assert told == {
        way: len(worlds) for (stage, *way), worlds in seen.items() if stage == MEASURING for way in [tuple(way)]
    }
    exact = [way for way, number in told.items() if number > MOST_ROUGH]
    assert 2 <= len(exact) <= MOST_CLOSE
    assert all((each.action, each.number) in exact for each in found.actions[:2])


def test_an_action_that_turns_out_to_be_better_than_the_close_ones_is_measured_too(monkeypatch):
    monkeypatch.setattr(judging, "MOST_CLOSE", 2)
    truth = np.full((17, 1), 0.5)  # with so many equal ones some seem better than those that were measured exactly
    more = 0
    for seed in range(5):
        found, _ = judged(truth, seed, playouts=60_000)
        exact = [each for each in found.actions if each.chance.playouts > MOST_ROUGH]
        assert set(found.actions[:2]) <= set(exact)
        more += len(exact) > 2
    assert more


@pytest.mark.parametrize("playouts", [1, 50, 2000])
def test_a_small_budget_still_judges_every_action(playouts):
    found, _ = judged(np.full((5, 6), 0.4), playouts=playouts)
    assert len({each.action for each in found.actions}) == 5
    assert all(each.chance.playouts >= 2 for each in found.actions)
    assert found.playouts <= max(playouts, 80)


def test_the_time_limit_ends_a_judgement(monkeypatch):
    ticks = count()
    monkeypatch.setattr(judging, "time", SimpleNamespace(monotonic=lambda: 0.1 * next(ticks)))
    limited, _ = judged(np.full((5, 6), 0.4), seconds=0.5)
    whole, _ = judged(np.full((5, 6), 0.4))
    assert len(limited.actions) == 5
    assert limited.playouts < whole.playouts / 2
    assert next(ticks) < 30
