"""The mean of the last weights: what a run leaves, and that it goes on with a run that was stopped."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from dominion_agents.trained.inputs import layout
from dominion_training.learner.averaging import Average
from dominion_training.learner.checkpoint import load_checkpoint, save_checkpoint
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.networks import Plain
from dominion_training.learner.settings import preset

SETTINGS = preset("smoke").but(
    samples=8_000, teacher_samples=2_000, rollout=1_000, games=16, minibatch=256, snapshot_every=100_000, averaged=0.5,
    units=(16,), opponents=("big-money=1",),
)  # fmt: skip


def arrays(network):
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}


def test_an_average_is_the_mean_of_the_weights_that_were_added():
    network, seen = Plain(layout("kingdom", 2), (16,)), []
    average = Average(network)
    for number in range(5):
        with torch.no_grad():
            for value in network.parameters():
                value += torch.randn(value.shape, generator=torch.Generator().manual_seed(number))
        average.add(network)
        seen.append(arrays(network))
    for name, mean in arrays(average.network).items():
        np.testing.assert_allclose(mean, np.mean([each[name] for each in seen], axis=0), atol=1e-6)
    average.forget()
    average.add(network)
    assert all(np.array_equal(mean, seen[-1][name]) for name, mean in arrays(average.network).items())


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_leaves_the_mean_of_its_last_weights_and_learns_with_the_last_ones():
    learner, seen = SelfPlayPPO(SETTINGS), []
    plain = SelfPlayPPO(SETTINGS.but(averaged=0.0))
    while learner.num_timesteps < SETTINGS.samples:
        learner.rollout()
        plain.rollout()
        if learner.progress_remaining < 0.5:
            seen.append(arrays(learner.network))
        elif not seen:
            assert learner.average.number == 0
            assert np.array_equal(learner.model().arrays["policy.weight"], arrays(learner.network)["policy.weight"])
    assert len(seen) == learner.average.number >= 3
    for name, array in learner.model().arrays.items():
        np.testing.assert_allclose(array, np.mean([each[name] for each in seen], axis=0), atol=1e-6)
        assert np.array_equal(arrays(learner.network)[name], arrays(plain.network)[name])
    assert not np.array_equal(learner.model().arrays["policy.weight"], plain.model().arrays["policy.weight"])


@pytest.mark.slow
@pytest.mark.compiled
def test_a_checkpoint_keeps_the_mean(tmp_path):
    learner = SelfPlayPPO(SETTINGS)
    while learner.average.number < 2:
        learner.rollout()
    save_checkpoint(tmp_path, learner, {})
    resumed, _ = load_checkpoint(tmp_path, SETTINGS)
    for each in (learner, resumed):
        each.learn()
    assert resumed.average.number == learner.average.number > 2
    assert all(np.array_equal(array, learner.model().arrays[name]) for name, array in resumed.model().arrays.items())


@pytest.mark.compiled
def test_a_run_that_goes_on_beyond_its_end_averages_anew(tmp_path):
    learner = SelfPlayPPO(SETTINGS).learn()
    save_checkpoint(tmp_path, learner, {})
    resumed, _ = load_checkpoint(tmp_path, SETTINGS.but(samples=80_000))
    assert resumed.average.number == learner.average.number
    resumed.rollout()
    assert resumed.average.number == 0
