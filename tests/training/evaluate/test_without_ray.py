"""A cluster is an extra: without Ray its option says so, and nothing else needs Ray."""

from __future__ import annotations

import sys

import pytest

from dominion_app.cli import main
from dominion_env import InvalidOption
from dominion_training.evaluate.commands.options import RunOptions
from dominion_training.executors.executor import Executor
from dominion_training.executors.local import Local


@pytest.fixture
def no_ray(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("dominion_training.executors.cluster")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "random", "big-money", "--games", "2"],
        ["collect", "big-money", "--games", "2"],
        ["exploit", "random"],
        ["exploit", "random", "--by", "learner"],
        ["evolve"],
        ["train", "--preset", "smoke"],
    ],
)
def test_a_cluster_without_ray_is_told_in_one_sentence(command, no_ray, tmp_path, capsys):
    assert main([*command, "--out", str(tmp_path / "out"), "--cluster", "auto"]) == 1
    assert f"dominion {command[0]}: the package ray is missing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists() or command[0] == "compare"


def test_without_the_option_the_processes_of_this_machine_play(no_ray):
    executor = RunOptions(workers=2).executor()
    assert isinstance(executor, Local)
    assert isinstance(executor, Executor)


def test_a_command_that_writes_where_it_plays_refuses_a_cluster():
    assert RunOptions(workers=2).processes() == 2
    with pytest.raises(
        InvalidOption, match="--cluster: expected none, as this command writes on one machine, got auto"
    ):
        RunOptions(cluster="auto").processes()
