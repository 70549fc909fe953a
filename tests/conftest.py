"""Shared by all tests."""

from __future__ import annotations

from pathlib import Path

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
    "contracts/test_bad_input.py",
    "contracts/test_game.py",
    "contracts/test_game_batch.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave these out of the interpreted run."""
    for item in items:
        if any(item.path.is_relative_to(HERE / part) for part in NEEDS_COMPILED_SPEED):
            item.add_marker(pytest.mark.compiled)
