"""Learn Dominion by self-play alone: PPO whose advantages run along the decisions of one seat.

`python examples/simple_ppo.py` takes about two minutes of one core. Ctrl-C ends it earlier, and saves; --help has all options.
One network plays all seats and learns from all; games against Big Money only measure it. In CleanRL's `ppo.py` the next decision
of the environment follows. Here that may be an opponent's, whose value is no estimate of one's own. So a seat's next decision in
its game follows, or the game's end. A decision after which neither is known yet waits for the next rollout. Observations are
counts in bytes, of the game's own cards: with `--device cuda` they travel as such, from pinned memory, and are scaled there.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from matplotlib.figure import Figure
from torch import Tensor, nn

from dominion_env import NUM_ACTIONS, GameBatch, make_agent, observation_scales
from dominion_training import play_match


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
    gamma: float = 1.0  # for each own turn and not for each decision, of which a turn may have twenty; lambda too
    gae_lambda: float = 1.0  # a Silver pays off many decisions later
    num_minibatches: int = 4
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.03
    vf_coef: float = 1.0
    max_grad_norm: float = 0.5
    eval_every: int = 12  # updates
    eval_games: int = 1000
    device: str = "cpu"  # of the network; for layers this small a core is as quick as an accelerator


class Agent(nn.Module):
    scales: Tensor
    start: Tensor

    def __init__(self, games: GameBatch, width: int = 128) -> None:
        super().__init__()
        self.observation, self.observation_dtype = games.observation, games.observation_dtype  # what matches show it
        in_bytes = games.observation_dtype != "float32"
        scales = observation_scales(games.num_players, games.observation) ** in_bytes
        self.register_buffer("scales", torch.tensor(scales))
        start = games.observe()[0] * scales * in_bytes  # bytes of points begin at 100
        self.register_buffer("start", torch.tensor(start))
        first, second = nn.Linear(games.observation_size, width), nn.Linear(width, width)
        self.trunk = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        self.actor, self.critic = nn.Linear(width, NUM_ACTIONS), nn.Linear(width, 1)
        for layer, std in ((first, 2**0.5), (second, 2**0.5), (self.actor, 0.01), (self.critic, 0.1)):
            nn.init.orthogonal_(layer.weight, std)  # the actor's is near 0, so that all actions begin equally likely
            nn.init.zeros_(layer.bias)

    def get_action_and_value(self, obs: Any, masks: Any, actions: Tensor | None = None) -> tuple[Tensor, ...]:
        """Return actions (drawn unless they are given), their log-probabilities, entropies and values, each (n,)."""
        hidden = self.trunk(self.on_device(obs) * self.scales - self.start)
        log_probs = self.actor(hidden).where(self.on_device(masks), -1e8).log_softmax(1)
        actions = log_probs.exp().multinomial(1).squeeze(1) if actions is None else actions
        entropies = -(log_probs.exp() * log_probs).sum(1)
        return actions, log_probs.gather(1, actions[:, None]).squeeze(1), entropies, self.critic(hidden).squeeze(1)

    @torch.no_grad()
    def act(self, obs: np.ndarray, masks: np.ndarray, _: np.ndarray) -> Any:
        """Return the likeliest legal actions: this makes the network an agent that can play in matches."""
        scores = self.actor(self.trunk(self.on_device(obs.copy()) * self.scales - self.start))
        return scores.where(self.on_device(masks.copy()), -torch.inf).argmax(1).cpu().numpy()

    def on_device(self, values: Any) -> Tensor:
        tensor, device = torch.as_tensor(values), self.scales.device
        return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


def room_for_steps(games: GameBatch, num_steps: int) -> np.ndarray:
    """Return rows of a decision in each game: one for each seat's left over, one for each step, and an empty one (END)."""
    seats = games.num_players
    integers = [(name, "i8") for name in ("games", "seats", "turns", "actions")]
    floats = [(name, "f4") for name in ("logprobs", "values", "advantages", "returns")]
    vectors = [
        ("obs", games.observation_dtype, games.observation_size),
        ("masks", "?", NUM_ACTIONS),
        ("rewards", "f4", seats + 1),
    ]
    flags = [("dones", "?"), ("known", "?")]
    steps = np.zeros(
        (seats + num_steps + 1, games.num_games), np.dtype([*integers, *floats, *vectors, *flags], align=True)
    )
    steps["games"], steps["seats"] = np.arange(games.num_games), seats  # nobody's
    return steps


@torch.no_grad()
def play(games: GameBatch, steps: np.ndarray, agent: Agent) -> None:
    """Play the steps of a rollout, each with a decision of the seat that must decide in each game."""
    for step in steps[games.num_players : -1]:
        step["obs"], step["masks"], step["seats"] = games.observe(), games.action_mask, games.current_player
        step["turns"] = games.turns[step["games"], step["seats"]]
        actions, logprobs, _, values = agent.get_action_and_value(step["obs"], step["masks"])
        step["actions"], step["logprobs"], step["values"] = actions.cpu(), logprobs.cpu(), values.cpu()
        step["rewards"][:, :-1], terminated, truncated = games.step(step["actions"])
        step["dones"] = terminated | truncated


