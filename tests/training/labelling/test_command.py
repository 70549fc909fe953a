"""`dominion label`, as it is called."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dominion_env import GameBatch
from dominion_env.cli import main
from dominion_training import records
from dominion_training.labelling import work

LABELS = Path("labels.parquet")
CALL = ["label", "--by", "big-money=2", "random", "--continuation", "big-money-ultimate", "--error", "0.2"]


@pytest.fixture(autouse=True)
def small_parts_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(work, "LABELS_PER_PART", 8)


def read():
    table = pl.read_parquet(LABELS)
    LABELS.unlink()
    return table


@pytest.mark.compiled
def test_labels_are_written_with_a_summary(capsys):
    assert main([*CALL, "--number", "20"]) == 0
    told = capsys.readouterr().out
    for line in (
        "labels per CPU second",
        "standard error of the difference of the two best, mean",
        "20.00%",
        "games played",
    ):
        assert line in told
    assert not Path("labels.parquet.parts").exists()
    table = read()
    assert len(table) == 20
    assert table["observation_version"].unique().to_list() == [2]
    assert table["players"].unique().to_list() == [2]
    assert table["plan"].unique().to_list() == ["big-money-ultimate"]
    for row in table.iter_rows(named=True):
        assert len(row["observation"]) == GameBatch(1).observation_size
        assert row["actions"] == np.flatnonzero(row["mask"]).tolist()
        assert len(row["values"]) == len(row["errors"]) == len(row["errors_to_best"]) == len(row["games"])
        assert row["errors_to_best"][int(np.argmax(row["values"]))] == 0
        assert row["error"] in row["errors_to_best"]
        assert row["error"] <= 0.2
        assert row["usual"] in row["actions"]


@pytest.mark.compiled
def test_a_clone_can_learn_from_them():
    from dominion_agents.trained.inputs import layout
    from dominion_training.learner.labels import Labels

    assert main([*CALL, "--number", "20"]) == 0
    labels = Labels(LABELS, layout("kingdom", 2))
    assert len(labels) == 20
    assert np.allclose(labels.targets.sum(axis=1), 1)


@pytest.mark.compiled
def test_ctrl_c_keeps_the_labels_and_the_same_call_ends_with_the_same_file(monkeypatch, capsys):
    assert main([*CALL, "--number", "20"]) == 0
    straight, done = read(), []

    def interrupted(*given):
        done.append(given)
        if len(done) == 4:
            raise KeyboardInterrupt
        return labelled(*given)

    labelled = work.labelled
    monkeypatch.setattr(work, "labelled", interrupted)
    monkeypatch.setattr(work, "GAMES_AT_ONCE", 2)
    capsys.readouterr()
    assert main([*CALL, "--number", "20"]) == 130
    assert (
        "Interrupted. The labels in labels.parquet.parts are kept: the same command goes on" in capsys.readouterr().out
    )
    assert not LABELS.exists()
    assert main([*CALL, "--number", "20"]) == 0
    assert read().equals(straight)


@pytest.mark.compiled
@pytest.mark.slow
def test_a_killed_command_goes_on_and_ends_with_the_same_file(tmp_path):
    number = ["--number", "700"]
    command = [sys.executable, "-m", "dominion_env", *CALL, *number]
    parts = tmp_path / "labels.parquet.parts" / "parts"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 300
        while not (parts.exists() and any(parts.glob("*.npy"))):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
    assert not LABELS.exists()
    subprocess.run(command, check=True, capture_output=True)
    killed = read()
    subprocess.run(command, check=True, capture_output=True)
    assert read().equals(killed)


@pytest.mark.compiled
def test_a_full_disk_is_said_and_the_same_call_goes_on(monkeypatch, capsys):
    written = []

    def full_after_one_part(*given):
        written.append(given)
        if len(written) > 2:  # the settings, and the first part
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(records.os, "fsync", full_after_one_part)
        assert main([*CALL, "--number", "20"]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert not LABELS.exists()
    assert len(list(Path("labels.parquet.parts/parts").glob("*.npy"))) == 1
    assert main([*CALL, "--number", "20"]) == 0
    assert len(read()) == 20


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["--by", "nobody"], "'nobody' is no agent"),
        (["--by", "random=0"], "by: expected a weight above 0 for random, got 0"),
        (["--continuation", "nothing much"], "nothing much"),
        (["--continuation", "double-witch"], "continuation: expected a strategy whose cards are in the kingdom"),
        (["--continuation", "auto", "first-game"], "continuation: expected one or several strategies, or auto alone"),
        (["--kingdom", "atlantis"], "no kingdom is named 'atlantis'"),
        (["--number", "0"], "number: expected a whole number from 1, got 0"),
        (["--players", "7"], "players: expected a whole number from 2 to 6"),
        (["--error", "2"], "error: expected a share of the win between 0 and 1"),
        (["--workers", "0"], "workers: expected at least 1"),
        (["--out", "gone/labels.parquet"], "--out: expected a file in a folder that can be written to"),
        (["--out", "."], "--out: expected a file, got the folder"),
    ],
)
def test_a_wrong_call_is_explained(call, said, capsys):
    assert main(["label", "--number", "10", *call]) == 1
    assert said in capsys.readouterr().err
    assert not LABELS.exists()


def test_a_file_that_is_there_is_left_alone(capsys):
    LABELS.write_text("mine")
    assert main([*CALL, "--number", "8"]) == 1
    assert (
        "--out: expected the name of a new file, got labels.parquet, which is there already" in capsys.readouterr().err
    )
    assert LABELS.read_text() == "mine"


@pytest.mark.compiled
def test_other_labels_are_not_continued(monkeypatch, capsys):
    def stopped(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(work, "labelled", stopped)
        assert main([*CALL, "--number", "8"]) == 130
    assert main([*CALL, "--number", "8", "--seed", "1"]) == 1
    assert "seed 0 there, 1 here" in capsys.readouterr().err
