"""The card of a trained model as a page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.site import describe
from dominion_agents.trained import box
from dominion_agents.trained.card import as_markdown, for_a_hub, hub_page_of, page_of
from dominion_env import agent_names
from tests.agents.networks import FIRST_GAME, network

CARD: dict[str, Any] = {
    "command": "dominion train --preset quick",
    "commit": "0123abc",
    "seed": 7,
    "samples": 1_234_567,
    "minutes": 5.1,
    "machine": "two cores",
    "settings": {"units": [256, 256], "kingdom": "first-game-2e"},
    "results": [
        {
            "opponent": "Province; Gold if a|b", "kingdom": "first-game-2e", "players": 2, "score": 0.953, "low": 0.941,
            "high": 0.962, "games": 4000,
        }
    ],
    "attacks": [
        {
            "kind": "buy list", "kingdom": "first-game-2e", "score": 0.25, "low": 0.2, "high": 0.3, "games": 4000,
            "searched": "10 minutes",
        },
        {
            "kind": "weaker list", "kingdom": "first-game-2e", "score": 0.2, "low": 0.15, "high": 0.25, "games": 4000,
            "searched": "1 minute",
        },
    ],
    "limits": ["It plays at a table of two only."],
    "licence": "MIT",
    "versions": {"dominion_env": "0.2.0", "numpy": "2.0.0", "scipy": None, "commit": "not this"},
}  # fmt: skip


def test_a_whole_card_is_told():
    lines = as_markdown("quick", CARD, "This is a network.").splitlines()
    assert lines[:3] == ["# quick", "", "This is a network."]
    for line in (
        "| trained by | `dominion train --preset quick` |",
        "| commit | `0123abc` |",
        "| samples | 1,234,567 |",
        "| time | 5.1 minutes |",
        "| licence | MIT |",
        "| against | kingdom | score, 95% interval | games |",
        r"| `Province; Gold if a\|b` | first-game-2e | 95.3% [94.1%, 96.2%] | 4,000 |",
        "| first-game-2e | buy list | 25.0% [20.0%, 30.0%] | 4,000 | 10 minutes |",
        "- It plays at a table of two only.",
    ):
        assert line in lines
    assert not any("weaker list" in line for line in lines)
    columns = [line.replace(r"\|", "").count("|") for line in lines if line.startswith("|")]
    assert 0 not in columns
    assert as_markdown("quick", CARD, level=3).startswith("### quick\n")
    assert "\n#### How well it plays\n" in as_markdown("quick", CARD, level=3)


def front_matter(page: str) -> dict[str, Any]:
    match = re.match(r"---\n(.*?)\n---\n\n# ", page, re.DOTALL)
    assert match is not None
    front: dict[str, Any] = yaml.safe_load(match[1])
    return front


def test_a_hubs_page_begins_with_front_matter_in_hugging_faces_form():
    front = front_matter(for_a_hub("quick", CARD))
    assert (front["license"], front["library_name"]) == ("mit", "dominion_env")
    assert "reinforcement-learning" in front["tags"]
    (model,) = front["model-index"]
    (result,) = model["results"]
    assert set(result) == {"task", "dataset", "metrics"}
    assert {"type", "name"} <= set(result["dataset"])
    assert result["metrics"][0]["value"] == 0.953
    assert "Province; Gold if a" in result["metrics"][0]["name"]
    assert "model-index" not in front_matter(for_a_hub("mine", {"results": [{"score": None}]}))


def test_every_model_in_the_box_has_such_a_page():
    for name, boxed in box.models_in_the_box().items():
        front = front_matter(hub_page_of(name, boxed))
        assert front["license"] == "mit"
        assert len(front["model-index"][0]["results"]) >= 1


@pytest.mark.parametrize(
    "card", [{}, {"results": None}, {"results": [{}], "attacks": [{}, 5], "limits": {}, "settings": [], "versions": 3}]
)
def test_what_is_missing_is_said_to_be(card):
    page = as_markdown("quick", card)
    assert "| seed | not told |" in page
    assert "| trained by | not told |" in page


def test_the_models_in_the_box_have_whole_cards():
    for name, boxed in box.models_in_the_box().items():
        card = boxed.told["card"]
        assert CARD.keys() <= card.keys(), name
        for part in ("results", "attacks"):
            assert all(CARD[part][0].keys() <= each.keys() for each in card[part]), f"{part} of {name}"
            assert not [value for each in (card, *card[part]) for value in each.values() if value in (None, "")], name


def test_each_card_of_the_box_says_whether_a_command_makes_it_again():
    said = {name: page_of(name, boxed).split("How well")[0] for name, boxed in box.models_in_the_box().items()}
    assert "big-money-ultimate=0.2` makes such a network again;" in said.pop("quick")
    for text in said.values():
        assert "It was made by hand, weights only" in text
        assert "The nearest command is `dominion train --preset " in text


def test_the_page_of_the_site_has_the_cards_of_all_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    agent_names()  # registers them, before the folder is another one
    monkeypatch.setattr(box, "FOLDER", tmp_path)
    page = (describe.DOCS / "agents.md").read_text(encoding="utf-8")
    assert "There is none in this version." in describe.with_tables("agents.md", page)
    model = replace(network(kingdom=FIRST_GAME).half(), card=CARD)
    (tmp_path / "quick.safetensors").write_bytes(model.to_bytes())
    (tmp_path / "other.safetensors").write_bytes(b"")
    written = describe.with_tables("agents.md", page)
    assert written.index("### quick") < written.index("### other"), "what has no rating comes last"
    assert (
        "This is a network that was trained for 2 players on first-game-2e, with layers of 32 and 16 units. The kingdom"
        in written
    )
    assert "This is a network whose file" not in written
    assert "a trained network whose file is damaged" in written
    assert page_of("quick", box.models_in_the_box()["quick"]).startswith("# quick\n")
