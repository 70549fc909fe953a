"""`dominion compare` and `dominion benchmark`, as they are called."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import matplotlib.image
import numpy as np
import polars as pl
import pytest
from rich.console import Console

from dominion_app.cli import main
from dominion_env import RULES_VERSION, Game, InvalidOption, make_agent
from dominion_env.common.errors import ResultsMismatch
from dominion_training.evaluate import matches as work
from dominion_training.evaluate.benchmark import Benchmark, benchmark
from dominion_training.evaluate.commands.options import games_from_every_seat
from dominion_training.evaluate.compare import compare
from dominion_training.evaluate.match import MatchResult, play_match, sets_of
from dominion_training.evaluate.matches import Match
from dominion_training.evaluate.reports import tables
from dominion_training.evaluate.reports.pictures import payoff_picture
from dominion_training.evaluate.reports.report import html_report
from dominion_training.evaluate.reports.short_names import legend, short_names
from dominion_training.evaluate.sequential import SequentialTest
from dominion_training.play.sets import game_dtype
from tests.training.evaluate.made_up import pairs
from tests.training.evaluate.players import LAZY, MODULE, Lazy

pytestmark = pytest.mark.compiled

NO_PLACE = "expected a file in a folder that can be written to"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(work, "SETS_PER_PART", 50)


def test_compare_writes_what_it_found(tmp_path, capsys):
    call = ["compare", LAZY, "big-money", "--games", "200", "--workers", "1", "--seed", "4", "--json", "found.json"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["command"] == "dominion " + " ".join(call)
    assert found["versions"]["rules"] == RULES_VERSION
    assert {"dominion_env", "numpy", "numba", "python"} <= found["versions"].keys()
    assert found["addresses"]["seed"] == 4
    assert found["addresses"]["index"] == [0, 99]
    assert f"{found['score']:.2%}" in shown
    assert found["wins"] + found["ties"] + found["losses"] == found["games"] == 200
    assert sum(found["set_scores"].values()) == found["sets"] == 100
    [folder] = (tmp_path / "results").iterdir()
    assert str(folder.name) in shown
    assert json.loads((folder / "result.json").read_text()) == found

    games = pl.read_parquet(folder / "games.parquet")
    assert games.height == 200
    row = games.row(17, named=True)
    assert {row["agent_0"], row["agent_1"]} == {LAZY, "big-money"}
    own = games.select(
        pl.when(pl.col("agent_0") == LAZY).then(pl.col("share_0")).otherwise(pl.col("share_1")).mean()
    ).item()
    assert own == pytest.approx(found["score"])
    # the address leads back to the game
    game = Game(seed=row["seed"], index=row["index"], episode=row["episode"])
    assert ", ".join(card.title for card in game.kingdom) == row["cards"]

    # once more: nothing is played, and with more games only what is missing
    assert main([*call[:-2], "--out", str(folder)]) == 0
    assert main(["compare", LAZY, "big-money", "--games", "300", "--seed", "4", "--workers", "1"]) == 0
    assert [each.name for each in (tmp_path / "results").iterdir()] == [folder.name]
    assert pl.read_parquet(folder / "games.parquet").head(200).equals(games)


@pytest.mark.parametrize("command", ["compare", "benchmark", "baselines", "train", "play", "watch"])
def test_help_says_that_a_saved_model_can_run_code(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "--trust" in said
    assert "load only files that you trust" in said


@pytest.mark.parametrize(
    "call", [["compare", "random", "random", "--max-turns", "2"], ["validate", "--groups", "openings"]]
)
def test_a_folder_is_told_by_its_name_whatever_signs_are_in_it(call, capsys):
    """To rich, square brackets are markup: it leaves "[old]" out, and fails at "[/old]"."""
    assert main([*call, "--games", "10", "--workers", "1", "--out", "[old] [/old]"]) == 0
    assert "Games and results: [old] [/old]" in capsys.readouterr().out


def test_random_menus_are_compared_by_their_names(tmp_path):
    call = ["compare", "random-menu:7", "random-menu:8", "--games", "40", "--workers", "1", "--kingdom", "test"]
    assert main([*call, "--json", "found.json"]) == 0
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["first"], found["second"]) == ("random-menu:7", "random-menu:8")
    assert 0.1 < found["score"] < 0.9


@pytest.mark.slow
def test_a_sequential_test_stops_early_and_at_the_same_place_on_two_processes(small_parts):
    match = Match(LAZY, "big-money", options={"auto_treasures": True})
    test = SequentialTest(elo0=-200, elo1=0)
    alone = compare(match, 4000, test=test)
    together = compare(match, 4000, workers=2, test=test)
    assert alone.verdict == together.verdict == "reject"
    assert alone.result.num_games < 4000
    assert alone.result.num_games % 50 == 0  # it looks every 25 pairs
    assert alone.summary() == together.summary()
    everything = compare(match, 200, test=SequentialTest(elo0=-60, elo1=-50))
    assert (everything.verdict, everything.result.num_games) == ("undecided", 200)


def test_compare_plays_the_games_of_a_match(small_parts):
    found = compare(Match(LAZY, "random", "random-1e", 3, 2, {"auto_treasures": True}), 180)
    straight = play_match(
        Lazy(), make_agent("random"), 180, seed=2, num_players=3, kingdom="random-1e", auto_treasures=True
    )
    assert (found.result.games == straight.games).all()
    with pytest.raises(InvalidOption, match="expected one for 3 players, got one for 2"):
        compare(found.match, 180, test=SequentialTest())


def test_the_verdict_is_shown(capsys):
    call = [
        "compare",
        "big-money",
        "random",
        "--elo1",
        "20",
        "--games",
        "8000",
        "--workers",
        "1",
        "--json",
        "found.json",
    ]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert "accepted: the first agent is better" in shown
    assert "stopped at the verdict" in shown
    found = json.loads(Path("found.json").read_text())
    assert found["games"] == 100
    assert found["sequential_test"]["verdict"] == "accept"


def test_without_a_number_of_games_every_table_has_complete_sets():
    for players in range(2, 7):
        for usual in (1000, 2000, 4000):
            assert sets_of(games_from_every_seat(None, usual, players), players) == usual // players
    assert games_from_every_seat(5, 2000, 3) == 5


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["compare", "big-money", "nobody"], "'nobody' is no agent"),
        (
            ["compare", "big-money", "random", "--games", "5"],
            "games: expected a multiple of 2",
        ),
        (["compare", "big-money", "random", "--players", "9"], "players: expected 2 to 6, got 9"),
        (["compare", "big-money", "random", "--elo0", "5"], "--elo0 5: expected --elo1 too"),
        (["compare", "big-money", "random", "--elo0", "5", "--elo1", "1"], "expected elo0 below elo1, got 5.0 and 1.0"),
        (["compare", "big-money", "random", "--elo1", "inf"], "expected finite numbers"),
        (["compare", "big-money", "random", "--elo0", "nan", "--elo1", "1"], "expected finite numbers"),
        (
            ["compare", "big-money", "random", "--json", "gone/x.json"],
            f"--json: {NO_PLACE}, got gone/x.json",
        ),
        (
            ["benchmark", "random", "--json", "gone/x.json"],
            f"--json: {NO_PLACE}, got gone/x.json",
        ),
        (["validate", "--json", "."], "--json: expected a file, got the folder ."),
        (
            ["baselines", "--markdown", "gone/x.md"],
            f"--markdown: {NO_PLACE}, got gone/x.md",
        ),
        (["compare", "big-money", "random", "--out", __file__], "test_commands.py can't hold results"),
        (["compare", "big-money", f"{MODULE}:leaves", "--workers", "1"], "players:leaves: raised SystemExit:  ("),
        (
            ["compare", "big-money", "random", "--kingdom", "atlantis", "--workers", "1"],
            "no kingdom is named 'atlantis'",
        ),
        (["compare", "big-money", "random", "--workers", "0"], "workers: expected at least 1, got 0"),
        (["benchmark"], "at least one other than big-money"),
        (["benchmark", "random", "random"], "agents: expected each once, got random twice"),
        (["benchmark", "random", "--kingdom"], "expected at least one, got none"),
        (
            ["benchmark", "random", "--games", "3"],
            "games: expected a multiple of 2",
        ),
    ],
)
def test_a_wrong_call_is_explained(call, said, capsys):
    assert main(call) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("agents_given", "kingdoms", "said"),
    [
        ("militia", ["first-game-2e"], r"agents: expected a list such as \['militia'\]"),
        (["militia"], "first-game-2e", r"kingdoms: expected a list such as \['first-game-2e'\]"),
        (
            [Lazy().act],
            ["first-game-2e"],
            r"agents: expected names, .*file.py:attribute, .*register_agent",
        ),
    ],
)
def test_agents_and_kingdoms_are_lists_of_names(agents_given, kingdoms, said):
    with pytest.raises(InvalidOption, match=said):
        benchmark(agents_given, kingdoms, 10)


def test_a_folder_of_another_seed_is_refused(capsys):
    call = ["compare", "big-money", "random", "--games", "2", "--workers", "1", "--out", "kept", "--seed"]
    assert main([*call, "0"]) == 0
    assert main([*call, "1"]) == 1
    assert "seed 0 there, 1 here" in capsys.readouterr().err


def test_benchmark_writes_tables_picture_and_report(tmp_path, capsys):
    kingdoms = ["first-game-2e", "Moat,Smithy,Mine,Village,Cellar,Market,Militia,Remodel,Workshop,Witch"]
    call = ["benchmark", "random", LAZY, "--kingdom", *kingdoms, "--games", "60", "--workers", "1", "--out", "out"]
    assert main(call) == 0
    shown = capsys.readouterr().out
    folder = tmp_path / "out"
    found = json.loads((folder / "result.json").read_text())
    assert found["agents"] == ["random", LAZY, "big-money"]
    assert found["ratings"]["elo"][2] == 0
    assert found["ratings"]["elo"][0] < found["ratings"]["elo"][1] < 0
    assert found["payoff"][0][2] == pytest.approx(1 - found["payoff"][2][0])
    assert found["nash"]["weights"][2] > 0.9
    assert len(found["matches"]) == 6
    assert list(found["ratings_by_kingdom"]) == kingdoms
    assert found["addresses"]["kingdom"] == kingdoms
    assert shown.index("big-money") < shown.index(LAZY) < shown.index("random ")
    assert pl.read_parquet(folder / "games.parquet").height == 360
    assert (folder / "matrix.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "report.html").read_text()
    assert "data:image/png;base64,iVBOR" in page
    assert not re.search(r"(src|href)=[\"'](?!data:)", page)  # it needs nothing else
    assert all(name in page for name in (LAZY, *kingdoms, "Nash weight", "dominion benchmark random"))


def test_names_with_markup_are_shown_as_text_in_the_report():
    found = made_up(np.full((4, 2), 0.5), agents=("<script>alert(1)</script>", "big-money"))
    record = {"command": "dominion", "versions": {}, "addresses": {}, "ratings_method": ""}
    page = html_report(found, record)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def made_up(scores, agents=("random", "big-money"), kingdoms=("first-game-2e",)):
    results = {(0, 1, k): MatchResult(pairs(*scores)) for k in range(len(kingdoms))}
    return Benchmark(tuple(agents), tuple(kingdoms), 2, results)


def test_scores_of_many_agents_are_readable_in_80_columns():
    agents = (*(f"a-rather-long-agent-{number}" for number in range(20)), "big-money")
    scores = np.random.default_rng(0).choice([0, 0.5, 1], size=(50, 2))
    results = {(row, column, 0): MatchResult(pairs(*scores)) for row in range(21) for column in range(row + 1, 21)}
    found = Benchmark(agents, ("first-game-2e",), 2, results)
    grid = io.StringIO()
    for part in tables.matrices(found, 80):
        Console(file=grid, width=80).print(part)
    lines = grid.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    scored: dict[str, int] = {}
    for line in lines:
        place, _, rest = line.strip().partition(" ")
        name, *cells = rest.split() or [""]
        if place.isdecimal() and not name.isdecimal():
            assert all(cell == "-" or cell.isdecimal() for cell in cells)
            scored[name] = scored.get(name, 0) + len(cells)
    assert scored == dict.fromkeys(short_names(agents), 21)
    assert "A column's number is that of its row." in grid.getvalue()


def test_ratings_in_80_columns_keep_names_apart_that_begin_alike():
    agents = ("a-rather-long-name-1", "a-rather-long-name-2", "big-money")
    scores = np.random.default_rng(0).choice([0, 0.5, 1], size=(50, 2))
    results = {pair: MatchResult(pairs(*scores)) for pair in ((0, 1, 0), (0, 2, 0), (1, 2, 0))}
    grid = io.StringIO()
    Console(file=grid, width=80).print(tables.ratings(Benchmark(agents, ("first-game-2e",), 2, results), 80))
    assert "…" not in grid.getvalue()
    names = {line.split("│")[1].strip() for line in grid.getvalue().splitlines() if line.startswith("│")}
    assert set(agents) <= names


LONG = "name: No. 1; guard: on; Province; Gold; Witch if Witch < 2; Duchy if supply(Province) < 5; Silver"


def test_agents_with_long_names_are_numbers_in_tables_and_pictures():
    long = [LONG, LONG.replace("Witch", "Moat"), "gone[bold].to.a.far.place:agent", "Gold\nSilver"]
    everybody = (*long, "big-money", "$mine$_")
    assert short_names(everybody) == ["#1", "#2", "#3", "#4", "big-money", "$mine$_"]
    assert legend(everybody)[2:] == ["#3: gone[bold].to.a.far.place:agent", "#4: Gold; Silver"]
    scores = np.random.default_rng(0).choice([0, 0.5, 1], size=(50, 2))
    results = {(row, column, 0): MatchResult(pairs(*scores)) for row in range(6) for column in range(row + 1, 6)}
    found = Benchmark(everybody, ("first-game-2e",), 2, results)

    with io.BytesIO(payoff_picture(found)) as stream:  # a label that does not fit is a warning, and so an error here
        image = matplotlib.image.imread(stream)
    assert image.shape[0] < 1200
    grid = io.StringIO()
    Console(file=grid, width=100).print(tables.matrix(found))
    rows = [line for line in grid.getvalue().splitlines() if line.startswith("│")]
    assert len(rows) == 6
    assert sorted(row.split("│")[1].strip() for row in rows) == sorted(short_names(everybody))
    assert "#3: gone[bold].to.a.far.place:agent" in grid.getvalue()
    Console(file=grid, width=200).print(tables.ratings(found, 200))
    assert f"#1 {LONG}" in grid.getvalue()
    narrow = io.StringIO()
    Console(file=narrow, width=80).print(tables.ratings(found, 80))
    assert all(line[0] == line[-1] for line in narrow.getvalue().splitlines() if line.startswith("│"))

    page = html_report(found, {"command": "", "versions": {}, "addresses": {}, "ratings_method": ""})
    assert ">#2</th>" in page
    assert "<td>#1 name: No. 1; guard: on" in page
    assert "Numbers stand for the agents with long names" in page


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_equal_scores_and_only_they_have_the_same_colour(players):
    def won(share):
        games = np.zeros(40 * players, game_dtype(players))
        games["set"], games["rotation"] = np.repeat(np.arange(40), players), np.tile(np.arange(players), 40)
        games["ended"], games["rounds"] = 1, np.arange(40 * players) % 7
        own = games["rotation"]
        winner = np.where(np.arange(len(games)) < share * len(games), own, (own + 1) % players)
        games["shares"][np.arange(len(games)), winner] = 1
        return MatchResult(games)

    scores = {(0, 1): 1.0, (0, 2): 0.75, (1, 2): 0.6, (1, 0): 0.0, (2, 0): 0.15, (2, 1): 0.1}
    results = {(*pair, 0): won(share) for pair, share in scores.items() if players > 2 or pair[0] < pair[1]}
    found = Benchmark(("first-game", "moat", "big-money"), ("first-game-2e",), players, results)
    with io.BytesIO(payoff_picture(found)) as stream:
        image = matplotlib.image.imread(stream)
    colours, numbers = np.unique((255 * image).astype(int).reshape(-1, 4), axis=0, return_counts=True)
    cells = {
        tuple(colour) for colour, number in zip(colours.tolist(), numbers, strict=True) if number > image.size / 200
    }
    assert len(cells) == 7 + 1  # and the paper
    grey = {colour for colour in cells if max(colour[:3]) - min(colour[:3]) < 5}
    assert len(grey) == 2  # equals, and the paper


def test_games_of_one_address_on_two_kingdoms_count_once():
    scores = np.random.default_rng(0).choice([0, 0.5, 1], size=(500, 2))
    one, two = made_up(scores), made_up(scores, kingdoms=("first-game-2e", "random"))
    assert two.payoff()[0, 1] == one.payoff()[0, 1] == scores.mean()
    for ours, theirs in zip(two.interval(), one.interval(), strict=True):
        assert ours == pytest.approx(theirs)
    low, high = one.interval()
    assert low[0, 1] < scores.mean() < high[0, 1]
    assert (low[1, 0], high[1, 0]) == pytest.approx((1 - high[0, 1], 1 - low[0, 1]))
    # ratings: the same games twice make nobody surer (the added sets apart)
    widths = [each.ratings.high[0] - each.ratings.low[0] for each in (one, two)]
    assert widths[1] == pytest.approx(widths[0], rel=0.02)
    assert two.field_scores.shape == (2, 2)


def test_at_tables_of_three_each_meets_each_as_the_odd_one_out(small_parts):
    found = benchmark([LAZY], ["first-game-2e"], 60, num_players=3, auto_treasures=True)
    assert set(found.results) == {(0, 1, 0), (1, 0, 0)}
    payoff = found.payoff()
    assert payoff[0, 0] == pytest.approx(1 / 3)
    assert payoff[0, 1] < 1 / 3 < payoff[1, 0]
    assert found.nash is None
    assert found.ratings.elo[0] < 0
    assert len(found.ratings.seat_elo) == 2
    assert json.dumps(found.summary())


@pytest.mark.slow
def test_a_benchmark_is_the_same_on_two_processes(small_parts, tmp_path):
    call = ([LAZY, "random"], ["first-game-2e", "random"], 120)
    alone = benchmark(*call, folder=tmp_path / "one", seed=2, auto_treasures=True)
    together = benchmark(*call, workers=2, folder=tmp_path / "two", seed=2, auto_treasures=True)
    assert alone.summary() == together.summary()
    parts = [sorted((tmp_path / name / "parts").iterdir()) for name in ("one", "two")]
    assert [file.read_bytes() for file in parts[0]] == [file.read_bytes() for file in parts[1]]
    assert len(parts[0]) == 6 * 2
    # an agent more: what is there is not played again
    more = benchmark([LAZY, "random", f"{MODULE}:Lazy"], call[1], 120, folder=tmp_path / "one", auto_treasures=True)
    assert (more.payoff()[:2, :2] == alone.payoff()[:2, :2]).all()
    with pytest.raises(ResultsMismatch):
        benchmark(*call, folder=tmp_path / "one", seed=3, auto_treasures=True)
