"""Reviews of played games: what decisions cost, which are the dearest, and which card comes when."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dominion_agents.coach import Chance, Coach, Difference, Judged, Judgement, review, reviewing
from dominion_agents.coach.courses import COURSE, Arrival, Course, course_of
from dominion_agents.coach.reviewing import (
    DEAREST,
    SECOND_SEED,
    Decision,
    judged_decision,
    judged_decisions,
    own_steps,
    reviewed,
)
from dominion_agents.searching.playing import playouts
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import Game, InvalidOption, make_agent
from dominion_env.players.agent import ask
from dominion_env.tables.cards import Card
from tests.agents.coach import last_province

FEW = 1500  # playouts


def played(*names, turns=6, **options):
    """Return a game that these agents have played until so many turns, or to its end."""
    game, agents = Game(**{"seed": 3, "auto_treasures": True, "first_player": 0} | options), [*map(make_agent, names)]
    while not game.is_over and game.turn <= turns:
        game.apply(int(ask(agents[game.current_player], game.batch)[0]))
    return game


def look(share):
    """Return what a look found, whose interval reaches 0.05 to either side."""
    return Difference(share, share - 0.05, share + 0.05, 1000)


def decision(step, *looks, **more):
    """Return a decision that cost so much by its looks."""
    judged = [Judged(number, Chance(0.5, 0.4, 0.6, 100), STRATEGIES["big-money"], 0) for number in (1, 2)]
    given = {
        "turn": 1,
        "own_turn": True,
        "kind": "buy",
        "asked": "asked",
        "judgement": Judgement(0, tuple(judged), 200),
    }
    return Decision(step=step, played=judged[1], looks=tuple(map(look, looks)), trials=None, **given | more)


@pytest.mark.parametrize(
    ("looks", "loss"),
    [((), 0), ((0.04,), 0), ((-0.1,), 0), ((0.3, 0.2), 0.2), ((0.3, 0.04), 0), ((0.3, -0.2), 0), ((0.06, 0.3), 0.3)],
)
def test_a_decision_costs_what_a_second_look_finds_and_nothing_if_that_may_be_noise(looks, loss):
    found = decision(0, *looks)
    assert (found.loss, found.is_mistake) == (loss, loss > 0)
    assert found.to_dict()["loss"] == loss


@pytest.mark.parametrize(("first", "again", "looks"), [(0.04, None, 1), (0.3, 0.2, 2), (0.3, 0.04, 2)])
def test_what_seems_clear_is_measured_again_with_a_second_seed(monkeypatch, first, again, looks):
    costs, seeds = iter((first, again)), []

    def duel(trials, better, chosen, worlds):
        seeds.append(int(trials._seed))
        return look(next(costs))

    monkeypatch.setattr(reviewing, "duel", duel)
    game = last_province()
    found = judged_decision(game, "buy Duchy", Coach(["big-money"]), 60, seed=5)
    assert seeds == [5, 5 + SECOND_SEED][:looks]
    assert len(found.looks) == looks
    assert judged_decision(game, found.better.action, Coach(["big-money"]), 60, seed=5).looks == ()


def test_the_dearest_by_the_first_look_are_told_by_the_second(monkeypatch):
    monkeypatch.setattr(reviewing, "course_of", lambda coach, trials, judged: Course((), 0, 0))
    looks = [(0.3, 0.1), (), (0.2, 0.25), (0.5, 0.01), (0.4, 0.3), (0.1, 0.9), (0.04,)]
    found = reviewed(0, [decision(step, *each) for step, each in enumerate(looks)], Coach())
    assert [each.decision.step for each in found.dearest] == [4, 2, 0], "the last one is told as dear by chance"
    assert [each.is_mistake for each in found.decisions] == [True, False, True, False, True, True, False]
    assert len(found.dearest) == DEAREST
    assert reviewed(0, [decision(0, 0.01), decision(1)], Coach()).dearest == ()


def test_means_of_a_review_count_noise_as_nothing_and_vary_by_turns():
    looks = [(0.3, 0.2), (0.3, 0.04), (0.04,), (), (0.3, 0.1)]
    found = [
        decision(step, *each, turn=4 + step // 2, kind=kind)
        for step, (each, kind) in enumerate(zip(looks, ("buy", "buy", "trash", "buy", "trash"), strict=True))
    ]
    means = reviewing.Review(0, tuple(found), ()).losses
    assert means.overall.loss == pytest.approx(0.06)
    assert {name: (mean.loss, mean.decisions) for name, mean in means.groups.items()} == {
        "trash": (pytest.approx(0.05), 2), "buy": (pytest.approx(0.2 / 3), 3),
        "turns 1 to 4": (pytest.approx(0.1), 2), "turns 5 to 9": (pytest.approx(0.1 / 3), 3),
    }  # fmt: skip
    # By the delta method over turns 4 to 6, with Student's t for two degrees of freedom.
    residuals = np.array([0.2 - 2 * 0.06, 0 - 2 * 0.06, 0.1 - 0.06]) / (5 / 3)
    assert means.overall.half_width == pytest.approx(4.30265 * residuals.std(ddof=1) / 3**0.5, rel=1e-4)
    assert np.isnan(means.groups["turns 1 to 4"].half_width), "one turn does not say how others vary"


def test_a_course_is_told_by_its_first_cards_and_province():
    cards = [Arrival(Card.SILVER, 2, 3.2), Arrival(Card.SMITHY, 3, 1.2), Arrival(Card.GOLD, 5, 2.0)]
    cards += [Arrival(Card.MARKET, 6, 1.0), Arrival(Card.DUCHY, 8, 2.0), Arrival(Card.PROVINCE, 9, 4.0)]
    assert str(Course(tuple(cards), 33.4, 27.6)) == (
        "Silver on turn 2 (3.2 in all), Smithy on turn 3, Gold on turn 5 (2.0 in all), Market on turn 6, "
        "Province on turn 9 (4.0 in all); 33 to 28 Victory points"
    )
    assert str(Course((), 3, 6)) == "no further card; 3 to 6 Victory points"


@pytest.mark.compiled
def test_the_missed_last_province_is_the_dearest_decision():
    game = last_province()
    game.apply("buy Duchy")
    while game.current_player != 0:
        game.apply(game.legal_actions()[0])
    found = review(game, 0, FEW)
    dearest = found.dearest[0]
    assert (dearest.decision.played.name, dearest.decision.better.name) == ("buy Duchy", "buy Province")
    assert dearest.decision.better.chance.share == 1
    assert dearest.decision.cost.share > 0.5
    assert dearest.decision.is_mistake
    assert [(each.card.title, each.turn) for each in dearest.better.arrivals] == [("Province", 1)]
    assert dearest.better.points == 6 * 5
    assert dearest.better.best_other == 6 * 4
    assert dearest.played.arrivals[0].card == Card.DUCHY
    assert json.loads(json.dumps(found.to_dict()))["dearest"][0]["step"] == 0


@pytest.mark.slow
@pytest.mark.compiled
def test_every_decision_of_the_seat_is_judged_in_order_and_no_other():
    game = played("auto", "double-militia", seed=8, turns=7, ask_forced=True)
    steps, record = own_steps(game, 0), game.replay()
    found = [*judged_decisions(game, 0, Coach(), 300)]
    assert [each.step for each in found] == steps
    for each in found:
        there = Game.from_replay(record, each.step)
        assert there.current_player == 0
        assert {one.name for one in each.judgement.actions} == set(there.legal_actions())
        assert each.played.name == record["actions"][each.step]
        assert each.own_turn == (there.turn_player == 0)
        assert (each.cost is None) == (each.played == each.better)
        assert each.kind == there.decision.kind
        assert each.turn == there.batch.turns[0, 0]
    forced = [
        step
        for step in range(len(record["actions"]))
        if (there := Game.from_replay(record, step)).current_player == 0 and len(there.legal_actions()) == 1
    ]
    assert forced
    assert not set(forced) & set(steps)
    assert any(not each.own_turn for each in found), "Militia asks in the turn of the other"


@pytest.mark.slow
@pytest.mark.compiled
def test_the_same_seed_gives_the_same_review():
    game = played("big-money", "auto", turns=2)
    coach = Coach()
    assert review(game, 0, 300, coach=coach).to_dict() == review(game, 0, 300).to_dict()
    assert review(game, 0, 300, seed=99).to_dict() != review(game, 0, 300).to_dict()


@pytest.mark.slow
@pytest.mark.compiled
def test_who_follows_the_best_plan_loses_little_and_who_plays_at_random_much():
    lost, coach = {}, Coach(["smithy-optimised", "big-money"])
    for name in ("smithy-optimised", "random"):
        game = played(name, "smithy-optimised", turns=6, kingdom="first-game-2e")
        found = review(game, 0, FEW, coach=coach)
        lost[name] = sum(each.loss for each in found.decisions)
    assert lost["smithy-optimised"] < 0.1
    assert lost["random"] > 0.3


@pytest.mark.compiled
def test_a_course_is_what_the_playouts_of_the_same_worlds_come_to():
    game, coach = played("auto", "auto", turns=5), Coach()
    trials = coach.trials(game)
    best = coach.judge_trials(trials, 300).best
    course = course_of(coach, trials, best, 64)
    seeds = trials.seeds(COURSE, 0, 64)
    followed = trials.followed(seeds)
    followed[:, trials.seat] = best.number
    _, points = playouts(
        trials.games, np.zeros(64, int), np.full(64, best.action), 1, coach.portfolio.objects[followed], seeds
    )
    assert course.points == pytest.approx(points[:, 0, trials.seat].mean())
    assert course.best_other == pytest.approx(points[:, 0, 1 - trials.seat].mean())
    now = int(game.batch.turns[0, trials.seat])
    turns = [each.turn for each in course.arrivals]
    assert turns == sorted(turns)
    assert turns[0] >= now
    assert all(each.number > 0.5 for each in course.arrivals)
    assert course_of(coach, trials, best, 64) == course


@pytest.mark.compiled
def test_bad_input_is_told():
    with pytest.raises(InvalidOption, match="seat"):
        review(Game(), 2)
    with pytest.raises(InvalidOption, match="seat: expected one that had something to decide, got 0"):
        review(Game(), 0)
    with pytest.raises(InvalidOption, match="playouts"):
        review(played("random", "random", turns=1), 0, 0)
    with pytest.raises(InvalidOption, match="two or more players"):
        review(played("random", num_players=1, turns=1), 0)
