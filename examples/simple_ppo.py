"""Learn Dominion by self-play alone: PPO whose advantages run along the decisions of one seat.

python examples/simple_ppo.py            # about two minutes of one core; Ctrl-C ends it earlier, and saves
python examples/simple_ppo.py --help     # all options, in CleanRL's words

One network plays every seat of every game and learns from all of them. Its games against Big Money only measure it.

The form is that of CleanRL's `ppo.py`, with one change. There the decision that follows another is the next one in the same
environment. In a game of turns that may be an opponent's, and an opponent's value is no estimate of one's own. So advantages
run here along the decisions of one seat in one game, across those of others in between. The last decision of a seat waits for
the next rollout until the seat's next decision, or the end of the game, is known.
"""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import tyro
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor, nn

from dominion_env import NUM_ACTIONS, PASS, GameBatch, ask, make_agent

FRESH_GAMES = 1_000_000_000  # a seed far from those of training


@dataclass
class Args:
    seed: int = 1
    out: Path = Path("runs/simple_ppo")  # folder of the model, the scores and the learning curve
    kingdom: str = "first-game-2e"
    num_players: int = 2
    total_timesteps: int = 1_000_000  # decisions of all seats together
    num_envs: int = 64
    num_steps: int = 128
    learning_rate: float = 1e-3
    gamma: float = 1.0  # for each own turn, as a turn may have one decision or twenty; so is the next one
    gae_lambda: float = 1.0  # a Silver pays off many decisions later
    num_minibatches: int = 4
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.03
    vf_coef: float = 1.0
    max_grad_norm: float = 0.5
    target_kl: float | None = None
    eval_every: int = 12  # updates
    eval_games: int = 1000


