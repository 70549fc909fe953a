"""Remarks on matches that are less than they seem: one agent twice, cards that are not in the kingdom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dominion_app.cli import main
from dominion_training.evaluate.matches import Match
from dominion_training.evaluate.reports.remarks import remarks
from tests.training.evaluate.players import MODULE

WITCH = "Province; Gold; Witch if Witch < 2; Silver"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def test_an_agent_against_itself_is_flagged():
    assert remarks(Match("big-money", "big-money")) == [
        "big-money plays against itself, so the score is even but for luck."
    ]


def test_an_agent_against_itself_under_another_name_is_flagged(tmp_path):
    for name in ("one.strategy", "two.strategy"):
        (tmp_path / name).write_text("Province; Gold; Silver")
    [said] = remarks(Match("./one.strategy", "./two.strategy"))
    assert said == "./one.strategy and ./two.strategy are the same agent, so their score is even but for luck."


@pytest.mark.parametrize(
    "match",
    [
        Match("big-money", "random"),
        Match(f"{MODULE}:lazy", f"{MODULE}:slow"),  # two agents of one file
        Match("auto", "random", "silver-and-gold-2e"),  # it chooses by the cards
        Match(WITCH, "big-money", "Witch,Moat,Smithy,Mine,Village,Cellar,Market,Militia,Remodel,Workshop"),
    ],
)
def test_nothing_is_said_where_all_is_well(match):
    assert remarks(match) == []


def test_cards_that_are_not_in_the_kingdom_are_named():
    [said] = remarks(Match(WITCH, "big-money", "first-game-2e"))
    assert said == f"{WITCH} buys Witch, not in this kingdom: it plays without, so this says little about it."


def test_cards_that_not_every_drawn_kingdom_holds_are_named():
    [said] = remarks(Match("big-money", "double-witch", "random"))
    assert said.startswith("double-witch buys Witch, not in every kingdom: ")


@pytest.mark.compiled
def test_compare_shows_and_keeps_remarks_elo_with_interval_and_superiority(capsys):
    call = ["compare", "big-money-ultimate", WITCH, "--games", "200", "--workers", "1", "--json", "found.json"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    found = json.loads(Path("found.json").read_text())
    [said] = found["remarks"]
    assert said in " ".join(shown.split())
    assert f"{found['elo']:+.1f}   95% interval {found['elo_low']:+.1f} to {found['elo_high']:+.1f}" in shown
    assert found["elo_low"] < found["elo"] < found["elo_high"]
    assert "likelihood of superiority" in shown
    assert set(found["fingerprints"]) == {"big-money-ultimate", WITCH}
    assert "observation" in found["versions"]


@pytest.mark.compiled
def test_an_elo_without_an_end_is_no_number(capsys):
    assert main(["compare", "big-money", "random", "--games", "20", "--workers", "1", "--json", "found.json"]) == 0
    shown = capsys.readouterr().out
    found = json.loads(Path("found.json").read_text())
    assert (found["elo"], found["elo_high"]) == (None, None)
    assert f"95% interval above {found['elo_low']:+.1f}" in shown
