"""Shards that play in other processes of this machine become what they would become here, and nothing is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import wait

import numpy as np
import psutil
import pytest

from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.model import read_model
from dominion_env import DominionError, InvalidAgent, make_agent, register_agent
from dominion_training.common import children
from dominion_training.learner.rollouts.samples import Samples
from dominion_training.learner.runs.run import train
from dominion_training.learner.self_play.learner import SelfPlayPPO
from tests.training.learner.everything import EVERYTHING, NO_ATTACKS, learned, same
from tests.training.learner.test_run import press_ctrl_c_after

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

APART = {"workers": 2}


@pytest.fixture(autouse=True)
def nobody_is_left():
    before = {*multiprocessing.active_children()}
    yield
    assert {*multiprocessing.active_children()} == before


MANY = EVERYTHING.but(
    num_envs=2_048, n_steps=4, samples=30_000, teacher_samples=9_000, snapshot_every=8_000, attacks=NO_ATTACKS
)


@pytest.mark.parametrize(
    ("settings", "shards", "number"), [(EVERYTHING, 2, 2), (MANY, 4, 3)], ids=["one each", "more shards than processes"]
)
def test_a_network_becomes_the_same_on_threads_and_in_processes(settings, shards, number):
    assert settings.shards == shards
    assert same(learned(settings, workers=number), learned(settings))


@pytest.mark.parametrize(
    "teacher", ["planner:2", "first-game-ppo"], ids=["its gains are kept", "it tells probabilities"]
)
def test_a_teacher_is_cloned_alike(teacher):
    few = EVERYTHING.but(
        samples=800,
        teacher_samples=400,
        num_envs=2,
        n_steps=50,
        teacher=teacher,
        snapshot_every=100,
        attacks=NO_ATTACKS,
    )
    assert same(learned(few, workers=2), learned(few))


def test_code_of_ones_own_goes_to_the_processes(tmp_path):
    """Its module is in a file that they don't import."""
    own = tmp_path / "own.py"
    own.write_text("""
class Last:
    observation = "recall"

    def act(self, observations, action_masks, keys):
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)
""")
    few = EVERYTHING.but(teacher=f"{own}:Last", opponents=(f"{own}:Last=1",), attacks=NO_ATTACKS)
    assert same(learned(few, workers=2), learned(few))


def test_a_run_goes_on_with_another_number_of_processes(tmp_path, monkeypatch):
    """It is interrupted in processes while it clones, then on threads, and ends in processes."""
    straight, run = train(EVERYTHING, tmp_path / "straight"), tmp_path / "run"
    press_ctrl_c_after({2, 5}, monkeypatch)
    assert train(EVERYTHING, run, **APART) is None
    assert train(EVERYTHING, resume=run) is None
    assert train(EVERYTHING, resume=run, **APART) == run
    assert same(read_model(straight / "model.safetensors").arrays, read_model(run / "model.safetensors").arrays)


def test_a_checkpoint_in_between_changes_nothing():
    """The games come home for it, and go on from there."""

    def played(homeward):
        learner = SelfPlayPPO(EVERYTHING, **APART)
        try:
            for _ in range(4):  # it clones in the first three
                learner.rollout()
                if homeward:
                    for shard in learner.shards_now():
                        shard.samples.keep_open(shard.last)
            shards = learner.shards_now()
            return [{name: array.copy() for name, array in shard.snapshot_of_games().items()} for shard in shards]
        finally:
            learner._stage.stop()

    for once, often in zip(played(False), played(True), strict=True):
        assert same({**once, "last": once["last"] >= 0}, {**often, "last": often["last"] >= 0})


def test_attacks_choose_among_the_kingdoms_of_the_games_as_they_are():
    many = EVERYTHING.but(
        kingdom="train",
        teacher=None,
        teacher_samples=0,
        opponents=("big-money=1",),
        attacks={"every": 2_500},
        samples=7_000,
    )
    assert same(learned(many, workers=2), learned(many))


def kill_one():
    child = multiprocessing.active_children()[0]
    child.kill()
    child.join()
    time.sleep(0.5)  # until the learner's process has noticed


def plays_on(learner):
    """Whether a learner plays whole games, in which no sample is followed by one of another game or seat."""
    for _ in range(2):
        learner.rollout()
        for shard in learner.shards:
            samples = shard.samples
            before = np.flatnonzero(samples.following[: samples.size] >= 0)
            after = samples.following[before]
            assert len(after) > 300
            assert (after > before).all()
            assert (samples.games[after] == samples.games[before]).all()
            assert (samples.seats[after] == samples.seats[before]).all()
            assert (samples.turns[after] - samples.turns[before] <= 1).all()
    learner._stage.stop()
    return True


def begun():
    """Return a learner whose games have been at home in between, with samples whose outcome was not known."""
    learner = SelfPlayPPO(EVERYTHING.but(teacher=None, teacher_samples=0, attacks=NO_ATTACKS), **APART)
    learner.rollout()
    assert all((shard.last >= 0).any() for shard in learner.shards_now())
    learner.rollout()
    return learner


