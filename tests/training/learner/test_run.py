"""The main job in small: it trains, saves, can be stopped and resumed, and says how it plays."""

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from dominion_agents.trained.model import read_model
from dominion_app.cli import main as dominion
from dominion_env import DominionError, GameBatch, InvalidAgent, InvalidOption, make_agent
from dominion_training.common import next_steps, records
from dominion_training.learner.options.presets import preset
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.runs import run as runs
from dominion_training.learner.runs.command import main
from dominion_training.learner.runs.run import train
from dominion_training.learner.self_play import checkpoint
from dominion_training.learner.self_play.checkpoint import load_checkpoint, save_checkpoint
from dominion_training.learner.self_play.learner import SelfPlayPPO
from tests.training.interrupting import press_ctrl_c_after

pytestmark = pytest.mark.compiled

SMOKE = preset("smoke").but(eval_games=4)


def weights(run):
    return read_model(run / "model.safetensors").arrays


def same(first, second):
    return all(np.array_equal(array, second[name]) for name, array in first.items())


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_it_trains_saves_and_ends_with_the_score_against_big_money(capsys):
    assert main(["--preset", "smoke", "--seed", "3", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    number = r"\d+\.\d%"
    assert re.fullmatch(rf"score against Big Money: {number} \[{number}, {number}\], n = 20", lines[-1])

    run = runs.latest_run()
    assert f"learning curves: {run / 'learning.png'}" in lines
    told = next(line for line in lines if line.startswith("play against it: "))
    assert told.endswith(f"dominion play {run / 'model.safetensors'}")
    assert runs.settings_of(run) == preset("smoke").but(seed=3)
    assert json.loads((run / "versions.json").read_text())["torch"] == torch.__version__
    assert (run / "README.md").read_text().startswith('---\nlicense: "mit"\n')
    result = json.loads((run / "result.json").read_text())
    assert set(result) == {
        "big-money-ultimate",
        "smithy-optimised",
        "first-game",
        "random",
        "big-money",
        runs.STRONGEST_LIST,
    }
    assert result["big-money"]["games"] == 20
    for picture in ("learning", "buys", "deck"):
        assert (run / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
    assert (run / "scores.csv").read_text().startswith("samples,seconds,opponent,score,low,high\n")
    assert list((run / "tb").glob("events.out.tfevents.*"))
    card = read_model(run / "model.safetensors").card
    assert card["command"] == "dominion train --preset smoke --seed 3 --workers 1"
    assert card["samples"] >= 24_000
    # The saved model plays under its path as a name, in any batch alike.
    agent = make_agent(str(run / "model.safetensors"))
    batch = GameBatch(8, kingdom="first-game-2e", auto_treasures=True)
    for _ in range(20):
        observations, masks, keys = batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()
        actions = agent.act(observations, masks, keys)
        for row in range(8):
            assert agent.act(*(part[row : row + 1] for part in (observations, masks, keys)))[0] == actions[row]
        batch.step(actions)


CARDS = SMOKE.but(kingdom="train", net_arch=[32], card_units=16, precision="bfloat16")


@pytest.mark.slow
@pytest.mark.parametrize("settings", [SMOKE, CARDS], ids=["plain", "cards"])
def test_a_run_stopped_twice_by_ctrl_c_ends_with_the_same_weights(settings, tmp_path, monkeypatch, capsys):
    straight = train(settings, tmp_path / "straight")
    seen = press_ctrl_c_after({1, 4}, monkeypatch)  # while it clones, and later
    monkeypatch.delenv("MAKELEVEL", raising=False)
    assert train(settings, tmp_path / "stopped") is None
    said = capsys.readouterr().out
    assert re.search(r"Interrupted and saved, at 4,\d+ decisions", said)
    assert said.rstrip().endswith(f"dominion train --resume {tmp_path / 'stopped'}")
    assert not (tmp_path / "stopped" / "model.safetensors").exists()
    assert train(settings, resume=tmp_path / "stopped") is None
    resumed = train(settings, resume=tmp_path / "stopped")

    assert len(seen) == 6
    assert list((resumed / "league").iterdir())  # an earlier version was met, which is read again too
    assert read_model(resumed / "model.safetensors").network == settings.network
    assert same(weights(straight), weights(resumed))
    assert (resumed / "result.json").read_text() == (straight / "result.json").read_text()
    scores = [
        [line.split(",")[:1] + line.split(",")[2:] for line in (run / "scores.csv").read_text().splitlines()]
        for run in (straight, resumed)
    ]
    assert scores[0] == scores[1]


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_with_the_same_weights(tmp_path):
    """It is killed twice at moments of chance, with a checkpoint after each rollout."""
    settings = ["--preset", "smoke", "--eval-games", "4", "--samples", "60000"]
    often = "from dominion_training.learner.runs import callbacks, command; callbacks.CHECKPOINT_SECONDS = 0; "
    command = [sys.executable, "-c", f"{often}import sys; sys.exit(command.main(sys.argv[1:] + ['--workers', '1']))"]

    def run(*more, seconds=None):
        with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            if seconds is None:
                _, told = process.communicate()
                assert process.returncode == 0, told.decode()[-2000:]
                return
            checkpoint, deadline = tmp_path / "killed" / "checkpoint.safetensors", time.monotonic() + 60
            before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
            while not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
            time.sleep(seconds)
            process.kill()
            process.communicate()

    run(*settings, "--out", str(tmp_path / "straight"))
    run(*settings, "--out", str(tmp_path / "killed"), seconds=0.05)
    run("--resume", str(tmp_path / "killed"), seconds=0.1)
    run("--resume", str(tmp_path / "killed"))
    assert same(weights(tmp_path / "straight"), weights(tmp_path / "killed"))


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
    assert "environment/bin/dominion play runs/one/model.safetensors" in next_steps.after_training(run)
    monkeypatch.setenv("PATH", str(commands))
    assert "to go on: dominion train --resume runs/one" in next_steps.after_interruption(run, 5)
    monkeypatch.setenv("MAKELEVEL", "1")
    assert 'to go on: make train ARGS="--resume runs/one"' in next_steps.after_interruption(run, 5)


def test_the_commands_that_a_run_ends_with_name_its_kingdom_and_its_table():
    told = next_steps.after_training(Path("one"), "Chapel, Witch", 3)
    assert "play one/model.safetensors one/model.safetensors --kingdom 'Chapel, Witch'" in told
    assert "exploit one/model.safetensors --players 3 --kingdom 'Chapel, Witch'" in told


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"anchors": ("nobody",)}, "'nobody' is no agent"),
        ({"anchors": ("any-3p",)}, "agent any-3p: expected a table of 3"),
        ({"opponents": ("any-3p",)}, "agent any-3p: expected a table of 3"),
        ({"teacher": "any-3p"}, "agent any-3p: expected a table of 3"),
    ],
)
def test_agents_that_a_run_cannot_meet_are_refused_before_it_begins(tmp_path, capsys, other, message):
    with pytest.raises(InvalidOption, match=message):
        train(preset("smoke").but(**other), tmp_path / "run")
    assert not capsys.readouterr().out
    assert not (tmp_path / "run").exists()


