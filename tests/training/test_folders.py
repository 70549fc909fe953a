"""One command at a time works in a folder: a second one is refused at once, and a lock ends with its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominion_app.cli import main
from dominion_env.common.errors import InvalidOption
from dominion_training.common.folders import LOCK, folder_for_work

HOLDER = """
import sys
from pathlib import Path
from dominion_training.common.folders import folder_for_work
with folder_for_work(Path(sys.argv[1]), "results"):
    print("at work", flush=True)
    sys.stdin.read()
"""
COMMANDS = (
    "compare random random", "compare random random --each --kingdom test", "benchmark random", "collect random",
    "baselines --kingdom first-game-2e", "study first-game-2e --only values", "evolve --games 2000", "exploit random",
    "exploit random --by learner", "train --resume", "validate --groups openings",
)  # fmt: skip


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that works in the folder `mine`, as long as its input is open."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "mine")], stdin=-1, stdout=-1, text=True
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        yield process
        process.kill()


@pytest.mark.slow
def test_a_second_command_is_refused_at_once_and_told_who_works_there(holder, tmp_path, capsys, monkeypatch):
    pytest.importorskip("polars", reason="needs the extra `research`")
    from dominion_training.learner.options.presets import preset
    from dominion_training.learner.runs.run import write_settings

    monkeypatch.chdir(tmp_path)
    write_settings(Path("mine"), preset("smoke"))
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    for command in COMMANDS:
        place = ["mine"] if command.endswith("--resume") else ["--out", "mine"]
        assert main([*command.split(), *place]) == 1, command
        said = capsys.readouterr().err
        assert f"mine is in use by '-c {tmp_path}" in said, command
        assert f"(process {holder.pid} on " in said
        assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_the_lock_of_a_process_that_was_killed_blocks_nobody(holder, tmp_path):
    with (
        pytest.raises(InvalidOption, match=f"in use by .*process {holder.pid} on"),
        folder_for_work(tmp_path / "mine", "a run"),
    ):
        pass
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert (tmp_path / "mine" / LOCK).exists()
    with folder_for_work(tmp_path / "mine", "results"):
        (tmp_path / "mine" / "a").touch()
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["a"]


def test_a_child_that_was_forked_has_no_lock_of_its_own(tmp_path):
    with folder_for_work(tmp_path, "results"):
        child = os.fork()
        if child == 0:
            try:
                with folder_for_work(tmp_path, "results"):
                    os._exit(1)
            except InvalidOption:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (tmp_path / LOCK).exists()


def test_blocks_of_one_process_are_nested_and_the_outermost_ends_the_lock(tmp_path):
    with folder_for_work(tmp_path, "results"):
        with folder_for_work(tmp_path / "below" / "..", "a search"):
            pass
        assert (tmp_path / LOCK).exists()
    assert [each.name for each in tmp_path.iterdir()] == ["below"]


@pytest.mark.parametrize(("kept", "left"), [("*.json", ["b.json", "sub"]), ("*.npy", None)])
def test_a_block_that_fails_leaves_nothing_before_what_is_worth_keeping_is_there(kept, left, tmp_path):
    place = tmp_path / "new" / "mine"

    def fail() -> None:
        (place / "sub").mkdir()
        (place / "b.json").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), folder_for_work(place, "results", kept):
        fail()
    assert (sorted(each.name for each in place.iterdir()) if place.exists() else None) == left
    assert (tmp_path / "new").exists() == (left is not None)
