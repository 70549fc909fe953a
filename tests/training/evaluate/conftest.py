"""What several tests of the evaluation share."""

from __future__ import annotations

import pytest

from dominion_agents.strategies.named import STRATEGIES
from dominion_training.evaluate import standings


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave four published strategies, and no evolved list, among those that `dominion baselines` lets play."""
    names = ("big-money", "laboratory", "bureaucrat", "moat")
    monkeypatch.setattr(standings, "STRATEGIES", {name: STRATEGIES[name] for name in names})
    monkeypatch.setattr(standings, "evolved_for", lambda cards: None)