def test_a_second_ctrl_c_says_how_the_run_goes_on(tmp_path, monkeypatch, capsys):
    def stopped_at_once(learner, run, progress):
        save_checkpoint(run, learner, progress)
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "learn", stopped_at_once)
    with pytest.raises(KeyboardInterrupt):
        train(preset("smoke"), tmp_path / "run")
    assert f"--resume {tmp_path / 'run'}" in capsys.readouterr().out.splitlines()[-1]


def test_a_resumed_run_keeps_its_settings(tmp_path, capsys):
    run = train(SMOKE, tmp_path / "runs" / "one", command="dominion train --preset smoke")
    with pytest.raises(InvalidOption, match=r"a resumed run keeps its settings: expected only .*, got seed too"):
        main(["--resume", "latest", "--seed", "5"])
    with pytest.raises(InvalidOption, match=r"expected --resume without --preset, .* got 'laptop' too"):
        main(["--resume", "latest", "--preset", "laptop"])
    assert main(["--resume", "latest"]) == 0  # done already: judged once more
    assert "score against Big Money" in capsys.readouterr().out
    assert read_model(run / "model.safetensors").card["command"] == "dominion train --preset smoke"


def test_a_finished_run_goes_on_beyond_its_end(tmp_path: Path, capsys):
    run = train(SMOKE, tmp_path / "runs" / "one")
    before = weights(run)
    assert main(["--resume", "latest", "--samples", "30_000", "--workers", "1"]) == 0
    assert re.search(r"trained on 3\d,\d\d\d decisions", capsys.readouterr().out)
    assert runs.settings_of(run) == SMOKE.but(samples=30_000)
    assert not same(before, weights(run))


