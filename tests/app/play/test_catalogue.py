"""`dominion agents`, `kingdoms` and `cards`: everything that can be named is listed, and words filter the lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dominion_agents.scripted.random_agent import RandomAgent
from dominion_app.catalogue.agents import rated_agents
from dominion_app.cli import main
from dominion_env import InvalidOption, UnknownAgent, agent_names, make_agent, register_agent
from dominion_env.players.registry import LEVELS, Strength, registered_agents
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS, kingdom_names, split

ROOT = Path(__file__).parents[3]


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main([*arguments, "--json"]) == 0
    entries: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return entries


def test_agents_are_listed_with_what_they_play_and_the_cards_they_need(capsys: pytest.CaptureFixture[str]):
    agents = {agent["name"]: agent for agent in listed(capsys, "agents")}
    assert tuple(agents) == agent_names()
    assert all(agent["is"] for agent in agents.values())
    assert agents["chapel-witch"]["cards"] == ["Chapel", "Witch"]
    big_money = {"name": "big-money", "level": "easy", "cards": [], "is": "wiki: Province; Gold; Silver"}
    assert agents["big-money"] == big_money
    assert agents["random"]["is"].startswith("Plays any legal action")
    told = [agents[name]["is"] for name in ("auto", "auto-2")]
    assert len(set(told)) == 2


def test_kingdoms_are_listed_with_their_cards(capsys: pytest.CaptureFixture[str]):
    kingdoms = {kingdom["name"]: kingdom for kingdom in listed(capsys, "kingdoms")}
    assert tuple(kingdoms) == kingdom_names()
    for name, cards in KINGDOMS.items():
        assert kingdoms[name]["cards"] == [card.title for card in cards]
        assert kingdoms[name]["is"].endswith(f"edition {name[-2]}")
    assert kingdoms["random-1e"]["is"].startswith("ten of 25 cards")
    assert "100 kingdoms" in kingdoms["test"]["is"]


def test_a_single_kingdom_of_a_split_is_shown_with_its_cards(capsys: pytest.CaptureFixture[str]):
    found = listed(capsys, "kingdoms", "train:0+17", "test:5")
    assert [each["name"] for each in found] == ["train:0", "train:17", "test:5"]
    kingdoms = [split("train")[0], split("train")[17], split("test")[5]]
    assert [each["cards"] for each in found] == [[card.title for card in kingdom] for kingdom in kingdoms]
    with_witch = listed(capsys, "kingdoms", "train:0+17", "witch")
    assert [each["name"] for each in with_witch] == [each["name"] for each in found[:2] if "Witch" in each["cards"]]
    assert main(["kingdoms", "test:100"]) == 1
    assert "places in test from 0 to 99" in capsys.readouterr().err


def test_agents_are_described_by_names_and_not_by_classes():
    described = {name: registered_agents()[name].described for name in agent_names()}
    assert {name: text for name, text in described.items() if re.search(r"`[A-Z]\w*`", text)} == {}


def test_cards_are_listed_with_type_cost_and_text(capsys: pytest.CaptureFixture[str]):
    cards = {card["name"]: card for card in listed(capsys, "cards")}
    assert list(cards) == [card.title for card in Card]
    assert cards["Militia"] == {
        "name": "Militia",
        "type": "Action-Attack",
        "cost": 4,
        "edition": [1, 2],
        "text": "+$2. Each other player discards down to 3 cards in hand.",
    }
    assert all(card["text"] for card in cards.values())


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["cards", "REACTION"], ["Moat"]),
        (["cards", "attack", "hand", "discards down"], ["Militia"]),
        (["kingdoms", "lucky"], []),
        (["agents", "double-", "witch"], ["double-witch"]),
    ],
)
def test_words_filter_a_list(arguments: list[str], names: list[str], capsys: pytest.CaptureFixture[str]):
    assert [entry["name"] for entry in listed(capsys, *arguments)] == names


def test_a_player_finds_an_opponent_by_its_strength_on_one_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["agents"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    levels = [line.split()[0] for line in lines[1:] if line[:1].isalpha()]
    assert levels[:4] == list(LEVELS)
    assert [name for name, _ in rated_agents()] == [
        line[11:30].split()[0] for line in lines[1 : 1 + len(rated_agents())]
    ]


def test_the_ratings_are_those_of_the_page_of_results():
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rated = rated_agents()
    assert {name for name, _ in rated} <= set(agent_names())
    for title, found in (
        ("## Who plays everywhere", {name: strength.elo for name, strength in rated}),
        ("### first-game-2e", {name: strength.elo_on.get("first-game-2e") for name, strength in rated}),
    ):
        table = page.partition(f"{title}\n")[2].partition("\n#")[0]
        measured = {name: int(elo) for name, elo in re.findall(r"^\| `([\w-]+)` \| ([+-]?\d+) ", table, re.MULTILINE)}
        assert {name: elo for name, elo in found.items() if elo is not None} == {
            name: elo for name, elo in measured.items() if name in found
        }
    strengths = [LEVELS.index(strength.level) for _, strength in rated if strength.elo_on]
    assert strengths == sorted(strengths)


def test_a_level_that_does_not_exist_is_refused():
    with pytest.raises(InvalidOption, match=r"level: expected one of 'easy'.*got 'hard'"):
        register_agent("hard-one", RandomAgent, strength=Strength("hard", "wins"))


def test_a_misspelt_name_is_told_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]):
    assert main(["cards", "villige"]) == 0
    assert capsys.readouterr().out == "nothing contains 'villige'; did you mean 'Village'?\n"


def test_a_file_of_code_is_told_how_it_is_named():
    with pytest.raises(UnknownAgent, match=r"named file\.py:attribute"):
        make_agent("my_agent.py")


@pytest.mark.parametrize("command", ["agents --all", "kingdoms", "cards"])
def test_a_table_fits_80_columns_with_room_for_its_texts_and_shows_every_name(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(command.split()) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[0].rstrip().rindex("  ") <= 50
    assert {entry["name"] for entry in listed(capsys, *command.split())} <= {
        line.split("  ")[0] for line in out.splitlines()
    }
    assert main([*command.split(), "no such thing"]) == 0
    assert capsys.readouterr().out == "nothing contains 'no such thing'\n"
