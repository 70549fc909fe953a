"""`dominion speed` measures what its table says, with and without the packages that it compares."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dominion_app.cli import main
from dominion_env import GameBatch, dominion_v0
from dominion_env.common.errors import DominionError
from tests.speed import agents, ours
from tests.speed.bench import SpeedOptions
from tests.speed.clock import Piece, Subject, measure
from tests.speed.machine import machine
from tests.speed.others import Counted, RandomDecider, other_subjects
from tests.speed.ours import aec, batch_subjects, view_subjects
from tests.speed.report import _rounded
from tests.speed.start import measure_start

TINY = ["--runs", "3", "--seconds", "0.001", "--view-games", "2"]
PACKAGES = ("pyminion", "pygame", "rlcard", "pyspiel", "stable_baselines3")


class Clock:
    """A clock that moves only while pieces play."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def __call__(self) -> float:
        return self.now

    def piece(self, name: str, seconds: list[float]) -> Piece:
        """Return a piece that takes these seconds, one after the other, with 10 decisions and a game each time."""
        left = iter(seconds)

        def play() -> tuple[int, int]:
            self.now += next(left)
            self.order.append(name)
            return 10, 1

        return play


def subject(name: str) -> Subject:
    return Subject("batch", name, "a throw", lambda: lambda: (1, 1))


def test_a_figure_is_the_median_of_runs_after_a_first_that_does_not_count():
    clock = Clock()
    (found,) = measure([(subject("a"), clock.piece("a", [9.0, 2.0, 4.0, 5.0]))], 1.0, 3, clock)
    assert found.decisions_per_second == (2.0, 2.5, 5.0)
    assert found.games_per_second == pytest.approx(3 / 11)
    assert [run.seconds for run in found.runs] == [2.0, 4.0, 5.0]


def test_a_run_plays_whole_pieces_until_its_time_is_over():
    clock = Clock()
    (found,) = measure([(subject("a"), clock.piece("a", [0.5] * 8))], 1.75, 1, clock)
    (run,) = found.runs
    assert (run.decisions, run.games, run.seconds) == (40, 4, 2.0)


def test_subjects_run_by_turns():
    clock, advanced = Clock(), count()
    begun = [(subject(name), clock.piece(name, [1.0] * 3)) for name in "ab"]
    found = measure(begun, 1.0, 2, clock, lambda: void(next(advanced)))
    assert "".join(clock.order) == "ababab"
    assert next(advanced) == 6
    assert [figures.subject.name for figures in found] == ["a", "b"]


def void(_: object) -> None:
    """Return nothing of what is called for its effect."""


@pytest.mark.compiled
@pytest.mark.parametrize("number", range(11))
def test_a_piece_of_ours_plays_its_games(number: int):
    found = [*batch_subjects([2]), *view_subjects(3)]
    assert len(found) == 11
    chosen = found[number]
    if chosen.extra:
        pytest.importorskip("stable_baselines3")
    piece = chosen.begin()
    played = [piece() for _ in range(3)]
    assert all(decisions % chosen.games == 0 and decisions > 0 for decisions, _ in played)
    assert sum(games for _, games in played) > 0


@pytest.mark.compiled
def test_decisions_and_games_of_a_batch_are_all_that_were_played(monkeypatch: pytest.MonkeyPatch):
    steps, ends = [], []
    step = GameBatch.step

    def counted(self: GameBatch, actions: Any) -> Any:
        paid = step(self, actions)
        steps.append(len(self.current_player))
        ends.append(np.count_nonzero(paid[1] | paid[2]))
        return paid

    monkeypatch.setattr(GameBatch, "step", counted)
    for one in [*batch_subjects([5]), *view_subjects(5)]:
        if one.extra and not find_spec("stable_baselines3"):
            continue
        piece = one.begin()
        steps.clear()
        ends.clear()
        assert piece() == (sum(steps), sum(ends)), one.name


