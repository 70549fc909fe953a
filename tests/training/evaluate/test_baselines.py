"""`dominion baselines`: who plays where, what is rated together, and the page that comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dominion_agents.strategies.evolved import EVOLVED_NAMES
from dominion_app.cli import main
from dominion_env import InvalidKingdom, InvalidOption, agent_names
from dominion_training.evaluate.benchmark import Benchmark, benchmark
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.matches import MatchPart
from dominion_training.evaluate.reports.markdown import standings_in_markdown
from dominion_training.evaluate.standings import Standings, baselines_for, not_told_apart, standings
from tests.training.evaluate.made_up import pairs

EVERYWHERE = {"any", "random", "auto", "greedy", "random-buyer", "big-money", "big-money-ultimate"}
LINE = "Province; Gold if Gold < 3; Silver"


def test_a_strategy_plays_where_its_cards_are():
    first_game, distortion = (set(baselines_for(name)) for name in ("first-game-2e", "size-distortion-2e"))
    assert first_game >= {*EVERYWHERE, "first-game", "smithy-optimised", "moat", "provincial-market"}
    assert not first_game & {"double-witch", "council-room-engine", "laboratory"}
    assert distortion >= {*EVERYWHERE, "double-witch", "workshop-gardens"}
    assert not distortion & {"smithy-optimised", "moneylender-witch"}
    named = "Moat, Smithy, Mine, Village, Cellar, Market, Militia, Remodel, Workshop, Merchant"
    assert set(baselines_for(named)) == first_game
    assert first_game | distortion <= set(agent_names())
    for kingdom, name in EVOLVED_NAMES.items():
        assert [each for each in baselines_for(kingdom) if each.startswith("evolved-")] == [name]


@pytest.mark.parametrize(
    ("kingdom", "error", "said"),
    [
        ("test", InvalidOption, "one set of ten"),
        ("random-2e", InvalidOption, "one set of ten"),
        ("first-game", InvalidKingdom, "first-game-2e"),
        ("Moat, Smithy", InvalidKingdom, "got 2"),
    ],
)
def test_a_kingdom_that_is_not_ten_cards_is_refused(kingdom: str, error: type[Exception], said: str):
    with pytest.raises(error, match=said):
        baselines_for(kingdom)


def made_up(*scores: float) -> Benchmark:
    """Return a field in which each agent has this chance against the next weaker one, in 400 pairs of games."""
    names = (*(f"agent-{number}" for number in range(len(scores))), "big-money")
    rng = np.random.default_rng(0)
    results = {
        (number, number + 1, 0): MatchResult(pairs(*(rng.random((400, 2)) < score).astype(float)))
        for number, score in enumerate(scores)
    }
    return Benchmark(names, ("first-game-2e",), 2, results)


def test_agents_are_told_apart_by_the_interval_of_their_difference():
    assert set(not_told_apart(made_up(0.5, 0.7))) == {0, 1}
    assert not_told_apart(made_up(0.7, 0.5)) == [0]
    # two who differ little from each other, and whose intervals against Big Money overlap widely
    close = made_up(0.6, 0.99)
    assert close.ratings.low[0] < close.ratings.high[1]
    assert not_told_apart(close) == [0]


def test_what_auto_plays_is_named_instead_of_auto():
    strong = (np.random.default_rng(0).random((400, 2)) < 0.8).astype(float)
    scores = {(0, 1): np.full((400, 2), 0.5), (0, 2): strong, (1, 2): strong}
    results = {(*pair, 0): MatchResult(pairs(*score)) for pair, score in scores.items()}
    found = Benchmark(("auto", "bureaucrat", "big-money"), ("big-money-1e",), 2, results)
    page = standings_in_markdown(Standings({"big-money-1e": found}, found), 800)
    [row] = [line for line in page.splitlines() if line.startswith("| big-money-1e | 3 |")]
    _, _, _, strongest, near, mixture, plays, _ = row.split("|")
    assert strongest == plays
    assert plays.startswith(" `bureaucrat` +")
    assert (near, mixture) == (" - ", " `bureaucrat` 100 (100 to 100) ")


def test_nash_weights_are_written_with_their_intervals_and_agents_that_may_have_weight():
    rng = np.random.default_rng(0)
    even, strong = ((rng.random((400, 2)) < chance).astype(float) for chance in (0.5, 0.8))
    scores = {
        (0, 1): np.full((400, 2), 0.5),
        (0, 2): even,
        (1, 2): even,
        (0, 3): strong,
        (1, 3): strong,
        (2, 3): strong,
    }
    results = {(*pair, 0): MatchResult(pairs(*score)) for pair, score in scores.items()}
    agents = ("auto", "bureaucrat", "laboratory", "big-money")
    found = Benchmark(agents, ("big-money-1e",), 2, results)
    nash = found.nash
    assert nash is not None
    assert nash.weights_low[0] == nash.weights_low[1] < nash.weights_high[1]  # copies
    page = standings_in_markdown(Standings({"big-money-1e": found}, found), 800)
    [row] = [line for line in page.splitlines() if line.startswith("| big-money-1e | 4 |")]
    told = {
        name: f"`{name}` {100 * copies * nash.weights[agent]:.0f} "
        f"({100 * copies * nash.weights_low[agent]:.0f} to {100 * copies * nash.weights_high[agent]:.0f})"
        for name, agent, copies in (("bureaucrat", 1, 2), ("laboratory", 2, 1))
    }
    assert set(row.split("|")[5].strip().split(", ")) == set(told.values())
    assert min(nash.weights[1], nash.weights[2]) < 0.01  # one of both is named for its interval alone
    [row] = [line for line in page.splitlines() if line.startswith("| `laboratory` |") and line.count("|") == 5]
    assert row.endswith(f"| {nash.weights[2]:.2f} ({nash.weights_low[2]:.2f} to {nash.weights_high[2]:.2f}) |")


@pytest.mark.slow
def test_all_meet_on_each_kingdom_and_those_of_all_kingdoms_over_all(few):
    kingdoms = ["silver-and-gold-2e", "improvements-2e"]
    found = standings([LINE, "laboratory"], kingdoms, 10, seed=3, auto_treasures=True)
    assert {kingdom: set(each.agents) for kingdom, each in found.by_kingdom.items()} == {
        kingdoms[0]: {"any", LINE, "laboratory", "random", "auto", "big-money", "bureaucrat"},
        kingdoms[1]: {"any", LINE, "laboratory", "random", "auto", "big-money", "moat"},
    }
    assert set(found.everywhere.agents) == {"any", LINE, "laboratory", "random", "auto", "big-money"}
    alone = benchmark(found.everywhere.agents, kingdoms, 10, seed=3, auto_treasures=True)
    assert (found.everywhere.payoff() == alone.payoff()).all()
    assert found.everywhere.ratings.elo == pytest.approx(alone.ratings.elo)
    for number, (kingdom, each) in enumerate(found.by_kingdom.items()):
        assert each.kingdoms == (kingdom,)
        assert len(each.results) == 21
        place = [each.agents.index(name) for name in alone.agents]
        assert (each.payoff()[np.ix_(place, place)] == alone.payoff(number)).all()


@pytest.mark.slow
def test_the_command_writes_results_picture_and_tables_and_plays_nothing_twice(
    few, tmp_path: Path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    call = ["baselines", LINE, "--kingdom", "big-money-1e", "--games", "10", "--workers", "1", "--out", "out"]
    assert main([*call, "--markdown", "page.md"]) == 0
    assert "Ratings, 2 players, big-money-1e" in capsys.readouterr().out
    written = (tmp_path / "page.md").read_text()
    assert "10 games of each pair on each kingdom, 21 matches, 210 games" in written

    found = json.loads((tmp_path / "out" / "result.json").read_text())
    assert found["command"].startswith("dominion baselines")
    assert found["addresses"]["kingdom"] == ["big-money-1e"]
    fitted = found["by_kingdom"]["big-money-1e"]
    agent = fitted["agents"].index("bureaucrat")
    elo, low, high = (fitted["ratings"][name][agent] for name in ("elo", "low", "high"))
    assert f"| `bureaucrat` | {elo:+.0f} ± {(high - low) / 2:.0f} |" in written
    assert "| `big-money` | 0 |" in written
    row, column = (found["everywhere"]["agents"].index(name) for name in (LINE, "random"))
    assert f"{100 * found['everywhere']['payoff'][row][column]:.1f} ± " in written
    assert "| big-money-1e | 7 | `" in written
    assert (tmp_path / "out" / "matrix.png").read_bytes().startswith(b"\x89PNG")

    (tmp_path / "page.md").write_text("old")
    monkeypatch.setattr(MatchPart, "play", lambda *_: pytest.fail("played again"))
    assert main([*call, "--markdown", "page.md"]) == 0
    assert (tmp_path / "page.md").read_text() == written


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["moat", "moat"], "agents: expected each once, got moat twice"),
        (["--kingdom", "first-game-2e", "first-game-2e"], "kingdoms: expected each once, got first-game-2e twice"),
        (["--kingdom"], "expected at least one, got none"),
        (["--kingdom", "test"], "one set of ten"),
        (["--games", "3"], "games: expected a multiple of 2, as each agent plays from every seat, got 3"),
    ],
)
def test_a_wrong_call_is_explained(call: list[str], said: str, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["baselines", *call]) == 1
    assert said in " ".join(capsys.readouterr().err.split())
