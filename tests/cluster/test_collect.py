"""Data sets that are collected on a Ray cluster: the same files, byte by byte, as on one machine."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dominion_app.cli import main
from dominion_training.executors.cluster.tasks import _arrived
from dominion_training.research.collect import data
from dominion_training.research.collect.data import Collection, open_data
from tests.cluster.waiting import a_node_lost

pytestmark = pytest.mark.filterwarnings("default")  # what Ray warns of is Ray's

CALL = ["collect", "auto", "random-menu:1", "first-game", "--games", "40", "--players", "2", "3", "--seed", "4"]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(data, "GAMES_PER_PART", {"strategies": 8, "others": 8, "searchers": 2})


def collected(folder, call, *where):
    """Return the content of all tables, and what `data.json` says but for the command that was called."""
    assert main([*call, "--out", str(folder), *where]) == 0
    files = {file.relative_to(folder): file.read_bytes() for file in sorted(folder.glob("*/*.parquet"))}
    record = json.loads((folder / data.RECORD).read_text()) | {"command": ""}
    return files, record


@pytest.fixture
def told_alike(monkeypatch):
    """Let all files tell the same command, so that they can be compared byte by byte."""
    monkeypatch.setattr("dominion_training.evaluate.commands.steps.shlex.join", lambda words: "dominion collect")


def test_files_are_the_same_in_one_process_and_in_two_and_on_one_node_and_on_three(nodes, tmp_path, told_alike):
    alone = collected(tmp_path / "one", CALL, "--workers", "1")
    assert len(alone[0]) == 30, "three tables of ten parts"
    assert collected(tmp_path / "two", CALL, "--workers", "2") == alone
    assert collected(tmp_path / "node", CALL, "--cluster", nodes.address) == alone
    nodes.add()
    nodes.add()
    assert collected(tmp_path / "nodes", CALL, "--cluster", nodes.address) == alone
    open_data(tmp_path / "nodes").read()


def test_a_node_that_is_killed_costs_its_running_parts_only(nodes, watched, tmp_path, told_alike):
    call = ["collect", watched.spec, "--games", "320", "--max-turns", "6"]
    alone = collected(tmp_path / "one", call, "--workers", "1")
    with a_node_lost(nodes, watched):
        found = collected(tmp_path / "nodes", call, "--cluster", nodes.address)
    assert found == alone


def test_a_folder_begun_on_one_machine_goes_on_on_a_cluster(nodes, tmp_path, told_alike, monkeypatch):
    alone = collected(tmp_path / "one", CALL, "--workers", "1")
    begun = tmp_path / "one"
    (begun / data.RECORD).unlink()
    lost = sorted(begun.glob("events/*.parquet"))[3]
    lost.unlink()
    before = {file: file.stat().st_mtime_ns for file in begun.glob("*/*.parquet") if file.name != lost.name}
    assert collected(begun, CALL, "--cluster", nodes.address) == alone
    assert {file: file.stat().st_mtime_ns for file in before} == before


def test_a_file_that_can_not_be_written_here_is_the_outcome_of_its_part(tmp_path):
    (part,) = Collection(("big-money",), games=4, options={"auto_treasures": True}).parts(tmp_path)
    sent = part.away().play()
    Path(tmp_path / "games").write_text("in the way")
    assert isinstance(_arrived(part, sent), OSError)
    games = np.zeros(3)
    assert _arrived(object(), games) is not games


def test_an_address_without_a_cluster_is_told(tmp_path, capsys):
    assert main([*CALL, "--out", str(tmp_path / "out"), "--cluster", "127.0.0.1:1"]) == 1
    assert "cluster 127.0.0.1:1: expected a Ray cluster, got no answer" in " ".join(capsys.readouterr().err.split())