@pytest.mark.compiled
def test_only_what_is_called_observed_is_observed(monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []
    observe = GameBatch.observe
    monkeypatch.setattr(GameBatch, "observe", lambda self, **options: void(seen.append(1)) or observe(self, **options))
    pieces = [one.begin() for one in batch_subjects([64])]
    for piece, times in zip(pieces, (0, 64, 64, 64, 64), strict=True):
        seen.clear()
        piece()
        assert len(seen) == times


def test_a_piece_of_a_pettingzoo_environment_is_a_game():
    answers: list[int | None] = []

    class Counting(dominion_v0.raw_env):
        def step(self, action: int | None) -> None:
            answers.append(action)
            super().step(action)

    piece = aec(lambda: Counting(max_turns=2))
    chosen: set[int | None] = set()
    for _ in range(20):
        answers.clear()
        assert piece() == (len(answers) - 2, 1)
        assert [answer is None for answer in answers] == [False] * (len(answers) - 2) + [True] * 2
        chosen.update(answers)
    assert len(chosen) > 5, "at random"


@pytest.mark.parametrize(
    ("least", "most", "sizes"), [(0, -1, {0, 1, 2, 3}), (1, 1, {1}), (0, 2, {0, 1, 2}), (2, 5, {2, 3}), (4, 4, {3})]
)
def test_random_answers_are_as_many_as_allowed(least: int, most: int, sizes: set[int]):
    decider = RandomDecider()
    answers = [decider.discard_decision([1, 2, 3], min_num_discard=least, max_num_discard=most) for _ in range(100)]
    assert {len(answer) for answer in answers} == sizes
    assert all(len(set(answer)) == len(answer) for answer in answers)


def test_a_random_pyminion_player_answers_every_question_of_first_game(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("pyminion")
    asked: set[str] = set()
    hand_on = Counted.__getattr__

    def noted(self: Counted, question: str) -> Callable[..., Any]:
        asked.add(question)
        return hand_on(self, question)

    monkeypatch.setattr(Counted, "__getattr__", noted)
    piece = other("pyminion, random, First Game")
    random.seed(0)  # from which pyminion shuffles
    played = [piece() for _ in range(40)]  # few games ask about a Moat
    assert all(decisions > 50 and games == 1 for decisions, games in played)
    assert asked == {name for name in vars(RandomDecider) if name.endswith("_decision")}


@pytest.mark.parametrize(
    ("name", "package", "least"),
    [
        ("pyminion, Big Money", "pyminion", 40),
        ("PettingZoo connect_four", "pygame", 7),
        ("PettingZoo texas_holdem", "rlcard", 1),
        ("RLCard gin-rummy", "rlcard", 2),
        ("OpenSpiel gin_rummy", "pyspiel", 2),
        ("OpenSpiel gin_rummy, observed", "pyspiel", 2),
    ],
)
def test_a_piece_of_another_package_is_a_game(name: str, package: str, least: int):
    pytest.importorskip(package)
    piece = other(name)
    for _ in range(3):
        decisions, games = piece()
        assert decisions >= least
        assert games == 1


def other(name: str) -> Piece:
    """Return the piece of another package with this name."""
    return next(one for one in other_subjects() if one.name == name).begin()


@pytest.mark.compiled
def test_the_command_prints_and_writes_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = [tmp_path / "speed.json", tmp_path / "speed.md", tmp_path / "speed.svg"]
    arguments = ["speed", "batch", "views", "--games", "1", "3", *TINY]
    written = ["--json", str(files[0]), "--markdown", str(files[1]), "--picture", str(files[2])]
    assert main([*arguments, *written]) == 0
    assert "games at once" in files[2].read_text(), "matplotlib writes texts as such"
    out, card, page = capsys.readouterr().out, json.loads(files[0].read_text()), files[1].read_text()
    names = [row["name"] for row in card["rows"]]
    expected = [*batch_subjects([1, 3]), *view_subjects(2)]
    assert names + list(card["left_out"]) == [one.name for one in expected]
    for row in card["rows"]:
        rates = row["decisions_per_second"]
        assert 0 < rates["low"] <= rates["median"] <= rates["high"]
        assert len(row["runs"]) == 3
        line = f"| {row['name']} | {row['games']} | {_rounded(rates['median'])} | {_rounded(rates['low'])} to "
        assert line in page
        assert [line for line in out.splitlines() if row["name"] in line and f" {_rounded(rates['median'])} " in line]
        assert row["decision"] in page
    assert "…" not in out, "fits a terminal of 80 columns"
    assert card["second"] == "CPU second"
    assert card["start"] is None
    assert f"Python {card['machine']['python']}" in page
    assert card["machine"]["packages"]["numpy"] == version("numpy")


@pytest.mark.compiled
def test_with_threads_seconds_are_those_of_the_clock(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "speed.json"
    assert main(["speed", "batch", "--games", "4", "--threads", "2", *TINY, "--json", str(file)]) == 0
    card = json.loads(file.read_text())
    assert (card["second"], card["threads"]) == ("second on the clock", 2)
    assert "a second on the clock, 2 threads" in capsys.readouterr().out


@pytest.mark.parametrize("packages", [PACKAGES, ("pyspiel",)])
def test_what_is_missing_is_named_with_what_installs_it(
    packages: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    take_away(monkeypatch, packages)
    file, page = tmp_path / "speed.json", tmp_path / "speed.md"
    assert main(["speed", "others", *TINY, "--json", str(file), "--markdown", str(page)]) == 0
    card = json.loads(file.read_text())
    assert len(card["rows"]) + len(card["left_out"]) == 7
    assert {"OpenSpiel gin_rummy", "OpenSpiel gin_rummy, observed"} <= set(card["left_out"])
    told = " ".join(capsys.readouterr().out.split())
    if packages == PACKAGES:
        assert card["rows"] == []
        assert told.startswith("games of dominion_env: First Game")
        assert "|" not in page.read_text()
    for name, why in card["left_out"].items():
        assert why.endswith("; pip install 'dominion_env[others]'")
        assert f"left out: {name}: {why}" in told
        assert f"left out: {name}: {why}" in page.read_text()


@pytest.mark.compiled
def test_a_view_without_its_package_is_left_out_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    take_away(monkeypatch, PACKAGES)
    file = tmp_path / "speed.json"
    assert main(["speed", "views", *TINY, "--json", str(file)]) == 0
    card = json.loads(file.read_text())
    assert [row["name"] for row in card["rows"]] == [one.name for one in view_subjects(2) if not one.extra]
    assert list(card["left_out"]) == ["SB3VecEnv", "SB3VecEnv in bytes"]
    assert card["left_out"]["SB3VecEnv"].endswith("; pip install 'dominion_env[train]'")


def take_away(monkeypatch: pytest.MonkeyPatch, packages: tuple[str, ...]) -> None:
    """Pretend that these packages are not installed and that nothing which imports them has been imported."""
    users = ("pettingzoo.classic", "dominion_env.views.sb3", *PACKAGES)
    for name in list(sys.modules):
        if any(f"{name}.".startswith(f"{user}.") for user in users):
            monkeypatch.delitem(sys.modules, name)
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


def test_what_fails_to_import_without_needing_a_package_fails(monkeypatch: pytest.MonkeyPatch):
    def broken() -> Piece:
        raise ImportError("no such name")

    monkeypatch.setattr(SpeedOptions, "subjects", lambda self: iter([Subject("batch", "a", "a throw", broken)]))
    with pytest.raises(ImportError, match="no such name"):
        main(["speed", *TINY])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "0"], "--games: expected at least 1, got 0"),
        (["--view-games", "-1"], "--view-games: expected at least 1"),
        (["--runs", "0"], "--runs: expected at least 1"),
        (["--threads", "0"], "--threads: expected at least 1"),
        (["--seconds", "0"], "--seconds: expected more than 0, got 0.0"),
        (["--seconds", "inf"], "--seconds"),
        (["--seconds", "nan"], "--seconds"),
        (
            ["--json", "/no/such/folder/speed.json"],
            "--json: expected a file in an existing folder, got /no/such/folder/speed.json",
        ),
        (["--markdown", "/"], "--markdown: expected a file in an existing folder, got /"),
    ],
)
def test_a_bad_option_is_one_clear_line_before_anything_is_measured(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ours, "GameBatch", None)
    assert main(["speed", *arguments]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"dominion speed: {words}")
    assert told.count("\n") == 1