def batch_of(steps: np.ndarray, gamma: float, gae_lambda: float) -> dict[str, Tensor]:
    """Return the decisions after which their seat's next one or the game's end is known, with GAE; keep the others."""
    games, nobody, shape = steps["games"][0], steps["rewards"].shape[2] - 1, steps["rewards"].shape[1:]
    END, OPEN = -1, -2  # instead of the row of a seat's next decision; END is the empty row, OPEN is masked below
    following, rewards = np.full(shape, OPEN), np.zeros(shape, np.float32)
    for t in reversed(range(len(steps) - 1)):
        done, own = steps["dones"][t], (games, steps["seats"][t])
        following[done], rewards[done] = END, steps["rewards"][t, done]  # of all seats, whoever has ended the game
        after = following[own], games
        steps["known"][t] = (following[own] != OPEN) & (steps["seats"][t] != nobody)
        new_turn = steps["turns"][t] != steps["turns"][after]
        next_value = np.where(following[own] == END, rewards[own], gamma**new_turn * steps["values"][after])
        advantages = next_value - steps["values"][t] + (gamma * gae_lambda) ** new_turn * steps["advantages"][after]
        steps["advantages"][t] = steps["known"][t] * advantages  # 0 where it is open: the value is the estimate
        following[own] = t
    learned = steps[steps["known"]]
    gae = learned["advantages"]
    learned["returns"], gae[:] = learned["values"] + gae, (gae - gae.mean()) / (gae.std() + 1e-8)
    kept = steps[~steps["known"] & (steps["seats"] != nobody)]  # at most one of each seat in a game
    steps["seats"][:nobody] = nobody
    steps[kept["seats"], kept["games"]] = kept
    return {name: torch.from_numpy(learned[name]) for name in learned.dtype.names or ()}


def update(agent: Agent, optimizer: torch.optim.Optimizer, batch: dict[str, Tensor], args: Args) -> None:
    batch = {name: agent.on_device(column) for name, column in batch.items()}
    for _ in range(args.update_epochs):
        for rows in torch.randperm(len(batch["actions"])).tensor_split(args.num_minibatches):
            mb = {name: column[rows] for name, column in batch.items()}
            _, newlogprob, entropy, newvalue = agent.get_action_and_value(mb["obs"], mb["masks"], mb["actions"])
            ratio = (newlogprob - mb["logprobs"]).exp()
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            pg_loss = -torch.min(mb["advantages"] * ratio, mb["advantages"] * clipped).mean()
            v_loss = 0.5 * ((newvalue - mb["returns"]) ** 2).mean()
            optimizer.zero_grad()
            (pg_loss - args.ent_coef * entropy.mean() + args.vf_coef * v_loss).backward()  # type: ignore[no-untyped-call]  # torch's
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()


def main(args: Args) -> list[tuple[float, ...]]:
    """Train, save, and return (decisions, CPU seconds, score, low, high) of each measurement."""
    torch.set_num_threads(1)  # more threads are slower for small layers, above all on a busy machine
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {"num_players": args.num_players, "kingdom": args.kingdom, "auto_treasures": True}
    shown: dict[str, Any] = {"observation": "kingdom", "observation_dtype": "uint8"}
    games = GameBatch(
        args.num_envs, seed=args.seed, reward="lead", **shown, **options
    )  # lead pays a beginner for each point
    agent, steps = Agent(games).to(args.device), room_for_steps(games, args.num_steps)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    num_iterations = args.total_timesteps // (args.num_envs * args.num_steps)
    scores: list[tuple[float, ...]] = []

    def measure(decisions: int) -> None:
        result = play_match(agent, make_agent("big-money"), args.eval_games, args.seed + 10**9, **options)
        scores.append((decisions, time.process_time(), result.score, *result.interval()))
        print(f"{decisions:,} decisions, {scores[-1][1]:.0f} CPU s: {result} against Big Money", flush=True)

    decisions = 0
    with suppress(KeyboardInterrupt):  # what it has learned until then is measured and saved
        for iteration in range(num_iterations):
            if iteration % args.eval_every == 0:
                measure(decisions)
            optimizer.param_groups[0]["lr"] = (1 - iteration / num_iterations) * args.learning_rate
            play(games, steps, agent)
            update(agent, optimizer, batch_of(steps, args.gamma, args.gae_lambda), args)
            decisions += args.num_envs * args.num_steps
    measure(decisions)
    torch.save(agent.state_dict(), args.out / "model.pt")
    np.savetxt(args.out / "scores.csv", scores, "%g", ",", header="decisions,cpu_seconds,score,low,high", comments="")
    figure, (x, _, y, low, high) = Figure(), np.array(scores).T
    figure.gca().errorbar(x, y, (y - low, high - y))
    figure.gca().set(xlabel="decisions", ylabel="score against Big Money, 95% interval", ylim=(0, 1))
    figure.savefig(args.out / "learning.png")
    return scores


if __name__ == "__main__":
    main(tyro.cli(Args))
