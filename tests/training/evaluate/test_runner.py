"""Many games on all cores: the same on any number of processes, kept on disk, continued after an interruption."""

from __future__ import annotations

import json
import multiprocessing
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

from dominion_agents.own_code.adapters import FunctionAgent
from dominion_env import RULES_VERSION, DominionError, InvalidAgent, InvalidOption, register_agent
from dominion_env.common.errors import ResultsMismatch
from dominion_training.evaluate import matches as work
from dominion_training.evaluate.match import MatchResult, sets_of
from dominion_training.evaluate.matches import Match, MatchPart
from dominion_training.executors.folder import Folder, default_folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.roster import Roster
from tests.training.evaluate.players import BIG_MONEY, LAZY, MODULE
from tests.validation.experiments import OpeningHands
from tests.validation.trials import Trial

pytestmark = pytest.mark.compiled

OPTIONS = {"auto_treasures": True}
MATCH = Match(LAZY, "big-money", seed=0, options=OPTIONS)
ROOT = Path(__file__).parents[3]


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(work, "SETS_PER_PART", 10)


def test_a_match_is_cut_by_the_numbers_of_its_sets(small_parts):
    assert [(part.start, part.stop) for part in MATCH.parts(50)] == [(0, 10), (10, 20), (20, 25)]


@pytest.mark.slow
def test_parts_come_in_order_and_are_the_same_on_one_and_two_processes(small_parts):
    parts = MATCH.parts(90)
    alone = list(run_parts(parts))
    together = list(run_parts(parts, workers=2))
    assert [part for part, _ in alone] == [part for part, _ in together] == parts
    assert all((one == two).all() for (_, one), (_, two) in zip(alone, together, strict=True))
    assert np.concatenate([games["set"] for _, games in alone])[::2].tolist() == list(range(45))


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_was_played_before_an_error_is_kept_and_not_played_again(workers, small_parts, tmp_path, monkeypatch):
    # The fourth part has a kingdom in which its agent is asked something that it does not survive.
    good = MATCH.parts(60)
    bad = MatchPart(replace(MATCH, first=f"{MODULE}:explodes_late"), 0, 10)
    matches = [MATCH, bad.work]
    seen = []
    with pytest.raises(InvalidAgent, match=r"agent .*:explodes_late: raised RuntimeError: out of ideas"):
        seen.extend(part for part, _ in run_parts([*good, bad], workers, Folder(tmp_path / "kept", matches)))
    assert seen == good
    monkeypatch.setattr(MatchPart, "play", lambda *_: pytest.fail("played again"))
    again = Folder(tmp_path / "kept", matches)
    assert [part for part, _ in run_parts(good, 1, again)] == good


@pytest.mark.slow
def test_leaving_early_ends_the_processes(small_parts):
    started = run_parts(MATCH.parts(2000), workers=2)
    assert next(started)[0].start == 0
    assert multiprocessing.active_children()
    started.close()
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_process_that_dies_is_told(small_parts, tmp_path):
    match = replace(MATCH, first=f"{MODULE}:dies")
    with pytest.raises(DominionError, match="a process that played games has died"):
        list(run_parts(match.parts(40), 2, Folder(tmp_path, [match])))


def test_a_part_that_is_not_whole_is_played_again(tmp_path):
    folder, part = Folder(tmp_path, [MATCH]), MatchPart(MATCH, 0, 4)
    [(_, games)] = run_parts([part], folder=folder)
    assert (folder.load(part) == games).all()
    file = next((tmp_path / "parts").iterdir())
    file.write_bytes(file.read_bytes()[:-100])
    assert folder.load(part) is None
    [(_, again)] = run_parts([part], folder=folder)
    assert (again == games).all()
    assert folder.load(MatchPart(MATCH, 0, 5)) is None
    np.save(file, games[:-2])
    assert folder.load(part) is None


def test_results_of_something_else_are_refused(tmp_path, monkeypatch):
    Folder(tmp_path, [MATCH])
    Folder(tmp_path, [MATCH])  # the same again
    Folder(tmp_path, [replace(MATCH, first="random", kingdom="random")])  # others with the same settings
    assert set(json.loads((tmp_path / "settings.json").read_text())["agents"]) == {MATCH.first, "big-money", "random"}
    with pytest.raises(ResultsMismatch, match=r"seed 0 there, 5 here"):
        Folder(tmp_path, [replace(MATCH, seed=5)])
    with pytest.raises(ResultsMismatch, match=r"options .* there, .*max_turns"):
        Folder(tmp_path, [replace(MATCH, options={"max_turns": 9})])
    monkeypatch.setattr("dominion_env.RULES_VERSION", 99)
    with pytest.raises(ResultsMismatch, match=rf"rules {RULES_VERSION} there, 99 here.*Choose another folder"):
        Folder(tmp_path, [MATCH])


