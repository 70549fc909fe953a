"""Self-play training whose games are played on a Ray cluster: the same network, bit by bit, as on one machine."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import dominion_agents
from dominion_agents.trained.model import read_model
from dominion_env import DominionError
from dominion_env.cli import main as dominion
from dominion_training.evaluate import roster
from dominion_training.evaluate.cluster.executor import Cluster
from dominion_training.evaluate.local import Local
from dominion_training.learner import rollout
from dominion_training.learner.command import main
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.run import train
from dominion_training.learner.samples import ENDED
from dominion_training.learner.settings import preset
from tests.cluster.waiting import wait_until

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]  # what Ray warns of is Ray's

# It clones a teacher that tells its gains, meets itself, others, earlier versions and attackers, and begins games in turns
# of others.
EVERYTHING = preset("smoke").but(
    samples=9_000, teacher_samples=3_000, rollout=1_200, games=16, minibatch=256, snapshot_every=2_500, openings=0.3,
    attack_every=4_000, attack_games=1, eval_games=4, anchor_games=4, anchor_every=1_000_000, checkpoint_minutes=1000.0,
    opponents=("big-money=1", "first-game=1"),
)  # fmt: skip


def learned(settings=EVERYTHING, executor=None):
    """Return all that a learner has become."""
    learner = SelfPlayPPO(settings, executor).learn()
    assert any(name.startswith("snapshot") for name in learner.names), "an earlier version has joined"
    found = {name: value.numpy() for name, value in learner.network.state_dict().items()}
    for number, shard in enumerate(learner.shards):
        kept = {name: array.copy() for name, array in shard.snapshot().items()}
        for name in ("samples/final_shares", "samples/final_leads"):
            kept[name][kept["samples/following"] != ENDED] = 0  # they mean nothing before the game has ended
        found |= {f"{number}/{name}": array for name, array in kept.items()}
        found |= {f"{number}/lengths": np.array([*shard.lengths, shard.truncated])}
        assert shard.seconds.sum() > 0
    return found | {"record": learner.record, "names": np.array(learner.names)}


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(array, other[name]) for name, array in one.items())


def weights(run):
    return read_model(run / "model.safetensors").arrays


def test_a_network_becomes_the_same_on_threads_and_on_one_node_and_on_three(nodes):
    alone = learned(EVERYTHING.but(threads=1))
    assert same(learned(EVERYTHING.but(threads=2)), alone)
    assert same(learned(executor=Local(1)), alone)
    assert same(learned(executor=Cluster(nodes.address)), alone)
    nodes.add()
    nodes.add()
    assert same(learned(executor=Cluster(nodes.address)), alone)
    assert not same(learned(EVERYTHING.but(shards=4)), alone), "the number of shards is a setting"


def test_a_teacher_that_searches_goes_on_where_it_was():
    """Its gains travel with the games."""
    few = EVERYTHING.but(
        samples=800, teacher_samples=400, rollout=100, games=2, teacher="planner:2", snapshot_every=100, attack_every=0
    )
    assert same(learned(few, Local(1)), learned(few))


def test_a_node_that_is_killed_costs_its_rollouts_only(nodes, watched, forgotten_agents):
    dominion_agents.register("watched", watched.agent)
    few = EVERYTHING.but(teacher=None, attack_every=0, opponents=("watched=1",))
    alone = learned(few)
    nodes.add()
    watched.be_slow()

    def kill():
        wait_until(lambda: watched.processes & nodes.playing_last())
        nodes.lose_last()
        watched.be_fast()

    killing = threading.Thread(target=kill)
    killing.start()
    found = learned(few, Cluster(nodes.address))
    killing.join()
    assert same(found, alone)


def test_a_run_begun_on_one_machine_goes_on_on_a_cluster(nodes, tmp_path, capsys):
    few = EVERYTHING.but(samples=4_500)
    train(EVERYTHING, tmp_path / "straight")
    run = train(few, tmp_path / "run")
    assert main(["--resume", str(run), "--samples", "9000", "--cluster", nodes.address]) == 0
    other = train(few, tmp_path / "other", executor=Cluster(nodes.address))
    assert main(["--resume", str(other), "--samples", "9000"]) == 0
    assert same(weights(run), weights(other))


def test_an_attack_by_a_learner_plays_on_a_cluster(nodes, tmp_path, monkeypatch):
    from dominion_training.exploit import exploiter

    monkeypatch.setattr(exploiter, "LEARNER", exploiter.LEARNER | {"games": 16, "rollout": 1_000, "minibatch": 256})
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


def test_what_is_told_when_nothing_can_be_played_any_more(monkeypatch):
    class Gone:
        def start(self, parts):
            raise DominionError("the head is gone; finished parts are kept, so the same command goes on")

    with pytest.raises(DominionError, match=r"^the head is gone; --resume goes on from the last checkpoint$"):
        SelfPlayPPO(EVERYTHING, Gone()).learn()


def test_an_address_without_a_cluster_is_told(tmp_path, capsys):
    call = ["train", "--preset", "smoke", "--out", str(tmp_path / "run"), "--cluster"]
    assert dominion([*call, "127.0.0.1:1"]) == 1
    assert "cluster 127.0.0.1:1: expected a Ray cluster, got no answer" in " ".join(capsys.readouterr().err.split())
    assert dominion([*call, "here"]) == 1
    assert "cluster: expected auto or HOST:PORT of the head, got" in " ".join(capsys.readouterr().err.split())


def test_learners_of_one_process_do_not_take_each_others_agents():
    one, other = SelfPlayPPO(EVERYTHING, Local(1)), SelfPlayPPO(EVERYTHING, Local(1))
    for learner in (one, other):
        learner.rollout()
    assert rollout.Rollouts(EVERYTHING, ("a",), "b").agents == ("a", "b")
    names = [each._stage._names for each in (one, other)]
    assert len({*names[0], *names[1]}) == 4
    assert all(name in roster.HERE for each in names for name in each)
