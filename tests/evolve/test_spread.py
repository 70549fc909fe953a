"""Which list does best on each kingdom of train."""

from __future__ import annotations

import json

import pytest

from dominion_agents.strategies import STRATEGIES
from dominion_agents.strategy import Strategy
from dominion_env.cards import Card
from dominion_env.kingdoms import split
from dominion_training.evolve import spread

pytestmark = pytest.mark.compiled
NOTHING = Strategy.parse("Curse if Curse < 0; Copper if Copper < 0")
WITH_WITCH = next(place for place, kingdom in enumerate(split("train")) if Card.WITCH in kingdom)


def test_the_best_of_the_lists_is_found_in_games_that_did_not_choose_the_finalists(monkeypatch):
    monkeypatch.setattr(spread, "MANY_SETS", 32)
    lists = {"nothing": NOTHING, "witch": STRATEGIES["double-witch"], "silver": Strategy.parse("Silver; Province")}
    lists |= {f"greedy {number}": STRATEGIES["greedy"] for number in range(3)}
    name, score = spread.best_for(WITH_WITCH, lists)
    assert name == "witch"
    assert 0.2 < score < 0.9
    assert spread.best_for(WITH_WITCH, lists) == (name, score)


def test_what_a_list_lacks_is_passed_over():
    without = next(
        place for place, kingdom in enumerate(split("train")) if not {Card.WITCH, Card.CHAPEL} & set(kingdom)
    )
    name, _ = spread.best_for(without, {"nothing": NOTHING, "witch": STRATEGIES["chapel-witch"]})
    assert name == "witch"


def test_the_file_tells_the_kingdoms_whose_best_list_scores_enough(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(spread, "PLACES_FILE", tmp_path / "places.json")
    monkeypatch.setattr(spread, "best_for", fake)
    spread.main(["--kingdoms", "5"])
    assert json.loads((tmp_path / "places.json").read_text()) == {"3": "big-money", "4": "big-money"}
    assert "2 of 5 kingdoms; the best lists score 56.0% on average" in capsys.readouterr().out


def fake(place, lists):
    assert "evolved-train:138" in lists
    return "big-money", 0.52 + 0.02 * place
