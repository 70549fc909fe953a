"""README's links, and the position that it shows; its examples run in `test_examples.py`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dominion_env.play.draw import main as draw

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)", README))
def test_a_link_of_readme_leads_to_a_file(link: str):
    assert (Path(__file__).parents[2] / link).exists()


CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m dominion_env.play.draw (\S+) (.*)", CONTRIBUTING, flags=re.MULTILINE)


@pytest.mark.compiled
def test_the_position_of_readme_is_what_the_command_in_contributing_draws(tmp_path: Path):
    for file, options in COMMANDS:
        assert draw([str(tmp_path / Path(file).name), *shlex.split(options)]) == 0
    assert f"```\n{(tmp_path / 'position.txt').read_text()}```" in README
    committed, drawn = (
        np.asarray(Image.open(folder / "position.png").convert("RGB"), int)
        for folder in (Path(__file__).parents[2] / "docs" / "images", tmp_path)
    )
    assert committed.shape == drawn.shape
    assert np.abs(committed - drawn).mean() < 2, "a picture of another position"  # Pillow versions write a little apart
