"""The settings of a training run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dominion_env.checks import whole_number
from dominion_env.errors import InvalidOption

_LARGEST_SEED = (1 << 32) - 1  # that stable-baselines3 and numpy's legacy generator take


@dataclass(frozen=True)
class TrainConfig:
    """Settings of a run; together with the versions in the run's folder they reproduce the model."""

    kingdom: str = "first-game-2e"
    """Name of a set, "random", "train", ... as in GameBatch."""
    opponent: str = "big-money"
    """Agent at the other seat during training: a name or a saved model."""
    seed: int = 0
    """Seed of network, games and sampling."""
    total_steps: int = 1_800_000
    """Number of the learner's decisions over all games, rounded up to whole rollouts."""
    num_envs: int = 128
    """Number of games played side by side."""
    rollout_steps: int = 128
    """Number of decisions in each game between two updates; games of beginners have 50 to 200."""
    batch_size: int = 2048
    """Number of decisions in a minibatch."""
    epochs: int = 3
    """Number of passes over a rollout."""
    learning_rate: float = 1e-3
    """Learning rate at the start, which falls to a twentieth in a straight line."""
    gamma: float = 1.0
    """Discount per decision; the only reward comes at the end of a game."""
    gae_lambda: float = 1.0
    """Reach of advantages before they rely on the value network; 1 reaches the end of the game."""
    clip_range: float = 0.2
    """Largest change of the policy in an update."""
    entropy: float = 0.02
    """Weight of the policy's entropy in the loss; a higher one explores more."""
    trunk: int = 256
    """Width of the first layer, which policy and value share."""
    hidden: tuple[int, ...] = (128,)
    """Widths of the layers above it, for policy and value each."""
    reward: Literal["result", "margin", "points", "lead"] = "lead"
    """Reward to learn from: one of GameBatch, or "lead", half the result and the lead in points (see `rewards.py`)."""
    torch_threads: int = 1
    """Number of threads of torch; more than one is slower on a busy machine."""
    eval_games: int = 2000
    """Number of games against each judge at the end, an even number."""
    checkpoint_minutes: float = 1.0
    """Minutes between two checkpoints, from which the run can be resumed."""

    def __post_init__(self) -> None:
        """Check the numbers now: some of them are used only after hours of training.

        Raises:
            InvalidOption: a number is outside what it allows.
        """
        whole_number("seed", self.seed, 0, _LARGEST_SEED)
        for name in ("total_steps", "num_envs", "rollout_steps", "epochs", "trunk", "torch_threads"):
            whole_number(name, getattr(self, name), 1)
        for name in ("batch_size", "eval_games"):
            whole_number(name, getattr(self, name), 2)
        if self.eval_games % 2:
            raise InvalidOption(
                f"eval_games: expected an even number, as games are played in pairs, got {self.eval_games}"
            )


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
