"""Settings and marks of all tests."""

from __future__ import annotations

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
# Texts, pages, formulas and the slow engine. These tests call neither the core nor an agent.
NOTHING_COMPILED = (
    "mutation",
    "reference/test_reference_alone.py",
    "training/evaluate/test_nash.py",
    "training/evaluate/test_ratings.py",
)


# A run leaves these folders out, and does not even import them, unless `-m` names them.
ON_REQUEST = ("browser", "cluster", "prose")
MARKED = {"compiled": NEEDS_COMPILED_SPEED, "plain": NOTHING_COMPILED, **{name: (name,) for name in ON_REQUEST}}


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
        marks = {mark.name for mark in item.iter_markers()}
        if "plain" in marks and marks & {"compiled", "slow"}:
            raise pytest.UsageError(f"{item.nodeid} is left out of every run of `make test`: {sorted(marks)}")


@pytest.fixture
def forgotten_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after the test which agents it has registered."""
    from dominion_env import registry

    registry.agent_names()  # those of installed packages stay
    monkeypatch.setattr(registry, "_AGENTS", dict(registry._AGENTS))
    monkeypatch.setattr(registry, "_FORMS", list(registry._FORMS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Refuse to play games in a test that is marked `plain`."""
    if item.get_closest_marker("plain") is None:
        return (yield)
    from dominion_agents import ScriptedAgent
    from dominion_env import GameBatch

    def refused(*_: Any, **options: Any) -> None:
        pytest.fail("this test runs what is compiled: it can't be marked `plain`")

    with pytest.MonkeyPatch.context() as patch:
        for call in ("__init__", "step", "observe", "sample_actions", "policy_keys"):
            patch.setattr(GameBatch, call, refused)
        patch.setattr(ScriptedAgent, "act", refused)
        return (yield)
