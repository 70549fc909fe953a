"""What the log tells of a rollout."""

import numpy as np
import pytest

from dominion_env.actions import Verb, action_of
from dominion_env.cards import NUM_CARDS, Card
from dominion_training.learner.callbacks import bought
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.presets import preset
from dominion_training.learner.samples import ENDED
from dominion_training.learner.settings import Settings

pytestmark = pytest.mark.compiled


@pytest.mark.slow
@pytest.mark.parametrize(("slots", "card_units"), [("kingdom", 0), ("all", 0), ("piles", 16)])
def test_what_is_bought_is_counted_by_game_and_turn(slots, card_units, monkeypatch):
    monkeypatch.setattr(Settings, "slots", slots)  # on one kingdom, where the test knows what each slot is
    learner = SelfPlayPPO(preset("smoke").but(card_units=card_units, teacher_samples=0))
    learner.rollout()
    copies, turns = bought(learner.shards)
    piles = np.sort(learner.shards[0].batch.state["piles"][0])
    games, found, sums = 0, np.zeros(NUM_CARDS), np.zeros(NUM_CARDS)
    for shard in learner.shards:
        for sample in range(shard.samples.size):
            action = int(shard.samples.actions[sample])
            games += shard.samples.following[sample] == ENDED
            for slot in range(learner.layout.num_slots):
                card = slot if slots == "all" else piles[slot]
                if action == action_of(Verb.BUY, slot):
                    found[card] += 1
                    sums[card] += shard.samples.turns[sample]
    assert copies == pytest.approx(found / games)
    assert turns[found > 0] == pytest.approx((sums / np.maximum(found, 1))[found > 0])
    assert np.isnan(turns[found == 0]).all()
    assert found[Card.COPPER] > 0