def test_a_run_without_anchors_is_measured_and_drawn_against_big_money(tmp_path: Path):
    run = train(SMOKE.but(samples=2_000, teacher=None, anchors=()), tmp_path / "run")
    assert run is not None
    assert set(json.loads((run / "result.json").read_text())) == {"random", "big-money", runs.STRONGEST_LIST}
    for picture in ("learning", "buys", "deck"):
        assert (run / f"{picture}.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_does_not_end_before_it_is(tmp_path: Path):
    run = train(SMOKE, tmp_path / "runs" / "one")
    with pytest.raises(
        InvalidOption, match=r"samples: expected more than the 2\d,\d+ decisions of the run so far, got 500"
    ):
        main(["--resume", str(run), "--samples", "500"])
    assert runs.settings_of(run) == SMOKE


@pytest.mark.parametrize("wrong", [["--teacher", "nobody"], ["--kingdom", "nowhere"], ["--opponents", "nobody", "1"]])
def test_a_wrong_setting_leaves_no_folder_of_a_run(wrong: list[str], tmp_path: Path):
    with pytest.raises(DominionError):
        main(["--preset", "smoke", *wrong])
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("option", ["--learning-rate", "--batch-size", "--attacks.games"])
@pytest.mark.parametrize("rest", [["100", "50"], ["100", ":", "50"]])
def test_a_range_with_spaces_is_refused_with_the_form_of_a_range(option: str, rest: list[str]):
    with pytest.raises(InvalidOption, match=rf"^{option}: expected START or START:END without spaces, got 100 "):
        main(["--preset", "smoke", option, *rest])


def test_there_must_be_a_run_to_resume():
    with pytest.raises(InvalidOption, match=r"--resume latest: expected a run to resume in .*, got none"):
        main(["--resume", "latest"])


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Return the folder of a run that Ctrl-C has stopped."""
    run = tmp_path_factory.mktemp("runs") / "stopped"
    with pytest.MonkeyPatch.context() as patch:
        press_ctrl_c_after({1}, patch)
        assert train(SMOKE, run) is None
    return run


class Planted:
    """An object that makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("ran",)


@pytest.mark.parametrize(
    ("file", "damage", "said"),
    [
        ("checkpoint.safetensors", lambda kept: None, "expected the checkpoint of a run, got none"),
        ("checkpoint.safetensors", lambda kept: b"", "expected a whole checkpoint"),
        ("checkpoint.safetensors", lambda kept: kept[:-1], "expected a whole checkpoint"),
        ("checkpoint.safetensors", lambda kept: kept[: len(kept) // 2], "expected a whole checkpoint"),
        ("checkpoint.safetensors", lambda kept: kept[:-500] + b"?" + kept[-499:], "expected a whole checkpoint"),
        ("checkpoint.safetensors", lambda kept: kept.replace(b'\\"rules\\": 2', b'\\"rules\\": 1'), "expected a whole"),
        ("checkpoint.safetensors", lambda kept: pickle.dumps(Planted()), "expected a whole checkpoint"),
        ("settings.yaml", lambda kept: None, "expected the folder of a run, with its settings.yaml, got none"),
        ("settings.yaml", lambda kept: b"", "expected the settings of a run"),
        ("settings.yaml", lambda kept: b"\xff\xfe", "expected the settings of a run"),
        ("settings.yaml", lambda kept: b"a: [", "expected the settings of a run"),
        ("settings.yaml", lambda kept: b"!!python/object/apply:os.mkdir [ran]", "expected the settings of a run"),
        ("settings.yaml", lambda kept: kept.replace(b"seed:", b"sead:"), "'sead' is no setting: did you mean 'seed'?"),
        ("settings.yaml", lambda kept: kept.replace(b"num_envs:", b"games:"), "games: is now num_envs"),
        ("settings.yaml", lambda kept: kept + b"seed: 5\n", "got 'seed' twice"),
        ("settings.yaml", lambda kept: kept.replace(b"num_envs: 32", b"num_envs: many"), "num_envs: expected a value"),
        ("settings.yaml", lambda kept: kept.replace(b"- 32", b"- 48"), "does not fit the settings"),
        ("", lambda kept: None, "expected the folder of a run"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_told_in_words_and_stays_as_it_was(file, damage, said, stopped, tmp_path, capsys):
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
    assert error.count("\n") == 1 or "^\n" in error  # with the place in the file
    assert {each: each.read_bytes() for each in run.rglob("*") if each.is_file()} == before
    assert not Path("ran").exists()


def test_a_full_disk_leaves_the_last_checkpoint(stopped, tmp_path, monkeypatch):
    run = tmp_path / "run"
    shutil.copytree(stopped, run)
    learner, progress = load_checkpoint(run, SMOKE)
    before = (run / "checkpoint.safetensors").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records.os, "fsync", full)
    with pytest.raises(DominionError, match=r"can't be written: No space left on device"):
        save_checkpoint(run, learner, progress)
    monkeypatch.undo()
    assert (run / "checkpoint.safetensors").read_bytes() == before
    assert not [*run.glob("*.tmp")]
    again, _ = load_checkpoint(run, SMOKE)
    assert again.num_timesteps == learner.num_timesteps


def test_a_folder_that_is_there_is_no_folder_of_a_new_run(tmp_path):
    with pytest.raises(InvalidOption, match="can't be made for a run: File exists"):
        train(SMOKE, tmp_path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--seed", "-1"], "seed"),
        (["--seed", str(2**32)], "seed"),
        (["--num-envs", "0"], "num_envs"),
        (["--batch-size", "0"], "batch_size"),
        (["--net-arch", "31"], "net_arch: expected"),
        (["--learning-rate", "nan"], "learning_rate: expected a finite number from 0 to 1, got nan"),
        (["--learning-rate", "1e-3:-1"], "learning_rate: expected a finite number from 0 to 1, got -1.0"),
        (["--attacks.games", "many"], "attacks.games: expected a value like 20_000, got 'many'"),
        (["--n-steps", "9" * 30], "n_steps: expected a whole number from 4 to"),
        (["--entropy", "0.1", "--games=32"], "--entropy is now ent_coef; --games is now num_envs"),
        (["--reward", "lead"], "--reward is no option: a run learns the share of the win"),
        (["--observation=strict", "--lr", "1"], "--observation is no option: a network reads what its seat may know"),
        (["--workers", "-1"], "workers: expected a whole number from 0, got -1"),
        (["--device", "abacus"], "device: expected cpu, cuda or auto"),
        (["--kingdom", "nowhere"], "no kingdom is named 'nowhere'"),
        (["--teacher", "nobody"], "'nobody'"),
        (["--start-from", "nothing.safetensors"], "nothing.safetensors"),
        (["--start-from", "big-money"], "start_from: expected a trained network"),
        (["--preset", "smok"], "expected one of"),
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


def test_what_a_network_sees_fits_the_kingdoms_or_the_network_that_it_begins_with(tmp_path):
    few = SMOKE.but(samples=300, teacher=None, num_envs=2, n_steps=64)
    assert SelfPlayPPO(few).layout.slots == "kingdom"
    all_kingdoms = SelfPlayPPO(few.but(kingdom="train"))
    assert all_kingdoms.layout.slots == "all"
    (tmp_path / "all.safetensors").write_bytes(all_kingdoms.model().to_bytes())
    assert SelfPlayPPO(few.but(start_from="all.safetensors")).learn().model().kingdom is None


def test_too_little_memory_is_told(monkeypatch):
    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr("dominion_training.learner.self_play.learner.shard_of", too_large)
    with pytest.raises(InvalidOption, match=r"num_envs, n_steps: expected as many .* got 32 games and 4,096 samples"):
        SelfPlayPPO(SMOKE)


def test_a_checkpoint_of_an_earlier_format_is_refused(stopped, tmp_path, monkeypatch):
    shutil.copytree(stopped, tmp_path / "run")
    learner, progress = load_checkpoint(tmp_path / "run", SMOKE)
    monkeypatch.setattr(checkpoint, "FORMAT", "dominion_env checkpoint 4")
    for _ in range(2):  # the one before, too
        save_checkpoint(tmp_path / "run", learner, progress)
    monkeypatch.undo()
    said = "expected a checkpoint of format 5, got 'dominion_env checkpoint 4': train again, or go back to the version"
    with pytest.raises(InvalidOption, match=said):
        load_checkpoint(tmp_path / "run", SMOKE)


def test_a_checkpoint_for_other_cards_is_refused(stopped, tmp_path, monkeypatch):
    shutil.copytree(stopped, tmp_path / "run")
    learner, progress = load_checkpoint(tmp_path / "run", SMOKE)
    monkeypatch.setattr(checkpoint, "CARD_SET", "base+extra (40 cards, 0123abcd)")
    for _ in range(2):  # the one before, too
        save_checkpoint(tmp_path / "run", learner, progress)
    monkeypatch.undo()
    said = (
        r"expected a checkpoint for cards of base \(39 cards, \w{8}\), got one for 'base\+extra \(40 cards, 0123abcd\)'"
    )
    with pytest.raises(InvalidOption, match=said):
        load_checkpoint(tmp_path / "run", SMOKE)


def test_an_opponent_must_be_able_to_play_one_of_the_kingdoms():
    settings = Settings(kingdom=("train:0+1",), teacher=None, opponents=("quick=1",))
    with pytest.raises(
        InvalidOption, match=r"opponents: expected agents that can play some .* 'quick', which is for Cellar"
    ):
        SelfPlayPPO(settings)
    assert SelfPlayPPO(settings.but(kingdom=["train:0+1", "first-game-2e=1"])).names == ["quick"]


def test_card_vectors_train_from_the_command_line_and_are_begun_with(tmp_path):
    few = [
        "--preset",
        "smoke",
        "--eval-games",
        "4",
        "--samples",
        "10000",
        "--teacher-samples",
        "5000",
        "--workers",
        "1",
    ]
    cards = ["--card-units", "16", "--net-arch", "32"]
    assert main([*few, *cards, "--out", "first"]) == 0
    first = read_model("first/model.safetensors")
    assert (first.network, first.units, first.card_units) == ("cards", (32,), 16)
    assert main([*few, *cards, "--start-from", "first/model.safetensors", "--teacher", "first/model.safetensors",
                 "--out", "second"]) == 0  # fmt: skip
    assert not same(weights(tmp_path / "first"), weights(tmp_path / "second"))
    with pytest.raises(
        InvalidOption, match=r"expected a model with .* layers of 32, got .* vectors of 16 for each card"
    ):
        main([*few, "--net-arch", "32", "--start-from", "first/model.safetensors"])


def test_a_clone_of_probabilities_goes_on_bit_for_bit(tmp_path):
    """What a teacher tells of the samples that are kept is kept with them."""
    train(SMOKE.but(samples=8_000, teacher_samples=4_000), tmp_path / "teacher")
    settings = SMOKE.but(teacher=str(tmp_path / "teacher" / "model.safetensors"), teacher_samples=16_000)
    straight, resumed = SelfPlayPPO(settings), SelfPlayPPO(settings)
    (tmp_path / "run").mkdir()
    while straight.num_timesteps < settings.samples:
        straight.rollout()
        resumed.rollout()
        save_checkpoint(tmp_path / "run", resumed, {"points": []})
        resumed, _ = load_checkpoint(tmp_path / "run", settings)
    assert same(straight.model().arrays, resumed.model().arrays)


def test_teacher_opponents_and_anchors_may_be_code_of_ones_own(tmp_path):
    """A network that such code makes is learned from, met and measured as by its name, its probabilities among them."""
    Path("mine.py").write_text(
        "from dominion_env import make_agent\n\n\ndef quick():\n    return make_agent('quick')\n"
    )
    few = SMOKE.but(samples=8_000, teacher_samples=4_000, anchors=("quick",), teacher="quick", opponents=("quick=1",))
    train(few, tmp_path / "named")
    train(
        few.but(teacher="mine.py:quick", opponents=("mine.py:quick=1",), anchors=("mine.py:quick",)), tmp_path / "own"
    )
    assert same(weights(tmp_path / "named"), weights(tmp_path / "own"))
    (_, *named), (_, *own) = ((tmp_path / run / "scores.csv").read_text().splitlines() for run in ("named", "own"))
    assert [line.split(",")[3:] for line in named] == [line.split(",")[3:] for line in own]
    with pytest.raises(InvalidAgent, match=r"agent mine\.py:nobody: there is no 'nobody' in mine\.py"):
        train(few.but(teacher="mine.py:nobody"), tmp_path / "none")
