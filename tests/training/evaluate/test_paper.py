"""Figures and tables for papers, from ratings and scores that are known."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from dominion_app.cli import main
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.reports.paper import FILES, in_latex, write_paper
from dominion_training.evaluate.reports.pictures import ratings_picture
from tests.training.evaluate.made_up import pairs

NAMES = ("50% Witch_&_Co", "big-money", "Province; Gold; Silver if Silver < 3; $mine$")


@pytest.fixture
def found():
    rng = np.random.default_rng(0)
    results = {
        (row, column, 0): MatchResult(pairs(*rng.choice([0, 0.5, 1], size=(50, 2), p=[0.5 - tilt, 0.2, 0.3 + tilt])))
        for (row, column), tilt in {(0, 1): 0.4, (0, 2): 0.3, (1, 2): 0.1}.items()
    }
    return Benchmark(NAMES, ("first-game-2e",), 2, results)


def test_all_files_are_written(found, tmp_path):
    write_paper(tmp_path, found)
    assert {each.name for each in tmp_path.iterdir()} == set(FILES)
    assert (tmp_path / "ratings.pdf").read_bytes().startswith(b"%PDF")


def test_the_csv_tables_hold_the_ratings_and_scores_in_full(found, tmp_path):
    write_paper(tmp_path, found)
    with (tmp_path / "ratings.csv").open(newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == ["agent", "Elo", "low", "high"]
    assert [row[0] for row in rows] == [NAMES[agent] for agent in found.by_strength]
    fitted = found.ratings
    for row, agent in zip(rows, found.by_strength, strict=True):
        assert [float(each) for each in row[1:]] == [fitted.elo[agent], fitted.low[agent], fitted.high[agent]]
    with (tmp_path / "scores.csv").open(newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == ["agent", "against", "score", "low", "high"]
    assert len(rows) == 6
    for one, other, score, low, high in rows:
        place = NAMES.index(one), NAMES.index(other)
        assert float(score) == found.payoff()[place]
        assert (float(low), float(high)) == tuple(end[place] for end in found.interval())


def test_the_latex_tables_are_rounded_and_their_names_are_letters(found, tmp_path):
    write_paper(tmp_path, found)
    lines = (tmp_path / "ratings.tex").read_text().splitlines()
    assert lines[:4] == [r"\begin{tabular}{lrrr}", r"\toprule", r"agent & Elo & low & high \\", r"\midrule"]
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert any(line.startswith(r"50\% Witch\_\&\_Co & ") for line in lines)
    assert any(line.startswith(r"Province; Gold; Silver if Silver \textless{} 3; \$mine\$ & ") for line in lines)
    assert r"big-money & 0 & 0 & 0 \\" in lines
    scores = (tmp_path / "scores.tex").read_text()
    assert r"agent & against & score (%) & low & high \\".replace("%", r"\%") in scores
    assert f"{100 * found.payoff()[0, 1]:.1f} & " in scores
    assert in_latex([["a"], ["\\~^{}"]]).splitlines()[4] == (
        r"\textbackslash{}\textasciitilde{}\textasciicircum{}\{\} \\"
    )


def test_the_figure_is_the_same_each_time_and_its_letters_can_be_searched(found):
    picture = ratings_picture(found, "svg")
    assert picture == ratings_picture(found, "svg")
    assert ratings_picture(found, "pdf") == ratings_picture(found, "pdf")
    texts = ["".join(each.itertext()).strip() for each in ElementTree.fromstring(picture).iter() if "text" in each.tag]
    assert {"50% Witch_&_Co", "big-money", "#3", "Elo with 95% intervals, Big Money at 0"} <= set(texts)
    assert any("Silver if Silver < 3; $mine$" in each for each in texts)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["benchmark", "baselines"])
def test_the_commands_write_them_on_request(few, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = [command, "random", "--games", "10", "--workers", "1", "--out", "out"]
    if command == "baselines":
        call = [command, "--kingdom", "first-game-2e", "--games", "20", "--workers", "1", "--out", "out"]
    assert main(call) == 0
    assert not any((tmp_path / "out" / name).exists() for name in FILES)
    assert main([*call, "--paper"]) == 0
    assert all((tmp_path / "out" / name).stat().st_size for name in FILES)
