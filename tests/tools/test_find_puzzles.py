"""Finding: what becomes a puzzle, and which ones are chosen."""

from __future__ import annotations

import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dominion_agents.coach import Difference, Judged, Judgement
from dominion_agents.coach.chances import chance_of
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import Game
from dominion_env.players.situation import Gains
from dominion_env.tables.actions import ACTION_NAMES, PASS
from dominion_training.puzzles.puzzle import Puzzle, batch_of, puzzles
from tools import find_puzzles
from tools.find_puzzles import chances_at, chosen, easy_ones, main, measured, puzzle_at, searches

pytestmark = pytest.mark.compiled
NAMES = ACTION_NAMES[PASS : PASS + 3]


@pytest.fixture
def late() -> Game:
    """A game of Big Money in which a Province can be bought, and decides it."""
    game = Game(kingdom="first-game-2e", seed=3, auto_treasures=True)
    while "buy Province" not in game.legal_actions() or game.turn < 8:
        legal = game.legal_actions()
        wanted = ("buy Province", "buy Gold", "buy Silver", "pass", legal[0])
        game.apply(next(each for each in wanted if each in legal))
    return game


def test_a_puzzle_is_the_decision_as_its_seat_sees_it(late):
    before = late.to_dict()
    chances = chances_at(late, Gains(late.batch))
    assert next(iter(chances)) == "buy Province"
    assert late.to_dict() == before
    batch = batch_of([Puzzle(0, **puzzle_at(late, "buy", "", chances))])
    assert (batch.observe()[0] == late.observe()).all()
    assert (batch.action_mask[0] == late.action_mask).all()
    dealt = puzzle_at(late, "buy", "", chances)["position"]["players"]
    other = 1 - late.current_player
    assert dealt[other]["hand"] != before["players"][other]["hand"]


def test_a_decision_without_a_clear_answer_is_none():
    game = Game(kingdom="first-game-2e", seed=3, auto_treasures=True)
    assert chances_at(game, Gains(game.batch)) is None


def test_ctrl_c_ends_in_words(tmp_path: Path, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("dominion_training.executors.runner.run_parts", interrupted)
    monkeypatch.delitem(sys.modules, find_puzzles.__name__)
    monkeypatch.setattr(sys, "argv", ["find_puzzles", "--out", str(tmp_path / "out"), "--games", "1", "--workers", "1"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(find_puzzles.__name__, run_name="__main__")
    assert ended.value.code == 130
    assert "Interrupted. No games have been kept yet." in capsys.readouterr().out


def judged(*shares: list[float]) -> tuple[Any, list[Judgement]]:
    """Return trials in which these actions win so in any worlds, and their judgement."""
    actions = tuple(
        Judged(PASS + place, chance_of(each), STRATEGIES["big-money"], 0) for place, each in enumerate(shares)
    )
    wins = np.array(shares, np.float32)
    play = lambda chosen, plans, stage, begin, end: wins[chosen - PASS][:, np.arange(begin, end) % wins.shape[1]]  # noqa: E731
    return SimpleNamespace(play=play, actions=np.arange(len(shares)), seat=0), [Judgement(0, actions, 1)]


def test_each_other_action_must_be_worse():
    assert measured(*judged([1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0])) == dict(zip(NAMES, (0.5, 0.25, 0), strict=True))
    assert measured(*judged([1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0])) is None
    assert measured(*judged([0.52], [0.50])) is None  # clear, and less than the least margin


def test_an_action_counts_with_the_better_of_two_plans():
    trials, (look,) = judged([0, 0], [0, 0])
    wins = {(PASS, 0): 0.2, (PASS, 1): 0.4, (PASS + 1, 0): 0.3, (PASS + 1, 1): 0.1}  # of each action and plan
    play = lambda actions, plans, stage, begin, end: np.array(  # noqa: E731
        [[wins[pair]] * (end - begin) for pair in zip(actions.tolist(), plans.tolist(), strict=True)], np.float32
    )
    trials.play = play
    other = Judgement(0, tuple(replace(each, number=1) for each in look.actions), 1)
    for looks in ((look, other), (other, look)):
        assert measured(trials, looks) == dict(zip(NAMES, (0.4, 0.3), strict=False))


def test_a_lead_that_may_be_noise_makes_no_puzzle(late, monkeypatch):
    for lead, expected in ((Difference(0.05, -0.01, 0.11, 9), False), (Difference(0.05, 0.01, 0.09, 9), True)):
        monkeypatch.setattr(find_puzzles, "duel", lambda *_, lead=lead: lead)
        assert (chances_at(late, Gains(late.batch)) is not None) == expected


def test_what_no_learnt_agent_answers_is_none(late, monkeypatch):
    monkeypatch.setattr(find_puzzles, "LEARNT", ("random",))
    monkeypatch.setattr(find_puzzles, "_answer", lambda *_: 0)
    assert chances_at(late, Gains(late.batch)) is None


def fields(puzzle: Puzzle) -> dict:
    return {"position": puzzle.position, "kind": puzzle.kind, "stage": puzzle.stage, "chances": puzzle.chances}


def test_most_chosen_are_hard_and_none_comes_twice():
    found = [fields(each) for each in puzzles()[:60]]
    taken = chosen([*found, *found], 20)
    assert len(taken) == 20
    assert len({json.dumps(each.position) for each in taken}) == 20
    assert easy_ones(taken).mean() <= 0.5
    assert chosen(found[::-1], 20) == taken  # whatever the order
    every = chosen(found)
    assert easy_ones(every).mean() <= 0.5


def test_finding_keeps_its_games_and_goes_on(tmp_path: Path, monkeypatch):
    calls = []
    found = [fields(each) for each in puzzles()[:9]]

    def play(self, stopping=None):
        calls.append(self.work.kingdom)
        return np.array([json.dumps(each).encode() for each in found[: 3 * len(calls)]])

    monkeypatch.setattr(find_puzzles.SearchPart, "play", play)
    for _ in range(2):
        main(3, 1, 1, tmp_path / "out", tmp_path / "puzzles.json.gz")
    assert calls == [part.work.kingdom for part in searches(3, 1)]
    assert (tmp_path / "puzzles.json.gz").exists()


def test_a_game_yields_puzzles_once_a_kind_and_stage(monkeypatch):
    monkeypatch.setattr(find_puzzles, "PAIRS", (("big-money", "big-money"),))
    monkeypatch.setattr(find_puzzles, "EASY", ())
    monkeypatch.setattr(find_puzzles, "LEARNT", ("big-money",))
    monkeypatch.setattr(find_puzzles, "chances_at", lambda game, gains: {"pass": 0.5, "buy Curse": 0.1})
    rows = [json.loads(row) for row in searches(1, 1)[0].play()]
    names = [(each["kind"], each["stage"]) for each in rows]
    assert len({*names}) == len(names) >= 3
