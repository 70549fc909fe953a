"""What several tests of the evaluation share."""

from __future__ import annotations

import pytest

import dominion_agents
from dominion_training.evaluate import standings


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave four published strategies, and no evolved list, among those that `dominion baselines` lets play."""
    names = ("big-money", "laboratory", "bureaucrat", "moat")
    monkeypatch.setattr(standings, "STRATEGIES", {name: dominion_agents.STRATEGIES[name] for name in names})
    monkeypatch.setattr(standings, "evolved_for", lambda cards: None)
