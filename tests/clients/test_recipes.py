"""The recipes of docs/clients.md run: a thousand steps of each library's own loop, every action legal.

They are skipped where a library is not installed, but not by `make clients`, which sets CLIENTS_REQUIRED.
"""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")
NEEDED = {"TorchRL": "torchrl", "Tianshou": "tianshou", "SuperSuit": "supersuit", "CleanRL's style": "torch"}
RECIPES = {
    heading: re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for heading, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}


def test_every_library_that_can_live_with_the_others_has_its_recipe():
    assert {heading for heading, recipes in RECIPES.items() if recipes} == set(NEEDED)
    for heading in NEEDED:
        assert all('illegal="raise"' in recipe for recipe in RECIPES[heading]), f"{heading}: a mask may go unread"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what other libraries warn of is theirs
@pytest.mark.parametrize("heading", NEEDED)
def test_the_recipes_of_a_library_run(heading: str):
    if find_spec(NEEDED[heading]) is None:
        assert not os.environ.get("CLIENTS_REQUIRED"), f"{NEEDED[heading]} is not installed: make clients does that"
        pytest.skip(f"{NEEDED[heading]} is not installed: needs the extra `clients`")
    names: dict[str, object] = {"__name__": "__main__"}
    for number, recipe in enumerate(RECIPES[heading], start=1):
        exec(compile(recipe, f"docs/clients.md, {heading}, recipe {number}", "exec"), names)
