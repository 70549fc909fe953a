"""`dominion study`, as it is called: the report, its figures and numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dominion_app.cli import main
from dominion_training.research.reports.sections import ANALYSES
from dominion_training.research.reports.studying import StudyOptions

pytestmark = pytest.mark.compiled

OUT = Path("study")
CALL = ["study", "first-game-2e", "--workers", "1", "--games", "300", "--experiments", "40", "--out", str(OUT)]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")


@pytest.mark.slow
def test_a_study_gathers_everything_in_a_report(capsys):
    assert main(CALL) == 0
    told = capsys.readouterr().out
    page = (OUT / "report.html").read_text(encoding="utf-8")
    found = json.loads((OUT / "result.json").read_text(encoding="utf-8"))
    assert set(found["found"]) == set(ANALYSES)
    assert found["command"].startswith("dominion study first-game-2e")
    assert set(found["fingerprints"]) == {*StudyOptions("").agents, "auto"}
    assert "http" not in re.sub(r'"data:[^"]*"', "", page)  # the page needs no other file
    assert "<h2>In short</h2>" in page
    assert not (OUT / "pairs.png").exists()  # of 45 pairs next to none have enough games
    for name in set(ANALYSES) - {"pairs"}:
        assert f'<h2 id="{name}">' in page
        picture = np.asarray(Image.open(OUT / f"{name}.png").convert("RGB"))
        assert (picture[0] == 255).all()  # white, so that dark pages show it too
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10
        assert (OUT / f"{name}.svg").read_text(encoding="utf-8").count("<text") > 3  # letters stay letters
    assert page.count("data:image/svg+xml") == len(ANALYSES) - 1
    assert "Cards, causal" in told
    assert "too few games" in told


def test_some_analyses_of_a_data_set(capsys):
    assert main(["collect", "auto", "random-menu:1", "--games", "200", "--workers", "1", "--out", "data"]) == 0
    assert main([*CALL, "--data", "data", "--only", "lengths", "buying"]) == 0
    assert {file.stem for file in OUT.glob("*.png")} == {"lengths", "buying"}
    assert not (OUT / "data").exists()
    found = json.loads((OUT / "result.json").read_text(encoding="utf-8"))["found"]
    assert found["lengths"]["games"] == 200
    assert found["lengths"]["rounds"]["low"] < found["lengths"]["rounds"]["value"] < found["lengths"]["rounds"]["high"]
    assert main(["study", "size-distortion-2e", "--data", "data", "--only", "lengths"]) == 1
    assert "expected games of size-distortion-2e, got those of first-game-2e" in capsys.readouterr().err


@pytest.mark.slow
def test_one_game_gives_no_numbers(capsys):
    assert main([*CALL, "--games", "1", "--experiments", "1"]) == 0
    assert "too few games (1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["first-game-2e", "--only", "weather"], "expected some of cards, values"),
        (["random"], "expected one set of ten cards"),
        (["first-game-2e", "--players", "1"], "expected 2 to 6, got 1"),
        (["first-game-2e", "--experiments", "0"], "at least 1, got 0"),
        (["first-game-2e", "--games", "0"], "games: expected 1 to"),
        (["first-game-2e", "--agent", "nobody-of-this-name"], "nobody-of-this-name"),
        (["first-game-2e", "--data", "nowhere"], "expected a data set"),
    ],
)
def test_bad_options_are_told(given, said, capsys):
    assert main(["study", *given]) == 1
    assert said in capsys.readouterr().err
