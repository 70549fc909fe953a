"""A network for all kingdoms plays the same as one that has only a kingdom's weights."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.model import Model, model_of, shapes
from dominion_agents.trained.restrict import for_kingdom
from dominion_env import DominionError, GameBatch


def network(slots="all", players=2, kingdom=None):
    rng = np.random.default_rng(5)
    wanted = shapes(layout(slots, players), (32, 48), 16 if slots == "piles" else 0)
    arrays = {name: rng.normal(0, 0.3, shape).astype(np.float16) for name, shape in wanted.items()}
    return Model(layout(slots, players), arrays, kingdom, {"seed": 5})


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("kingdom", ["first-game-2e", "size-distortion-1e"])
@pytest.mark.parametrize("slots", ["all", "piles"])
def test_it_plays_and_values_exactly_alike(slots, players, kingdom):
    whole = network(slots, players)
    part = model_of(for_kingdom(whole, kingdom).to_bytes(), "part")
    assert (part.layout.slots, part.network) == ("kingdom", whole.network)
    assert sum(array.size for array in part.arrays.values()) < 0.7 * sum(array.size for array in whole.arrays.values())
    assert part.card == whole.card
    batch = GameBatch(32, players, kingdom, seed=3)  # random actions reach all kinds of questions
    agents = [TrainedAgent(model, draws) for model in (whole, part) for draws in (True, False)]
    decisions = 0
    for step in range(600):
        if step % 20 == 0:
            shown, masks, keys = batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()
            likeliest, drawn, likeliest_of_part, drawn_of_part = (each.act(shown, masks, keys) for each in agents)
            assert (likeliest == likeliest_of_part).all()
            assert (drawn == drawn_of_part).all()
            for one, other in zip(agents[0].evaluate(shown, masks), agents[2].evaluate(shown, masks), strict=True):
                assert (one == other).all()
            decisions += len(masks)
        batch.step(batch.sample_actions())
    assert decisions > 500


def test_a_network_for_one_kingdom_stays_as_it_is():
    cards = tuple(for_kingdom(network(), "first-game-2e").kingdom)
    model = network("kingdom", kingdom=cards)
    assert for_kingdom(model, "first-game-2e") is model
    with pytest.raises(DominionError, match=r"the model was trained for Cellar, Market, .* only, got a kingdom of"):
        for_kingdom(model, "size-distortion-2e")


@pytest.mark.parametrize("kingdom", ["random", "test"])
def test_several_kingdoms_are_refused(kingdom):
    with pytest.raises(DominionError, match="kingdom: expected one set of ten cards"):
        for_kingdom(network(), kingdom)
