"""Data sets: collected in parts, continued, checked when they are read, and played again from their rows."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from dominion_app.cli import main
from dominion_env import RULES_VERSION, Card, InvalidOption
from dominion_env.common.errors import ResultsMismatch
from dominion_env.core.observing.fields import OBSERVATION_VERSION
from dominion_training.play.roster import Roster
from dominion_training.research.collect import data
from dominion_training.research.collect.again import play_again
from dominion_training.research.collect.data import METADATA, Collection, open_data, seated
from dominion_training.research.collect.schema import SCHEMA_VERSION, TABLES, schema_of

pytestmark = pytest.mark.compiled

DATA = Path("data")
CALL = ["collect", "auto", "random-menu:1", "--workers", "1", "--out", str(DATA), "--seed", "4"]


@pytest.fixture(autouse=True)
def small_parts_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(data, "GAMES_PER_PART", {"strategies": 10, "others": 4, "searchers": 2})


def collect(*more):
    assert main([*CALL, *more]) == 0
    return open_data(DATA)


def test_three_tables_of_the_described_columns(capsys):
    found = collect("--games", "25", "--players", "2", "3").read()
    assert "events:" in capsys.readouterr().out
    for name in TABLES:
        assert dict(found.by_name(name).schema) == schema_of(name)
    assert found.games["game"].to_list() == list(range(50))
    assert found.games["players"].to_list() == [2] * 25 + [3] * 25
    assert len(found.players) == 25 * 5
    assert found.players["agent"].n_unique() == 2
    assert found.players.group_by("game").agg(pl.col("share").sum())["share"].round(5).unique().to_list() == [1]
    begin = found.players.filter(pl.col("position") == 0).sort("game")
    assert (begin["seat"] == found.games["starter"]).all()
    assert set(found.events["game"].unique()) == set(range(50))


def test_each_file_says_what_it_is_and_how_it_was_made():
    found = collect("--games", "12")
    for name in TABLES:
        files = sorted((DATA / name).glob("*.parquet"))
        assert len(files) == 2
        said = json.loads(pl.read_parquet_metadata(files[1])[METADATA])
        assert said["schema"] == SCHEMA_VERSION
        assert (said["rules"], said["observation"]) == (RULES_VERSION, OBSERVATION_VERSION)
        assert (said["first"], said["last"], said["seed"]) == (10, 11, 4)
        assert said["mix"] == ["auto", "random-menu:1"]
        assert all(len(made) == 16 for made in said["fingerprints"].values())
        assert said["command"].startswith("dominion collect auto random-menu:1")
        assert said["columns"] == {column.name: column.meaning for column in TABLES[name]}
    assert found.record["command"].startswith("dominion collect")
    assert found.record["versions"]["dominion_env"] == said["dominion_env"]


def test_its_page_tells_load_dataset_which_files_are_a_table_and_names_all_numbers():
    record = collect("--games", "4").record
    front, page = re.fullmatch(r"---\n(.*?)\n---\n(.*)", (DATA / "README.md").read_text(), re.DOTALL).groups()
    configs = {each["config_name"]: each for each in yaml.safe_load(front)["configs"]}
    for name in TABLES:
        found = sorted(path.relative_to(DATA).as_posix() for path in DATA.glob(configs[name]["data_files"]))
        assert found == [each["file"] for each in record["files"] if each["table"] == name]
    assert [name for name, each in configs.items() if each.get("default")] == ["players"]
    rows = set(re.findall(r"^\| (\d+) \| (.*) \|$", page, re.M))
    assert {(str(card.value), card.title) for card in Card} <= rows
    assert {
        ("2", "buy"),
        ("21", "gain from trash"),
        ("0", "`auto`"),
        ("1", "`random-menu:1`"),
        ("3", "truncated"),
    } <= rows


def test_without_events_there_is_no_such_table():
    found = collect("--games", "5", "--no-events")
    assert not (DATA / "events").exists()
    assert "events" not in (DATA / "README.md").read_text().split("# Games")[0]
    assert found.read().events is None
    assert len(found.read()) == 5


def test_searchers_and_code_of_ones_own_take_part():
    Path("mine.py").write_text("def act(observations, masks, keys):\n    return masks.argmax(axis=1)\n")
    assert main(["collect", "mine.py:act", "planner:8", "--games", "2", "--workers", "1", "--out", "own",
                 "--max-turns", "4"]) == 0  # fmt: skip
    found = open_data(Path("own")).read()
    assert found.games["ended"].to_list() == [3, 3]
    assert found.players["share"].to_list() == [0.5] * 4


def test_the_same_command_plays_only_what_is_missing(monkeypatch):
    whole = collect("--games", "30").read()
    (DATA / "data.json").unlink()
    with pytest.raises(InvalidOption, match="interrupted"):
        open_data(DATA)
    (DATA / "players" / "0000000010-0000000020.parquet").write_bytes(b"half")
    played = []
    play = data.CollectionPart.play
    monkeypatch.setattr(
        data.CollectionPart, "play", lambda part, stopping=None: played.append(part.start) or play(part, stopping)
    )
    again = collect("--games", "30").read()
    assert played == [10]
    assert again.events.equals(whole.events)
    assert again.players.equals(whole.players)


def test_another_collection_is_refused():
    collect("--games", "10")
    assert main([*CALL, "--games", "20"]) == 1
    assert main([*CALL, "--games", "10", "--no-events"]) == 1


def test_the_parts_of_an_agent_that_has_changed_are_played_again(monkeypatch):
    Path("mine.py").write_text("def act(observations, masks, keys):\n    return masks.argmax(axis=1)\n")
    call = ["collect", "mine.py:act", "--games", "2", "--workers", "1", "--out", "own", "--max-turns", "4"]
    assert main(call) == 0
    one = open_data(Path("own"))
    Path("mine.py").write_text("def act(observations, masks, keys):\n    return 313 - masks[:, ::-1].argmax(axis=1)\n")
    monkeypatch.setattr("dominion_training.play.roster.HERE", Roster())
    with pytest.raises(ResultsMismatch, match=r"mine\.py:act: expected the one of the data set"):
        play_again(one, 0)
    assert main(call) == 0
    assert not open_data(Path("own")).read().events.equals(pl.DataFrame(schema=schema_of("events")))
    assert open_data(Path("own")).record["fingerprints"] != one.record["fingerprints"]


@pytest.mark.slow
def test_ctrl_c_leaves_whole_parts_and_the_command_goes_on(monkeypatch):
    monkeypatch.setattr(data, "GAMES_PER_PART", {"strategies": 20_000, "others": 1_000, "searchers": 20})
    call = ["collect", "random", "--games", "6000", "--workers", "2", "--out", str(DATA)]
    running = subprocess.Popen(
        [sys.executable, "-m", "dominion_app", *call], stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    limit = time.monotonic() + 120
    while not list(DATA.glob("parts/*.npy")):
        assert time.monotonic() < limit
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    told, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "the same command goes on" in told
    assert not list(DATA.rglob("*.tmp"))
    kept = {file: file.stat().st_mtime_ns for file in (DATA / "events").glob("*.parquet")}
    assert 0 < len(kept) < 6
    assert main(call) == 0
    done = {file for file in kept if (DATA / "parts").exists() and file.stat().st_mtime_ns == kept[file]}
    assert done
    assert len(open_data(DATA).read()) == 6000


def test_every_game_can_be_played_again(capsys):
    collect("--games", "12", "--players", "2", "3")
    for number in (0, 11, 12, 23):
        assert main(["collect", "--out", str(DATA), "--again", str(number)]) == 0
        told = capsys.readouterr().out
        assert "Turn 1 of player_" in told
        assert "As its row says" in told
    assert main(["collect", "--out", str(DATA), "--again", "24"]) == 1
    assert "expected 0 to 23, got 24" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("players", pl.col("points") + 1, "points"),
        ("players", pl.col("turns") + 1, "turns"),
        ("events", pl.col("card") // 2, "other events now"),
        ("events", pl.col("event") * 0 + 2, "other events now"),
        ("games", pl.col("ended") * 0 + 3, "ended"),
    ],
)
def test_a_row_that_is_not_the_games_is_found_out(table, change, said):
    found = collect("--games", "3")
    entry = next(each for each in found.record["files"] if each["table"] == table)
    file = DATA / entry["file"]
    frame = pl.read_parquet(file)
    frame.with_columns(change.cast(frame.schema[change.meta.output_name()])).write_parquet(file)
    entry["sha256"] = data._sha256(file)
    with pytest.raises(ResultsMismatch, match=said):
        play_again(found, 1)


def test_damage_is_told():
    found = collect("--games", "12")
    file = DATA / "events" / "0000000010-0000000012.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:-9] + b"x" + whole[-8:])
    assert len(found.read(most=10)) == 10  # the first part is whole
    with pytest.raises(ResultsMismatch, match="damaged or another file"):
        found.read()
    file.unlink()
    with pytest.raises(ResultsMismatch, match="expected a file of the data set, got none"):
        found.read()
    with pytest.raises(InvalidOption, match="with 5 players"):
        found.read(players=5)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        *(("{", "damaged"), ("[]", "damaged"), ("{}", "damaged"), ('{"schema": 0}', "schema 1, got 0")),
        (
            '{"schema": 1, "cards": "base+x (40 cards, 0)"}',
            r"expected a data set of cards of base \(39 .*, got one of 'base\+x",
        ),
    ],
)
def test_a_record_that_can_not_be_read_is_told(content, error):
    DATA.mkdir()
    (DATA / "data.json").write_text(content)
    with pytest.raises(ResultsMismatch, match=error):
        open_data(DATA)


def test_a_folder_without_data_is_told():
    with pytest.raises(InvalidOption, match=r"got no data\.json"):
        open_data(Path())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "expected at least one, got none"),
        (["auto", "auto"], "expected each once"),
        (["auto", "--players", "7"], "from 1 to 6"),
        (["auto", "--players", "2", "2"], "different numbers"),
        (["auto", "--games", "0"], "games: expected 1 to"),
        (["auto", "big-money", "random", "--seating", "rotate"], "as many agents as players"),
        (["auto", "--seating", "sideways"], "rotate or draw"),
        (["auto", "--again", "1"], "the folder of the data set as --out"),
        (["nobody-of-this-name"], "nobody-of-this-name"),
    ],
)
def test_bad_options_are_told_and_leave_no_folder(given, said, capsys):
    assert main(["collect", *given]) == 1
    assert said in capsys.readouterr().err
    assert not Path("results").exists()


def test_agents_rotate_or_are_drawn():
    numbers = np.arange(6000)
    assert seated(3, 3, numbers[:3], 1, "rotate").tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    drawn = seated(3, 2, numbers, 1, "draw")
    pairs = np.bincount(drawn[:, 0] * 3 + drawn[:, 1], minlength=9)
    assert (abs(pairs - 6000 / 9) < 5 * np.sqrt(6000 / 9)).all()
    assert (drawn != seated(3, 2, numbers, 2, "draw")).any()
    assert (drawn[500:] == seated(3, 2, numbers[500:], 1, "draw")).all()
    assert not seated(1, 4, numbers, 1, "draw").any()


def test_a_collection_is_cut_by_the_kind_of_its_agents():
    def starts(*mix):
        return [part.start for part in Collection(mix, games=12, players=(2, 3)).parts(DATA)]

    assert starts("big-money") == [0, 10, 12, 22]
    assert starts("big-money", "random") == [0, 4, 8, 12, 16, 20]
    assert len(starts("planner:8", "random")) == 12


def places_in(value: object, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the ways to all parts of a value of JSON."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for key, part in parts for found in places_in(part, (*place, key)))]


def test_a_record_with_one_place_changed_is_refused_in_words_or_opened():
    collect("--games", "12")
    file, free = DATA / "data.json", {"versions", "command", "dominion_env", "rules", "observation", "fingerprints"}
    record = json.loads(file.read_text())
    changes = [
        (place, value)
        for place in places_in(record)
        if place and place[0] != "versions"
        for value in (None, -1, 10**30, "x", [], {"a": 1}, "removed")
    ]
    assert len(changes) > 300
    for place, value in changes:
        changed = json.loads(json.dumps(record))
        at = changed
        for key in place[:-1]:
            at = at[key]
        if value == "removed":
            del at[place[-1]]
        else:
            at[place[-1]] = value
        file.write_text(json.dumps(changed))
        try:
            open_data(DATA)
        except ResultsMismatch:
            continue
        of_the_base_game = (place, value) == (("cards",), "removed")
        assert of_the_base_game or place[0] in {*free, "options", "seed"} or place[-1] == "sha256", (place, value)


@pytest.mark.parametrize("name", ["kingdom", "mix", "files", "options", "fingerprints"])
def test_a_study_of_a_data_set_that_lacks_something_says_so(name, capsys):
    collect("--games", "12")
    record = json.loads((DATA / "data.json").read_text())
    del record[name]
    (DATA / "data.json").write_text(json.dumps(record))
    assert main(["study", "first-game-2e", "--only", "cards", "--data", str(DATA), "--out", "study"]) == 1
    assert f"data.json is damaged: KeyError('{name}')" in capsys.readouterr().err
    assert not Path("study").exists()
