"""`dominion play`, `watch` and `replay` as they are called."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from dominion_app.cli import COMMANDS, main
from dominion_app.play import terminal, watch
from dominion_app.play.screen import PlayApp, TableApp, WatchApp
from dominion_env import Game

SHORT = ["--seed", "4", "--max-turns", "3"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return the file of a game of two agents, saved by `watch`."""
    path = tmp_path / "game.json"
    assert main(["watch", "big-money", "random", "--plain", "--save", str(path), *SHORT]) == 0
    return path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[TableApp]:
    """Return the apps that a command would have started on a terminal."""
    apps: list[TableApp] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(TableApp, "run", lambda app: apps.append(app))
    return apps


def test_watch_plain_prints_the_whole_game_as_text(capsys: pytest.CaptureFixture[str]):
    assert main(["watch", "big-money", "random", "--plain", *SHORT]) == 0
    out = capsys.readouterr().out
    assert "player_0: “big-money”, player_1: “random”" in out, "names of agents can't be read as words"
    assert "Turn 3 of “big-money”" in out
    assert "The game ends: the turn limit is reached" in out
    assert "The game is over: the turn limit is reached.\nNobody has won.\n“big-money” " in out
    assert "\x1b" not in out
    assert main(["watch", "big-money", "random", "--plain", *SHORT]) == 0
    assert capsys.readouterr().out == out, "the same seed is the same game"


def test_one_agent_alone_is_watched_against_itself(capsys: pytest.CaptureFixture[str]):
    assert main(["watch", "greedy", "--plain", *SHORT]) == 0
    assert "player_0: “greedy 1”, player_1: “greedy 2”" in capsys.readouterr().out


def test_watch_plain_of_a_seat_shows_what_that_seat_sees(capsys: pytest.CaptureFixture[str]):
    main(["watch", "--plain", "--seat", "1", *SHORT])
    out = capsys.readouterr().out
    assert "“big-money 1” draws 5 cards" in out
    assert "“big-money 2” draws 5 cards" not in out


def test_replay_plain_prints_a_saved_game_up_to_a_step(saved: Path, capsys: pytest.CaptureFixture[str]):
    replay = json.loads(saved.read_text())
    capsys.readouterr()
    assert main(["replay", str(saved), "--plain"]) == 0
    whole = capsys.readouterr().out
    assert replay["names"] == ["big-money", "random"]
    assert Game.from_replay(replay).log(None, ["“big-money”", "“random”"]) in whole
    assert main(["replay", str(saved), "--plain", "--step", "2", "--seat", "0"]) == 0
    part = capsys.readouterr().out
    assert Game.from_replay(replay, 2).render(0).replace("player_0", "“big-money” ").splitlines()[1] in part
    assert len(part) < len(whole)


def test_play_seats_a_person_among_agents(started: list[TableApp], tmp_path: Path):
    arguments = [
        "big-money",
        "--players",
        "3",
        "--seat",
        "1",
        "--kingdom",
        "random-1e",
        "--seed",
        "9",
        "--edition",
        "2",
    ]
    file = tmp_path / "mine.json"
    assert main(["play", *arguments, "--name", "Ann", "--no-auto-treasures", "--save", str(file)]) == 0
    (app,) = started
    assert isinstance(app, PlayApp)
    assert app.table.names == ["big-money 1", "Ann", "big-money 2"]
    assert sorted(app.table.agents) == [0, 2]
    assert (app.seat, app.save_as) == (1, file)
    options = app.table.replay()["options"]
    assert (options["kingdom"], options["edition"], options["auto_treasures"]) == ("random-1e", 2, False)
    assert app.table.replay()["address"]["seed"] == 9


def test_a_saved_game_is_continued_with_its_agents(started: list[TableApp], tmp_path: Path):
    file = tmp_path / "mine.json"
    assert main(["play", "random", "big-money", "--seat", "1", "--name", "Ann", "--seed", "3"]) == 0
    started[0].table.to_end()
    started[0].table.save(file)
    assert main(["play", str(file)]) == 0
    before, after = (app.table for app in started)
    assert isinstance(started[1], PlayApp)
    assert after.game.to_dict() == before.game.to_dict()
    assert (after.names, started[1].seat, after.called) == (before.names, 1, {0: "random", 2: "big-money"})
    assert sorted(after.agents) == [0, 2]
    assert after.asks_person


def test_a_saved_game_without_names_of_agents_is_not_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "game.json").write_text(json.dumps(Game().replay()))
    assert main(["play", str(tmp_path / "game.json")]) == 1
    assert "expected the names of all agents but one, got 0 for 2 seats" in capsys.readouterr().err


