"""A network for two players is made one for larger tables that judges alike opponents as one."""

import numpy as np
import pytest
import torch

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.more_players import for_players
from dominion_env import GameBatch, InvalidOption
from dominion_training.common.records import write_atomically
from dominion_training.learner.optimiser.networks import Plain, new_network
from dominion_training.learner.options.presets import preset
from dominion_training.learner.self_play.learner import SelfPlayPPO

pytestmark = pytest.mark.compiled


def model(players, slots="kingdom"):
    torch.manual_seed(1)
    return Plain(layout(slots, players), (32,)).model()


def first_layer(found, counts):
    return found.arrays["layers.0.weight"] @ (counts * found.layout.scales)


@pytest.mark.parametrize("slots", ["kingdom", "all"])
@pytest.mark.parametrize("players", [3, 6])
def test_alike_opponents_are_judged_as_one_of_them(players, slots):
    small = model(2, slots)
    large = for_players(small, players)
    assert large.layout == layout(slots, players)
    rng = np.random.default_rng(0)
    own = dict(zip(small.layout.names, rng.integers(0, 9, small.layout.num_inputs), strict=True))
    for hot in ("turn_player", "start_player", "question_target"):
        own |= {f"{hot} 0": 0, f"{hot} 1": 1}

    def alike(name):
        for seat in range(2, players):
            name = name.replace(f"opponent_{seat}_", "opponent_1_")
            for each in ("turns", "immune"):
                if name == f"{each} {seat}":
                    name = f"{each} 1"
            for hot in ("turn_player", "start_player", "question_target"):
                if name == f"{hot} {seat}":
                    return 0
        return own[name]

    wide = np.array([alike(name) for name in large.layout.names])
    given = np.array([own[name] for name in small.layout.names])
    assert np.allclose(first_layer(small, given), first_layer(large, wide), atol=1e-3)
    # Whoever of the others has the turn, it is as if the single opponent had it.
    names = large.layout.names
    wide[names.index("turn_player 1")], wide[names.index("turn_player 2")] = 0, 1
    assert np.allclose(first_layer(small, given), first_layer(large, wide), atol=1e-3)


@pytest.mark.slow
def test_it_plays_and_learns_at_a_table_of_three(tmp_path):
    file = tmp_path / "two.safetensors"
    write_atomically(file, model(2).to_bytes())
    agent = TrainedAgent(for_players(model(2), 3))
    batch = GameBatch(4, 3, kingdom="first-game-2e", auto_treasures=True)
    for _ in range(50):
        batch.step(agent.act(batch.observe(), batch.action_mask, batch.policy_keys()))
    settings = preset("smoke").but(players=3, net_arch=[32], teacher=None, start_from=str(file))
    learner = SelfPlayPPO(settings)
    assert np.array_equal(learner.model().arrays["layers.0.weight"], agent.model.arrays["layers.0.weight"])
    learner.rollout()


def test_only_networks_for_two_players_are_widened():
    same = model(3)
    assert for_players(same, 3) is same
    with pytest.raises(InvalidOption, match="players: expected 3, with which the network was trained, got 4"):
        for_players(same, 4)
    with pytest.raises(InvalidOption, match="expected a plain network"):
        for_players(new_network("cards", layout("piles", 2), (32,), 16).model(), 3)
    with pytest.raises(InvalidOption, match="7"):
        for_players(model(2), 7)