def test_results_with_settings_that_this_command_does_not_have_are_refused(tmp_path):
    Folder(tmp_path, [MATCH])
    with pytest.raises(ResultsMismatch, match="players 2 there, None here"):
        Folder(tmp_path, [Trial(OpeningHands(), MATCH.seed)])


def play_in(folder, match, num_games=20):
    """Return the scores of the first agent, and whether its games had to be played."""
    before = {file.name for file in folder.glob("parts/*")}
    games = np.concatenate([games for _, games in run_parts(match.parts(num_games), folder=Folder(folder, [match]))])
    return MatchResult(games).score, {file.name for file in folder.glob("parts/*")} != before


@pytest.mark.parametrize(
    ("name", "attribute", "good", "bad"),
    [
        ("mine.strategy", "", "Province; Gold; Silver", "Curse; Copper"),
        (
            "mine.py", ":act",
            "from tests.training.evaluate.players import BIG_MONEY\ndef act(o, m, k):\n    return BIG_MONEY.act(o, m, k)\n",
            "def act(o, m, k):\n    return m.argmax(1)\n",
        ),
    ],
)  # fmt: skip
def test_games_of_an_agent_that_has_changed_are_played_again_and_no_others(
    name, attribute, good, bad, small_parts, tmp_path
):
    file, kept = tmp_path / name, tmp_path / "kept"
    match = Match(f"{file}{attribute}", "random", seed=1, options=OPTIONS)
    others = replace(match, first="big-money")
    file.write_text(good)
    assert play_in(kept, match, 40) == (1, True)
    assert play_in(kept, others, 40) == (1, True)
    file.write_text(bad)
    assert play_in(kept, others, 40) == (1, False)
    score, played = play_in(kept, match, 40)
    assert played
    assert score < 0.9
    assert play_in(kept, match, 40) == (score, False)
    file.write_text(good)
    assert play_in(kept, match, 40) == (1, False)


def test_a_changed_agent_keeps_its_folder(tmp_path, monkeypatch):
    file = tmp_path / "mine.strategy"
    file.write_text("Province; Gold; Silver")
    match = Match(str(file), "random")
    before = default_folder("compare", [match])
    file.write_text("Province; Silver")
    assert default_folder("compare", [match]) == before != default_folder("compare", [replace(match, seed=1)])


def test_games_of_an_agent_without_a_fingerprint_are_always_played_again(small_parts, forgotten_agents, tmp_path):
    answers = [lambda o, m, k: BIG_MONEY.act(o, m, k), lambda o, m, k: m.argmax(1)]
    register_agent("mine", lambda: FunctionAgent(answers[0]))
    match = Match("mine", "random", seed=1, options=OPTIONS)
    assert play_in(tmp_path, match)[0] == 1
    answers.reverse()
    assert play_in(tmp_path, match)[0] < 0.9


@pytest.mark.slow
def test_an_agent_that_other_processes_do_not_know_is_told(small_parts, forgotten_agents):
    register_agent("mine", lambda: FunctionAgent(BIG_MONEY.act))
    with pytest.raises(
        InvalidAgent, match=r"agent mine: it is registered in the process .*workers=1, or write .*\.py:attr"
    ):
        list(run_parts(Match("mine", "random").parts(40), workers=2))


def test_an_agent_that_changes_while_it_plays_is_told():
    with pytest.raises(ResultsMismatch, match="has changed since the games began"):
        Roster().make_as_elsewhere(MATCH.first, "0123456789abcdef")


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"agents": 5}', "\0\1", '{"format"'])
def test_damaged_settings_are_told(text, tmp_path):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(ResultsMismatch, match=r"settings.json is damaged.*another folder"):
        Folder(tmp_path, [MATCH])
    assert (tmp_path / "settings.json").read_text() == text


def test_what_can_not_be_a_folder_is_told(tmp_path):
    (tmp_path / "file").write_text("...")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InvalidOption, match="can't be a folder of results"):
            Folder(place, [MATCH])


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("...")
    with pytest.raises(ResultsMismatch, match="other things than results"):
        Folder(tmp_path, [MATCH])


def test_settings_that_differ_have_no_folder(tmp_path):
    with pytest.raises(InvalidOption, match="same players, seed and options"):
        Folder(tmp_path, [MATCH, replace(MATCH, seed=1)])


def test_an_unknown_agent_is_told_before_anything_is_played(monkeypatch):
    monkeypatch.setattr(MatchPart, "play", lambda *_: pytest.fail("played"))
    with pytest.raises(InvalidOption, match="'nobody' is no agent"):
        list(run_parts(replace(MATCH, second="nobody").parts(20)))