def test_play_starts_from_a_position(started: list[TableApp], tmp_path: Path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"players": [{"hand": {"Militia": 1, "Gold": 2}}, {}, {}]}))
    assert main(["play", "big-money", "--position", str(file)]) == 0
    table = started[0].table
    assert table.game.num_players == 3
    assert table.game.legal_actions() == ["pass", "play Militia"]
    assert table.asks_person


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"players": [{"hand": 3}, {}]}'])
def test_a_file_that_is_no_position_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "position.json").write_text(text)
    assert main(["play", "--position", str(tmp_path / "position.json")]) == 1
    told = capsys.readouterr().err
    assert told.startswith("dominion play: ")
    assert told.count("\n") == 1


def test_a_sign_of_loading_is_shown_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")  # by which rich takes what pytest captures for a terminal
    with terminal.loading(["random"]):
        pass
    assert "Loading the game and random ..." in capsys.readouterr().err


def test_watch_and_replay_start_the_same_app(started: list[TableApp], saved: Path):
    assert main(["watch", "random", "--players", "4", "--seat", "2"]) == 0
    assert main(["replay", str(saved), "--step", "3", "--seat", "0"]) == 0
    assert main(["replay", str(saved)]) == 0
    watch, replay, start = started
    assert all(isinstance(app, WatchApp) for app in started)
    assert (watch.table.game.num_players, watch.seat, watch.table.step) == (4, 2, 0)
    assert (replay.table.step, replay.seat, start.table.step, start.seat) == (3, 0, 0, None)
    assert replay.table.names == ["big-money", "random"]


def test_an_app_that_fails_gives_its_exit_status():
    class App:
        return_code = 1

        def run(self) -> None: ...

    app: Any = App()
    assert terminal.run(app) == 1
    App.return_code = None
    assert terminal.run(app) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["watch", "nobody", "random"], "'nobody' is no agent"),
        (["watch", "missing.zip", "random"], "missing.zip"),
        (["watch", "random", "--players", "7"], "players"),
        (["watch", "random", "random", "random", "--players", "2"], "players"),
        (["watch", "--seat", "2"], "seat"),
        (["watch", "--kingdom", "nowhere"], "nowhere"),
        (["watch", "--kingdom", "Moat, Moat"], "ingdom"),
        (["watch", "--edition", "3"], "edition"),
        (["watch", "--max-turns", "0"], "max_turns"),
        (["watch", *SHORT, "--plain", "--save", "/no/such/folder/game.json"], "can't be written"),
        (["play", "nobody"], "'nobody' is no agent"),
        (["play", "--seat", "2"], "seat"),
        (["play", "--players", "0"], "players"),
        (["replay", "no-such-file.json"], "can't be read"),
        (["play"], "expected a terminal"),
        (["watch"], "--plain"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"dominion {arguments[0]}: ")
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("arguments", [["watch", "nobody", "random"], ["play", "nobody"]])
def test_a_wrong_name_is_told_before_the_rules_are_compiled(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("dominion_app.play.table.Game", lambda **_: pytest.fail("the first game compiles the rules"))
    assert main(arguments) == 1
    assert "'nobody' is no agent" in capsys.readouterr().err


def test_a_file_that_is_no_model_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "model.zip").write_text("nothing")
    assert main(["play", str(tmp_path / "model.zip")]) == 1
    assert "model.zip: no saved model" in capsys.readouterr().err


# Runs the code given as the second argument where the packages in the first can't be imported.
WITHOUT = """
import sys

missing, code = sys.argv[1:]

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing.split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
exec(code)
"""
EXTRAS = "torch,sb3_contrib,stable_baselines3,tensorboard,tqdm,matplotlib,polars,scipy,jinja2,textual"


def without(packages: str, code: str) -> str:
    """Return what a program prints that can't import these packages."""
    call = [sys.executable, "-c", WITHOUT, packages, code]
    return subprocess.run(call, capture_output=True, text=True, check=True, timeout=300).stdout


