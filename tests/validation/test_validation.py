"""The published figures, on few games: what `dominion validate` shows on many."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from dominion_app.cli import main
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.loop import Stopped
from tests.validation.comparing import Finding, combined_error, limit, trials, validate
from tests.validation.experiments import (
    OpeningHands,
    RaceToProvinces,
    SolitaireTurns,
    TableGames,
)
from tests.validation.measured import Measured, deviation, mean
from tests.validation.published import GROUPS, OPENINGS, Row
from tests.validation.trials import Trial, TrialPart


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("tests.validation.experiments.GAMES_AT_ONCE", 100)
    monkeypatch.setattr("dominion_training.evaluate.matches.SETS_PER_PART", 50)


@pytest.fixture
def plays(monkeypatch):
    """Return the parts that have been played; with a number in `plays.stop_at` Ctrl-C comes before that one."""
    play = TrialPart.play

    class Plays(list):
        stop_at = None

    found = Plays()

    def noted(part, stopping=None):
        if len(found) == found.stop_at:
            raise KeyboardInterrupt
        found.append(part)
        return play(part, stopping)

    monkeypatch.setattr(TrialPart, "play", noted)
    return found


ROWS = [row for rows in GROUPS.values() for row in rows]
GAMES = 1500


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("group", GROUPS)
def test_published_figures_are_reproduced(group):
    rows = [row for row in GROUPS[group] if row.demanded]
    findings = validate(rows, GAMES, seed=1)
    assert [f"{each.name}: {each}" for each in findings if each.status != "agrees"] == []
    assert len(findings) == sum(len(row.figures) for row in rows)


@pytest.mark.compiled
def test_a_wrong_figure_is_found():
    row = replace(OPENINGS[0], figures={"a 5/2 or 2/5 split": 0.25})
    [finding] = validate([row], GAMES)
    assert finding.status == "DIFFERS"
    assert finding.difference < -10
    [shown] = validate([replace(row, demanded=False)], GAMES)
    assert shown.status == "reported"


def test_the_exact_figures_are_those_of_all_twelve_card_shuffles():
    def hands(*bought):
        deck = [1] * 7 + [0] * 3 + list(bought)
        for first in combinations(range(12), 5):
            for second in combinations(sorted(set(range(12)) - set(first)), 5):
                yield tuple(sum(deck[card] for card in hand) for hand in (first, second))

    silvers = list(hands(2, 2))
    figures = next(row for row in ROWS if row.experiment == OpeningHands("Silver", "Silver")).figures
    for n in (5, 6, 7):
        share = sum(max(coins) >= n for coins in silvers) / len(silvers)
        assert figures[f"${n} or more at least once"] == pytest.approx(share)
    for n in (3, 4, 5):
        share = sum(min(coins) >= n for coins in silvers) / len(silvers)
        assert figures[f"${n} or more twice"] == pytest.approx(share)
    assert figures["coins in both hands"] == pytest.approx(sum(map(sum, silvers)) / len(silvers))


def test_errors_of_means_and_deviations():
    random = np.random.default_rng(0)
    samples = random.normal(3, 2, size=(2000, 400))
    means, deviations = [mean(row) for row in samples], [deviation(row) for row in samples]
    assert np.std([each.value for each in means]) == pytest.approx(np.mean([each.error for each in means]), rel=0.05)
    assert np.std([each.value for each in deviations]) == pytest.approx(
        np.mean([each.error for each in deviations]), rel=0.05
    )
    assert deviation(np.zeros(10)) == Measured(0, 0, 0)


@pytest.mark.parametrize("number", [100, 200, 750, 1500])
def test_a_share_that_is_right_is_found_wrong_as_rarely_as_the_limit_says(number):
    """Also rare ones, of which few games or none show anything; nominally it happens once in 16,000 times."""
    events = np.arange(number + 1)
    errors = np.array([mean(np.arange(number) < shown).error for shown in events])
    for share in (1 / number, 3 / number, 0.01, 0.02, 0.033, 0.063, 0.1, 0.15, 0.3, 0.5, 0.937):
        found_wrong = abs(events / number - share) > limit(number) * errors
        assert scipy.stats.binom.pmf(events, number, share)[found_wrong].sum() < 2.5e-4


def test_figures_without_any_error_differ_or_not():
    row = Row(RaceToProvinces("big-money"), {"turns": 17}, games=None, digits=0, source="")
    same = Measured(17, 0, 0)
    assert [Finding(row, "turns", same, wanted, 0.0, 100).status for wanted in (17, 16, 18)] == [
        "agrees",
        "DIFFERS",
        "DIFFERS",
    ]


def test_the_error_of_a_difference_counts_both_sides_and_rounding():
    row = Row(RaceToProvinces("big-money"), {"turns": 16.8}, games=400, digits=1, source="")
    ours = Measured(16.9, error=0.1, spread=2.0)
    assert combined_error(row, ours) == pytest.approx(math.sqrt(0.1**2 + 0.1**2 + 0.1**2 / 12))
    assert combined_error(replace(row, games=None), ours) == 0.1
    error = combined_error(row, ours)
    assert Finding(row, "turns", replace_value(ours, 16.8 + 3.9 * error), 16.8, error, 5000).status == "agrees"
    assert Finding(row, "turns", replace_value(ours, 16.8 - 4.1 * error), 16.8, error, 5000).status == "DIFFERS"


def test_few_games_have_wider_limits_and_very_few_no_verdict():
    assert limit(10**6) == pytest.approx(4, abs=0.001)
    assert limit(100) == pytest.approx(scipy.stats.t.isf(scipy.stats.norm.sf(4), 99))
    assert limit(100) > 4.1
    row = Row(RaceToProvinces("big-money"), {"turns": 16.8}, games=400, digits=1, source="")
    far = Measured(20, error=0.1, spread=1.0)
    assert Finding(row, "turns", far, 16.8, 0.1, 99).status == "too few games"
    assert Finding(row, "turns", far, 16.8, 0.1, 100).status == "DIFFERS"
    assert Finding(replace(row, demanded=False), "turns", far, 16.8, 0.1, 99).status == "reported"


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_a_few_games_of_every_kind_are_no_false_alarm(seed, capsys):
    call = ["validate", "--games", "10", "--workers", "1", "--seed", str(seed)]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert "0 DIFFERS" in shown
    assert " too few games" in shown


def replace_value(measured, value):
    return measured._replace(value=value)


def figures_of(experiment, num_games=60, seed=3):
    return experiment.figures(np.concatenate([experiment.play(part, seed) for part in experiment.parts(num_games)]))


@pytest.mark.compiled
def test_experiments_do_not_depend_on_the_size_of_batches(monkeypatch):
    experiments = [
        OpeningHands("Feast", "Silver"),
        SolitaireTurns("big-money", turns=8),
        RaceToProvinces("big-money"),
        TableGames("big-money", "random", num_players=3),
    ]
    at_once = [figures_of(each) for each in experiments]
    monkeypatch.setattr("tests.validation.experiments.GAMES_AT_ONCE", 7)
    monkeypatch.setattr("dominion_training.evaluate.matches.SETS_PER_PART", 7)
    assert [len(each.parts(60)) for each in experiments] == [9, 9, 9, 3]
    assert [figures_of(each) for each in experiments] == at_once


@pytest.mark.compiled
def test_the_command_shows_and_writes_its_findings(tmp_path, capsys):
    file = tmp_path / "found.json"
    assert main(["validate", "--games", "500", "--groups", "openings", "--workers", "1", "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "opening Silver/Silver" in shown
    assert "0 DIFFERS" in shown
    findings = json.loads(file.read_text())["findings"]
    assert len(findings) == sum(len(row.figures) for row in OPENINGS)
    assert {"ours", "published", "difference", "status", "source"} <= findings[0].keys()


@pytest.mark.compiled
def test_the_command_fails_if_a_figure_differs(monkeypatch, capsys):
    wrong = replace(OPENINGS[0], figures={"a 5/2 or 2/5 split": 0.25})
    monkeypatch.setitem(GROUPS, "openings", (wrong,))
    assert main(["validate", "--games", "500", "--groups", "openings"]) == 1
    assert "1 DIFFERS" in capsys.readouterr().out


GROUPS_OF_ALL_KINDS = ["openings", "solitaire", "treasures"]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("stop_at", [1, 19, 29])
def test_what_was_interrupted_goes_on_and_plays_nothing_twice(stop_at, small_parts, plays, capsys):
    call = ["validate", "--games", "200", "--groups", *GROUPS_OF_ALL_KINDS, "--workers", "1", "--json", "found.json"]
    experiments = dict.fromkeys(row.experiment for group in GROUPS_OF_ALL_KINDS for row in GROUPS[group])
    wanted = [part for each in experiments for part in Trial(each, 0).parts(200)]
    assert len(wanted) == 30
    plays.stop_at = stop_at
    assert main(call) == 130
    assert plays == wanted[:stop_at]
    [folder] = Path("results").iterdir()
    said = f"Interrupted. The games in {folder} are kept: the same command goes on from there."
    assert said in capsys.readouterr().out
    assert not Path("found.json").exists()
    plays.stop_at = None
    assert main(call) == 0
    assert plays == wanted
    assert f"Games and results: {folder}" in capsys.readouterr().out
    found = json.loads(Path("found.json").read_text())
    assert found == json.loads((folder / "result.json").read_text())

    assert main([*call, "--out", "straight"]) == 0
    assert plays == wanted * 2
    assert json.loads(Path("found.json").read_text())["findings"] == found["findings"]


@pytest.mark.compiled
def test_more_games_and_groups_add_to_what_is_there(small_parts, plays, tmp_path):
    few = [row.experiment for row in GROUPS["openings"]]
    validate(GROUPS["openings"], 200, folder=Folder(tmp_path / "kept", trials(GROUPS["openings"])))
    plays.clear()
    rows = GROUPS["openings"] + GROUPS["treasures"]
    folder = Folder(tmp_path / "kept", trials(rows))
    continued = validate(rows, 300, folder=folder)
    assert [(part.start, part.stop) for part in plays if part.work.experiment in few] == [(1000, 1500)] * len(few)
    assert continued == validate(rows, 300)


@pytest.mark.slow
@pytest.mark.compiled
def test_findings_are_the_same_on_two_processes(small_parts, tmp_path):
    rows = [GROUPS[group][-1] for group in GROUPS_OF_ALL_KINDS]
    alone = validate(rows, 200, seed=3)
    assert validate(rows, 200, seed=3, workers=2, folder=Folder(tmp_path / "kept", trials(rows, 3))) == alone
    assert len(list((tmp_path / "kept" / "parts").glob("*.npy"))) == 6


@pytest.mark.compiled
@pytest.mark.parametrize("row", [0, 6, 7, 10])
def test_a_part_that_is_not_whole_is_played_again(row, small_parts, plays, tmp_path):
    [trial] = trials([ROWS[row]])
    folder, part = Folder(tmp_path / "kept", [trial]), trial.parts(100)[0]
    [(_, games)] = run_parts([part], folder=folder)
    assert part.num_games == len(games)
    [file] = (tmp_path / "kept" / "parts").iterdir()
    for wrong in (games[:-1], games.astype(np.float64) if games.dtype.names is None else games["rounds"]):
        np.save(file, wrong)
        [(_, again)] = run_parts([part], folder=folder)
        assert (again == games).all()
    assert plays == [part] * 3
    [(_, kept)] = run_parts([part], folder=folder)
    assert (kept == games).all()
    assert len(plays) == 3


@pytest.mark.parametrize("row", [0, 6, 7, 10])
def test_a_part_stops_between_two_decisions_when_it_is_asked_to(row):
    [trial] = trials([ROWS[row]])
    with pytest.raises(Stopped):
        TrialPart(trial, 0, 2).play(lambda: True)


def test_games_of_another_seed_or_command_are_not_continued(capsys):
    openings = ["validate", "--games", "10", "--groups", "openings", "--workers", "1", "--out", "kept"]
    assert main(openings) == 0
    assert main([*openings, "--seed", "1"]) == 1
    assert "seed 0 there, 1 here" in capsys.readouterr().err
    assert main(["compare", "random", "big-money", "--out", "kept"]) == 1
    assert "players None there, 2 here" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--groups", "atlantis"], ["--games", "3"]])
def test_a_wrong_call_is_explained(wrong, capsys):
    assert main(["validate", *wrong]) == 1
    assert wrong[1] in capsys.readouterr().err