def layer_init(layer: nn.Linear, std: float = 2**0.5) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self, num_inputs: int, width: int = 128) -> None:
        super().__init__()
        first, second = layer_init(nn.Linear(num_inputs, width)), layer_init(nn.Linear(width, width))
        self.trunk = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        # Both begin near 0, so that every action is as likely.
        self.actor, self.critic = layer_init(nn.Linear(width, NUM_ACTIONS), 0.01), layer_init(nn.Linear(width, 1), 0.1)

    def get_action_and_value(
        self, obs: Tensor, masks: Tensor, actions: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return actions (drawn unless they are given), their log-probabilities, entropies and values, each (n,)."""
        hidden = self.trunk(obs)
        log_probs = (
            self.actor(hidden).masked_fill(~masks, -1e8).log_softmax(1)
        )  # so illegal actions have no probability
        if actions is None:
            actions = log_probs.exp().multinomial(1).squeeze(1)
        logprobs = log_probs.gather(1, actions[:, None]).squeeze(1)
        return actions, logprobs, -(log_probs.exp() * log_probs).sum(1), self.critic(hidden).squeeze(1)

    @torch.no_grad()
    def act(self, obs: NDArray[np.float32], masks: NDArray[np.bool_], _: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the likeliest legal actions: this makes the network an agent that `ask` can ask."""
        scores = self.actor(self.trunk(torch.from_numpy(obs))).masked_fill(~torch.from_numpy(masks), -torch.inf)
        likeliest: NDArray[np.int64] = scores.argmax(1).numpy()
        return likeliest


class Batch(NamedTuple):
    """What is learned from: decisions whose outcome is known, and what to make of them, a row for each."""

    obs: Tensor
    masks: Tensor
    actions: Tensor
    logprobs: Tensor
    advantages: Tensor
    returns: Tensor


class Rollout:
    """Decisions, one in each game in each row. The first rows, one for each seat, hold what was open after the last rollout."""

    def __init__(self, games: GameBatch, num_steps: int) -> None:
        self.games, self.num_players = games, games.num_players
        shape = (self.num_players + num_steps, games.num_games)
        self.obs = np.zeros((*shape, games.observation_size), np.float32)
        self.masks = np.zeros((*shape, NUM_ACTIONS), np.bool_)
        self.actions, self.seats, self.turns = np.zeros((3, *shape), np.int64)
        self.logprobs, self.values = np.zeros((2, *shape), np.float32)
        self.rewards = np.zeros((*shape, self.num_players), np.float32)  # after the decision, of every seat
        self.made, self.dones = np.zeros(
            (2, *shape), np.bool_
        )  # whether there is a decision; whether it ended the game
        self.made[self.num_players :] = True

    @torch.no_grad()
    def play(self, agent: Agent) -> None:
        """Make `num_steps` decisions in every game, each by the seat that is asked."""
        games, rows = self.games, np.arange(self.games.num_games)
        for t in range(self.num_players, len(self.actions)):
            games.observe(out=self.obs[t])
            self.masks[t], self.seats[t] = games.action_mask, games.current_player
            self.turns[t] = games.turns[rows, self.seats[t]]
            found = agent.get_action_and_value(torch.from_numpy(self.obs[t]), torch.from_numpy(self.masks[t]))
            self.actions[t], self.logprobs[t], self.values[t] = found[0], found[1], found[3]
            self.rewards[t], terminated, truncated = games.step(self.actions[t])
            self.dones[t] = terminated | truncated

    def advantages(self, gamma: float, gae_lambda: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the advantage of each decision (GAE along its seat's own decisions), and whether its outcome is known."""
        advantages, known = np.zeros_like(self.values), np.zeros_like(self.made)
        # Of what comes after row t, for each game and seat: its next decision if there is one, and the reward before that.
        shape = self.rewards.shape[1:]
        next_value, next_advantage, reward = np.zeros((3, *shape), np.float32)
        next_turn, next_known = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        for t in reversed(range(len(self.actions))):
            done = self.dones[t]  # for every seat of the game, whoever has ended it
            next_value[done], next_advantage[done], reward[done], next_known[done] = 0, 0, 0, True
            reward += self.rewards[t]
            who = np.flatnonzero(self.made[t])
            own = who, self.seats[t, who]
            new_turn = self.turns[t, who] != next_turn[own]
            delta = reward[own] + np.where(new_turn, gamma, 1) * next_value[own] - self.values[t, who]
            decay = np.where(new_turn, gamma * gae_lambda, 1)
            # Where nothing is known yet, the value itself is the estimate for the decisions before it.
            advantages[t, who] = np.where(next_known[own], delta + decay * next_advantage[own], 0)
            known[t, who] = next_known[own]
            next_value[own], next_advantage[own], reward[own] = self.values[t, who], advantages[t, who], 0
            next_turn[own], next_known[own] = self.turns[t, who], True
        return advantages, known

    def batch(self, gamma: float, gae_lambda: float) -> Batch:
        """Return what is to be learned now, and keep what is still open for the next rollout."""
        advantages, known = self.advantages(gamma, gae_lambda)
        learned = advantages[known]
        normalised = (learned - learned.mean()) / (learned.std() + 1e-8)
        columns = (self.obs[known], self.masks[known], self.actions[known], self.logprobs[known], normalised)
        batch = Batch(*(torch.from_numpy(each) for each in (*columns, learned + self.values[known])))
        still_open = self.made & ~known
        for seat in range(self.num_players):
            t, who = np.nonzero(still_open & (self.seats == seat))  # a seat has at most one open decision in a game
            for column in (self.obs, self.masks, self.actions, self.logprobs, self.values, self.seats, self.turns):
                column[seat, who] = column[t, who]
            self.made[seat] = np.isin(np.arange(self.games.num_games), who)
        return batch


def ppo_losses(agent: Agent, batch: Batch, clip_coef: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the policy loss, the value loss, the entropy, and roughly how far the policy has moved (KL), means."""
    _, newlogprob, entropy, newvalue = agent.get_action_and_value(batch.obs, batch.masks, batch.actions)
    logratio = newlogprob - batch.logprobs
    ratio = logratio.exp()
    pg_loss1 = -batch.advantages * ratio
    pg_loss2 = -batch.advantages * torch.clamp(ratio, 1 - clip_coef, 1 + clip_coef)
    v_loss = 0.5 * ((newvalue - batch.returns) ** 2).mean()
    return torch.max(pg_loss1, pg_loss2).mean(), v_loss, entropy.mean(), (ratio - 1 - logratio).detach().mean()


def update(agent: Agent, optimizer: torch.optim.Optimizer, batch: Batch, args: Args) -> None:
    for _ in range(args.update_epochs):
        for rows in torch.randperm(len(batch.actions)).tensor_split(args.num_minibatches):
            minibatch = Batch(*(column[rows] for column in batch))
            pg_loss, v_loss, entropy, approx_kl = ppo_losses(agent, minibatch, args.clip_coef)
            optimizer.zero_grad()
            (pg_loss - args.ent_coef * entropy + args.vf_coef * v_loss).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()
        if args.target_kl is not None and approx_kl > args.target_kl:
            break


def evaluate(agent: Agent, args: Args) -> tuple[float, float, float]:
    """Return the share of the win against Big Money in fresh games, from each seat in turn, and its 95% (Wilson) interval."""
    n = args.eval_games
    games = GameBatch(n, args.num_players, args.kingdom, seed=FRESH_GAMES, auto_treasures=True, autoreset=False)
    big_money, seats = make_agent("big-money"), np.arange(n) % args.num_players
    while (running := games.state["over"] == 0).any():
        mine, actions = games.current_player == seats, np.full(n, PASS)
        for player, asked in ((agent, running & mine), (big_money, running & ~mine)):
            if asked.any():
                actions[asked] = ask(player, games, np.flatnonzero(asked))
        games.step(actions)
    winners = games.final.winners
    score, z = float((winners[np.arange(n), seats] / winners.sum(1).clip(1)).mean()), 1.96
    middle, half = score + z**2 / (2 * n), z * (score * (1 - score) / n + z**2 / (4 * n**2)) ** 0.5
    return score, max(0.0, middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)


def save(agent: Agent, scores: list[tuple[float, ...]], out: Path) -> None:
    torch.save(agent.state_dict(), out / "model.pt")
    with (out / "scores.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("decisions", "cpu_seconds", "score", "low", "high"), *scores])
    figure = Figure()
    axes = figure.subplots()
    decisions, _, score, low, high = np.array(scores).T
    axes.plot(decisions, score)
    axes.fill_between(decisions, low, high, alpha=0.3)
    axes.set(xlabel="decisions", ylabel="score against Big Money, 95% interval", ylim=(0, 1))
    figure.savefig(out / "learning.png")


def main(args: Args) -> list[tuple[float, ...]]:
    """Train, save, and return (decisions, CPU seconds, score, low, high) of each measurement."""
    torch.set_num_threads(1)  # more threads are slower for small layers, above all on a busy machine
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    # The lead pays a beginner for each point, where the result alone hardly says which moves were better.
    games = GameBatch(args.num_envs, args.num_players, args.kingdom, seed=args.seed, auto_treasures=True, reward="lead")
    agent, rollout = Agent(games.observation_size), Rollout(games, args.num_steps)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    num_iterations = args.total_timesteps // (args.num_envs * args.num_steps)
    scores: list[tuple[float, ...]] = []
    decisions = 0

    def measure() -> None:
        scores.append((decisions, time.process_time(), *evaluate(agent, args)))
        text = "{:,} decisions, {:.0f} CPU s: {:.1%} [{:.1%}, {:.1%}] against Big Money"
        print(text.format(*scores[-1]), flush=True)

    try:
        for iteration in range(num_iterations):
            if iteration % args.eval_every == 0:
                measure()
            optimizer.param_groups[0]["lr"] = (1 - iteration / num_iterations) * args.learning_rate
            rollout.play(agent)
            update(agent, optimizer, rollout.batch(args.gamma, args.gae_lambda), args)
            decisions += args.num_envs * args.num_steps
    except KeyboardInterrupt:
        print("interrupted: what it has learned so far is measured and saved")
    measure()
    save(agent, scores, args.out)
    return scores


if __name__ == "__main__":
    main(tyro.cli(Args))
