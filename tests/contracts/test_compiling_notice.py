"""A user who waits for the core to be compiled is told so once; nobody else is."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from numba.core import event

from dominion_env.rules import notice


class Function:
    """A compiled function, as numba shows it."""

    stats = SimpleNamespace(cache_path="/cache/of/ours")


OURS, OTHERS = Function(), Function()


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
    """A new process, as far as the notice can see."""
    monkeypatch.setattr(notice, "Timer", Clock)
    monkeypatch.setattr(Clock, "started", [])
    listener = notice.CompilingNotice()
    listener.functions.add(OURS)
    with event.install_listener("numba:compile", listener):
        yield listener


def compiled(function: Any, while_it_takes: Callable[[], None] = lambda: None) -> None:
    """An event that numba sends while it compiles a function."""
    with event.trigger_event("numba:compile", {"dispatcher": function, "args": (), "return_type": None}):
        while_it_takes()


def test_who_waits_long_is_told_where_the_result_is_kept(listener, caplog: pytest.LogCaptureFixture):
    compiled(OURS, Clock.time_passes)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("dominion_env", logging.WARNING)
    for words in ("being compiled", "about a minute", "/cache/of/ours", "NUMBA_CACHE_DIR"):
        assert words in record.message
    assert "\n" not in record.message


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


@pytest.mark.slow
@pytest.mark.compiled
def test_it_comes_to_stderr_when_compiled_and_not_when_loaded_from_the_cache(tmp_path):
    (tmp_path / "adds.py").write_text(
        "from dominion_env.rules import jit, notice\n"
        "notice.PATIENCE = 0.0\n"
        "def make(source_hash):\n"
        "    def add(a, b):\n"
        "        source_hash\n"
        "        return a + b\n"
        "    return add\n"
        "add = jit.entry_point(make)\n"
    )
    code = "import adds; print(adds.add(1, 2))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["NUMBA_DISABLE_JIT"] = "0"
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "3\n"
        said.append(done.stderr)
    assert said[0].count("\n") == 1
    assert f"kept for next time in {tmp_path}" in said[0]
    assert said[1] == ""
