"""The main job in small: it trains, saves, can be stopped and resumed, and says how it plays."""

import json
import os
import pickle
import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from sb3_contrib import MaskablePPO

import dominion_agents
from dominion_env import DominionError, GameBatch, InvalidOption
from dominion_env.cli import main as dominion
from dominion_training import next_steps, records, runs
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
    told = capsys.readouterr().err
    assert "usage: dominion train " in told
    assert (
        "keeps its settings: expected --resume alone, or with --total-steps for a later end, got --seed 5 too" in told
    )
    assert main(["--resume", "latest"]) == 0  # done already: judged once more
    assert "score against Big Money" in capsys.readouterr().out


def test_a_finished_run_goes_on_beyond_its_end(tmp_path: Path, capsys):
    run = train(SMOKE, run=tmp_path / "runs" / "one")
    before = weights(run)
    assert main(["--resume", "latest", "--total-steps", "3_072"]) == 0
    assert "trained on 3,072 decisions" in capsys.readouterr().out
    assert runs.read_config(run) == replace(SMOKE, total_steps=3072)
    assert any(not torch.equal(values, before[name]) for name, values in weights(run).items())
    curve = [int(line.split(",")[0]) for line in (run / "curve.csv").read_text().splitlines()[1:]]
    assert curve == sorted(curve)
    assert 2048 < curve[-1] <= 3072


def test_a_run_does_not_end_before_it_is(tmp_path: Path):
    run = train(SMOKE, run=tmp_path / "runs" / "one")
    with pytest.raises(
        InvalidOption, match="total_steps: expected more than the 2,048 decisions of the run so far, got 500"
    ):
        main(["--resume", str(run), "--total-steps", "500"])
    assert runs.read_config(run) == SMOKE


@pytest.mark.parametrize("wrong", [["--opponent", "nobody"], ["--kingdom", "nowhere"]])
def test_a_wrong_setting_leaves_no_folder_of_a_run(wrong: list[str], tmp_path: Path):
    with pytest.raises(DominionError):
        main(["--preset", "smoke", *wrong])
    assert not (tmp_path / "runs").exists()


def test_there_must_be_a_run_to_resume():
    with pytest.raises(InvalidOption, match=r"--resume latest: expected a run to resume in .*, got none"):
        main(["--resume", "latest"])


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Return the folder of a run that Ctrl-C has stopped."""
    run = tmp_path_factory.mktemp("runs") / "stopped"
    with pytest.MonkeyPatch.context() as patch:
        ended = RunCallback._on_rollout_end

        def interrupted(self):
            ended(self)
            os.kill(os.getpid(), signal.SIGINT)

        patch.setattr(RunCallback, "_on_rollout_end", interrupted)
        assert train(SMOKE, run=run) is None
    return run


class Planted:
    """An object that makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("ran",)


@pytest.mark.parametrize(
    ("file", "damage", "said"),
    [
        ("checkpoint.pkl", lambda kept: None, "expected the checkpoint of a run, got none"),
        ("checkpoint.pkl", lambda kept: b"", "expected a whole checkpoint"),
        ("checkpoint.pkl", lambda kept: kept[:-1], "expected a whole checkpoint"),
        ("checkpoint.pkl", lambda kept: kept[: len(kept) // 2], "expected a whole checkpoint"),
        ("checkpoint.pkl", lambda kept: kept[:500] + b"?" + kept[501:], "expected a whole checkpoint"),
        ("checkpoint.pkl", lambda kept: pickle.dumps(Planted()), "expected a whole checkpoint"),
        ("config.json", lambda kept: None, "expected the folder of a run, with its config.json, got none"),
        ("config.json", lambda kept: b"", "can't be read as the settings of a run"),
        ("config.json", lambda kept: b"\xff\xfe", "can't be read as the settings of a run"),
        ("config.json", lambda kept: b"[" * 100_000, "can't be read as the settings of a run"),
        ("config.json", lambda kept: b"[]", "expected the settings of a run"),
        ("config.json", lambda kept: kept.replace(b'"gamma"', b'"gama"'), "got others than gama, gamma"),
        ("config.json", lambda kept: kept.replace(b'"hidden": []', b'"hidden": 5'), "hidden: expected a value like"),
        ("config.json", lambda kept: kept.replace(b'"lead"', b'"luck"'), "reward: expected a value like 'lead'"),
        ("config.json", lambda kept: kept.replace(b'"num_envs": 16', b'"num_envs": "16"'), "num_envs: expected"),
        ("", lambda kept: None, "expected the folder of a run"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_told_in_one_sentence_and_stays_as_it_was(file, damage, said, stopped, tmp_path, capsys):
    run = tmp_path / "run"
    if file:
        shutil.copytree(stopped, run)
        left = damage((run / file).read_bytes())
        if left is None:
            (run / file).unlink()
        else:
            assert left != (run / file).read_bytes()
            (run / file).write_bytes(left)
    before = {each: each.read_bytes() for each in run.rglob("*") if each.is_file()}
    assert dominion(["train", "--resume", str(run)]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert {each: each.read_bytes() for each in run.rglob("*") if each.is_file()} == before
    assert not Path("ran").exists()


def test_a_full_disk_leaves_the_last_checkpoint(stopped, tmp_path, monkeypatch):
    run = tmp_path / "run"
    shutil.copytree(stopped, run)
    model, progress = runs.load_checkpoint(run)
    before = (run / "checkpoint.pkl").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records.os, "fsync", full)
    for save in (lambda: runs.save_checkpoint(run, model, progress), lambda: runs.save_model(run, model)):
        with pytest.raises(DominionError, match=r"can't be written: No space left on device"):
            save()
    assert (run / "checkpoint.pkl").read_bytes() == before
    assert not [*run.glob("*.tmp"), *run.glob("model.zip")]


def test_a_folder_that_is_there_is_no_folder_of_a_new_run(tmp_path):
    with pytest.raises(InvalidOption, match="can't be made for a run: File exists"):
        train(SMOKE, run=tmp_path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--seed", "-1"], "seed"),
        (["--seed", str(2**32)], "seed"),
        (["--num-envs", "0"], "num_envs"),
        (["--batch-size", "1"], "batch_size"),
        (["--eval-games", "3"], "eval_games: expected an even number"),
        (["--kingdom", "nowhere"], "no kingdom is named 'nowhere'"),
        (["--opponent", "nobody"], "'nobody'"),
    ],
)
def test_a_wrong_setting_is_told_before_a_run_begins(wrong, said, capfd):
    try:
        status = dominion(["train", "--preset", "smoke", *wrong])
    except SystemExit as error:
        status = error.code
    shown = " ".join(capfd.readouterr().err.split())
    assert status in (1, 2)
    assert said in shown
    assert "Traceback" not in shown
    assert not list(Path("runs").glob("*"))
