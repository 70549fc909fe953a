"""Agents by what a visitor writes: names, budgets within bounds and strategies, and never a path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dominion_agents import ScriptedAgent
from dominion_agents.trained.box import models_in_the_box
from dominion_env.errors import DominionError, InvalidOption, InvalidStrategy
from dominion_training.web import players
from dominion_training.web.limits import MOST_MILLISECONDS, MOST_PLAYOUTS, MOST_TEXT
from dominion_training.web.players import allowed, is_quick, made, short_names

STRATEGY = "Province; Gold; Silver"


@pytest.fixture
def folder_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files that `make_agent` would load."""
    model = next(iter(models_in_the_box().values())).path
    shutil.copy(model, tmp_path / "model.safetensors")
    (tmp_path / "model.zip").write_bytes(b"PK")
    (tmp_path / "mine.strategy").write_text(STRATEGY)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mine").write_text(STRATEGY)
    (tmp_path / "agent.py").write_text("raise SystemExit('run')\n")
    (tmp_path / "Province; Gold.strategy").write_text("Copper; Curse")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "model.safetensors", "./model.safetensors", "{here}/model.safetensors", "model.zip", "mine.strategy", "./mine.strategy",
        "sub/mine", "sub/../mine.strategy", "{here}/mine.strategy", "{here}/sub/mine", "/etc/passwd", "../../etc/passwd",
        "agent.py:agent", "{here}/agent.py:agent", "os:system", "puct:model.safetensors", "puct:./model.safetensors:50",
        "puct:{here}/model.safetensors", "puct:/etc/passwd", "puct:../x:9", "file:///etc/passwd", "\\\\host\\x.zip", "~/x.zip",
        "mine.strategy\0", "",
    ],
)  # fmt: skip
def test_a_path_is_refused_also_that_of_a_file_that_is_there(name: str, folder_of_files: Path):
    with pytest.raises(InvalidOption, match=r"is no agent here|expected a budget"):
        made(name.format(here=folder_of_files))


def test_a_path_that_reads_as_a_strategy_is_a_strategy(folder_of_files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(players, "make_agent", lambda name: pytest.fail(f"{name!r} reached the registry"))
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: pytest.fail("a file was read"))
    for name in ("Province; Gold.strategy", f"{folder_of_files}/x; Gold", "sub/mine\n", "mine.strategy;"):
        with pytest.raises(DominionError):
            made(name)
    assert isinstance(made("Province; Gold"), ScriptedAgent)


@pytest.mark.parametrize(
    "name", ["big-money", " random ", "random-menu:7", "planner", "planner:30", "search:50ms", STRATEGY]
)
def test_names_budgets_and_strategies_are_agents(name: str):
    assert allowed(name) == name.strip()
    assert callable(made(name).act)


@pytest.mark.parametrize("network", ["puct", "puct:20", "puct:any", "puct:any:20", "puct:any-3p:20ms"])
def test_a_search_may_name_a_network_of_the_project(network: str):
    assert allowed(network) == network


@pytest.mark.parametrize(
    "name", [f"planner:{MOST_PLAYOUTS + 1}", f"ismcts:{MOST_MILLISECONDS + 1}ms", "planner:0", "puct:any:9999999"]
)
def test_a_budget_has_bounds(name: str):
    with pytest.raises(InvalidOption, match=r"expected 1 to \d+ (playouts|milliseconds) for a decision on this server"):
        allowed(name)


def test_a_mistake_in_a_strategy_is_told_with_its_place():
    with pytest.raises(InvalidStrategy, match="line 1, column 11"):
        allowed("Province; Goold; Silver")


@pytest.mark.parametrize("text", ["x" * (MOST_TEXT + 1), "Province if " + "(" * 3000 + "; Gold"])
def test_a_text_that_is_too_long_or_too_deep_is_refused(text: str):
    with pytest.raises(DominionError):
        allowed(text)


def test_a_name_that_is_nearly_right_is_offered():
    with pytest.raises(InvalidOption, match="did you mean 'big-money'"):
        allowed("big-mony")


def test_only_agents_without_search_answer_between_messages():
    assert all(is_quick(made(name)) for name in ("big-money", "random", "auto", "random-menu", STRATEGY))
    assert not any(is_quick(made(name)) for name in ("planner:8", "search:8", "quick"))


def test_players_are_called_by_short_names_and_equal_ones_have_numbers():
    named = f"name: <b>Big</b> one\n{STRATEGY}".replace(";", "\n")
    assert short_names(["big-money", STRATEGY, "big-money", named]) == [
        "big-money 1", "buy list", "big-money 2", "<b>Big</b> one"
    ]  # fmt: skip
    assert len(short_names(["name: " + "n" * 90 + "\nGold"])[0]) == 24


def test_a_strategy_of_one_rule_is_told_of_its_semicolon():
    with pytest.raises(InvalidOption, match="a strategy of one rule has a semicolon behind it: 'Province;'"):
        allowed("province")
    assert allowed("Province;") == "Province;"