def test_a_process_that_has_died_is_told_and_costs_what_is_not_at_home():
    learner = begun()
    for meet in (learner.rollout, learner.shards_now):
        kill_one()
        with pytest.raises(
            DominionError, match=r"could not start or has died.* --resume goes on from the last checkpoint"
        ):
            meet()
        assert not multiprocessing.active_children()
        assert all((shard.last == -1).all() for shard in learner.shards_now())
        learner.rollout()
    assert plays_on(learner)


def test_an_error_of_the_learner_is_not_hidden_by_a_process_that_has_died(monkeypatch):
    learner = begun()

    def fails(*arguments):
        kill_one()
        raise FloatingPointError("the loss")

    monkeypatch.setattr(learner.updater, "run", fails)
    with pytest.raises(FloatingPointError, match="the loss"):
        learner.learn()
    assert not multiprocessing.active_children()


def test_a_rollout_can_be_broken_off(monkeypatch):
    """A second Ctrl-C raises while the learner waits. The processes don't play the rollout to its end."""
    learner = SelfPlayPPO(EVERYTHING.but(n_steps=12_500, teacher=None, teacher_samples=0), **APART)

    def played():
        return sum(int(shard.samples.legal.any(axis=1).sum()) for shard in learner.shards)

    def pressed(futures, seconds, when):
        while not played():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(children, "wait", pressed)
    with pytest.raises(KeyboardInterrupt):
        learner.rollout()
    assert 0 < played() < 150_000
    assert not multiprocessing.active_children()


def test_after_a_rollout_that_was_broken_off_another_one_can_be_played(monkeypatch):
    """As in a notebook, whose cell was interrupted and is run again. What was open is forgotten, and nothing is mixed up."""
    learner = begun()

    def pressed(futures, seconds, when):
        wait(futures)  # else nothing might have been played
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(children, "wait", pressed)
        with pytest.raises(KeyboardInterrupt):
            learner.learn()
    assert plays_on(learner)


class Stays(ScriptedAgent):
    """An agent that can't be pickled."""

    def __reduce__(self):
        raise TypeError("it stays")


def test_an_opponent_that_can_not_travel_is_told(forgotten_agents):
    register_agent("stays", lambda: Stays(Strategy.parse("Province; Gold; Silver")))
    said = r"workers: expected agents that can be pickled, .*, got Stays \(TypeError: it stays\); with 1 they play in this one"
    met = EVERYTHING.but(opponents=("stays=1",), teacher=None)
    with pytest.raises(InvalidAgent, match=said):
        SelfPlayPPO(met, **APART)
    with pytest.raises(InvalidAgent, match=said):
        SelfPlayPPO(met.but(opponents=(), teacher="stays"), **APART)
    SelfPlayPPO(met, workers=0).rollout()  # one per core where that can be
    assert not multiprocessing.active_children()
    learner = SelfPlayPPO(EVERYTHING, **APART)
    learner.add_opponent("stays", make_agent("stays"))
    with pytest.raises(InvalidAgent, match=said):
        learner.rollout()


def test_processes_end_with_a_learner_that_is_killed(tmp_path):
    call = [
        sys.executable,
        "-m",
        "dominion_app",
        "train",
        "--preset",
        "smoke",
        "--workers",
        "2",
        "--out",
        str(tmp_path / "run"),
    ]
    running = subprocess.Popen(
        [*call, "--samples", "40_000_000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
    )
    parent, children = psutil.Process(running.pid), []
    end = time.monotonic() + 120
    while len(children) < 2 and time.monotonic() < end:
        time.sleep(0.2)
        children = [each for each in parent.children() if "spawn_main" in " ".join(each.cmdline())]
    assert len(children) == 2
    running.send_signal(signal.SIGKILL)
    running.wait()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert len(gone) == 2, alive


def test_samples_are_the_same_where_they_have_moved():
    samples = Samples(layout("kingdom", 2), 7)
    rng = np.random.default_rng(0)
    samples.size = 5
    for name in samples.FIELDS:
        array = getattr(samples, name)
        array[:] = rng.integers(0, 2, array.shape)
    samples.make_targets()[:] = 0.25
    before = {name: getattr(samples, name)[:5].copy() for name in samples.FIELDS}
    memory = np.zeros(samples.bytes_needed(True), np.uint8)
    samples.move_into(memory, True)
    assert all((getattr(samples, name)[:5] == array).all() for name, array in before.items())
    assert (samples.targets[:5] == 0.25).all()
    for name in samples.FIELDS:  # each has a place of its own
        getattr(samples, name)[:] = 0
        assert not any(
            np.shares_memory(getattr(samples, name), getattr(samples, one)) for one in samples.FIELDS if one != name
        )
        assert np.shares_memory(getattr(samples, name), memory)
    assert (samples.targets[:5] == 0.25).all()
    assert not np.shares_memory(samples.targets, samples.seats)
    samples.targets = None
    assert np.shares_memory(samples.make_targets(), memory)
    assert samples.bytes_needed(False) < samples.bytes_needed(True)
