"""What several tests of comparing agents need."""

from __future__ import annotations

import pytest

import dominion_agents


@pytest.fixture
def own_registry(monkeypatch):
    """Agents that a test registers are forgotten after it."""
    monkeypatch.setattr(dominion_agents, "_MAKERS", dict(dominion_agents._MAKERS))
