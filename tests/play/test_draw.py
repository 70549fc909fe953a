"""`python -m dominion_env.play.draw`: a picture of a position as a file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dominion_env import Game
from dominion_env.play.draw import main
from dominion_env.render import render

NAMES = ["Ann", "Ben"]


def saved(folder: Path) -> tuple[str, Game]:
    """Return a replay of four decisions, and the game after two of them."""
    game = Game(seed=3)
    for _ in range(4):
        game.apply("pass")
    (folder / "game.json").write_text(json.dumps({**game.replay(), "names": NAMES}))
    return str(folder / "game.json"), Game.from_replay(game.replay(), 2)


def test_a_file_shows_the_position_after_so_many_decisions(tmp_path: Path):
    replay, game = saved(tmp_path)
    for name, mode in (("a.svg", "svg"), ("a.html", "html"), ("a.txt", "text")):
        assert main([str(tmp_path / name), "--replay", replay, "--decisions", "2", "--seat", "1"]) == 0
        assert (tmp_path / name).read_text() == render(game, 1, mode, NAMES) + "\n"


def test_a_png_shows_what_the_pixels_show(tmp_path: Path):
    replay, game = saved(tmp_path)
    assert main([str(tmp_path / "a.png"), "--replay", replay, "--decisions", "2"]) == 0
    painted = np.asarray(Image.open(tmp_path / "a.png").convert("RGB"), int)
    pixels = render(game, None, "rgb_array", NAMES)
    assert painted.shape == pixels.shape
    assert np.abs(painted - pixels).mean() < 0.5, "256 colours are enough"


def test_agents_play_from_a_seed(tmp_path: Path):
    path = tmp_path / "a.txt"
    arguments = [str(path), "--seed", "3", "--agents", "big-money", "--players", "3", "--decisions", "7"]
    assert main(arguments) == 0
    first = path.read_text()
    assert "player_2" in first
    assert "Turn 3 of player_1" in first
    assert main(arguments) == 0
    assert path.read_text() == first


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.gif"], "expected a name that ends in"),
        (["/no/such/folder/a.svg"], "can't be written"),
        (["/no/such/folder/a.png"], "can't be written"),
        (["a.svg", "--replay", "nothing.json"], "can't be read"),
        (["a.svg", "--agents", "nobody", "random"], "nobody"),
        (["a.svg", "--seat", "5"], "seat"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith("render: ")
    assert words in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