@pytest.mark.parametrize(("options", "words"), [({"games": ()}, "--games"), ({"parts": ()}, "parts")])
def test_nothing_to_measure_is_refused(options: dict[str, Any], words: str):
    with pytest.raises(DominionError, match=words):
        SpeedOptions(**options).check()


@pytest.mark.parametrize("arguments", [["everything"], ["--games", "many"], ["--nonsense"]])
def test_a_wrong_call_exits_with_2(arguments: list[str]):
    with pytest.raises(SystemExit) as raised:
        main(["speed", *arguments])
    assert raised.value.code == 2


def test_the_start_is_measured_in_new_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # without a wait for the compiler
    monkeypatch.setattr("tests.speed.start.WARM_RUNS", 1)
    monkeypatch.setattr(SpeedOptions, "subjects", lambda self: iter(()))
    file = tmp_path / "speed.json"
    assert main(["speed", "--start", "--json", str(file)]) == 0
    start = json.loads(file.read_text())["start"]
    assert 0 < start["imported"] < start["warm"]
    assert start["cold"] > 0
    assert start["cache_bytes"] == 0
    assert 0 < start["record_bytes"]["2"] < start["record_bytes"]["6"]
    out = " ".join(capsys.readouterr().out.split())
    assert f"{start['cold']:.1f} compiling all of it, {start['warm']:.1f} from the cache" in out
    assert f"{start['record_bytes']['2']:,} for 2 seats" in out


