"""Learn Dominion with plain PPO against Big Money: the loop of CleanRL's `ppo.py`, and a mask of legal actions.

python examples/first_ppo.py            # about a minute of one core
python examples/first_ppo.py --help     # all options, in CleanRL's words
"""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
import tyro
from matplotlib.figure import Figure
from torch import Tensor, nn

import dominion_env  # noqa: F401  registers "Dominion-v0"

# Otherwise playing Treasures one by one is half of all decisions, and a beginner who forgets some can buy nothing.
OPTIONS: dict[str, Any] = {"auto_treasures": True}
FRESH_GAMES = 1_000_000_000  # a seed far from those of training


@dataclass
class Args:
    seed: int = 1
    out: Path = Path("runs/first_ppo")  # folder of the model, the scores and the learning curve
    total_timesteps: int = 500_000
    num_envs: int = 64
    num_steps: int = 128
    learning_rate: float = 1e-3
    gamma: float = 1.0  # only the end of a game pays, so a discount would only make it fainter
    gae_lambda: float = 1.0  # a Silver pays off many decisions later
    num_minibatches: int = 4
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.05
    vf_coef: float = 1.0
    max_grad_norm: float = 0.5
    eval_every: int = 8  # updates
    eval_games: int = 1000


def layer_init(layer: nn.Linear, std: float = 2**0.5) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self, num_inputs: int, num_actions: int, width: int = 128) -> None:
        super().__init__()
        first, second = layer_init(nn.Linear(num_inputs, width)), layer_init(nn.Linear(width, width))
        self.trunk = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        # Both begin near 0, so that every action is as likely.
        self.actor, self.critic = layer_init(nn.Linear(width, num_actions), 0.01), layer_init(nn.Linear(width, 1), 0.1)

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of all actions, with those of illegal ones near -1e8, and the value."""
        hidden = self.trunk(obs)
        return self.actor(hidden).masked_fill(~mask, -1e8).log_softmax(1), self.critic(hidden).squeeze(1)


def tensors(obs: np.ndarray, infos: dict[str, np.ndarray]) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(obs), torch.from_numpy(infos["action_mask"]).bool()


def evaluate(agent: Agent, games: int) -> tuple[float, float, float]:
    """Return the share of fresh games that the likeliest actions win, ties half, and its 95% (Wilson) interval."""
    envs = gymnasium.make_vec("Dominion-v0", num_envs=games, **OPTIONS)
    obs, infos = envs.reset(seed=FRESH_GAMES)
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        with torch.no_grad():
            actions = agent(*tensors(obs, infos))[0].argmax(1)
        obs, _, terminated, truncated, infos = envs.step(actions.numpy())
        first = (terminated | truncated) & np.isnan(won)  # a row goes on with its next game, which doesn't count
        won[first] = infos["is_success"][first]
    score, z = float(won.mean()), 1.96
    middle, half = score + z**2 / (2 * games), z * (score * (1 - score) / games + z**2 / (4 * games**2)) ** 0.5
    return score, max(0.0, middle - half) / (1 + z**2 / games), (middle + half) / (1 + z**2 / games)


def main(args: Args) -> list[tuple[float, ...]]:
    """Train, save, and return (decisions, CPU seconds, score, low, high) of each measurement."""
    torch.set_num_threads(1)  # more threads are slower for small layers, above all on a busy machine
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    envs = gymnasium.make_vec("Dominion-v0", num_envs=args.num_envs, **OPTIONS)
    next_obs, infos = envs.reset(seed=args.seed)
    agent = Agent(next_obs.shape[1], int(envs.single_action_space.n))  # type: ignore[attr-defined]  # of Discrete
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    shape = (args.num_steps, args.num_envs)
    obs, masks = torch.zeros(*shape, next_obs.shape[1]), torch.zeros(*shape, agent.actor.out_features, dtype=torch.bool)
    actions, (logprobs, rewards, dones, values) = torch.zeros(shape, dtype=torch.int64), torch.zeros(4, *shape)
    next_done = torch.zeros(args.num_envs)
    num_iterations = args.total_timesteps // (args.num_steps * args.num_envs)
    scores: list[tuple[float, ...]] = []
    for iteration in range(1, num_iterations + 1):
        optimizer.param_groups[0]["lr"] = (1 - (iteration - 1) / num_iterations) * args.learning_rate
        for step in range(args.num_steps):
            obs[step], masks[step] = tensors(next_obs, infos)
            dones[step] = next_done
            with torch.no_grad():
                log_probs, values[step] = agent(obs[step], masks[step])
            actions[step] = log_probs.exp().multinomial(1).squeeze(1)
            logprobs[step] = log_probs.gather(1, actions[step, :, None]).squeeze(1)
            next_obs, reward, terminated, truncated, infos = envs.step(actions[step].numpy())
            rewards[step], next_done = torch.from_numpy(reward), torch.from_numpy(terminated | truncated).float()

        with torch.no_grad():
            next_value, last = agent(*tensors(next_obs, infos))[1], torch.zeros(args.num_envs)
        advantages = torch.zeros(shape)
        for t in reversed(range(args.num_steps)):
            goes_on = 1 - (next_done if t == args.num_steps - 1 else dones[t + 1])
            delta = (
                rewards[t]
                + args.gamma * goes_on * (next_value if t == args.num_steps - 1 else values[t + 1])
                - values[t]
            )
            advantages[t] = last = delta + args.gamma * args.gae_lambda * goes_on * last
        # After the end of a game a step starts the next one, and its action is ignored: there is nothing to learn from it.
        played = (dones == 0).flatten()
        columns = (obs, masks, actions, logprobs, advantages, advantages + values)
        b_obs, b_masks, b_actions, b_logprobs, b_advantages, b_returns = (
            each.flatten(0, 1)[played] for each in columns
        )

        for _ in range(args.update_epochs):
            for mb in torch.randperm(len(b_obs)).tensor_split(args.num_minibatches):
                log_probs, newvalue = agent(b_obs[mb], b_masks[mb])
                ratio = (log_probs.gather(1, b_actions[mb, None]).squeeze(1) - b_logprobs[mb]).exp()
                advantage = (b_advantages[mb] - b_advantages[mb].mean()) / (b_advantages[mb].std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
                v_loss = 0.5 * ((newvalue - b_returns[mb]) ** 2).mean()
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                optimizer.zero_grad()
                (pg_loss - args.ent_coef * entropy + args.vf_coef * v_loss).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        if iteration % args.eval_every == 0 or iteration == num_iterations:
            decisions, seconds = iteration * args.num_steps * args.num_envs, time.process_time()
            scores.append((decisions, seconds, *evaluate(agent, args.eval_games)))
            score, low, high = scores[-1][2:]
            print(
                f"{decisions:,} decisions, {seconds:.0f} CPU s: {score:.1%} [{low:.1%}, {high:.1%}] against Big Money",
                flush=True,
            )

    torch.save(agent.state_dict(), args.out / "model.pt")
    with (args.out / "scores.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("decisions", "cpu_seconds", "score", "low", "high"), *scores])
    figure = Figure()
    axes = figure.subplots()
    x, _, y, low, high = np.array(scores).T
    axes.plot(x, y)
    axes.fill_between(x, low, high, alpha=0.3)
    axes.set(xlabel="decisions", ylabel="score against Big Money, 95% interval", ylim=(0, 1))
    figure.savefig(args.out / "learning.png")
    return scores


if __name__ == "__main__":
    main(tyro.cli(Args))
