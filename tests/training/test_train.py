"""The main job in small: it trains, saves, can be stopped and resumed, and says how it plays."""

import json
import os
import re
import signal
from dataclasses import replace

import pytest
import torch
from sb3_contrib import MaskablePPO

import dominion_agents
from dominion_env import GameBatch
from dominion_training import runs
from dominion_training.callbacks import RunCallback
from dominion_training.command import main
from dominion_training.config import PRESETS
from dominion_training.train import train

pytestmark = pytest.mark.compiled

SMOKE = replace(PRESETS["smoke"], eval_games=4)


def weights(run):
    return MaskablePPO.load(run / "model.zip", device="cpu").policy.state_dict()


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_it_trains_saves_and_ends_with_the_score_against_big_money(capsys):
    assert main(["--preset", "smoke", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    number = r"\d+\.\d%"
    assert re.fullmatch(rf"score against Big Money: {number} \[{number}, {number}\], n = 20", lines[-1])
    assert re.fullmatch(rf"score against random: {number} \[{number}, {number}\], n = 20", lines[-2])

    run = runs.latest_run()
    config = json.loads((run / "config.json").read_text())
    assert config["seed"] == 3
    assert json.loads((run / "versions.json").read_text())["torch"] == torch.__version__
    assert json.loads((run / "result.json").read_text())["Big Money"]["games"] == 20
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (run / "curve.csv").read_text().startswith("steps,seconds,games,score\n")
    assert list((run / "tb").glob("events.out.tfevents.*"))
    # The saved model plays under its path as a name, in any batch alike.
    agent = dominion_agents.make(str(run / "model.zip"))
    batch = GameBatch(8, kingdom="first-game-2e", auto_treasures=True)
    for _ in range(20):
        observations, masks, keys = batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()
        actions = agent.act(observations, masks, keys)
        for row in range(8):
            assert agent.act(*(part[row : row + 1] for part in (observations, masks, keys)))[0] == actions[row]
        batch.step(actions)


def test_a_run_stopped_by_ctrl_c_goes_on_bit_for_bit(tmp_path, monkeypatch, capsys):
    straight = train(SMOKE, run=tmp_path / "straight")

    rollouts = []
    ended = RunCallback._on_rollout_end

    def press_ctrl_c_in_the_second(self):
        ended(self)
        rollouts.append(1)
        if len(rollouts) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(RunCallback, "_on_rollout_end", press_ctrl_c_in_the_second)
    assert train(SMOKE, run=tmp_path / "stopped") is None
    assert "Interrupted and saved, at 1,024 decisions" in capsys.readouterr().out
    assert not (tmp_path / "stopped" / "model.zip").exists()
    resumed = train(SMOKE, resume=tmp_path / "stopped")

    assert len(rollouts) == 4
    assert (resumed / "result.json").read_text() == (straight / "result.json").read_text()
    for name, values in weights(straight).items():
        assert torch.equal(values, weights(resumed)[name])
    curves = [(run / "curve.csv").read_text().splitlines() for run in (straight, resumed)]
    assert [re.sub(r",[\d.]+,", ",", line, count=1) for line in curves[0]] == [
        re.sub(r",[\d.]+,", ",", line, count=1) for line in curves[1]
    ]


def test_a_resumed_run_keeps_its_settings(tmp_path, capsys):
    train(SMOKE, run=tmp_path / "runs" / "one")
    with pytest.raises(SystemExit):
        main(["--resume", "latest", "--seed", "5"])
    assert "keeps its settings" in capsys.readouterr().err
    assert main(["--resume", "latest"]) == 0  # done already: judged once more
    assert "score against Big Money" in capsys.readouterr().out


def test_there_must_be_a_run_to_resume():
    with pytest.raises(FileNotFoundError, match=r"expected a run to resume in .*, got none"):
        main(["--resume", "latest"])
