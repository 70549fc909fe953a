"""The learner and trained networks, measured: samples learned from, and decisions of a network that plays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import SlotsName, layout
from dominion_agents.trained.model import Model, shapes
from dominion_env.core.batch import GameBatch
from dominion_env.players.agent import shown_to
from tests.speed.clock import Piece, Subject

GAMES, ROLLOUT, MINIBATCH, EPOCHS, UNITS = 512, 65_536, 4_096, 2, (256, 256)
FIELD: dict[str, tuple[str, ...]] = {
    "first-game-2e": ("first-game=1", "smithy-optimised=1"),
    "train": ("auto-2=1", "big-money-ultimate=1"),
}


def learner_subjects(workers: int = 1) -> Iterator[Subject]:
    """Yield the learner and, with the same network, MaskablePPO; then networks that play.

    Args:
        workers: number of cores that the learner plays and learns on.
    """
    sample = (
        f"one decision played and learned from: {EPOCHS} epochs, minibatches of {MINIBATCH:,}, layers of 256 and 256"
    )
    for slots, kingdom in (("kingdom", "first-game-2e"), ("all", "train"), ("piles", "train")):
        told = f"{sample}; half of the games against scripted agents; everything included"
        begin = partial(_self_play, slots, kingdom, workers)
        yield Subject("learner", f"SelfPlayPPO, {_slots(slots)}", told, begin, GAMES, "train")
    told = f"{sample}, as SB3VecEnv shows it to MaskablePPO; against big-money"
    yield Subject("learner", "MaskablePPO", told, _maskable, GAMES, "train")
    for slots, units in (("kingdom", (256, 256)), ("all", (256, 256)), ("all", (512, 512)), ("piles", (256, 256))):
        widths = " and ".join(map(str, units))
        told = f"one decision of a network with layers of {widths}: what it reads of what its seat sees, and its answer"
        name = f"TrainedAgent, {_slots(slots)}, {widths}"
        yield Subject("learner", name, told, partial(_trained, slots, units), GAMES)


def _slots(slots: SlotsName) -> str:
    return f"{layout(slots, 2).num_slots} slots" + (", card vectors" if slots == "piles" else "")


def _self_play(slots: SlotsName, kingdom: str, workers: int) -> Piece:
    from dominion_training.learner.options.settings import Range, Settings
    from dominion_training.learner.self_play.learner import SelfPlayPPO

    learner = SelfPlayPPO(
        Settings(
            kingdom=(kingdom,), num_envs=GAMES, n_steps=ROLLOUT // GAMES, batch_size=Range(MINIBATCH, MINIBATCH),
            n_epochs=EPOCHS, net_arch=UNITS, card_units=32 if slots == "piles" else 0, teacher=None, self_play=2.0,
            snapshots=0.0, opponents=FIELD[kingdom], samples=1 << 40,
        ),
        workers=workers,
    )  # fmt: skip

    def piece() -> tuple[int, int]:
        before = learner.num_timesteps
        learner.rollout()
        games = sum(len(shard.lengths) for shard in learner.shards)
        for shard in learner.shards:
            shard.forget_lengths()
        return learner.num_timesteps - before, games

    return piece


def _maskable() -> Piece:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn

    from dominion_env.views.sb3 import SB3VecEnv

    torch.set_num_threads(1)

    class Shared(BaseFeaturesExtractor):
        """The layers of the learner's network, which policy and value share there too."""

        def __init__(self, observation_space: Any) -> None:
            super().__init__(observation_space, UNITS[1])
            size = observation_space.shape[0]
            self.layers = nn.Sequential(nn.Linear(size, UNITS[0]), nn.ReLU(), nn.Linear(*UNITS), nn.ReLU())

        def forward(self, observations: torch.Tensor) -> torch.Tensor:
            return self.layers(observations)

    env = SB3VecEnv(GAMES, opponents="big-money", seat="random", seed=0, auto_treasures=True)
    steps = ROLLOUT // 4 // GAMES  # a quarter, as its buffer of masks alone takes 1,256 bytes a sample
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=steps, batch_size=MINIBATCH, n_epochs=EPOCHS, device="cpu",
        policy_kwargs={"features_extractor_class": Shared, "net_arch": []},
    )  # fmt: skip
    model.set_logger(Logger(None, []))
    _, callback = model._setup_learn(1 << 40, None)
    assert model.env is not None

    def piece() -> tuple[int, int]:
        model.collect_rollouts(model.env, callback, model.rollout_buffer, steps)
        model.train()
        return steps * GAMES, 0

    return piece


def _trained(slots: SlotsName, units: tuple[int, ...]) -> Piece:
    chosen = layout(slots, 2)
    random = np.random.default_rng(0)
    arrays = {
        name: (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)
        for name, shape in shapes(chosen, units, 32 if slots == "piles" else 0).items()
    }
    agent = TrainedAgent(Model(chosen, arrays))
    batch = GameBatch(GAMES, kingdom="first-game-2e" if slots == "kingdom" else "train", auto_treasures=True)
    shown = np.zeros((GAMES, batch.observation_size), np.float32)

    def piece() -> tuple[int, int]:
        for _ in range(20):
            shown_to(agent, batch, None, shown)
            agent.act(shown, batch.action_mask, batch.policy_keys())
            batch.step(batch.sample_actions())
        return 20 * GAMES, 0

    return piece
