"""Attacks that are found join the table of how beatable agents are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from docs.site import attacks, describe
from dominion_agents import Strategy
from dominion_agents.strategies.evolved import EVOLVED

ATTACKS = {"attacks": describe.PAGES["evaluation.md"]["attacks"]}
FOUND = {"score": 0.6, "low": 0.55, "high": 0.65, "games": 400, "games_searched": 1000, "strategy": "Province; Silver"}


def result(agent: str, by: str = "lists", **kingdoms: dict[str, object]) -> dict[str, object]:
    return {"agent": agent, "by": by, "kingdoms": kingdoms}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(attacks, "FILE", tmp_path / "attacks.json")
    return tmp_path / "attacks.json"


def added(tmp_path: Path, *results: dict[str, object]) -> None:
    files = [tmp_path / f"{number}.json" for number in range(len(results))]
    for path, each in zip(files, results, strict=True):
        path.write_text(json.dumps(each))
    attacks.main([str(path) for path in files])


def test_a_later_attack_takes_the_place_of_an_earlier_one_by_the_same_means(tmp_path: Path, file: Path):
    first = result("auto", **{"random-a": FOUND, "random-b": FOUND})
    second = result("auto", **{"random-b": FOUND | {"score": 0.7}})
    trained = {key: FOUND[key] for key in ("score", "low", "high", "games")} | {"samples": 5000}
    added(tmp_path, first, second, result("auto", "learner", **{"random-b": trained}))
    rows = json.loads(file.read_text())
    assert [(row["kingdom"], row["kind"], row["score"], row["searched"]) for row in rows] == [
        ("random-a", "the best buy list found", 0.6, "1,000 games"),
        ("random-b", "a network trained against it", 0.6, "5,000 samples"),
        ("random-b", "the best buy list found", 0.7, "1,000 games"),
    ]


def test_the_table_has_the_best_attack_on_an_agent_in_a_kingdom(tmp_path: Path, file: Path):
    better = {key: FOUND[key] for key in ("low", "high")} | {"score": 0.64, "games": 4000, "samples": 5000}
    added(tmp_path, result("auto", k=FOUND), result("auto", "learner", k=better), result("big-money", j=FOUND))
    assert describe.filled("evaluation.md", "<!-- attacks -->\n<!-- end -->", ATTACKS).splitlines()[3:-1] == [
        "| j |  | 60.0% [55.0%, 65.0%], n = 400, list of 1,000 games |",
        "| k | 64.0% [55.0%, 65.0%], network of 5,000 samples |  |",
    ]


def test_the_worst_enemy_of_an_evolution_is_an_attack_on_the_agent_that_plays_its_list(tmp_path: Path, file: Path):
    enemy = {key: FOUND[key] for key in ("score", "low", "high", "games")}
    plain = replace(EVOLVED["evolved-first-game-2e"], name="", source="", players=Strategy.parse("Silver;").players)
    found = {"kingdom": "first-game-2e", "strategy": str(plain), "enemy_result": enemy, "enemy_games": 7000}
    added(tmp_path, found, result("auto-3", **{"first-game-2e": FOUND | {"score": 0.55}}))
    assert describe.filled("evaluation.md", "<!-- attacks -->\n<!-- end -->", ATTACKS).splitlines()[3:-1] == [
        "| first-game-2e | 60.0% [55.0%, 65.0%], n = 400, enemy of 7,000 games |"
    ]
    for wrong in (found | {"strategy": "Province; Silver"}, found | {"kingdom": "deck-top-2e"}):
        with pytest.raises(ValueError, match="expected the evolved list of the project, got"):
            added(tmp_path, wrong)
