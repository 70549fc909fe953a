"""The published figures, on few games: what `dominion validate` shows on many."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dominion_env.cli import main
from training.evaluate.experiments import (
    Measured,
    OpeningHands,
    RaceToProvinces,
    SolitaireTurns,
    TableGames,
    deviation,
    mean,
)
from training.evaluate.published import GROUPS, OPENINGS, Row
from training.evaluate.validate import Finding, combined_error, validate

ROWS = [row for rows in GROUPS.values() for row in rows]
GAMES = 1500


@pytest.mark.compiled
@pytest.mark.parametrize("group", GROUPS)
def test_published_figures_are_reproduced(group):
    rows = [row for row in GROUPS[group] if row.demanded]
    findings = validate(rows, GAMES, seed=1)
    assert [f"{each.name}: {each}" for each in findings if each.status != "agrees"] == []
    assert len(findings) == sum(len(row.figures) for row in rows)


@pytest.mark.compiled
def test_a_wrong_figure_is_found():
    row = replace(OPENINGS[0], figures={"a 5/2 or 2/5 split": 0.25})
    [finding] = validate([row], GAMES)
    assert finding.status == "DIFFERS"
    assert finding.difference < -10
    [shown] = validate([replace(row, demanded=False)], GAMES)
    assert shown.status == "reported"


def test_the_exact_figures_are_those_of_all_twelve_card_shuffles():
    def hands(*bought):
        deck = [1] * 7 + [0] * 3 + list(bought)
        for first in combinations(range(12), 5):
            for second in combinations(sorted(set(range(12)) - set(first)), 5):
                yield tuple(sum(deck[card] for card in hand) for hand in (first, second))

    silvers = list(hands(2, 2))
    figures = next(row for row in ROWS if row.experiment == OpeningHands("Silver", "Silver")).figures
    for n in (5, 6, 7):
        share = sum(max(coins) >= n for coins in silvers) / len(silvers)
        assert figures[f"${n} or more at least once"] == pytest.approx(share)
    for n in (3, 4, 5):
        share = sum(min(coins) >= n for coins in silvers) / len(silvers)
        assert figures[f"${n} or more twice"] == pytest.approx(share)
    assert figures["coins in both hands"] == pytest.approx(sum(map(sum, silvers)) / len(silvers))


def test_errors_of_means_and_deviations():
    random = np.random.default_rng(0)
    samples = random.normal(3, 2, size=(2000, 400))
    means, deviations = [mean(row) for row in samples], [deviation(row) for row in samples]
    assert np.std([each.value for each in means]) == pytest.approx(np.mean([each.error for each in means]), rel=0.05)
    assert np.std([each.value for each in deviations]) == pytest.approx(
        np.mean([each.error for each in deviations]), rel=0.05
    )
    assert mean(np.zeros(100)).error == pytest.approx(0.01)  # not certain
    assert deviation(np.zeros(10)) == Measured(0, 0, 0)


def test_the_error_of_a_difference_counts_both_sides_and_rounding():
    row = Row(RaceToProvinces("big-money"), {"turns": 16.8}, games=400, digits=1, source="")
    ours = Measured(16.9, error=0.1, spread=2.0)
    assert combined_error(row, ours) == pytest.approx(math.sqrt(0.1**2 + 0.1**2 + 0.1**2 / 12))
    assert combined_error(replace(row, games=None), ours) == 0.1
    error = combined_error(row, ours)
    assert Finding(row, "turns", replace_value(ours, 16.8 + 3.9 * error), 16.8, error).status == "agrees"
    assert Finding(row, "turns", replace_value(ours, 16.8 - 4.1 * error), 16.8, error).status == "DIFFERS"


def replace_value(measured, value):
    return measured._replace(value=value)


@pytest.mark.compiled
def test_experiments_do_not_depend_on_the_size_of_batches(monkeypatch):
    experiments = [
        SolitaireTurns("big-money", 8),
        RaceToProvinces("big-money"),
        TableGames("big-money", "random", num_players=3),
    ]
    at_once = [each.run(60, 3) for each in experiments]
    monkeypatch.setattr("training.evaluate.experiments.GAMES_AT_ONCE", 7)
    assert [each.run(60, 3) for each in experiments] == at_once


@pytest.mark.compiled
def test_the_command_shows_and_writes_its_findings(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    file = tmp_path / "found.json"
    assert main(["validate", "--games", "500", "--groups", "openings", "--workers", "1", "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "opening Silver/Silver" in shown
    assert "0 DIFFERS" in shown
    findings = json.loads(file.read_text())["findings"]
    assert len(findings) == sum(len(row.figures) for row in OPENINGS)
    assert {"ours", "published", "difference", "status", "source"} <= findings[0].keys()


@pytest.mark.compiled
def test_the_command_fails_if_a_figure_differs(monkeypatch, capsys):
    wrong = replace(OPENINGS[0], figures={"a 5/2 or 2/5 split": 0.25})
    monkeypatch.setitem(GROUPS, "openings", (wrong,))
    assert main(["validate", "--games", "500", "--groups", "openings"]) == 1
    assert "1 DIFFERS" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--groups", "atlantis"], ["--games", "3"]])
def test_nonsense_is_explained(wrong, capsys):
    assert main(["validate", *wrong]) == 1
    assert wrong[1] in capsys.readouterr().err
