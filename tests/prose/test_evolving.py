"""The page on evolving has the numbers of the code."""

from __future__ import annotations

import re
from pathlib import Path

from dominion_training.evolve import evolution

PAGE = (Path(__file__).parents[2] / "docs" / "evolving.md").read_text(encoding="utf-8")


def test_the_numbers_are_those_of_the_code():
    numbers = {2: "two", 3: "three", 4: "four", 6: "six"}
    assert f"A climb** keeps {numbers[evolution.PLAN.staying]} lists" in PAGE
    assert f"{evolution.PLAN.changed} changes of them" in PAGE
    assert f"{numbers[evolution.PLAN.patience]} generations, the next ones" in " ".join(PAGE.split())
    assert f"holds up to {evolution.ROOM} lists" in PAGE
    assert f"The first {numbers[len(evolution.ISLANDS)]} climbs are those of the islands" in PAGE
    assert {*evolution.CLIMBS} == set(re.findall(r"^\| (\w+) \| (?:random|the)", PAGE, flags=re.M))
    assert "(less than 0.4 points" in " ".join(PAGE.split())
