"""PPO with action masks by TorchRL: its collector over `DominionVectorEnv`, its advantages and its loss.

    pip install "dominion_env[clients]"
    python docs/examples/torchrl_ppo.py                     # about two minutes of one core
    python docs/examples/torchrl_ppo.py --frames 20000      # a try

The network plays First Game against Big Money. At first it loses every game, and learns from the lead in points, which counts
beside the result. At the end it meets itself as it was before, by the rules of `dominion compare`: every game is played from both
seats with the same luck, and no game was seen in training.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Sequence

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import dominion_env
from dominion_env import make_agent
from dominion_env.views.vector_env import DominionVectorEnv
from dominion_training import MatchResult, play_match

GAMES = 64  # side by side
STEPS = 128  # of each game in a batch
OPTIONS = {"kingdom": "first-game-2e", "auto_treasures": True}


def environment(seed: int) -> GymWrapper:
    """Return games against Big Money as TorchRL's environment; an illegal action would raise."""
    games = DominionVectorEnv(
        GAMES, "big-money", seat="alternate", autoreset_mode=AutoresetMode.DISABLED, seed=seed, illegal="raise",
        mask_in="observation", **OPTIONS,
    )  # fmt: skip
    return GymWrapper(games, categorical_action_encoding=True)


class Scores(nn.Module):
    """The network of the policy: a score for every action, and the mask as `MaskedCategorical` wants it."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, dominion_env.NUM_ACTIONS)
        )
        nn.init.orthogonal_(self.layers[-1].weight, 0.01)  # all actions are equally likely at first

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores, float32 (..., actions), and the mask, bool."""
        return self.layers(observation), mask.bool()


class Player:
    """The network as an agent of this project, which draws its actions by the keys of the games."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    def act(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """See `dominion_env.Agent`."""
        with torch.no_grad():
            found, legal = self._scores(torch.as_tensor(observations), torch.as_tensor(masks))
            chances = torch.softmax(found.masked_fill(~legal, -torch.inf), -1).double().cumsum(-1).numpy()
        drawn = (keys >> np.uint64(11)) * 2.0**-53 * chances[:, -1]
        return (chances > drawn[:, None]).argmax(axis=1)


def train(frames: int, seed: int = 0) -> tuple[Scores, Scores, float]:
    """Train a network on this number of decisions; return it as it was and as it is, and its decisions a CPU second."""
    torch.manual_seed(seed)
    env = environment(seed)
    inputs = env.observation_spec["observation"].shape[-1]
    scores = Scores(inputs)
    before = copy.deepcopy(scores)
    actor = ProbabilisticActor(
        TensorDictModule(scores, ["observation", "action_mask"], ["logits", "mask"]),
        in_keys=["logits", "mask"], distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip
    critic = ValueOperator(nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 1)))
    advantage = GAE(gamma=1.0, lmbda=0.98, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.005, critic_coeff=1.0)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    begun = time.process_time()
    for batch in Collector(env, actor, frames_per_batch=GAMES * STEPS, total_frames=frames):
        with torch.no_grad():
            advantage(batch)
        data: TensorDict = batch.reshape(-1)
        for _ in range(3):
            for rows in torch.randperm(len(data)).split(1024):
                found = loss(data[rows])
                total = found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]
                optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
    return before, scores, frames / (time.process_time() - begun)


def compared(after: Scores, before: Scores, games: int) -> MatchResult:
    """Return games of the trained network against the untrained one, none of which training has seen."""
    return play_match(Player(after), Player(before), games, 1_000_000_000, 2, **OPTIONS)


def main(arguments: Sequence[str] | None = None) -> MatchResult:
    """Train, compare, print, and return the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=300_000, help="decisions to learn from [%(default)s]")
    parser.add_argument("--games", type=int, default=2000, help="games that compare [%(default)s]")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    before, after, speed = train(chosen.frames, chosen.seed)
    result = compared(after, before, chosen.games)
    print(f"decisions a CPU second, playing and learning: {speed:,.0f}")
    print(f"trained against untrained: {result}")
    big_money = make_agent("big-money")
    print(
        f"trained against Big Money: {play_match(Player(after), big_money, chosen.games, 1_000_000_000, 2, **OPTIONS)}"
    )
    return result


if __name__ == "__main__":
    main()
