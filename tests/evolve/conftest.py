"""Small generations, so that a test evolves in a moment."""

import pytest

from dominion_training.evolve import evolution, evolve
from dominion_training.lists import search

SMALL = {
    "DRAWN": 12, "CHANGED": 8, "LEFT": 3, "STAYING": 3, "FEW_SETS": 1, "FOUNDERS": 3, "JOINING_SETS": 2, "ROOM": 4,
    "CARE": {"leader": 2, "enemy": 2, "island": 2, "heart": 2},
}  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    for name, value in SMALL.items():
        monkeypatch.setattr(evolution, name, value)
    for name, value in {"DRAWN": 8, "CHANGED": 4, "FEW_SETS": 1, "LAST": 2}.items():
        monkeypatch.setattr(search, name, value)
    monkeypatch.setattr(evolve, "FINAL_SETS", 2)
    monkeypatch.setattr("dominion_training.evolve.simplify.LOOK", 2)
    monkeypatch.setattr("dominion_training.evolve.simplify.MOST_LOOKS", 2)
    monkeypatch.setattr("dominion_training.evolve.lineage.SETS", 3)
