"""Solving is counted right, and the command says so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dominion_agents.coach.chances import chance_of
from dominion_app.cli import main
from dominion_env import InvalidAgent, InvalidOption
from dominion_env.tables.actions import action_id
from dominion_training.common.records import read_lines
from dominion_training.puzzles import Puzzle, batch_of, puzzles
from dominion_training.puzzles.exporting import rows_of_texts
from dominion_training.puzzles.solving import Solutions, solve

pytestmark = pytest.mark.compiled
AMONG = puzzles()[:40]


# A player in words that writes a letter for each question, and fails at the eighth one until there is a file "mended".
FAILING = """
from pathlib import Path

class Player:
    used = {"tokens": 0}
    def __call__(self, text):
        with open("asked", "a") as file:
            file.write("x")
        if Path("asked").stat().st_size == 8 and not Path("mended").exists():
            raise ConnectionError("no answer")
        self.used["tokens"] += 1
        return "1"

player = Player()
"""


class Knowing:
    """An agent that knows the best answers, and gives the worst one in rows that it is to miss."""

    def __init__(self, missed: set[int]) -> None:
        self.missed = missed

    def act(self, observations, masks, keys):
        words = ([*each.chances] for each in AMONG)
        return np.array([action_id(word[-1 if row in self.missed else 0]) for row, word in enumerate(words)])


def test_who_knows_all_solves_all_and_loses_nothing():
    score = solve(Knowing(set()), AMONG).score()
    assert (score.solved.share, score.loss, score.half_width) == (1, 0, 0)
    assert score.solved == chance_of(np.ones(40))


def test_who_misses_some_loses_what_the_coach_has_measured():
    found = solve(Knowing({0, 3}), AMONG)
    lost = [each.chances[each.best] - min(each.chances.values()) for each in (AMONG[0], AMONG[3])]
    score = found.score()
    assert np.flatnonzero(~found.solved).tolist() == [0, 3]
    assert score.solved.share == 38 / 40
    assert score.loss == pytest.approx(sum(lost) / 40)


def test_groups_hold_every_puzzle_by_kind_and_by_stage():
    made_up = [Puzzle(row, {}, kind, stage, {"pass": 0.5, "buy Curse": 0.2})
               for row, (kind, stage) in enumerate([("buy", "early"), ("buy", "late"), ("gain", "late")])]  # fmt: skip
    found = Solutions("x", tuple(made_up), ("pass", "buy Curse", "buy Curse"))
    groups = {
        name: (each.solved.share, round(each.loss, 4), each.solved.playouts) for name, each in found.groups().items()
    }
    assert groups == {"buy": (0.5, 0.15, 2), "gain": (0, 0.3, 1), "late": (0, 0.3, 2), "early": (1, 0, 1)}


def test_an_answer_that_is_not_legal_is_refused():
    class Wrong:
        def act(self, observations, masks, keys):
            return (~masks).argmax(axis=1)

    with pytest.raises(InvalidAgent, match="agent Wrong"):
        solve(Wrong(), AMONG)


def test_of_answers_in_words_the_wrong_ones_are_told(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file, spec = tmp_path / "scores.json", "text/first:tests.training.evaluate.speakers:mute"
    assert main(["puzzles", spec, "--json", str(file)]) == 0
    assert f"{spec} counted: answers 500, empty 500, fallbacks 500" in " ".join(capsys.readouterr().out.split())
    assert json.loads(file.read_text())["agents"][0]["used"] == {"answers": 500, "empty": 500, "fallbacks": 500}
    with pytest.raises(InvalidAgent, match="mute: expected an answer to each puzzle, but it gave up"):
        solve(spec.replace("first", "lose"), AMONG)


def test_what_a_player_has_answered_is_never_asked_again(tmp_path: Path, monkeypatch, capsys):
    player = "text:./player.py:player"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player.py").write_text(FAILING)
    assert main(["puzzles", player]) == 1
    assert "are kept: the same command goes on" in " ".join(capsys.readouterr().out.split())
    assert [each["puzzle"] for each in read_lines(Path("results/puzzles/answers.jsonl"))] == [*range(7)]
    (tmp_path / "mended").touch()
    assert main(["puzzles", player, "--json", "scores.json"]) == 0
    assert len(Path("asked").read_text()) == 501  # the one that failed twice
    scores = json.loads(Path("scores.json").read_text())["agents"][0]
    assert scores["used"] == {"answers": 500, "tokens": 500}
    assert main(["puzzles", player, "--json", "again.json"]) == 0
    assert json.loads(Path("again.json").read_text())["agents"] == [scores]
    assert "500 of 500 answers were kept in results/puzzles/answers.jsonl" in " ".join(capsys.readouterr().out.split())
    (tmp_path / "player.py").write_text(f"{FAILING}# another one\n")
    assert main(["puzzles", player]) == 0
    assert len(Path("asked").read_text()) == 1001
    Path("results/puzzles/answers.jsonl").write_text("[1]\n")
    assert main(["puzzles", player]) == 1
    assert "expected kept answers, got other things" in capsys.readouterr().err


def test_the_command_shows_scores_and_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "scores.json"
    assert main(["puzzles", "big-money", "random", "--json", str(file)]) == 0
    told, (first, second) = capsys.readouterr().out, json.loads(file.read_text())["agents"]
    assert "big-money" in told
    assert f"{first['solved']:.0%}" in told
    assert first["agent"] == "big-money"
    assert first["low"] < first["solved"] < first["high"]
    assert first["solved"] > second["solved"]
    assert len(first["answers"]) == len(puzzles())
    solved = solve("big-money")
    assert first["loss"] == pytest.approx(float(solved.losses.mean()))


@pytest.mark.parametrize("name", ["puzzles.json", "puzzles.parquet"])
def test_texts_are_exported(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / name
    assert main(["puzzles", "--export", str(file)]) == 0
    rows = json.loads(file.read_text()) if name.endswith("json") else pl.read_parquet(file).to_dicts()
    assert rows == rows_of_texts()
    for row, puzzle in zip(rows, puzzles(), strict=True):
        assert dict(zip(row["answers"], row["chances"], strict=True)) == puzzle.chances
        assert row["best"] == row["answers"][int(np.argmax(row["chances"]))]
        assert f"You are player_{puzzle.seat}." in row["question"]
        assert f"{len(row['answers'])} {row['answers'][-1]}" in row["question"]
        assert all(card in row["rules"] for card in row["kingdom"].split(", "))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ([], "agents: expected at least one, each once, got none"),
        (["random", "random"], "agents: expected at least one, each once, got random, random"),
        (["--export", "puzzles.csv"], "--export: expected a file that ends in .json or .parquet, got puzzles.csv"),
        (["random", "--json", "/no/such/x.json"], "--json: expected a file in a folder"),
        (["no-such-agent"], "no-such-agent"),
    ],
)
def test_wrong_options_are_refused(call: list[str], says: str, capsys: pytest.CaptureFixture[str]):
    assert main(["puzzles", *call]) == 1
    assert says in capsys.readouterr().err


def test_a_batch_needs_a_puzzle():
    with pytest.raises(InvalidOption):
        batch_of([])
