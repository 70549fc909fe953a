"""Settings and marks of all tests."""

from __future__ import annotations

from collections.abc import Generator
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
    "docs/test_architecture.py",
    "docs/test_site.py",
    "reference/test_reference_alone.py",
    "training/evaluate/test_nash.py",
    "training/evaluate/test_ratings.py",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark whole folders and files, and leave those that drive a browser or a cluster to the run that asks for them."""
    for mark in ("browser", "cluster"):
        if mark not in str(config.getoption("markexpr")):
            left = [item for item in items if item.path.is_relative_to(HERE / mark)]
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if item not in left]
    for mark, parts in ((pytest.mark.compiled, NEEDS_COMPILED_SPEED), (pytest.mark.plain, NOTHING_COMPILED)):
        for item in items:
            if any(item.path.is_relative_to(HERE / part) for part in parts):
                item.add_marker(mark)
    for item in items:
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
