"""What decisions cost: counted by games, and worth more than scores."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from dominion_agents.coach.losses import mean_of
from dominion_app.cli import main
from dominion_env import InvalidOption
from dominion_env.core.questions import KIND_NAMES
from dominion_training.evaluate import losses
from dominion_training.evaluate.losses import DECISION, END, Losses, Trial, fewer_games, games_needed


def test_a_decision_is_judged_as_in_a_review_with_the_luck_of_its_game(monkeypatch):
    seen = []

    def judged(game, action, coach, playouts, seed):
        seen.append((playouts, seed))
        assert seed == int(game.policy_key()) % losses.SECOND_SEED
        return SimpleNamespace(turn=7, kind="buy", loss=0.25)

    monkeypatch.setattr(losses, "judged_decision", judged)
    (part,) = Trial("big-money", "random", seed=1, playouts=60, options={"auto_treasures": True, "max_turns": 6}).parts(
        2
    )
    found = part.play()
    assert part.is_whole(found)
    kept = found[found["kind"] != END]
    assert len(kept) == len(seen) == len({*seen}) > 10
    assert {*kept[["turn", "kind", "loss"]].tolist()} == {(7, KIND_NAMES.index("buy"), 0.25)}


def rows(*games: list[float]) -> np.ndarray:
    """Return games as a trial returns them, each a list of losses that ends with its share of the win."""
    found = [
        row
        for number, (*lost, share) in enumerate(games)
        for row in [*((number, 0, 5 * place + 1, 1, loss, 0) for place, loss in enumerate(lost)), (number, 0, 0, END, 0, share)]
    ]  # fmt: skip
    return np.array(found, DECISION)


def test_losses_are_counted_by_games():
    found = Losses(Trial("a", "b", seed=0), rows([0.5, 0, 1], [0.25, 0], [1]))
    assert found.of_each_game.tolist() == [0.5, 0.25, 0]
    assert found.early.tolist() == [0.5, 0.25, 0]
    assert found.shares.tolist() == [1, 0, 1]
    mean = found.means.overall
    assert (mean.loss, mean.decisions) == (0.25, 3)
    # By the delta method: the residuals of the games are 0 and 0.
    assert mean.half_width == pytest.approx(0)
    assert {name: mean.decisions for name, mean in found.means.groups.items()} == {
        "buy": 3, "turns 1 to 4": 2, "turns 5 to 9": 1,
    }  # fmt: skip
    assert found.summary()["groups"]["turns 1 to 4"]["loss"] == 0.375


def test_the_interval_of_a_decision_is_that_of_games():
    same = Losses(Trial("a", "b", seed=0), rows(*[[0.1] * 10 + [0], [0.3] * 10 + [0]] * 20))
    mean = same.means.overall
    assert mean.decisions == 400
    assert mean.half_width == pytest.approx(mean_of(np.array([0.1, 0.3] * 20))[1])  # 40 games, not 400 decisions


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
    assert np.isnan(fewer_games(one, one, 20)).tolist() == [True, False, False]  # draws differ where the agents do not
    lost = Losses(Trial("a", "b", seed=0), rows(*[[0, 0]] * 9))
    assert np.isnan(fewer_games(lost, lost, 20)).all()


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
