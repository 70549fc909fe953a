"""What decisions cost: measured by the coach, counted by games, and worth more than scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dominion_agents.coach import Coach
from dominion_app.cli import main
from dominion_env import Game, InvalidOption, action_id
from dominion_training.evaluate.losses import DECISION, END, Losses, Trial, fewer_games, games_needed, loss_of, mean_of


@pytest.fixture(scope="module")
def late() -> Game:
    """A game of Big Money in which a Province can be bought, and decides it."""
    game = Game(kingdom="first-game-2e", seed=3, auto_treasures=True)
    while "buy Province" not in game.legal_actions() or game.turn < 8:
        legal = game.legal_actions()
        wanted = ("buy Province", "buy Gold", "buy Silver", "pass", legal[0])
        game.apply(next(each for each in wanted if each in legal))
    return game


def test_the_best_answer_costs_nothing_and_a_bad_one_something(late):
    coach = Coach()
    worst, best = (loss_of(late, action_id(name), coach, 600) for name in ("buy Curse", "buy Province"))
    assert best == 0
    assert worst > 0.1


def test_what_an_answer_costs_is_the_same_each_time_and_the_game_stays(late):
    before = late.to_dict()
    first, second = (loss_of(late, action_id("buy Copper"), Coach(), 300) for _ in range(2))
    assert first == second
    assert late.to_dict() == before


def rows(*games: list[float]) -> np.ndarray:
    """Return games as a trial returns them, each a list of losses that ends with its share of the win."""
    found = [
        row
        for number, (*lost, share) in enumerate(games)
        for row in [*((number, 0, 5 * place + 1, 1, loss, 0) for place, loss in enumerate(lost)), (number, 0, 0, END, 0, share)]
    ]  # fmt: skip
    return np.array(found, DECISION)


def test_losses_are_counted_by_games():
    losses = Losses(Trial("a", "b", seed=0), rows([0.5, 0, 1], [0.25, 0], [1]))
    lost, decisions = losses.of_each_game()
    assert lost.tolist() == [0.5, 0.25, 0]
    assert decisions.tolist() == [2, 1, 0]
    assert losses.shares.tolist() == [1, 0, 1]
    mean, half, number = losses.mean()
    assert (mean, number) == (0.25, 3)
    # By the delta method: the residuals of the games are 0, 0 and 0.
    assert half == pytest.approx(0)
    names = dict(losses.groups())
    assert {name: int(among.sum()) for name, among in names.items()} == {
        "buy": 3, "turns 1 to 4": 2, "turns 5 to 9": 1,
    }  # fmt: skip


def test_the_interval_of_a_decision_is_that_of_games():
    same = Losses(Trial("a", "b", seed=0), rows(*[[0.1] * 10 + [0], [0.3] * 10 + [0]] * 20))
    _, half, number = same.mean()
    assert number == 400
    assert half == pytest.approx(mean_of(np.array([0.1, 0.3] * 20))[1])  # 40 games, not 400 decisions


def test_the_number_of_games_is_that_of_the_textbook():
    # Cohen 1988: for a difference of half a standard deviation, 64 of each by the t test, 63 by the normal one.
    values = np.array([-1.0, 1.0] * 500)
    assert games_needed(values * values.std(ddof=1) ** -1, values + 0.5, 0.8) == pytest.approx(62.8, abs=0.2)
    assert games_needed(values, values) == np.inf


def test_the_ratio_says_how_much_sooner_losses_tell_agents_apart():
    luck = np.random.default_rng(1)
    one, other = (
        Losses(
            Trial("a", "b", seed=0), rows(*[[loss + luck.normal(0, 0.02), share] for share in luck.random(60).round()])
        )
        for loss in (0.2, 0.3)
    )
    ratio, low, high = fewer_games(one, other, 200)
    assert low <= ratio <= high
    assert low > 3


def test_the_command_judges_keeps_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    call = [
        "loss", "big-money", "random", "--games", "2", "--playouts", "60", "--workers", "1", "--seed", "1",
        "--max-turns", "6", "--out", str(tmp_path / "out"), "--json", str(tmp_path / "loss.json"),
    ]  # fmt: skip
    assert main(call) == 0
    told, first = capsys.readouterr().out, (tmp_path / "loss.json").read_text()
    assert "Loss of a decision" in told
    assert "Games of each that tell two agents apart" in told
    found = json.loads(first)
    assert [each["agent"] for each in found["agents"]] == ["big-money", "random"]
    assert all(each["decisions"] > 8 for each in found["agents"])
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "parts").iterdir()}
    assert len(kept) == 2
    assert main(call) == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "parts").iterdir()} == kept
    assert (tmp_path / "loss.json").read_text() == first


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["random", "random"], "agents: expected at least one, each once, got random, random"),
        (["random", "--games", "3"], "games: expected a multiple of 2"),
        (["random", "--playouts", "0"], "playouts: expected"),
    ],
)
def test_wrong_options_are_refused_before_a_game(
    call: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["loss", *call, "--out", str(tmp_path / "out")]) == 1
    assert says in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_trial_refuses_incomplete_sets():
    with pytest.raises(InvalidOption, match="multiple of 3"):
        Trial("a", "b", num_players=3).parts(4)
