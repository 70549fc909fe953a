"""Settings and marks of all tests."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run: a red suite means a change, not a throw of the dice.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

pytest.register_assert_rewrite("tests.table")

HERE = Path(__file__).parent

# Whole games by the hundred: without a compiler they would take the better part of an hour.
NEEDS_COMPILED_SPEED = (
    "properties",
    "playthroughs",
    "reference/test_lockstep.py",
    "contracts/test_game.py",
    "contracts/test_game_batch.py",
)

# A run leaves these folders out, and does not even import them, unless `-m` names them.
ON_REQUEST = ("browser", "cluster", "prose")
MARKED = {"compiled": NEEDS_COMPILED_SPEED, **{name: (name,) for name in ON_REQUEST}}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the folders of other runs."""
    asked = str(config.getoption("markexpr"))
    return True if any(collection_path == HERE / name and name not in asked for name in ON_REQUEST) else None


@cache
def marks_of(path: Path) -> list[str]:
    """Return the marks that a whole file has."""
    return [mark for mark, parts in MARKED.items() if any(path.is_relative_to(HERE / part) for part in parts)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole folders and files."""
    for item in items:
        for name in marks_of(item.path):
            item.add_marker(name)


@pytest.fixture
def forgotten_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after the test which agents it has registered."""
    from dominion_env.players import registry

    registry.agent_names()  # those of installed packages stay
    monkeypatch.setattr(registry, "_AGENTS", dict(registry._AGENTS))
    monkeypatch.setattr(registry, "_FORMS", list(registry._FORMS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Note how long the test takes where `.ci/run` asks for it, and which test is running: it may be the one that hangs."""
    folder = os.environ.get("TEST_TIMES")
    if folder is None:
        return (yield)
    running, begun = Path(folder, f"{os.getpid()}.running"), time.monotonic()
    running.write_text(f"running {item.nodeid}\n")
    try:
        return (yield)
    finally:
        running.unlink()
        with Path(folder, f"{os.getpid()}.times").open("a") as file:
            file.write(f"{time.monotonic() - begun:.1f} {item.nodeid}\n")
