"""README's links, what is said about installing, and the position that is drawn; the examples run in `test_examples.py`."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tools.position import main as draw

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
INSTALLING = (PROJECT / "docs" / "installing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)", README))
def test_a_link_of_readme_leads_to_a_file(link: str):
    assert (Path(__file__).parents[2] / link).exists()


def test_readme_fits_on_three_screens():
    assert README.count("\n") <= 110


def test_the_page_on_installing_names_every_extra():
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for extra in settings["project"]["optional-dependencies"]:
        assert f"\n| `{extra}` | " in INSTALLING


def test_make_train_installs_what_the_commands_need():
    make = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert '-e ".[train,play,web,research]"' in make
    assert 'pip install -c constraints.txt -e ".[train,play,web,research]"' in INSTALLING


def test_words_lead_to_pages():
    """A link's text is what it leads to in words, not the name of a file."""
    pages = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").rglob("*.md")]
    named = {
        f"{page.name}: {words}"
        for page in pages
        for words in re.findall(r"\[([^\]]*)\]\((?!\w+:)[^)]*\)", page.read_text(encoding="utf-8"))
        if re.search(r"\.md\b|^`?[\w/]+/`?$", words)
    }
    assert not named


CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m tools.position (\S+) (.*)", CONTRIBUTING, flags=re.MULTILINE)


@pytest.mark.compiled
def test_the_picture_of_a_position_is_what_the_command_in_contributing_draws(tmp_path: Path):
    for file, options in COMMANDS:
        draw([str(tmp_path / Path(file).name), *shlex.split(options)])
    committed, drawn = (
        np.asarray(Image.open(folder / "position.png").convert("RGB"), int)
        for folder in (Path(__file__).parents[2] / "docs" / "images", tmp_path)
    )
    assert committed.shape == drawn.shape
    assert np.abs(committed - drawn).mean() < 2, "a picture of another position"  # Pillow versions write a little apart
