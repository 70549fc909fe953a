"""Small generations, so that a test evolves in a moment."""

from dataclasses import replace

import pytest

from dominion_training.evolve import evolution, evolve
from dominion_training.lists import climbs

SMALL = {
    "PLAN": replace(evolution.PLAN, drawn=12, changed=8, left=3, staying=3, first_sets=1), "FOUNDERS": 3, "JOINING_SETS": 2,
    "ROOM": 4, "CARE": {"leader": 2, "enemy": 2, "island": 2, "heart": 2},
}  # fmt: skip


@pytest.fixture
def small(monkeypatch):
    for name, value in SMALL.items():
        monkeypatch.setattr(evolution, name, value)
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=8, changed=4, first_sets=1, left=2))
    monkeypatch.setattr(evolve, "FINAL_SETS", 2)
    monkeypatch.setattr("dominion_training.evolve.simplify.LOOK", 2)
    monkeypatch.setattr("dominion_training.evolve.simplify.MOST_LOOKS", 2)
    monkeypatch.setattr("dominion_training.evolve.lineage.SETS", 3)
