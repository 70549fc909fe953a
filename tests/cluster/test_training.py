"""Self-play training whose games are played on a Ray cluster: the same network, bit by bit, as on one machine."""

from __future__ import annotations

import pytest

from dominion_agents.trained.model import read_model
from dominion_app.cli import main as dominion
from dominion_env import register_agent
from dominion_training.executors.cluster.executor import Cluster
from dominion_training.executors.local import Local
from dominion_training.learner.runs.command import main
from dominion_training.learner.runs.run import train
from tests.cluster.waiting import a_node_lost
from tests.training.learner.everything import EVERYTHING, NO_ATTACKS, learned, same
from tests.training.learner.test_run import press_ctrl_c_after

pytestmark = pytest.mark.filterwarnings("default")  # what Ray warns of is Ray's


def weights(run):
    return read_model(run / "model.safetensors").arrays


def test_a_network_becomes_the_same_on_threads_and_on_one_node_and_on_three(nodes):
    alone = learned()
    assert same(learned(executor=Local(1)), alone)
    assert same(learned(executor=Cluster(nodes.address)), alone)
    nodes.add()
    nodes.add()
    assert same(learned(executor=Cluster(nodes.address)), alone)


def test_a_node_that_is_killed_costs_its_rollouts_only(nodes, watched, forgotten_agents):
    register_agent("watched", watched.agent)
    few = EVERYTHING.but(teacher=None, attacks=NO_ATTACKS, opponents=("watched=1",))
    alone = learned(few)
    with a_node_lost(nodes, watched):
        found = learned(few, Cluster(nodes.address))
    assert same(found, alone)


def test_a_run_that_is_interrupted_goes_on_elsewhere(nodes, tmp_path, monkeypatch):
    """It is begun on a cluster, goes on on this machine, and ends on a cluster."""
    straight, run = train(EVERYTHING, tmp_path / "straight"), tmp_path / "run"
    press_ctrl_c_after({2, 5}, monkeypatch)
    assert train(EVERYTHING, run, executor=Cluster(nodes.address)) is None
    assert train(EVERYTHING, resume=run) is None
    assert main(["--resume", str(run), "--cluster", nodes.address]) == 0
    assert same(weights(straight), weights(run))


def test_an_attack_by_a_learner_plays_on_a_cluster(nodes, tmp_path, monkeypatch):
    from dominion_training.exploit import exploiter

    monkeypatch.setattr(exploiter, "LEARNER", exploiter.LEARNER | {"num_envs": 16, "n_steps": 63, "batch_size": 256})
    call = [
        "exploit",
        "big-money",
        "--by",
        "learner",
        "--start",
        "scratch",
        "--samples",
        "2000",
        "--measured",
        "40",
        "--out",
    ]
    assert dominion([*call, str(tmp_path / "one")]) == 0
    assert dominion([*call, str(tmp_path / "nodes"), "--cluster", nodes.address]) == 0
    models = [read_model(tmp_path / name / "first-game-2e.safetensors").arrays for name in ("one", "nodes")]
    assert same(*models)


def test_an_address_without_a_cluster_is_told(tmp_path, capsys):
    call = ["train", "--preset", "smoke", "--out", str(tmp_path / "run"), "--cluster"]
    assert dominion([*call, "127.0.0.1:1"]) == 1
    assert "cluster 127.0.0.1:1: expected a Ray cluster, got no answer" in " ".join(capsys.readouterr().err.split())
    assert dominion([*call, "here"]) == 1
    assert "cluster: expected auto or HOST:PORT of the head, got" in " ".join(capsys.readouterr().err.split())
