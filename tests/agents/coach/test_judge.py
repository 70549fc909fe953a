"""`judge` on real decisions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dominion_agents.coach import Coach, judge
from dominion_agents.coach.judging import duel
from dominion_env import Game, GameOver, IllegalAction, InvalidOption, make_agent
from dominion_env.common.errors import InvalidStrategy
from dominion_env.players.agent import ask
from tests.agents.coach import last_province

pytestmark = pytest.mark.compiled

FEW = 1500  # playouts


def game(turn=5, least=4, **options):
    """Return a game of this turn, at a decision with at least so many answers."""
    found, agent = Game(**{"seed": 3, "auto_treasures": True} | options), make_agent("auto")
    while found.turn < turn or len(found.legal_actions()) < least:
        found.apply(int(ask(agent, found.batch)[0]))
    return found


def test_the_purchase_that_wins_at_once_is_certain_and_the_best():
    table = last_province()
    found = judge(table)
    assert (found.best.name, found.seat) == ("buy Province", 0)
    assert found.best.chance.share == 1
    assert found.best.chance.low > 0.99
    assert found.of("pass").chance.high < 0.5
    assert sorted(each.name for each in found.actions) == sorted(table.legal_actions())


def test_a_decision_of_the_other_seat_is_judged_for_that_seat():
    found = judge(last_province(turn_player=1), FEW)
    assert (found.seat, found.best.name, found.best.chance.share) == (1, "buy Province", 1)


@pytest.mark.slow
@pytest.mark.parametrize("kingdom", ["first-game-2e", "size-distortion-2e"])
def test_intervals_cover_what_very_many_playouts_come_to(kingdom):
    table, coach = game(kingdom=kingdom), Coach(["big-money-ultimate"])
    truth = {}
    trials = coach.trials(table, seed=12345)
    plans = np.zeros(len(trials.actions), np.int64)
    for action, shares in zip(trials.actions, trials.play(trials.actions, plans, 9, 0, 5000), strict=True):
        truth[int(action)] = shares.mean()
    inside = []
    for seed in range(100):  # the intervals of one judgement are of common worlds, so that they miss together
        found = coach.judge(table, FEW, seed=seed).actions
        inside += [each.chance.low <= truth[each.action] <= each.chance.high for each in found]
    assert np.mean(inside) >= 0.92
    assert any(0.2 < each < 0.8 for each in truth.values())


def test_the_same_seed_judges_alike_and_the_game_stays_as_it_is():
    table = game()
    before = table.to_dict()
    found = judge(table, FEW, seed=4)
    assert judge(table, FEW, seed=4) == found
    assert judge(table, FEW, seed=5) != found
    assert table.to_dict() == before
    trials = Coach().trials(table, seed=4)
    table.apply(table.legal_actions()[0])
    assert Coach().judge_trials(trials, FEW) == found, "the game may go on"


@pytest.mark.parametrize("players", [2, 3])
def test_it_sees_no_more_than_its_seat(players):
    table = game(num_players=players)
    found = judge(table, FEW)
    hidden = [table.to_dict()["players"]]
    for seed in range(3):
        dealt = Game.from_dict(table.batch.worlds([0], 1, seed).to_dict(0), auto_treasures=True)
        hidden.append(dealt.to_dict()["players"])
        assert judge(dealt, FEW) == found
    assert any(each != hidden[0] for each in hidden[1:])


def test_the_others_are_taken_to_play_what_their_decks_suggest():
    witches = {
        "hand": {"Copper": 5},
        "deck_bag": {"Witch": 2, "Gold": 2, "Silver": 3, "Copper": 2, "Estate": 3},
        "turns": 8,
    }
    position = {"players": [{"hand": {"Copper": 4, "Estate": 1}, "deck_bag": {"Copper": 3, "Estate": 2}}, witches]}
    position |= {"turn_player": 0, "phase": "buy", "coins": 4, "buys": 1}
    table, coach = Game.from_dict(position, kingdom="size-distortion-2e", auto_treasures=True), Coach()
    trials = coach.trials(table)
    followed = trials.followed(trials.seeds(0, 0, 300))
    names = [coach.portfolio.plans[plan].name for plan in followed[:, 1]]
    assert sum("witch" in name for name in names) > 250
    assert len(trials.play(trials.actions, np.resize(trials.plans, len(trials.actions)), 0, 0, 5)) == len(
        trials.actions
    )


def test_worlds_of_a_stage_are_the_same_for_all_and_others_than_those_of_the_next():
    trials = Coach().trials(game())
    ways = np.repeat(trials.actions[:1], 2), np.repeat(trials.plans[:1], 2)
    first = trials.play(*ways, 0, 0, 64)
    assert (first[0] == first[1]).all()
    assert (np.concatenate([trials.play(*ways, 0, 0, 20), trials.play(*ways, 0, 20, 64)], axis=1) == first).all()
    assert (trials.play(*ways, 1, 0, 64) != first).any()
    seeds = [seed for stage in range(4) for seed in trials.seeds(stage, 0, 1000).tolist()]
    assert len(set(seeds)) == len(seeds)


def test_a_duel_tells_what_the_better_action_is_worth():
    coach = Coach()
    trials = coach.trials(last_province())
    found = coach.judge_trials(trials, FEW)
    cost = duel(trials, found.best, found.of("pass"), 1500)
    assert cost.share > 0.5
    assert cost.low < cost.share < cost.high
    assert cost.playouts == 1500
    assert duel(trials, found.of("pass"), found.best, 1500).share == -cost.share
    assert duel(trials, found.best, found.of("pass"), 1500, stage=7) != cost
    assert not duel(trials, found.best, found.best, 50).is_clear


def test_one_legal_action_is_judged_too():
    table = Game(seed=1, ask_forced=True, auto_treasures=True)
    while len(table.legal_actions()) > 1:
        table.apply("pass")
    found = judge(table, FEW)
    assert [each.name for each in found.actions] == table.legal_actions()
    assert found.best.chance.half_width < 0.1


def test_a_full_deck_and_a_long_game_are_judged():
    position = {
        "players": [{"hand": {"Village": 110, "Copper": 5}, "deck_bag": {"Smithy": 10, "Gold": 4}}, {}],
        "supply": {"Province": 95, "Copper": 0, "Silver": 20},
        "actions": 1,
    }
    table = Game.from_dict(position, kingdom="first-game-2e", auto_treasures=True, max_turns=60)
    found = judge(table, 200)
    assert sorted(each.name for each in found.actions) == ["pass", "play Village"]


def test_a_plan_is_told_by_its_name_or_its_rules():
    found = Coach(["Province; Gold; Silver"]).judge(last_province(), 100)
    assert found.best.plan_name == "guard: on; Province; Gold; Silver"
    as_plain = json.loads(json.dumps(found.to_dict()))
    assert as_plain["actions"][0]["action"] == "buy Province"
    assert as_plain["actions"][0]["rules"] == ["Province", "Gold", "Silver"]
    assert as_plain["actions"][0]["chance"] == 1


def test_bad_input_is_told():
    table = last_province()
    table.apply("buy Province")
    with pytest.raises(GameOver, match="expected a decision"):
        judge(table)
    with pytest.raises(InvalidOption, match="two or more players"):
        judge(Game(1))
    with pytest.raises(InvalidOption, match="playouts"):
        judge(Game(), 0)
    with pytest.raises(InvalidOption, match="seconds"):
        judge(Game(), seconds=0)
    with pytest.raises(InvalidOption, match="seconds"):
        judge(Game(), seconds="long")
    with pytest.raises(InvalidOption, match="seed"):
        judge(Game(), seed=-1)
    with pytest.raises(InvalidStrategy):
        Coach(["Witch; Silver"])
    with pytest.raises(IllegalAction, match="expected one of the actions that were judged"):
        judge(last_province(), 50).of("buy Witch")