@pytest.mark.slow
@pytest.mark.compiled
def test_the_cold_start_compiles_and_the_warm_one_loads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    start = measure_start()
    assert start.cold > 3 * start.warm
    assert start.cache_bytes > 100_000


def test_the_machine_is_named_without_linux_too(monkeypatch: pytest.MonkeyPatch):
    facts = machine()
    assert facts["processor"]
    assert "pyminion_of_nobody" not in facts["packages"]
    monkeypatch.setattr("tests.speed.machine.Path", lambda path: Path("/no/such/file"))
    assert machine()["processor"]


@pytest.mark.parametrize(("command", "folder"), [("speed", "tests/speed"), ("validate", "tests/validation")])
def test_elsewhere_the_command_says_in_a_sentence_that_it_belongs_to_a_checkout(
    command: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("dominion_app.cli.CHECKOUT", tmp_path)
    assert main([command]) == 1
    said = (
        f"this command belongs to a checkout of the project (its folder {folder}) and is not installed with the package"
    )
    assert capsys.readouterr().err == f"dominion {command}: {said}\n"


@pytest.mark.compiled
def test_the_bench_of_agents_prints_a_row_for_each(capsys: pytest.CaptureFixture[str]):
    agents.main(["big-money", "random", "--games", "64", "--batch", "32", "--runs", "1"])
    head, columns, *rows = capsys.readouterr().out.splitlines()
    assert "64 games in batches of 32" in head
    assert columns.startswith("agent")
    assert [row.split()[0] for row in rows] == ["big-money", "random"]
    for row in rows:
        *_, decisions, observe, keys, act, step = row.replace(",", " ").split()
        assert int(decisions) > 20
        assert all(int(each) > 0 for each in (observe, keys, act, step))


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--batch", "0"], ["no-such-agent"]])
def test_a_wrong_call_of_the_bench_of_agents_exits_with_2(arguments: list[str]):
    with pytest.raises(SystemExit) as raised:
        agents.main(arguments)
    assert raised.value.code == 2


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (0.0, "0"),
        (0.5234, "0.523"),
        (12.34, "12.3"),
        (99.96, "100"),
        (999.4, "999"),
        (999.6, "1.00 k"),
        (12_000, "12.0 k"),
        (12_345, "12.3 k"),
        (123_456, "123 k"),
        (999_600, "1.00 M"),
        (2_854_000, "2.85 M"),
    ],
)
def test_rates_are_rounded_to_three_digits(rate: float, words: str):
    assert _rounded(rate) == words
