"""A searching agent with several budgets against several opponents."""

from __future__ import annotations

import csv

import pytest

from dominion_env import InvalidOption
from dominion_training.evaluate.budgets import milliseconds_of
from dominion_training.evaluate.commands.budgets import main
from dominion_training.evaluate.work import SETS_OF_SEARCHERS, SETS_PER_PART, Match


@pytest.mark.slow
def test_each_budget_meets_each_opponent(tmp_path, capsys):
    command = ["search", "--against", "big-money", "greedy", "--budgets", "4", "40", "--games", "8", "--workers", "1"]
    assert main([*command, "--out", str(tmp_path)]) == 0
    rows = list(csv.DictReader((tmp_path / "budgets.csv").read_text().splitlines()))
    assert [(row["opponent"], row["playouts"]) for row in rows] == [
        ("big-money", "4"), ("big-money", "40"), ("greedy", "4"), ("greedy", "40"),
    ]  # fmt: skip
    assert all(0 <= float(row["low"]) <= float(row["score"]) <= float(row["high"]) <= 1 for row in rows)
    assert all(row["games"] == "8" and float(row["milliseconds"]) > 0 for row in rows)
    assert float(rows[3]["score"]) > 0.8  # any plan of the project is stronger than greedy
    assert (tmp_path / "budgets.png").read_bytes().startswith(b"\x89PNG")
    told = capsys.readouterr().out
    assert "big-money" in told
    assert str(tmp_path.name) in told.replace("\n", "")


def test_the_agent_must_search():
    with pytest.raises(InvalidOption, match="agent: expected one that searches, got 'big-money'"):
        milliseconds_of(Match("big-money", "greedy"))


def test_games_of_searching_agents_are_dealt_out_in_small_parts():
    assert len(Match("big-money", "greedy").parts(2 * SETS_PER_PART)) == 1
    parts = Match("planner:9", "greedy").parts(6 * SETS_OF_SEARCHERS)
    assert [(part.start, part.stop) for part in parts] == [(0, 10), (10, 20), (20, 30)]
    assert len(Match("greedy", "search").parts(2 * SETS_PER_PART)) == SETS_PER_PART // SETS_OF_SEARCHERS
