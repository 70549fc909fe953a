"""Every Python example of README runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
