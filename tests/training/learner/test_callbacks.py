"""What the logger of a run is given of each rollout."""

import numpy as np
import pytest
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger

from dominion_env.tables.actions import Verb, action_of
from dominion_env.tables.cards import NUM_CARDS, Card
from dominion_training.learner.options.presets import preset
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.samples import ENDED
from dominion_training.learner.self_play.learner import SelfPlayPPO
from dominion_training.learner.self_play.metrics import bought

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


class Kept(KVWriter):
    """A logger's output, as those that send metrics to MLflow or Weights & Biases are."""

    def __init__(self):
        self.written = {}

    def write(self, key_values, key_excluded, step=0):
        self.written[step] = dict(key_values)

    def close(self):
        pass


class Mine(BaseCallback):
    def _on_step(self):
        self.logger.record("mine/rollouts", self.model.rollouts)
        return self.model.rollouts < 2


def test_a_logger_that_is_given_to_the_learner_gets_each_rollout_and_what_callbacks_record():
    kept = Kept()
    small = {"num_envs": 8, "n_steps": 16, "batch_size": 64, "net_arch": [16], "samples": 1_000_000, "teacher": None}
    learner = SelfPlayPPO(preset("smoke").but(**small))
    learner.logger = Logger(None, [kept])
    learner.learn(Mine())
    steps = list(kept.written)
    assert steps[-1] == learner.num_timesteps
    assert [kept.written[step]["mine/rollouts"] for step in steps] == [1, 2]
    for written in kept.written.values():
        assert {"update/entropy", "update/explained_variance"} <= set(written)
        assert any(name.startswith("bought in a game/") for name in written)