def test_numbers_as_a_command_line_has_them():
    assert sets_of(12, 3) == 4
    for games, players in ((5, 2), (0, 2), (-2, 2), (4, 1), (14, 7)):
        with pytest.raises(InvalidOption):
            sets_of(games, players)
    with pytest.raises(InvalidOption, match="workers: expected at least 1, got 0"):
        list(run_parts([], workers=0))


PARTS = 6
COMMAND = [sys.executable, "-m", "dominion_app.cli", "compare", f"{MODULE}:slow", "random"]
COMMAND += ["--seed", "0", "--games", str(2 * PARTS * work.SETS_PER_PART)]
SHORT_GAMES = ["--max-turns", "4"]


def environment(**settings):
    return {**os.environ, "PYTHONPATH": str(ROOT), **settings}


@pytest.fixture
def start():
    """Return a function that starts a command in processes of its own, which end with the test at the latest."""
    started = []

    def begin(command, **settings):
        process = subprocess.Popen(
            command, env=environment(**settings), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until(happened, process):
    waited = time.monotonic() + 120
    while not happened() and process.poll() is None and time.monotonic() < waited:
        time.sleep(0.01)


def interrupted(process, seconds):
    """Wait for the end of a command that Ctrl-C has stopped, and return its words."""
    said, _ = process.communicate(timeout=seconds)
    assert process.returncode == 130, said
    assert "Interrupted" in said
    return said


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """Return the folder of a command that nothing stops."""
    where = tmp_path_factory.mktemp("straight")
    command = [*COMMAND, *SHORT_GAMES, "--workers", "1", "--out", str(where)]
    subprocess.run(command, env=environment(), check=True, capture_output=True)
    return where


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("workers", [1, 2])
def test_after_ctrl_c_the_same_command_goes_on(workers, start, straight, tmp_path):
    """A real process, stopped in mid-play: its finished parts are used again, and the result is that of one run."""
    where = tmp_path / "out"
    command = [*COMMAND, *SHORT_GAMES, "--workers", str(workers), "--out", str(where)]
    process = start(command, SLOW="0.02")
    wait_until(lambda: list(where.glob("parts/*.npy")), process)
    process.send_signal(signal.SIGINT)
    interrupted(process, seconds=60)
    kept = {file.name: file.stat().st_mtime_ns for file in where.glob("parts/*.npy")}
    assert 1 <= len(kept) < PARTS
    assert not list(where.glob("parts/*.tmp"))

    subprocess.run(command, env=environment(), check=True, capture_output=True)
    assert {name: (where / "parts" / name).stat().st_mtime_ns for name in kept} == kept
    assert len(list(where.glob("parts/*.npy"))) == PARTS
    results = [json.loads((folder / "result.json").read_text()) for folder in (where, straight)]
    assert {**results[0], "command": ""} == {**results[1], "command": ""}
    games = [pl.read_parquet(folder / "games.parquet") for folder in (where, straight)]
    assert games[0].equals(games[1])


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_does_not_wait_for_the_end_of_a_part(workers, start, tmp_path):
    """A part takes a minute or more here, as each answer takes half a second."""
    asked = tmp_path / "asked"
    command = [*COMMAND, "--workers", str(workers), "--out", str(tmp_path / "out")]
    process = start(command, SLOW="0.5", ASKED=str(asked))
    wait_until(asked.exists, process)
    process.send_signal(signal.SIGINT)
    interrupted(process, seconds=20)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_ctrl_c_while_processes_start_is_no_traceback(start, tmp_path):
    """As in a terminal, it comes to all of them, whose imports take a second or more."""
    process = start([*COMMAND, "--workers", "2", "--out", str(tmp_path / "out")], SLOW="0.5")
    started = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # the process that counts semaphores, and two that play
    wait_until(lambda: len(started.read_text().split()) >= 3, process)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    assert "Traceback" not in interrupted(process, seconds=40)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
def test_processes_that_play_end_when_the_one_that_started_them_is_killed(start, tmp_path):
    asked = tmp_path / "asked"
    process = start([*COMMAND, "--workers", "2", "--out", str(tmp_path / "out")], SLOW="0.5", ASKED=str(asked))
    wait_until(asked.exists, process)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 3
    process.kill()
    process.wait()
    process.stdout.close()
    waited = time.monotonic() + 20
    while left := [child for child in children if running(child)]:
        assert time.monotonic() < waited, f"still there: {left}"
        time.sleep(0.1)


def running(pid):
    """Whether a process runs; one that has ended and was not asked for its end yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
