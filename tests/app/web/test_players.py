"""Agents by what a visitor writes: names, budgets within bounds and strategies, and never a path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dominion_agents import ScriptedAgent
from dominion_agents.trained.box import models_in_the_box
from dominion_app.web.guarding.limits import MOST_MILLISECONDS, MOST_PLAYOUTS, MOST_TEXT
from dominion_app.web.house import players
from dominion_app.web.house.players import allowed, groups_of_agents, is_quick, made, seat_models, short_names
from dominion_env.common.errors import DominionError, InvalidOption, InvalidStrategy
from dominion_env.players import registry

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


def test_a_model_of_the_server_sits_at_the_table_by_its_name_and_no_visitor_learns_its_path(
    folder_of_files: Path, monkeypatch: pytest.MonkeyPatch
):
    registry.agent_names()
    monkeypatch.setattr(registry, "_AGENTS", dict(registry._AGENTS))
    monkeypatch.setattr(players, "_SEATED", [])
    groups_of_agents.cache_clear()
    try:
        whole = seat_models(["mine=model.safetensors"])
        assert whole == [f"mine={folder_of_files}/model.safetensors"]
        assert allowed("mine") == "mine"
        assert not is_quick(made("mine")), "a network is asked elsewhere"
        assert groups_of_agents()["Models of this server"] == ["mine"]
        assert str(folder_of_files) not in str(registry.registered_agents()["mine"])
        with pytest.raises(InvalidOption, match="'mine' is registered already"):
            seat_models(["mine=model.safetensors"])
    finally:
        groups_of_agents.cache_clear()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("model.safetensors", "expected a name and the path of a model with '='"), ("m=", "with '=' between"),
        ("=model.safetensors", "small letters"), ("Mine=model.safetensors", "small letters"), ("a:b=model.safetensors", "small"),
        ("m=gone.safetensors", "which is no file"), ("m=model.zip", r"expected the path of a model \(.safetensors\)"),
        ("m=broken.safetensors", "broken.safetensors"), ("big-money=model.safetensors", "registered already"),
    ],
)  # fmt: skip
def test_what_is_no_model_for_the_table_is_told_in_words(given: str, words: str, folder_of_files: Path):
    (folder_of_files / "broken.safetensors").write_bytes(b"{" * 99)
    with pytest.raises(DominionError, match=words):
        seat_models([given])
    assert "m" not in registry.agent_names()


def test_every_agent_is_in_one_group_of_the_lobby():
    names = [name for group in groups_of_agents().values() for name in group]
    assert sorted(names) == sorted(registry.agent_names())
