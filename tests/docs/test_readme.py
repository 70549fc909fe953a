"""Every Python example of README runs as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dominion_env.render.__main__ import main as draw

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_examples_for_the_batch_the_game_and_pettingzoo():
    text = "\n".join(EXAMPLES)
    assert all(name in text for name in ("GameBatch(", "Game(", "dominion_v0.env("))


@pytest.mark.compiled
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_of_readme_runs(number: int):
    exec(compile(EXAMPLES[number], f"README example {number + 1}", "exec"), {})


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)", README))
def test_a_link_of_readme_leads_to_a_file(link: str):
    assert (Path(__file__).parents[2] / link).exists()


CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m dominion_env.render (\S+) (.*)", CONTRIBUTING, flags=re.MULTILINE)


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
