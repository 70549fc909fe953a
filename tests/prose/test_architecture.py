"""The picture of docs/architecture.md shows the imports of the code; what it and docs/reading.md name exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from docs.site.architecture import PICTURE, described, draw, imports_between_rooms

ROOT = Path(__file__).parents[2]
TEXT, READING = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("architecture.md", "reading.md"))
FOLDERS = ("", "dominion_env", "agents", "training/dominion_training")  # in which the pages' paths begin


def test_the_picture_shows_the_imports_of_the_code():
    assert described(PICTURE) == imports_between_rooms(), "run: python -m docs.site.architecture"


def test_drawing_writes_down_what_it_shows(tmp_path: Path):
    draw(tmp_path / "picture.svg")
    assert described(tmp_path / "picture.svg") == imports_between_rooms()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+(?:\.py|/))`", TEXT + READING))))
def test_a_file_that_is_named_exists(name: str):
    assert any((ROOT / folder / name).exists() for folder in FOLDERS)


def test_the_rooms_of_the_agents_are_listed_from_below():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["dominion_agents"])
    folder = ROOT / "agents" / "dominion_agents"
    floors = [[room for room in layer.split(" : ") if (folder / room).is_dir()] for layer in reversed(layers)]
    listed = "; ".join(", ".join(f"`{room}`" for room in floor) for floor in floors)
    assert f"Its rooms, from below: {listed} |" in TEXT


def test_a_function_named_beside_its_file_is_there():
    named = re.findall(r"`([\w/]+\.py)`, `(?:\w+\.)?(\w+)(?<!py)`", TEXT)
    assert len(named) >= 6
    for file, function in named:
        assert f"def {function}(" in (ROOT / "dominion_env" / file).read_text(encoding="utf-8"), (file, function)
