"""A user who waits for the core to be compiled is told so once; nobody else is."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, ClassVar

import numba
import numpy as np
import pytest
from numba.core import event

import dominion_agents  # noqa: F401  each package adds the names of its compiled parts
import dominion_training.learner  # noqa: F401
import dominion_training.research  # noqa: F401
from dominion_env.compiled import notice
from dominion_env.core.loop import play_games
from dominion_env.rules.record.state import GAME


class Function:
    """A compiled function, as numba shows it."""

    __module__ = "dominion_env.core.loop"

    def __init__(self, folder: str | None = "/cache/of/ours") -> None:
        self.stats = SimpleNamespace(cache_path=folder)


LARGE_TABLES = "the rules for tables of 3 to 6 players"
OURS, OTHERS, UNCACHED = Function(), Function(), Function(None)


class Clock:
    """A timer that goes off when the test says so."""

    started: ClassVar[list[Clock]] = []

    def __init__(self, seconds: float, doing: Callable[..., None], arguments: list[Any]) -> None:
        assert seconds == notice.PATIENCE
        self.doing, self.arguments, self.waits = doing, arguments, False

    def start(self) -> None:
        self.waits = True
        self.started.append(self)

    def cancel(self) -> None:
        self.waits = False

    @classmethod
    def time_passes(cls) -> None:
        for clock in cls.started:
            if clock.waits:
                clock.waits = False
                clock.doing(*clock.arguments)


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch):
    """Install a notice of its own, as in a new process."""
    monkeypatch.setattr(notice, "Timer", Clock)
    monkeypatch.setattr(Clock, "started", [])
    listener = notice.CompilingNotice()
    listener.functions.update((OURS, UNCACHED))
    with event.install_listener("numba:compile", listener):
        yield listener


def compiled(function: Any, while_it_takes: Callable[[], None] = lambda: None) -> None:
    """Send what numba sends while it compiles a function."""
    with event.trigger_event("numba:compile", {"dispatcher": function, "args": (), "return_type": None}):
        while_it_takes()


def test_who_waits_long_is_told_where_the_result_is_kept(listener, caplog: pytest.LogCaptureFixture):
    compiled(OURS, Clock.time_passes)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("dominion_env", logging.WARNING)
    for words in ("being compiled", "about 15 seconds", "/cache/of/ours", "NUMBA_CACHE_DIR"):
        assert words in record.message
    assert "\n" not in record.message


def test_it_tells_what_is_compiled_now_and_what_will_be_later(listener, caplog: pytest.LogCaptureFixture):
    compiled(OURS, Clock.time_passes)
    (record,) = caplog.records
    now, later = record.message.split("The rules for tables of 3 to 6 players and the agents")
    assert now.startswith("dominion_env: the rules for tables of 1 and 2 players are being compiled for this machine")
    assert later.startswith(" are compiled likewise, when they are first used; `dominion compile`")


def test_each_room_is_called_by_the_name_that_it_has_added():
    hands = SimpleNamespace(type=SimpleNamespace(shape=(6, 39)))
    records = SimpleNamespace(dtype=SimpleNamespace(fields={"hand": hands}))
    assert notice.part_of(OURS, (records,)).name == LARGE_TABLES
    for module, name in (
        ("dominion_agents.scripted.agent", "the agents"),
        ("dominion_training.learner.rollouts.samples", "the loops of the learner"),
        ("dominion_training.research.collect.recorder", "the loops that record games for research"),
        ("my_agent", "functions of my_agent"),
    ):
        function = Function()
        function.__module__ = module
        assert notice.part_of(function, (records,)).name == name


@pytest.mark.compiled
def test_real_records_tell_their_layout():
    kinds = {seats: numba.typeof(np.zeros(1, layout)) for seats, layout in GAME.items()}
    names = {seats: notice.part_of(play_games, (0, kind)).name for seats, kind in kinds.items()}
    assert names == {2: "the rules for tables of 1 and 2 players", 6: LARGE_TABLES}


def test_where_nothing_can_be_kept_it_says_what_to_set(listener, caplog: pytest.LogCaptureFixture):
    compiled(UNCACHED, Clock.time_passes)
    (record,) = caplog.records
    assert "in every process" in record.message
    assert "Set NUMBA_CACHE_DIR to one that can" in record.message


def test_processes_that_play_side_by_side_say_it_once_together(listener, caplog: pytest.LogCaptureFixture):
    listener.shared = Event()
    compiled(OURS, Clock.time_passes)
    another = notice.CompilingNotice()
    another.functions.add(OTHERS)
    another.shared = listener.shared
    with event.install_listener("numba:compile", another):
        compiled(OTHERS, Clock.time_passes)
    assert len(caplog.records) == 1


def test_it_is_said_once(listener, caplog: pytest.LogCaptureFixture):
    compiled(OURS, Clock.time_passes)
    compiled(OURS, Clock.time_passes)
    assert len(caplog.records) == 1


def test_what_is_compiled_in_time_is_not_spoken_of(listener, caplog: pytest.LogCaptureFixture):
    compiled(OURS)
    Clock.time_passes()
    assert Clock.started
    assert not caplog.records
    compiled(OURS, Clock.time_passes)
    assert len(caplog.records) == 1, "the next one takes long"


def test_the_inner_functions_of_a_slow_one_do_not_end_the_wait(listener, caplog: pytest.LogCaptureFixture):
    def inner() -> None:
        compiled(OTHERS)
        Clock.time_passes()

    compiled(OURS, inner)
    assert len(caplog.records) == 1


def test_what_others_compile_is_not_spoken_of(listener, caplog: pytest.LogCaptureFixture):
    compiled(OTHERS, Clock.time_passes)
    assert not caplog.records


def test_a_compilation_that_fails_ends_the_wait(listener, caplog: pytest.LogCaptureFixture):
    def failing() -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        compiled(OURS, failing)
    Clock.time_passes()
    assert not caplog.records


def added(folder: Path, patience: float = 100.0, **options: Any) -> str:
    """Add 1 and 2 by a compiled function in a process of its own, whose cache is in the folder. Return what it said."""
    (folder / "adds.py").write_text(
        "from dominion_env.compiled import jit, notice\n"
        f"notice.PATIENCE = {patience}\n"
        "@jit.entry_point('')\n"
        "def add(a, b):\n"
        "    return a + b\n"
    )
    code = "import adds; print(adds.add(1, 2), adds.add(1.5, 2.5))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, **options
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "3 4.0\n"), done.stderr
    return done.stderr


@pytest.mark.slow
@pytest.mark.compiled
def test_it_comes_to_stderr_when_compiled_and_not_when_loaded_from_the_cache(tmp_path):
    said = added(tmp_path, patience=0.0)
    assert said.count("\n") == 1
    assert f"kept in {tmp_path}" in said
    assert added(tmp_path, patience=0.0) == ""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_on_a_full_disk_it_plays_on_and_says_once_that_the_result_is_not_kept(tmp_path):
    """Files of more than 1,000 bytes fail as on a full disk."""
    said = added(tmp_path, preexec_fn=lambda: _limit(1000))
    assert said.count("\n") == 1
    assert f"the result can't be kept in {tmp_path}" in said
    assert "(File too large), so the next process compiles again. Set NUMBA_CACHE_DIR" in said
    assert not list(tmp_path.rglob("*.tmp*"))
    assert added(tmp_path) == ""
    assert list(tmp_path.rglob("*.nbc"))


def _limit(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("content", [b"", b"nothing", bytes(1000)])
def test_what_was_kept_and_is_damaged_is_compiled_again(kind, content, tmp_path):
    added(tmp_path)
    whole = {file: file.stat().st_size for file in tmp_path.rglob(kind)}
    for file in whole:
        file.write_bytes(content)
    assert added(tmp_path) == ""
    assert all(file.stat().st_size > len(b"nothing") for file in whole if file.exists())
    assert added(tmp_path) == ""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("call", [["-c", "from dominion_env import GameBatch"], ["-m", "dominion_app.cli", "--help"]])
def test_an_installation_that_is_read_only_works_without_a_home(call, tmp_path):
    """Even root can't make a folder where a file is, so files stand in the places of all folders for a cache."""
    root = Path(__file__).parents[2]
    for package in ("dominion_env", "agents/dominion_agents"):
        copied = tmp_path / Path(package).name
        shutil.copytree(root / package, copied, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in {file.parent for file in copied.rglob("*.py")}:
            (folder / "__pycache__").write_text("")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, *call], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
