"""The learner of one file learns from the same samples, by the same losses, as the fast learner does."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from dominion_agents.trained.inputs import layout
from dominion_env import GameBatch
from dominion_training.learner.optimiser.networks import Plain
from dominion_training.learner.optimiser.update import Batch, LossWeights, batches, ppo_loss
from dominion_training.learner.rollouts.samples import ENDED
from dominion_training.learner.rollouts.shard import Shard
from examples import simple_ppo
from examples.simple_ppo import Agent, Args, batch_of, play, room_for_steps, update
from tests.examples.leads import assert_beats_random

pytestmark = pytest.mark.compiled

GAMES, STEPS, ROLLOUTS, LAMBDA = 6, 40, 16, 0.9
SHOWN: dict[str, Any] = {"observation": "kingdom", "observation_dtype": "uint8"}
LAYOUT = layout("all", 2)  # a slot and eight actions for each card, as the environment has them


def twins() -> tuple[Plain, Agent]:
    """Return a network of the fast learner, and the agent that computes the same from whole observations.

    Cards that an observation shows in binary have no weight, as only the fast learner decodes them. The fast network expects
    half the win whatever it sees, so its lead is the value: the reward is the share of the win less a half, and the lead.
    """
    torch.manual_seed(2)
    fast, agent = Plain(LAYOUT, (32, 32)), Agent(GameBatch(1), 32)
    reading = LAYOUT.reading()[0]
    columns, numbers = int(reading["columns"]), int(reading["numbers"])
    slots, starts = np.arange(LAYOUT.num_slots)[:, None], reading["column_start"][:columns]
    places = np.append((starts + slots).ravel(), reading["number_start"][:numbers])
    counted = np.append(np.tile(reading["column_cards"][:columns] == 0, LAYOUT.num_slots), np.ones(numbers, bool))
    with torch.no_grad():
        nn.init.normal_(fast.policy.weight, std=0.5)  # so that it likes some actions much better than others
        nn.init.normal_(fast.values.weight, std=0.2)
        first, second = (layer for layer in fast.layers if isinstance(layer, nn.Linear))
        first.weight[:, ~counted] = 0
        fast.values.weight[0] = fast.values.bias[0] = 0
        own_first, own_second = agent.trunk[0], agent.trunk[2]
        own_first.weight.zero_()
        own_first.weight[:, places[counted]] = first.weight[:, counted]
        own_second.load_state_dict(second.state_dict())
        agent.actor.load_state_dict(fast.policy.state_dict())
        agent.critic.weight[0], agent.critic.bias[0] = fast.values.weight[1], fast.values.bias[1]
    return fast, agent


class Follower(Agent):
    """The agent, but that it makes the decisions of the fast learner."""

    def __init__(self, agent: Agent, decisions: list[Tensor]) -> None:
        super().__init__(GameBatch(1), 32)
        self.load_state_dict(agent.state_dict())
        self.decisions = decisions

    def get_action_and_value(self, obs: Any, masks: Any, actions: Any = None) -> tuple[Tensor, ...]:
        return super().get_action_and_value(obs, masks, self.decisions.pop(0) if actions is None else actions)


class Played(NamedTuple):
    """What both learners make of a rollout: their batches, and the columns that should be equal, in the same order."""

    fast: Batch
    own: dict[str, Tensor]
    fast_columns: dict[str, np.ndarray]
    own_columns: dict[str, np.ndarray]
    ended: int
    kept: int


@cache
def played() -> tuple[Plain, Agent, list[Played]]:
    """Play the same games with both learners."""
    fast, agent = twins()
    options: dict[str, Any] = {"seed": 7, "auto_treasures": True}
    shard = Shard(LAYOUT, GameBatch(GAMES, **options), [], GAMES * STEPS, 3)
    follower = Follower(agent, [])
    games = GameBatch(GAMES, reward="lead", **options)
    steps = room_for_steps(games, STEPS)
    return fast, agent, [play_both(fast, shard, follower, games, steps) for _ in range(ROLLOUTS)]


def play_both(fast: Plain, shard: Shard, follower: Follower, games: GameBatch, steps: np.ndarray) -> Played:
    samples = shard.samples
    samples.keep_open(shard.last)
    for _ in range(STEPS):
        first = samples.size
        shard.tick(fast.exported())
        follower.decisions.append(torch.from_numpy(samples.actions[first:][:GAMES].astype(np.int64)))
    kept = int((steps["seats"][:2] < 2).sum())
    play(games, steps, follower)
    rows, wanted = samples.trained_on(), batches([samples], LAMBDA, 1.0)[0][0]
    fast_columns = {
        "game": samples.games[rows], "seat": samples.seats[rows], "action": wanted.actions.numpy(),
        "log_prob": wanted.log_probs.numpy(), "value": samples.leads[rows], "advantage": wanted.advantages.numpy(),
        "return": (wanted.share_targets + wanted.lead_targets).numpy() - 0.5,
    }  # fmt: skip
    own = batch_of(steps, 1.0, LAMBDA)
    own_columns = {
        "game": own["games"].numpy(), "seat": own["seats"].numpy(), "action": own["actions"].numpy(),
        "log_prob": own["logprobs"].numpy(), "value": own["values"].numpy(), "advantage": own["advantages"].numpy(),
        "return": own["returns"].numpy(),
    }  # fmt: skip
    # By game, seat and time: the decisions of a seat are in order in both.
    for columns, time in ((fast_columns, rows), (own_columns, np.arange(len(own["seats"])))):
        order = np.lexsort((time, columns["seat"], columns["game"]))
        columns |= {name: column[order] for name, column in columns.items()}
    ended = int((samples.following[: samples.size] == ENDED).sum())
    return Played(wanted, own, fast_columns, own_columns, ended, kept)


@pytest.mark.parametrize("column", ["game", "seat", "action", "log_prob", "value", "advantage", "return"])
def test_the_same_decisions_are_learned_from_with_the_same_advantages_and_returns(column: str) -> None:
    _, _, rollouts = played()
    for each in rollouts:
        np.testing.assert_allclose(each.own_columns[column], each.fast_columns[column], atol=1e-3)
        assert set(each.own_columns["seat"]) == {0, 1}
    assert sum(each.ended for each in rollouts) > 8  # a seat's last decision, with the game's end after it
    assert sum(each.kept for each in rollouts) > 30  # decisions of the rollout before


@pytest.mark.parametrize(("ent_coef", "vf_coef"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.7)])
def test_an_update_goes_down_the_same_losses(ent_coef: float, vf_coef: float) -> None:
    fast, agent = copy.deepcopy(played()[:2])
    wanted, batch = played()[2][-1].fast, played()[2][-1].own
    with torch.no_grad():  # the policy has moved, so that some ratios are clipped
        torch.manual_seed(3)
        noise = torch.randn_like(fast.policy.weight) * 0.1
        fast.policy.weight += noise
        agent.actor.weight += noise
    losses = LossWeights(clip=0.2, entropy=ent_coef, share=0.0, lead=vf_coef)
    total, told = ppo_loss(fast, wanted._replace(lead_targets=wanted.share_targets + wanted.lead_targets - 0.5), losses)
    assert told[5] > 10
    (total / len(wanted.actions)).backward()  # type: ignore[no-untyped-call]
    before = copy.deepcopy(agent.state_dict())
    args = Args(
        update_epochs=1, num_minibatches=1, clip_coef=0.2, ent_coef=ent_coef, vf_coef=vf_coef, max_grad_norm=1e9
    )
    update(agent, torch.optim.SGD(agent.parameters(), lr=1.0), batch, args)
    gradients = {name: before[name] - value for name, value in agent.state_dict().items()}
    wanted_values = torch.zeros_like(fast.values.weight) if fast.values.weight.grad is None else fast.values.weight.grad
    assert fast.policy.weight.grad is not None
    torch.testing.assert_close(gradients["actor.weight"], fast.policy.weight.grad, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(gradients["critic.weight"][0], wanted_values[1], atol=1e-4, rtol=1e-3)


def test_a_short_run_improves_and_leaves_a_model_and_a_curve(tmp_path: Path) -> None:
    args = Args(out=tmp_path, total_timesteps=50_000, num_envs=32, num_steps=64, eval_every=100, eval_games=50)
    scores = simple_ppo.main(args)
    assert [row[0] for row in scores] == [0, 49_152]
    assert {file.name for file in tmp_path.iterdir()} == {"learning.png", "model.pt", "scores.csv"}
    agent = Agent(GameBatch(1, **SHOWN))
    agent.load_state_dict(torch.load(tmp_path / "model.pt"))
    assert_beats_random(lambda obs, masks: agent.get_action_and_value(obs, masks)[0], **SHOWN)


def test_interrupted_it_still_measures_and_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simple_ppo, "update", interrupt)
    scores = simple_ppo.main(Args(out=tmp_path, num_envs=4, num_steps=8, eval_games=20))
    assert [row[0] for row in scores] == [0, 0]
    assert (tmp_path / "model.pt").exists()


@pytest.mark.nightly
def test_with_its_default_options_it_beats_big_money(tmp_path: Path) -> None:
    score = simple_ppo.main(Args(out=tmp_path))[-1][2]
    assert score > 0.8
