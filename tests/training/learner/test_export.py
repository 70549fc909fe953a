"""A trained model as one of stable-baselines3: it plays the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.agents.networks import FIRST_GAME, decisions, network

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

import torch
from sb3_contrib import MaskablePPO

from dominion_agents.sb3.agent import PPOAgent
from dominion_agents.trained.agent import TrainedAgent
from dominion_env import DominionError, InvalidOption, make_agent
from dominion_env.compiled.jit import COMPILED
from dominion_training.learner.optimiser.export import as_maskable_ppo, save_for_sb3


@pytest.mark.parametrize(
    ("slots", "kingdom", "players"),
    [("kingdom", FIRST_GAME, 2), ("all", None, 2), ("all", FIRST_GAME, 3)],
)
def test_it_takes_the_same_actions(slots, kingdom, players, tmp_path):
    model, path = network(slots, players, (64, 48), kingdom, seed=4).half(), tmp_path / "model.zip"
    save_for_sb3(model, path)
    number, games = (500, 64) if COMPILED else (12, 12)
    asked = decisions(number, players, "first-game-2e" if kingdom else "random", games=games, apart=13)
    assert len({row.tobytes() for row in asked[0]}) > 0.9 * number
    expected = TrainedAgent(model).act(*asked)
    assert len(np.unique(expected)) > (8 if COMPILED else 1)
    for agent in (PPOAgent.load(path), make_agent(str(path), trust=True)):
        np.testing.assert_array_equal(agent.act(*asked), expected)
    loaded = MaskablePPO.load(path, device="cpu")
    with torch.no_grad():
        observations = torch.from_numpy(asked[0][:50])
        distribution = loaded.policy.get_distribution(observations, asked[1][:50])
        probabilities = distribution.distribution.probs.numpy()
        shares = torch.sigmoid(loaded.policy.predict_values(observations)).numpy()[:, 0]
    wanted, values = TrainedAgent(model).evaluate(asked[0][:50], asked[1][:50])
    np.testing.assert_allclose(probabilities, wanted, atol=1e-4)
    np.testing.assert_allclose(shares, values, atol=1e-4)


def test_slots_of_any_kingdom_have_no_fixed_actions():
    with pytest.raises(InvalidOption, match="expected a model of one kingdom or with slots for all cards"):
        as_maskable_ppo(network("kingdom"))


def test_card_vectors_are_none_of_stable_baselines3(tmp_path):
    for model in (network("kingdom", kingdom=FIRST_GAME, card_units=16), network("piles")):
        with pytest.raises(InvalidOption, match=r"expected a plain network, as MaskablePPO has them, got .* 'cards'"):
            save_for_sb3(model, tmp_path / "model.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_can_not_be_written_is_told(tmp_path):
    with pytest.raises(DominionError, match=r"model\.zip can't be written"):
        save_for_sb3(network(kingdom=FIRST_GAME, units=(16,)), tmp_path / "nowhere" / "model.zip")
    assert list(tmp_path.iterdir()) == []
