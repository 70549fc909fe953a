"""A checkpoint of a tiny learner, interpreted too: what is loaded goes on as if nothing had stopped it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dominion_env.common.errors import InvalidOption
from dominion_training.learner.options.presets import preset
from dominion_training.learner.rollouts import shard
from dominion_training.learner.self_play.checkpoint import BEFORE, NAME, load_checkpoint, save_checkpoint
from dominion_training.learner.self_play.learner import SNAPSHOT, SelfPlayPPO

TINY = preset("smoke").but(
    net_arch=[16], samples=10_000, num_envs=2, n_steps=12, batch_size=16, teacher="big-money", teacher_samples=30,
    opponents=["big-money=1"],
)  # fmt: skip


@pytest.fixture(autouse=True)
def short_games(monkeypatch):
    monkeypatch.setattr(shard, "MAX_TURNS", 4)


def state(learner: SelfPlayPPO) -> dict[str, list[float]]:
    """Return what a learner has become."""
    found = {name: value.flatten().tolist() for name, value in learner.network.state_dict().items()}
    return found | {"record": learner.record.flatten().tolist(), "at": [learner.num_timesteps, learner.is_cloning]}


def test_a_learner_goes_on_from_a_checkpoint_as_it_would_have_gone_on(tmp_path):
    learner = SelfPlayPPO(TINY)
    learner.rollout()
    assert learner.is_cloning
    for rollout in range(3):
        save_checkpoint(tmp_path, learner, {"points": [rollout]})
        resumed, progress = load_checkpoint(tmp_path, TINY)
        assert progress == {"points": [rollout]}
        assert state(resumed) == state(learner)
        for each in (learner, resumed):
            each.rollout()
        assert state(resumed) == state(learner)
    assert not learner.is_cloning
    assert learner.record.any()


def test_earlier_versions_go_on_to_draw_their_actions(tmp_path):
    learner = SelfPlayPPO(TINY.but(teacher_samples=0))
    learner._offer_version()
    save_checkpoint(tmp_path, learner, {})
    resumed, _ = load_checkpoint(tmp_path, TINY.but(teacher_samples=0))
    assert resumed.names == learner.names
    assert resumed.names[-1].startswith(SNAPSHOT)
    batch = learner.shards[0].batch
    shown, masks = batch.observe()[[0] * 64], batch.action_mask[[0] * 64]
    keys = np.arange(64, dtype=np.uint64) << np.uint64(57)
    actions = [each.opponents[-1].act(shown, masks, keys).tolist() for each in (learner, resumed)]
    assert actions[0] == actions[1]
    assert len(set(actions[1])) > 1


def test_a_damaged_checkpoint_is_refused_and_the_one_before_is_taken(tmp_path):
    learner = SelfPlayPPO(TINY)
    save_checkpoint(tmp_path, learner, {"number": 1})
    first = (tmp_path / NAME).read_bytes()
    save_checkpoint(tmp_path, learner, {"number": 2})
    assert (tmp_path / BEFORE).read_bytes() == first
    damaged = bytearray((tmp_path / NAME).read_bytes())
    head = 8 + int.from_bytes(damaged[:8], "little")
    weights = json.loads(damaged[8:head])["network/layers.0.weight"]["data_offsets"][0]
    damaged[head + weights] ^= 1  # a number as good as any other
    (tmp_path / NAME).write_bytes(damaged)
    assert load_checkpoint(tmp_path, TINY)[1] == {"number": 1}
    (tmp_path / BEFORE).unlink()
    with pytest.raises(InvalidOption, match="damaged"):
        load_checkpoint(tmp_path, TINY)
