"""Earlier versions join the opponents by the sequential test, and opponents that win more are met more."""

import numpy as np
import pytest
import torch

from dominion_agents.trained.inputs import layout
from dominion_env import make_agent
from dominion_training.learner.opponents import earlier_versions
from dominion_training.learner.optimiser.networks import Plain
from dominion_training.learner.options.presets import preset
from dominion_training.learner.self_play import learner
from dominion_training.learner.self_play.learner import LEAST_FACTOR, MOST_FACTOR, SelfPlayPPO

pytestmark = pytest.mark.compiled

SMOKE = preset("smoke").but(teacher_samples=0)


def test_the_sequential_test_decides_who_is_better():
    strong, weak = make_agent("big-money"), make_agent("random-buyer")
    assert earlier_versions.verdict(strong, weak, SMOKE, 0) == "accept"
    assert earlier_versions.verdict(weak, strong, SMOKE, 0) == "reject"


def test_a_version_is_promoted_if_it_is_better_or_the_third_in_a_row(monkeypatch):
    said = {"verdict": "undecided"}
    monkeypatch.setattr(earlier_versions, "verdict", lambda *_: said["verdict"])
    torch.manual_seed(0)
    candidate = learner.TrainedAgent(Plain(layout("kingdom", 2), (32,)).model())
    assert earlier_versions.is_promoted(candidate, None, 0, SMOKE, 0)
    assert not earlier_versions.is_promoted(candidate, candidate, 0, SMOKE, 0)
    assert not earlier_versions.is_promoted(candidate, candidate, 1, SMOKE, 0)
    assert earlier_versions.is_promoted(candidate, candidate, 2, SMOKE, 0)
    said["verdict"] = "accept"
    assert earlier_versions.is_promoted(candidate, candidate, 0, SMOKE, 0)


@pytest.mark.slow
def test_refused_versions_are_not_met(monkeypatch):
    asked = []
    monkeypatch.setattr(learner, "is_promoted", lambda *given: asked.append(given) or len(asked) == 1)
    found = SelfPlayPPO(SMOKE.but(snapshot_every=5_000, samples=24_000)).learn()
    earlier = found.names[len(SMOKE.opponents) :]
    assert len(asked) >= 4
    assert len(earlier) == 1
    assert found.refused == len(asked) - 1
    assert asked[-1][1] is found.opponents[-1]  # candidates are compared with the newest that was promoted


def test_opponents_that_win_more_are_met_more():
    found = SelfPlayPPO(SMOKE.but(opponents=["random=1", "big-money=1", "smithy-optimised=2"]))
    found.record[1:] = [(1000, 990), (1000, 500), (1000, 20)]  # games, and the network's shares of the win
    found.choose_weights()
    own, easy, even, hard = found.shards[0].weights
    assert own == SMOKE.self_play
    assert easy == pytest.approx(LEAST_FACTOR, abs=0.01)
    assert even == pytest.approx(1.0, abs=0.01)
    assert hard == pytest.approx(2 * MOST_FACTOR, abs=0.01)


def test_games_are_shared_out_by_the_weights():
    found = SelfPlayPPO(SMOKE.but(num_envs=1024, opponents=["random=3"], self_play=1.0))
    players = np.concatenate([shard.players for shard in found.shards])
    assert (players == 0).any(axis=1).all()  # one seat is always the network's
    against = (players > 0).any(axis=1).mean()
    assert abs(against - 0.75) < 0.04
