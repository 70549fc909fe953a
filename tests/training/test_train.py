"""The main job in small: it trains, saves, can be stopped and resumed, and says how it plays."""

import json
import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from sb3_contrib import MaskablePPO

import dominion_agents
from dominion_env import GameBatch
from dominion_training import next_steps, runs
from dominion_training.callbacks import RunCallback
from dominion_training.config import PRESETS
from dominion_training.train import main, train

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
    assert f"learning curve: {run / 'curve.png'}" in lines
    assert lines[-3].startswith("play against it: ")
    assert lines[-3].endswith(f"dominion play {run / 'model.zip'}")
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
    monkeypatch.delenv("MAKELEVEL", raising=False)
    assert train(SMOKE, run=tmp_path / "stopped") is None
    said = capsys.readouterr().out
    assert "Interrupted and saved, at 1,024 decisions" in said
    assert said.rstrip().endswith(f"dominion train --resume {tmp_path / 'stopped'}")
    assert not (tmp_path / "stopped" / "model.zip").exists()
    assert (tmp_path / "stopped" / "curve.png").read_bytes().startswith(b"\x89PNG")
    resumed = train(SMOKE, resume=tmp_path / "stopped")

    assert len(rollouts) == 4
    assert (resumed / "result.json").read_text() == (straight / "result.json").read_text()
    for name, values in weights(straight).items():
        assert torch.equal(values, weights(resumed)[name])
    curves = [(run / "curve.csv").read_text().splitlines() for run in (straight, resumed)]
    assert [re.sub(r",[\d.]+,", ",", line, count=1) for line in curves[0]] == [
        re.sub(r",[\d.]+,", ",", line, count=1) for line in curves[1]
    ]


def test_what_to_do_next_fits_the_way_the_run_was_started(tmp_path, monkeypatch):
    commands = tmp_path / "environment" / "bin"
    commands.mkdir(parents=True)
    for name in ("python", "dominion"):
        (commands / name).touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(commands / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("MAKELEVEL", raising=False)
    run = Path("runs") / "one"
    assert "to go on: environment/bin/dominion train --resume runs/one" in next_steps.after_interruption(run, 5)
    assert "environment/bin/dominion play runs/one/model.zip" in next_steps.after_training(run)
    monkeypatch.setenv("PATH", str(commands))
    assert "to go on: dominion train --resume runs/one" in next_steps.after_interruption(run, 5)
    monkeypatch.setenv("MAKELEVEL", "1")
    assert 'to go on: make train ARGS="--resume runs/one"' in next_steps.after_interruption(run, 5)


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
