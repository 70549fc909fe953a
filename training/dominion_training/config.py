"""What a training run depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class TrainConfig:
    """Settings of a run; with the versions beside it in the run's folder they reproduce the model."""

    kingdom: str = "first-game-2e"
    """Named set, "random", "train", ... as in GameBatch."""
    opponent: str = "big-money"
    """Who plays the other seat during training: an agent's name or a saved model."""
    seed: int = 0
    """Of network, games and sampling."""
    total_steps: int = 1_800_000
    """Decisions of the learner, over all games; rounded up to whole rollouts."""
    num_envs: int = 128
    """Games played side by side."""
    rollout_steps: int = 128
    """Decisions in each game between two updates; games of beginners have 50 to 200."""
    batch_size: int = 2048
    """Decisions in a minibatch."""
    epochs: int = 3
    """Passes over a rollout."""
    learning_rate: float = 1e-3
    """At the start; falls to a twentieth in a straight line."""
    gamma: float = 1.0
    """Discount per decision; the only reward comes at the end of a game."""
    gae_lambda: float = 1.0
    """How far advantages look ahead before they trust the value network; 1: to the end of the game."""
    clip_range: float = 0.2
    """Of the policy's change in an update."""
    entropy: float = 0.02
    """Weight of the policy's entropy in the loss: higher explores more."""
    trunk: int = 256
    """Width of the first layer, which policy and value share."""
    hidden: tuple[int, ...] = (128,)
    """Layers above it, of the policy and of the value each."""
    reward: Literal["result", "margin", "points", "lead"] = "lead"
    """What is learned from: a reward of GameBatch, or half the result and the lead in points (see `rewards.py`)."""
    torch_threads: int = 1
    """More than one is slower on a busy machine."""
    eval_games: int = 2000
    """Games against each judge at the end, an even number."""
    checkpoint_minutes: float = 1.0
    """How often the run is saved so that it can be resumed."""


PRESETS: dict[str, TrainConfig] = {
    "main": TrainConfig(),
    "smoke": replace(
        TrainConfig(),
        total_steps=2048,
        num_envs=16,
        rollout_steps=32,
        batch_size=256,
        trunk=32,
        hidden=(),
        eval_games=20,
    ),
}
