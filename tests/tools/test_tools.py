"""The tools start, and write files that the project reads."""

from __future__ import annotations

import json

import pytest

from dominion_agents.strategies.evolved import TRAIN_FILE, read_evolved
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_env import make_agent
from dominion_env.tables.kingdoms import KINGDOMS
from tools import answer_lists, evolve_lists, rank_strategies, spread_lists

LIST = "guard: on; Province; Gold; Silver"


def evolved(place, score, text=LIST):
    return {
        "place": place, "budget": 5000, "seed": 3, "list": text, "games": 4000, "score": score, "low": score - 0.03,
        "high": score + 0.03,
    }  # fmt: skip


def test_evolved_lists_are_a_file_of_those_that_score_enough():
    rows = [evolved(30, 0.65, "Gold; Silver"), evolved(30, 0.7), evolved(4, 0.6) | {"heart": ["Village", "Smithy"]}]
    text = evolve_lists.text([*rows, evolved(5, 0.54)])
    assert list(read_evolved(text)) == ["evolved-train:4", "evolved-train:30"]
    assert read_evolved(text)["evolved-train:30"] == Strategy.parse(
        f"name: evolved-train:30; source: dominion evolve; players: 2; {LIST}"
    )
    assert "# dominion evolve --kingdom train:4 --games 5000 --seed 3 --heart Village,Smithy: 60.0% (57.0%" in text
    head = text[: text.index("\n\n")]
    assert TRAIN_FILE.read_text(encoding="utf-8").startswith(head + "\n\n# dominion evolve --kingdom train:")


def test_lists_are_evolved_where_they_are_missing(tmp_path, monkeypatch):
    keep, out = tmp_path / "kept.jsonl", tmp_path / "lists.txt"
    keep.write_text(json.dumps(evolved(7, 0.9)) + "\n")
    monkeypatch.setattr(evolve_lists, "found_for", lambda place, **given: evolved(place, 0.95) | {"heart": None})
    files = ["--keep", str(keep), "--out", str(out)]
    evolve_lists.main(["--places", "7", "9", "--games", "5000", "--seed", "3", *files])
    assert list(read_evolved(out.read_text())) == ["evolved-train:7", "evolved-train:9"]
    assert len(keep.read_text().splitlines()) == 2


@pytest.mark.compiled
def test_the_best_list_of_a_kingdom_is_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(spread_lists, "PLACES_FILE", tmp_path / "places.json")
    monkeypatch.setattr(spread_lists, "MANY_SETS", 8)
    spread_lists.main(["--kingdoms", "1"])
    assert set(json.loads((tmp_path / "places.json").read_text())) <= {"0"}
    assert "of 1 kingdoms; the best lists score" in capsys.readouterr().out


@pytest.mark.compiled
def test_answers_are_an_agent(tmp_path, capsys):
    own, out = tmp_path / "own.strategy", tmp_path / "answers.json"
    own.write_text("name: own\nGold\nSilver")
    answer_lists.main(["greedy", "--only", str(own), "--rushes", "1", "--kingdoms", "1", "--out", str(out)])
    agent = make_agent(str(out))
    assert [*agent.strategies.values()] == [Strategy.parse("Gold; Silver")]
    assert "1 of 1 kingdoms have a list with 0% or more against greedy" in capsys.readouterr().out


def test_scores_are_kept_and_go_on_from_there(tmp_path, monkeypatch):
    pair = STRATEGIES["big-money"], STRATEGIES["big-money-duchy"]
    table = 2, 4, 0, KINGDOMS["first-game-2e"]
    first = rank_strategies.Kept(tmp_path / "scores").score(*pair, *table)
    with (tmp_path / "scores").open("a") as file:
        file.write('["a run was killed he')
    monkeypatch.setattr(rank_strategies, "score", None)
    assert rank_strategies.Kept(tmp_path / "scores").score(*pair, *table) == first


def test_kingdoms_for_a_pair():
    assert rank_strategies.kingdom_for(STRATEGIES["first-game"], STRATEGIES["htbd-1"]) is None
    cards = rank_strategies.kingdom_for(STRATEGIES["double-witch"], STRATEGIES["militia"])
    assert len(cards) == 10
    assert {"Witch", "Militia"} <= {card.title for card in cards}
