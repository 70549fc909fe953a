"""Contests of players who do not repeat themselves: what was answered is kept, never asked again, and plays again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dominion_app.cli import main
from dominion_env import Game, GameBatch, InvalidAgent, InvalidOption, register_agent
from dominion_training.evaluate.benchmark import benchmark
from dominion_training.evaluate.compare import compare
from dominion_training.evaluate.match import play_match
from dominion_training.evaluate.matches import Match
from dominion_training.evaluate.reports.parquet import write_games
from dominion_training.evaluate.sequential import SequentialTest
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.loop import Player
from dominion_training.play.recorded import NO_ACTION
from dominion_training.play.sets import FORFEIT, play_sets
from tests.training.evaluate.moody import BIG_MONEY, MODULE, MOODY, Moody

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[3]
OPTIONS = {"auto_treasures": True, "max_turns": 60}
MATCH = Match(MOODY, "big-money", seed=8, options=OPTIONS)


@pytest.fixture
def diary(tmp_path, monkeypatch):
    """The file in which `Moody` notes each game that it begins to answer in, by its set."""
    monkeypatch.setenv("MOODY", str(tmp_path / "asked"))
    return tmp_path / "asked"


def played(match=MATCH, games=8, **options):
    return [part for _, part in run_parts(match.parts(games), **options)]


def test_answers_play_the_same_games_again_from_their_addresses(diary):
    games = play_sets([Player("moody", Moody()), Player("money", BIG_MONEY)], range(3, 6), seed=8, **OPTIONS)
    batch = GameBatch(6, seed=8, index=games["set"], autoreset=False, **OPTIONS)
    for step in games["actions"].T:
        rows = np.flatnonzero(step != NO_ACTION)
        batch.step(step[rows], rows=rows)
    assert batch.state["over"].all()
    assert (batch.final.scores == games["points"]).all()
    assert (batch.final.turns == games["turns"]).all()
    for row in games:
        game = Game(seed=8, index=int(row["set"]), **OPTIONS)
        for action in row["actions"][row["actions"] != NO_ACTION].tolist():
            game.apply(action)
        assert game.scores == row["points"].tolist()
        assert game.is_over


def test_each_set_is_a_part_and_none_is_asked_for_again(diary, tmp_path):
    assert [(part.start, part.stop) for part in MATCH.parts(8)] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    first = played(folder=Folder(tmp_path / "kept", [MATCH]))
    asked = diary.read_text()
    again = played(folder=Folder(tmp_path / "kept", [MATCH]), games=8)
    assert diary.read_text() == asked
    assert all(one.tobytes() == two.tobytes() for one, two in zip(first, again, strict=True))
    assert played()[0].tobytes() != first[0].tobytes()  # it does not repeat itself
    assert len(played(folder=Folder(tmp_path / "kept", [MATCH]), games=10)) == 5


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_after_an_error_of_the_player_the_match_goes_on_after_the_last_whole_set(workers, diary, tmp_path, monkeypatch):
    monkeypatch.setenv("FAILS_IN_GAME", "5")
    with pytest.raises(InvalidAgent, match=r"agent .*moody:Moody: raised ConnectionError: no network"):
        played(folder=Folder(tmp_path / "kept", [MATCH]), workers=workers)
    kept = {file: file.read_bytes() for file in (tmp_path / "kept" / "parts").iterdir()}
    assert len(kept) >= 1
    monkeypatch.delenv("FAILS_IN_GAME")
    assert len(played(folder=Folder(tmp_path / "kept", [MATCH]), workers=workers)) == 4
    assert {file: file.read_bytes() for file in kept} == kept


def test_a_player_that_fails_is_not_asked_once_more_to_find_out_where(diary, monkeypatch):
    monkeypatch.setenv("FAILS_IN_GAME", "1")
    with pytest.raises(InvalidAgent):
        played()
    assert diary.read_text().count("failed") == 1


def test_the_same_command_goes_on_and_tells_so(diary, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["compare", MOODY, "big-money", "--games", "8", "--workers", "1", "--max-turns", "60"]
    monkeypatch.setenv("FAILS_IN_GAME", "5")
    assert main(command) == 1
    said = capsys.readouterr()
    assert "are kept: the same command goes on from there." in " ".join(said.out.split())
    assert "no network" in said.err
    before = diary.read_text().count("begins")
    monkeypatch.delenv("FAILS_IN_GAME")
    assert main([*command, "--json", "found.json"]) == 0
    assert diary.read_text().count("begins") - before == 4  # sets 2 and 3
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["games"] == 8
    table = pl.read_parquet(next((tmp_path / "results").glob("*/games.parquet")))
    row = table.row(5, named=True)
    game = Game(seed=row["seed"], index=row["index"], **OPTIONS)
    for action in row["actions"]:
        game.apply(action)
    assert game.scores == [row["points_0"], row["points_1"]]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_whole_is_lost_when_the_command_is_stopped(how, diary, tmp_path):
    command = [sys.executable, "-m", "dominion_app.cli", "compare", MOODY, "big-money", "--games", "12", "--out"]
    command += [str(tmp_path / "out"), "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MOODY_SECONDS": "0.02"}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not list(tmp_path.glob("out/parts/*.npy")):
        time.sleep(0.01)
    running.send_signal(how)
    running.wait(60)
    kept = {file: file.read_bytes() for file in tmp_path.glob("out/parts/*.npy")}
    assert 1 <= len(kept) < 6
    before = diary.read_text().count("begins")
    subprocess.run(command, env=environment | {"MOODY_SECONDS": "0"}, capture_output=True, check=True)
    assert {file: file.read_bytes() for file in kept} == kept
    assert diary.read_text().count("begins") - before == 12 - 2 * len(kept)


def test_the_sequential_test_sees_the_same_scores_as_in_large_parts(diary):
    test = SequentialTest(0, 400)
    found = compare(replace(MATCH, first=f"{MODULE}:passes"), 200, test=test)
    games = play_match(Moody(passes=True), BIG_MONEY, 200, seed=8, **OPTIONS)
    verdict, sets = test.first_verdict(games.set_scores)
    assert (found.verdict, found.result.num_games) == (verdict, 2 * sets)
    assert verdict != "undecided"
    assert sets < 100
    assert found.result.interval() == replace(games, games=games.games[: 2 * sets]).interval()


def test_a_benchmark_takes_them_and_keeps_their_answers(diary, tmp_path):
    options = {"folder": tmp_path / "kept", "seed": 1, "max_turns": 3, "limits": {"seconds": 600}}
    found = benchmark([MOODY, "planner:1ms"], ["first-game-2e"], 2, **options)
    assert found.agents == (MOODY, "planner:1ms", "big-money")
    assert all("actions" in result.games.dtype.names for result in found.results.values())
    taken = found.summary()["taken"]
    assert list(taken) == [MOODY, "planner:1ms"]
    assert [each["games"] for each in taken.values()] == [4, 4]
    assert taken[MOODY]["tokens_per_game"] == 7 * taken[MOODY]["decisions"] / 4
    assert "answers" not in taken[MOODY]
    again = benchmark([MOODY, "planner:1ms"], ["first-game-2e"], 2, **options)
    for which, result in found.results.items():
        assert result.games.tobytes() == again.results[which].games.tobytes()


def test_a_table_of_games_holds_those_with_answers_and_those_without(diary, tmp_path):
    results = {each: play_match(*each, 2, seed=8, **OPTIONS) for each in ((Moody(), BIG_MONEY), (BIG_MONEY, BIG_MONEY))}
    games = [result.games for result in results.values()]
    for order in (1, -1):
        write_games(tmp_path / "games.parquet", [(MATCH, each) for each in games[::order]])
        table = pl.read_parquet(tmp_path / "games.parquet")
        assert table["actions"].is_null().to_list() == [False, False, True, True][::order]
        assert table["tokens_0"].null_count() == 2


def test_what_a_player_says_it_used_is_kept_with_each_game_and_seat(diary):
    games = play_sets([Player("moody", Moody()), Player("money", BIG_MONEY)], range(2), seed=8, **OPTIONS)
    spent, own = games["spent"], games["rotation"]
    mine, other = spent[np.arange(4), own], spent[np.arange(4), 1 - own]
    assert (mine["tokens"] == 7 * mine["decisions"]).all()
    assert (mine["decisions"] > 10).all()
    assert (mine["seconds"] > 0).all()
    assert not other["decisions"].any()
    assert not other["seconds"].any()


def test_a_player_over_its_limit_has_lost_that_game(diary):
    lineup = [Player("moody", Moody()), Player("money", BIG_MONEY)]
    games = play_sets(lineup, range(2), seed=8, limits={"tokens": 70}, **OPTIONS)
    own, rows = games["rotation"], np.arange(4)
    assert games["ended"].tolist() == [*FORFEIT] * 4
    assert (games["spent"][rows, own]["tokens"] == 77).all()
    assert (games["spent"][rows, own]["over_limit"] == 1).all()
    assert games["shares"][rows, own].tolist() == [0] * 4
    assert games["shares"].sum(axis=1).tolist() == [1] * 4
    batch = GameBatch(4, seed=8, index=games["set"], autoreset=False, illegal="lose", **OPTIONS)
    for step in games["actions"].T:
        rows = np.flatnonzero(step != NO_ACTION)
        batch.step(step[rows], rows=rows)
    assert (batch.final.ended == games["ended"]).all()
    assert (batch.final.turns == games["turns"]).all()


@pytest.mark.parametrize("limits", [{"tokens": 0}, {"euros": 3}, {"seconds": float("nan")}])
def test_limits_that_mean_nothing_are_refused(limits):
    with pytest.raises(InvalidOption, match="limits: expected numbers above 0 by seconds, tokens, cost"):
        compare(replace(MATCH, limits=limits), 2)


def test_limits_without_anybody_to_whom_they_apply_are_refused():
    with pytest.raises(InvalidOption, match="limits: expected an agent that does not repeat itself"):
        compare(Match("random", "big-money", limits={"seconds": 1}), 2)


@pytest.mark.parametrize("used", [{"euros": 3}, 5, {"tokens": float("nan")}, {"cost": float("inf")}, {"tokens": -1}])
def test_use_in_another_form_is_told(used):
    moody = Moody()
    moody.used = used
    with pytest.raises(
        InvalidAgent, match="agent moody: `used`: expected a dictionary of numbers from 0 on by tokens, cost, "
    ):
        play_sets([Player("moody", moody), Player("money", BIG_MONEY)], range(1), **OPTIONS)


def test_games_of_a_player_from_no_file_would_be_lost_and_are_refused(tmp_path):
    class Mine(Moody):
        pass

    register_agent("mine-moody", Mine)
    with pytest.raises(InvalidOption, match="agent mine-moody: expected one from a file"):
        Folder(tmp_path / "kept", [replace(MATCH, first="mine-moody")])
    assert not (tmp_path / "kept").exists()
