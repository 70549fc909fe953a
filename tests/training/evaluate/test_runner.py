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
import pytest

from dominion_env import DominionError, InvalidAgent, InvalidOption, ResultsMismatch
from training.evaluate import runner
from training.evaluate.experiments import OpeningHands, Trial
from training.evaluate.runner import Folder, Match, Task, parse_kingdom, run_tasks, sets_of, tasks_of

pytestmark = pytest.mark.compiled

MODULE = "tests.training.evaluate.players"
OPTIONS = {"auto_treasures": True}
MATCH = Match(f"{MODULE}:lazy", "big-money", options=OPTIONS)
ROOT = Path(__file__).parents[3]


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(runner, "SETS_PER_TASK", 10)


def test_a_match_is_cut_by_the_numbers_of_its_sets(small_parts):
    assert [(task.start, task.stop) for task in tasks_of(MATCH, 25)] == [(0, 10), (10, 20), (20, 25)]


def test_parts_come_in_order_and_are_the_same_on_one_and_two_processes(small_parts):
    tasks = tasks_of(MATCH, 45)
    alone = list(run_tasks(tasks))
    together = list(run_tasks(tasks, workers=2))
    assert [task for task, _ in alone] == [task for task, _ in together] == tasks
    assert all((one == two).all() for (_, one), (_, two) in zip(alone, together, strict=True))
    assert np.concatenate([games["set"] for _, games in alone])[::2].tolist() == list(range(45))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_played_before_an_error_is_kept_and_not_played_again(workers, small_parts, tmp_path, monkeypatch):
    # The fourth part has a kingdom in which its agent is asked something that it does not survive.
    good = tasks_of(MATCH, 30)
    bad = Task(replace(MATCH, first=f"{MODULE}:explodes_late"), 0, 10)
    matches = [MATCH, bad.match]
    seen = []
    with pytest.raises(InvalidAgent, match=r"agent .*:explodes_late: raised RuntimeError: out of ideas"):
        seen.extend(task for task, _ in run_tasks([*good, bad], workers, Folder(tmp_path / "kept", matches)))
    assert seen == good
    monkeypatch.setattr(Task, "play", lambda *_: pytest.fail("played again"))
    again = Folder(tmp_path / "kept", matches)
    assert [task for task, _ in run_tasks(good, 1, again)] == good


def test_leaving_early_ends_the_processes(small_parts):
    started = run_tasks(tasks_of(MATCH, 1000), workers=2)
    assert next(started)[0].start == 0
    assert multiprocessing.active_children()
    started.close()
    assert not multiprocessing.active_children()


def test_a_process_that_dies_is_told(small_parts, tmp_path):
    match = replace(MATCH, first=f"{MODULE}:dies")
    with pytest.raises(DominionError, match="a process that played games has died"):
        list(run_tasks(tasks_of(match, 20), 2, Folder(tmp_path, [match])))


def test_a_part_that_is_not_whole_is_played_again(tmp_path):
    folder, task = Folder(tmp_path, [MATCH]), Task(MATCH, 0, 4)
    [(_, games)] = run_tasks([task], folder=folder)
    assert (folder.load(task) == games).all()
    file = next((tmp_path / "parts").iterdir())
    file.write_bytes(file.read_bytes()[:-100])
    assert folder.load(task) is None
    [(_, again)] = run_tasks([task], folder=folder)
    assert (again == games).all()
    assert folder.load(Task(MATCH, 0, 5)) is None
    np.save(file, games[:-2])
    assert folder.load(task) is None


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
    with pytest.raises(ResultsMismatch, match=r"rules 1 there, 99 here.*Choose another folder"):
        Folder(tmp_path, [MATCH])


def test_results_with_settings_that_this_command_does_not_have_are_refused(tmp_path):
    Folder(tmp_path, [MATCH])
    with pytest.raises(ResultsMismatch, match="players 2 there, None here"):
        Folder(tmp_path, [Trial(OpeningHands(), MATCH.seed)])


def test_results_of_an_agent_that_has_changed_are_refused(tmp_path):
    code = tmp_path / "mine.py"
    code.write_text("def act(o, m, k):\n    return m.argmax(1)\n")
    match = Match(f"{code}:act", "random")
    Folder(tmp_path / "kept", [match])
    code.write_text("def act(o, m, k):\n    return m[:, ::-1].argmax(1)\n")
    with pytest.raises(ResultsMismatch, match=r"code or model of agent '.*mine.py:act' has changed"):
        Folder(tmp_path / "kept", [match])


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("...")
    with pytest.raises(ResultsMismatch, match="other things than results"):
        Folder(tmp_path, [MATCH])


def test_settings_that_differ_have_no_folder(tmp_path):
    with pytest.raises(InvalidOption, match="same players, seed and options"):
        Folder(tmp_path, [MATCH, replace(MATCH, seed=1)])


def test_an_unknown_agent_is_told_before_anything_is_played(monkeypatch):
    monkeypatch.setattr(Task, "play", lambda *_: pytest.fail("played"))
    with pytest.raises(InvalidOption, match="'nobody' is no agent"):
        list(run_tasks(tasks_of(replace(MATCH, second="nobody"), 10)))


def test_kingdoms_and_numbers_as_a_command_line_has_them():
    assert parse_kingdom("random") == "random"
    assert parse_kingdom("Moat, Smithy,Mine") == ["Moat", "Smithy", "Mine"]
    assert sets_of(12, 3) == 4
    for games, players in ((5, 2), (0, 2), (-2, 2), (4, 1), (14, 7)):
        with pytest.raises(InvalidOption):
            sets_of(games, players)
    with pytest.raises(InvalidOption, match="workers=0"):
        list(run_tasks([], workers=0))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("workers", [1, 2])
def test_after_ctrl_c_the_same_command_goes_on(workers, tmp_path):
    """A real process, stopped in mid-play: its finished parts are used again, and the result is that of one run."""
    where = tmp_path / "out"
    command = [sys.executable, "-m", "dominion_env.cli", "compare", f"{MODULE}:slow", "random", "--games", "6000"]
    command += ["--workers", str(workers), "--out", str(where), "--max-turns", "4"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SLOW": "0.02"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    waited = time.monotonic() + 120
    while not list(where.glob("parts/*.npy")) and process.poll() is None and time.monotonic() < waited:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Interrupted" in said
    kept = {file.name: file.stat().st_mtime_ns for file in where.glob("parts/*.npy")}
    assert 1 <= len(kept) < 6
    assert not list(where.glob("parts/*.tmp"))

    subprocess.run(command, env=environment | {"SLOW": "0"}, check=True, capture_output=True)
    assert {name: (where / "parts" / name).stat().st_mtime_ns for name in kept} == kept
    assert len(list(where.glob("parts/*.npy"))) == 6
    straight = tmp_path / "straight"
    command[command.index(str(where))] = str(straight)
    subprocess.run(command, env=environment | {"SLOW": "0"}, check=True, capture_output=True)
    results = [json.loads((folder / "result.json").read_text()) for folder in (where, straight)]
    assert {**results[0], "command": ""} == {**results[1], "command": ""}
