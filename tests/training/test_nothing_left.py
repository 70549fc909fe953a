"""A command that fails leaves nothing on disk: no folder of results or of a run, and none above it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from dominion_app.cli import main

pytest.importorskip("polars", reason="needs the extra `research`")

FAILING = "failing.py:act"  # an agent that fails at its first decision
LISTS = "exploit --games 2000 --measured 20"
LEARNER = "exploit --by learner --samples 900000 --measured 20"
TRAIN = "train --preset smoke"
WRONG_IN_WORDS = {
    "compare": ("compare nobody random", "compare random nobody --each --kingdom test:1", "compare random random --games 3",
                "compare random random --kingdom nowhere", "compare random random --elo0 3",
                "compare random random --workers 0", "compare random random --workers 0 --each --kingdom test:1"),
    "benchmark": ("benchmark nobody", "benchmark random --kingdom nowhere", "benchmark random --games 3",
                  "benchmark random --workers 0", "benchmark"),
    "baselines": ("baselines nobody --kingdom first-game-2e", "baselines --kingdom nowhere", "baselines --workers 0",
                  "baselines --kingdom first-game-2e --games 3"),
    "collect": ("collect", "collect nobody", "collect random --kingdom nowhere", "collect random --games 0",
                "collect random --workers 0", "collect random --seating round", "collect --again 3"),
    "study": ("study nowhere", "study first-game-2e --agent nobody", "study first-game-2e --agents nobody",
              "study first-game-2e --only everything", "study first-game-2e --workers 0", "study first-game-2e --data nothing"),
    "exploit": (f"{LISTS} nobody", f"{LISTS} random --kingdom nowhere", f"{LISTS} random --workers 0",
                f"{LISTS} random --samples 3", f"{LEARNER} nobody", f"{LEARNER} random --kingdom nowhere",
                f"{LEARNER} random --start nobody", f"{LEARNER} random --samples 3"),
    "evolve": ("evolve --kingdom nowhere", "evolve --heart Village", "evolve --games 0", "evolve --workers 0 --games 9"),
    "train": (f"{TRAIN} --kingdom nowhere", f"{TRAIN} --teacher nobody", f"{TRAIN} --opponents nobody", "train --preset no",
              f"{TRAIN} --learning-rate fast", f"{TRAIN} --resume nothing",
              f"{TRAIN} --games 33", f"{TRAIN} --n-steps 3", f"{TRAIN} --workers -1"),
}  # fmt: skip
FAIL_AT_THE_FIRST_STEP = (
    f"compare {FAILING} random --workers 1", f"compare {FAILING} random --each --kingdom test:1 --workers 1",
    f"benchmark {FAILING} --workers 1", f"baselines {FAILING} --kingdom first-game-2e --workers 1 --games 2",
    f"collect {FAILING} --workers 1", f"study first-game-2e --agent {FAILING} --workers 1 --only values",
    f"study first-game-2e --agents {FAILING} --workers 1 --only cards", f"{LISTS} {FAILING}",
)  # fmt: skip
IMPORTED = {
    "compare random random": "evaluate.reports.parquet",
    "benchmark random": "evaluate.reports.pictures",
    "baselines": "evaluate.reports.pictures",
    "collect random": "research.collect.data",
    "study first-game-2e": "research.reports.figures",
    "evolve --games 100": "evolve.lineage",
    f"{LEARNER} random": "exploit.exploiter",
    TRAIN: "learner.runs.run",
}
CLUSTER = (
    "compare random random",
    "benchmark random",
    "baselines",
    "collect random",
    "evolve",
    "exploit random",
    TRAIN,
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the commands are called, with an agent that fails."""
    monkeypatch.chdir(tmp_path)
    Path("failing.py").write_text("def act(observations, action_masks, keys):\n    raise RuntimeError('not today')\n")
    return tmp_path


def fails(command: str, here: Path) -> None:
    """Check that a command fails, by its status or by the parser's exit, and that it leaves nothing."""
    try:
        status = main(command.split())
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    except RuntimeError:  # the learner hands on what the agent has raised
        status = 1
    left = [path for path in here.rglob("*") if path.name != "failing.py" and path.parent.name != "__pycache__"]
    assert status in (1, 2)
    assert left == []


@pytest.mark.parametrize("command", [each for commands in WRONG_IN_WORDS.values() for each in commands])
def test_a_command_that_is_called_wrongly_leaves_nothing(command: str, here: Path):
    fails(command, here)


@pytest.mark.parametrize("command", FAIL_AT_THE_FIRST_STEP)
def test_a_command_whose_agent_fails_at_once_leaves_nothing(command: str, here: Path):
    fails(command, here)


@pytest.mark.compiled
@pytest.mark.parametrize("command", [f"{TRAIN} --teacher {FAILING}", f"{TRAIN} --teacher None --opponents {FAILING}"])
def test_a_run_that_fails_before_its_first_checkpoint_leaves_nothing(command: str, here: Path):
    fails(f"{command} --out runs/mine", here)


@pytest.mark.parametrize("command", IMPORTED)
def test_a_command_whose_extra_is_missing_leaves_nothing(command: str, here: Path, monkeypatch: pytest.MonkeyPatch):
    module = f"dominion_training.{IMPORTED[command]}"
    assert find_spec(module), "a module that is not there is missed by no command"
    monkeypatch.setitem(sys.modules, module, None)
    fails(command, here)


@pytest.mark.parametrize("command", CLUSTER)
def test_a_command_without_ray_leaves_nothing(command: str, here: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    fails(f"{command} --cluster auto", here)


def test_a_folder_that_was_there_stays_as_it_was(here: Path):
    (here / "mine").mkdir()
    for command in (f"compare {FAILING} random --workers 1 --out mine", "compare random random --workers 0 --out mine"):
        assert main(command.split()) == 1
        assert [*(here / "mine").iterdir()] == []


def test_what_was_played_before_is_kept(here: Path):
    assert main(["compare", "random", "random", "--games", "2", "--workers", "1", "--out", "mine"]) == 0
    before = {path: path.read_bytes() for path in here.rglob("parts/*")}
    assert before
    assert main(f"compare {FAILING} random --games 2 --workers 1 --out mine".split()) == 1
    assert {path: path.read_bytes() for path in here.rglob("parts/*")} == before
