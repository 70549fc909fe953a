"""`dominion review` as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dominion_agents import coach
from dominion_app.cli import main
from dominion_app.play.table import GameTable
from dominion_app.review import command
from dominion_env import Game, make_agent
from dominion_env.players.agent import ask

pytestmark = pytest.mark.compiled

FAST = ["--playouts", "300"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return the file of a game of a person, who sits at seat 1, for three turns."""
    return save(tmp_path / "game.json", called={0: "auto"})


def save(path: Path, called: dict[int, str], players: int = 2, turns: int = 3) -> Path:
    game, agent = Game(players, seed=3, auto_treasures=True), make_agent("big-money")
    while game.turn <= turns:
        game.apply(int(ask(agent, game.batch)[0]))
    GameTable(game, names=["Bot", "Ann", "Eve"][:players], called=called).save(path)
    return path


@pytest.mark.slow
def test_a_review_has_a_table_a_picture_and_reasons(saved: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["review", str(saved), *FAST]) == 0
    told = capsys.readouterr().out
    assert "Ann: chance to win in percent" in told
    replay = json.loads(saved.read_text())
    for words in ("buy Silver", "turn", "cost", "turns 1 to 4", "over the turns of this one game", "Picture: "):
        assert words in told
    assert "Better: " in told or "No decision is clearly worse" in told
    picture = np.asarray(Image.open(saved.with_name("game-review.png")).convert("RGB"))
    assert picture.shape[0] > 300
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20, "something is drawn"
    assert replay == json.loads(saved.read_text()), "the saved game stays as it is"


def test_json_has_all_that_was_found(saved: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    out = tmp_path / "chances.png"
    assert main(["review", str(saved), *FAST, "--json", "--seat", "0", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["seat"], found["complete"]) == ("Bot", 0, True)
    means = found["losses"]
    assert means["decisions"] == means["groups"]["turns 1 to 4"]["decisions"] == len(found["decisions"])
    assert means["loss"] == pytest.approx(np.mean([each["loss"] for each in found["decisions"]]))
    first = found["decisions"][0]
    assert first["played"] in {each["action"] for each in first["actions"]}
    assert all(0 <= each["low"] <= each["chance"] <= each["high"] <= 1 for each in first["actions"])
    assert out.exists()


def test_mistakes_are_told_with_the_better_move_and_both_courses(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    from tests.agents.coach import last_province

    game = last_province()
    game.apply("buy Duchy")
    GameTable(game, names=["Ann", "Bot"], called={1: "auto"}).save(tmp_path / "game.json")
    assert main(["review", str(tmp_path / "game.json"), *FAST]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Turn 1, asked in the Buy phase to play or buy a card: buy Duchy cost" in told
    assert "Better: buy Province." in told
    assert "After buy Province, going on as" in told
    assert "Province on turn 1; 30 to 24 Victory points." in told
    assert "After buy Duchy, going on as" in told


def test_ctrl_c_ends_with_what_there_is(
    saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    judge, calls = coach.Coach.judge_trials, []

    def interrupted(self, *args):
        calls.append(args)
        if len(calls) == stop:
            raise KeyboardInterrupt
        return judge(self, *args)

    monkeypatch.setattr(coach.Coach, "judge_trials", interrupted)
    stop = 3
    assert main(["review", str(saved), *FAST]) == command.INTERRUPTED
    told = capsys.readouterr().out
    assert "Interrupted after 2 of " in told
    assert saved.with_name("game-review.png").exists()
    stop = 4
    assert main(["review", str(saved), *FAST]) == command.INTERRUPTED
    assert "Picture" not in capsys.readouterr().out, "nothing was judged"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.json"], "missing.json: expected a replay, but it can't be read"),
        (["broken.json"], "expected a replay as JSON"),
        (["other.json"], "rules"),
        (["game.json", "--seat", "2"], "seat: expected"),
        (["game.json", "--playouts", "0"], "playouts: expected"),
        (["game.json", "--seconds", "-1"], "seconds: expected"),
        (["game.json", "--seed", "-1"], "seed: expected"),
        (["game.json", "--out", "game.svg"], "out: expected a name that ends in .png"),
        (["game.json", "--out", "no/such/game.png"], "out: expected a folder that is there"),
        (["agents.json"], "expected one seat of a person, got 0; --seat: one of 0 Bot, 1 Ann"),
        (["people.json"], "expected one seat of a person, got 2; --seat: one of 0 Bot, 1 Ann"),
        (["new.json"], "Ann had nothing to decide in this game"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: list[str],
    words: str,
    saved: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    folder = saved.parent
    monkeypatch.chdir(folder)
    (folder / "broken.json").write_text("{")
    (folder / "other.json").write_text(json.dumps(json.loads(saved.read_text()) | {"rules": 1}))
    save(folder / "agents.json", {0: "auto", 1: "auto"}, turns=1)
    save(folder / "people.json", {}, turns=1)
    save(folder / "new.json", {0: "auto"}, turns=0)
    assert main(["review", *arguments]) == 1
    told = capsys.readouterr().err
    assert told.startswith("dominion review: ")
    assert words in told
    assert told.count("\n") == 1