@pytest.mark.slow
def test_help_of_every_command_needs_no_extra():
    code = """
from dominion_app.cli import COMMANDS, main
for name in COMMANDS:
    try:
        status = main([name, "--help"])
    except SystemExit as left:
        status = left.code
    print("status of", name, status)
"""
    told = without(EXTRAS, code).splitlines()
    assert {f"status of {name} 0" for name in COMMANDS} <= set(told)


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("textual", ["watch", "random"], "play"),
        ("torch", ["watch", "MODEL", "random"], "train"),
        ("torch", ["train", "--preset", "smoke"], "train"),
        ("scipy", ["compare", "random", "big-money"], "research"),
        ("matplotlib", ["compare", "random", "big-money"], "research"),
    ],
)
def test_a_missing_package_is_told_with_the_extra_that_brings_it(
    package: str,
    arguments: list[str],
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    (tmp_path / "model.zip").touch()

    def needs_package(rest: list[str]) -> int:
        raise ModuleNotFoundError(f"No module named '{package}.part'", name=f"{package}.part")

    module = importlib.import_module(COMMANDS[arguments[0]].module)
    monkeypatch.setattr(module, "main", needs_package)
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert f"the package {package} is missing; install it with: pip install 'dominion_env[{extra}]'" in told


def test_a_package_that_no_extra_brings_is_told_without_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def needs_package(rest: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'mine'", name="mine")

    monkeypatch.setattr("dominion_app.play.watch.main", needs_package)
    assert main(["watch"]) == 1
    assert capsys.readouterr().err == "dominion watch: the package mine is missing\n"


def test_a_missing_model_file_is_told_where_torch_is_missing_too():
    told = without(
        EXTRAS, "from dominion_app.cli import main; sys.stderr = sys.stdout; main(['watch', 'no.zip', 'random'])"
    )
    assert told == "dominion watch: no.zip: there is no such file\n"


def test_a_model_needs_the_extra_for_training_also_in_play(tmp_path: Path):
    part = {":type:": "", ":serialized:": ""}
    with ZipFile(tmp_path / "model.zip", "w") as archive:
        archive.writestr("data", json.dumps(dict.fromkeys(("policy_class", "observation_space", "action_space"), part)))
        archive.writestr("policy.pth", "")
    call = ["watch", str(tmp_path / "model.zip"), "random", "--trust"]
    told = without(EXTRAS, f"from dominion_app.cli import main; sys.stderr = sys.stdout; main({call})")
    assert "is missing; install it with: pip install 'dominion_env[train]'" in told


def test_the_help_of_train_shows_preset_and_resume_and_no_default_of_many_lines(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main(["train", "--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert "--preset " in told
    assert "--resume RUN|latest" in told
    assert "(default: quick)" in told
    assert "Village if" not in told


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["cards", "--help", "watch --help", "watch random --max-turns 3 --plain"])
def test_a_reader_that_stops_early_brings_no_traceback(arguments: str):
    # The pipe's reading end is closed before the program writes.
    reading, writing = os.pipe()
    os.close(reading)
    call = [sys.executable, "-m", "dominion_app", *arguments.split()]
    done = subprocess.run(call, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    os.close(writing)
    assert "BrokenPipe" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 141)  # rich leaves with 1 by itself


def test_a_game_is_saved_whose_text_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def nobody_reads(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", nobody_reads)
    with pytest.raises(BrokenPipeError):
        watch.main([*SHORT, "--plain", "--save", str(tmp_path / "game.json")])
    assert (tmp_path / "game.json").exists()


def test_python_m_is_the_same_command_and_tells_the_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    told = capsys.readouterr().out
    assert told == f"dominion_env {importlib.metadata.version('dominion_env')}\n"
    call = [sys.executable, "-m", "dominion_app", "--version"]
    assert subprocess.run(call, capture_output=True, text=True, timeout=300, check=True).stdout == told


def test_plain_replays_pass_no_escape_codes_from_names(saved: Path, capsys: pytest.CaptureFixture[str]):
    replay = json.loads(saved.read_text())
    saved.write_text(json.dumps({**replay, "names": ["\x1b]0;owned\x07\x1b[2J", "a\nb\u202e"]}))
    capsys.readouterr()
    assert main(["replay", str(saved), "--plain"]) == 0
    out = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in out)
    assert "player_0: “?]0;owned??[2J”, player_1: “a?b?”" in out


@pytest.mark.parametrize("step", ["-1", "100000"])
def test_a_step_that_the_game_does_not_have_is_refused(saved: Path, step: str, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", str(saved), "--step", step]) == 1
    assert "step: expected 0 to" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["replay"], ["watch", "--seed", "x"], ["play", "--nonsense"]])
def test_a_wrong_call_exits_with_2(arguments: list[str]):
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2


def test_a_misspelt_command_is_told_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]):
    assert main(["plya"]) == 2
    assert capsys.readouterr().err == "dominion: 'plya' is no command: did you mean 'play'?\n"
    assert main(["bogus"]) == 2
    assert capsys.readouterr().err.startswith("dominion: 'bogus' is no command: the commands are train, ")
