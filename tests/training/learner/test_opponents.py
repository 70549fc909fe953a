"""Whom the network meets: earlier versions and exploiters by their age, opponents by what they win, and where attacks begin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dominion_agents.strategies.strategy import Strategy
from dominion_env import GameBatch, make_agent
from dominion_training.learner.opponents import exploiters
from dominion_training.learner.options.presets import preset
from dominion_training.learner.rollouts import shard
from dominion_training.learner.self_play import learner
from dominion_training.learner.self_play.learner import ATTACK, SNAPSHOT, SelfPlayPPO
from dominion_training.lists import climbs

TINY = preset("smoke").but(
    net_arch=[16], samples=10_000, num_envs=2, n_steps=12, batch_size=16, teacher_samples=0, opponents=["big-money=1"],
)  # fmt: skip
LISTS = [Strategy.parse(text) for text in ("Province; Gold; Silver", "Duchy; Silver", "Estate; Copper")]


@pytest.fixture(autouse=True)
def short_games_and_few_that_are_met(monkeypatch):
    monkeypatch.setattr(shard, "MAX_TURNS", 4)
    monkeypatch.setattr(exploiters, "MAX_TURNS", 4)
    monkeypatch.setattr(learner, "SNAPSHOTS_MET", 2)
    monkeypatch.setattr(learner, "EXPLOITERS_MET", 2)


def met(found: SelfPlayPPO) -> list[str]:
    """Return the names of the opponents that are met."""
    found.choose_weights()
    return [name for name, weight in zip(found.names, found.shards[0].weights[1:], strict=True) if weight > 0]


def test_the_newest_versions_and_the_newest_exploiters_are_met():
    found = SelfPlayPPO(TINY)
    for number in range(4):
        found.add_opponent(f"{SNAPSHOT} at {number}", make_agent("random"))
        found.add_exploiter(f"{ATTACK} at {number}", LISTS[:1])
    assert met(found) == ["big-money", *(f"{kind} at {n}" for n in (2, 3) for kind in (SNAPSHOT, ATTACK))]


def test_the_strongest_find_of_an_attack_is_the_newest(monkeypatch):
    found = SelfPlayPPO(TINY.but(attacks={"every": 10, "games": 1}))
    monkeypatch.setattr(exploiters, "find_exploiters", lambda *_: [[each] for each in LISTS])
    found._be_attacked()
    assert found.exploiters[met(found)[-1]] == [LISTS[0]]


def test_refusals_are_counted_from_the_last_promotion_on(monkeypatch):
    said = iter([True, False, False, True, False])
    monkeypatch.setattr(learner, "is_promoted", lambda *_: next(said))
    found, refused = SelfPlayPPO(TINY), []
    for _ in range(5):
        found._offer_version()
        refused.append(found.refused)
    assert refused == [0, 1, 2, 0, 1]


def test_scores_against_opponents_fade():
    found = SelfPlayPPO(TINY)
    found.record[1] = 1000, 900
    found.rollout()
    assert found.record[1, 0] < 990
    assert found.record[1, 1] < 891


class Field:
    """Made-up games of attacks: a list with a Province wins so much, and the others nothing. It notes the seeds."""

    def __init__(self, share: float) -> None:
        self.share, self.seeds, self.first = share, list[int](), list[Strategy]()

    def play(self, strategies: Any, against: Any, sets: range, seed: int, **options: Any) -> Any:
        self.seeds.append(seed)
        self.first += [] if self.first else strategies
        won = [self.share if any(rule.card == "Province" for rule in each.rules) else 0.0 for each in strategies]
        shares = np.repeat(np.array(won)[:, None], 2 * len(sets), axis=1)
        return np.stack([shares, np.zeros_like(shares)])


def attacked(field: Field, monkeypatch: pytest.MonkeyPatch, number: int = 1, before: Any = ()) -> list[Any]:
    """Return what an attack with made-up games finds."""
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=16, changed=8))
    monkeypatch.setattr(exploiters, "play_against", field.play)
    batch = GameBatch(2, kingdom=TINY.kingdom)
    return exploiters.find_exploiters(make_agent("random"), batch, before, TINY, number, 1)  # type: ignore[arg-type]


def test_only_lists_with_more_than_an_even_share_join(monkeypatch):
    assert attacked(Field(0.4), monkeypatch) == []
    found = attacked(Field(0.9), monkeypatch)
    assert found
    assert all(any(rule.card == "Province" for rule in each.rules) for each in found[0])


def test_each_attack_has_games_of_its_own(monkeypatch):
    first, second = Field(0.9), Field(0.9)
    attacked(first, monkeypatch, number=1)
    attacked(second, monkeypatch, number=2)
    assert set(first.seeds).isdisjoint(second.seeds)


def test_an_attack_that_begins_with_earlier_finds_takes_the_newest(monkeypatch):
    field = Field(0.9)
    kept = climbs.STARTS.index("kept") + 1
    many = [Strategy.parse(f"Province; Silver if Silver < {number}") for number in range(1, climbs.KEPT + 5)]
    seen: list[Any] = []
    step = exploiters.next_state
    monkeypatch.setattr(exploiters, "next_state", lambda state, *rest: seen.append(state) or step(state, *rest))
    attacked(field, monkeypatch, number=kept, before=many)
    assert [each.strategy for each in seen[0].kept] == many[::-1][: climbs.KEPT]
