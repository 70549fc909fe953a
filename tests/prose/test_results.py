"""docs/results.md shows the results of today's agents and rules."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from docs.site.results import with_standings
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import KINGDOMS, RULES_VERSION, make_agent
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.match import MatchResult, play_match
from dominion_training.evaluate.standings import Standings, baselines_for
from tests.training.evaluate.made_up import pairs

PAGE = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
AGAIN = "run: python -m docs.site.results"


def test_it_was_measured_under_these_rules():
    assert f", rules {RULES_VERSION}; 1,000 games" in PAGE, AGAIN


@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_each_agent_whose_cards_are_there_is_rated(kingdom: str):
    table = PAGE.split(f"### {kingdom}\n")[1].split("###")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.M)) == set(baselines_for(kingdom)), AGAIN


def test_agents_that_are_missing_are_named():
    playing = {name for kingdom in KINGDOMS for name in baselines_for(kingdom)}
    missing = re.search(r"in none of the eleven: (.*)\.", PAGE)[1]
    assert set(re.findall(r"`([\w-]+)`", missing)) == set(STRATEGIES) - playing


def test_only_what_stands_between_the_marks_is_written():
    found = Benchmark(("auto", "big-money"), ("big-money-1e",), 2, {(0, 1, 0): MatchResult(pairs((1, 0), (1, 1)))})
    page = "# Ours\n\n<!-- standings -->\nreplaced\n<!-- end -->\n\nMore.\n"
    written = with_standings(page, Standings({}, found), num_games=4)
    assert written.startswith("# Ours\n\n<!-- standings -->\n\ndominion_env ")
    assert written.endswith("|\n\n## Kingdom by kingdom\n\n<!-- end -->\n\nMore.\n")
    assert "replaced" not in written
    with pytest.raises(ValueError, match=r"results\.md must have a line <!-- standings -->"):
        with_standings("# Ours\n", Standings({}, found), num_games=4)


@pytest.mark.compiled
def test_a_score_comes_out_again():
    """The cell stands for games of all kingdoms, so that it also shows whether the strategies have changed since."""
    scores = PAGE[PAGE.index("| row against column") :].splitlines()
    head = scores[0].split(" | ")
    row = next(line for line in scores if line.startswith("| `big-money-ultimate` |")).split(" | ")
    written = float(row[head.index("`big-money-multiplayer`")].split(" ± ")[0])
    first, second = make_agent("big-money-ultimate"), make_agent("big-money-multiplayer")
    found = [play_match(first, second, 1000, 0, kingdom=kingdom, auto_treasures=True).score for kingdom in KINGDOMS]
    assert f"{100 * np.mean(found):.1f}" == f"{written:.1f}", AGAIN
