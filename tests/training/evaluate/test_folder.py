"""What is kept on disk: whole files or none, only what was played under these settings, and a full disk in one sentence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dominion_app.cli import main
from dominion_env import DominionError, InvalidOption
from dominion_env.common.errors import ResultsMismatch
from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_training.common import records
from dominion_training.common.records import write_atomically
from dominion_training.evaluate.matches import Match, MatchPart
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.sets import game_dtype
from tests.training.evaluate.players import LAZY

ROOT = Path(__file__).parents[3]
MATCH = Match("big-money", "random", seed=0, options={"auto_treasures": True})
NO_SPACE = OSError(28, "No space left on device")


def games_of(part: MatchPart, winner: int):
    games = np.zeros((part.stop - part.start) * 2, game_dtype(2))
    games["set"] = np.repeat(np.arange(part.start, part.stop), 2)
    games["shares"][:, winner] = 1
    return games


@pytest.fixture
def full_disk(monkeypatch):
    """Make a disk on which files can be made, but hold nothing; it can be emptied again."""

    def full(*_):
        raise NO_SPACE

    monkeypatch.setattr(records.os, "fsync", full)
    return monkeypatch


def test_swapped_contents_of_the_right_shape_are_noticed(tmp_path, caplog):
    folder, parts = Folder(tmp_path, [MATCH]), [MatchPart(MATCH, 0, 4), MatchPart(MATCH, 4, 8)]
    for winner, part in enumerate(parts):
        folder.save(part, games_of(part, winner))
    assert (folder.load(parts[1]) == games_of(parts[1], 1)).all()
    one, two = sorted((tmp_path / "parts").iterdir())
    first = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(first)
    assert [folder.load(part) for part in parts] == [None, None]
    assert [record.message.endswith("these games are played again") for record in caplog.records] == [True, True]


def test_a_changed_byte_is_noticed(tmp_path):
    folder, part = Folder(tmp_path, [MATCH]), MatchPart(MATCH, 0, 4)
    folder.save(part, games_of(part, 0))
    [file] = (tmp_path / "parts").iterdir()
    content = bytearray(file.read_bytes())
    content[-100] ^= 1
    file.write_bytes(content)
    assert folder.load(part) is None


def test_parts_from_a_folder_of_other_settings_are_not_taken(tmp_path):
    part = MatchPart(MATCH, 0, 4)
    other = replace(part, work=replace(MATCH, seed=1))
    Folder(tmp_path / "other", [other.work]).save(other, games_of(other, 1))
    folder = Folder(tmp_path / "ours", [MATCH])
    shutil.copytree(tmp_path / "other" / "parts", tmp_path / "ours" / "parts", dirs_exist_ok=True)
    assert folder.load(part) is None


def test_settings_hold_all_versions_and_the_fingerprints_of_the_agents(tmp_path, monkeypatch):
    Folder(tmp_path, [MATCH])
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert {"dominion_env", "rules", "observation"} <= kept.keys()
    assert set(kept["agents"]) == {"big-money", "random"}
    assert all(len(each) == 16 for each in kept["agents"].values())
    monkeypatch.setattr(records, "OBSERVATION_VERSION", 99)
    with pytest.raises(ResultsMismatch, match=r"observation \d+ there, 99 here"):
        Folder(tmp_path, [MATCH])


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path, full_disk):
    file = tmp_path / "result.json"
    file.write_text("before")
    with pytest.raises(DominionError, match=r"result\.json can't be written: No space left on device"):
        write_atomically(file, "after")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("result.json", "before")]


def test_a_first_write_that_fails_leaves_a_folder_that_can_be_used(tmp_path, full_disk):
    with pytest.raises(InvalidOption, match="No space left on device"):
        Folder(tmp_path / "new", [MATCH])
    full_disk.undo()
    Folder(tmp_path / "new", [MATCH])


def test_what_a_process_left_that_was_killed_at_its_first_write_is_its_own(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "settings.json.4711.tmp").write_text("{")
    Folder(tmp_path, [MATCH])


@pytest.mark.parametrize("name", ["parts", "settings.json.tmp", "settings.json.4711.tmp.txt"])
def test_what_only_looks_like_it_is_left_alone(name, tmp_path):
    (tmp_path / name).write_text("mine")
    with pytest.raises(DominionError):
        Folder(tmp_path, [MATCH])
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["result.json", "games.parquet", "matrix.png", "report.html"])
def test_a_folder_with_the_name_of_a_result_is_told_before_games_are_played(name, tmp_path, capsys, monkeypatch):
    Folder(
        tmp_path,
        [Match("big-money", "random", seed=0, options={"auto_treasures": True, "max_turns": DEFAULT_MAX_TURNS})],
    )
    (tmp_path / name).mkdir()
    monkeypatch.setattr(MatchPart, "play", lambda *_: pytest.fail("played"))
    assert main(["compare", "big-money", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert f"expected no folder with the name of a file of results, got {name}" in said
    assert said.count("\n") == 1


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_disk_ends_in_one_sentence_and_the_same_command_goes_on(workers, tmp_path):
    """Files of more than 20,000 bytes fail as on a full disk: the settings fit, a part of 500 sets does not."""
    command = [sys.executable, "-m", "dominion_app.cli", "compare", "random", "random", "--max-turns", "2"]
    command += ["--games", "1000", "--workers", workers, "--out", str(tmp_path / "out")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    limited = subprocess.run(
        command, env=environment, capture_output=True, text=True, preexec_fn=lambda: _limit(20_000)
    )  # fmt: skip
    assert limited.returncode == 1
    assert limited.stderr.strip().splitlines()[-1].startswith("dominion compare: ")
    assert "can't be written: File too large" in limited.stderr
    assert "Traceback" not in limited.stderr
    assert not list((tmp_path / "out").rglob("*.tmp"))
    subprocess.run(command, env=environment, capture_output=True, check=True)


def _limit(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.compiled
def test_games_of_a_damaged_part_are_played_again_with_the_same_result(tmp_path):
    folder, part = Folder(tmp_path, [replace(MATCH, first=LAZY)]), MatchPart(replace(MATCH, first=LAZY), 0, 4)
    [(_, games)] = run_parts([part], folder=folder)
    [file] = (tmp_path / "parts").iterdir()
    file.write_bytes(b"")
    [(_, again)] = run_parts([part], folder=folder)
    assert (again == games).all()
    assert (folder.load(part) == games).all()
