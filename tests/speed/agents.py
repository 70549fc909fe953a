"""How fast scripted agents play whole games, and who takes the time: `python -m tests.speed.agents`.

Each agent plays itself for two seats, all Treasures at once, in a kingdom with its cards. Measured are CPU seconds of one
core, the loop around agent and core included: what the seat to decide sees (`observe`, into one buffer), its key, the
agent's answer (`act`), and carrying it out with the next mask (`step`). The games are cut into batches, so that records and
observations stay in the core's own cache; each batch plays a game's length before it is the next one's turn. Taking turns
at each decision would be as slow as one large batch.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from dominion_agents import STRATEGIES, Agent, make, shown_to
from dominion_env import DominionError, GameBatch
from dominion_training.evaluate.rank import kingdom_for

AGENTS = ("big-money", "big-money-ultimate", "double-witch", "chapel-witch", "first-game", "htbd-1", "auto")
PARTS = ("observe", "keys", "act", "step")
BATCH = 512


@dataclass(frozen=True)
class Run:
    """One measurement.

    Attributes:
        games, decisions: finished games, answers given.
        seconds: CPU seconds of all of it.
        parts: seconds of each of `PARTS` by the clock, which is read in less time than the CPU's own.
    """

    games: int
    decisions: int
    seconds: float
    parts: dict[str, float]

    @property
    def games_per_second(self) -> float:
        """Games a CPU second."""
        return self.games / self.seconds

    @property
    def nanoseconds(self) -> dict[str, float]:
        """Time of each part of a decision."""
        return {part: 1e9 * seconds / self.decisions for part, seconds in self.parts.items()}


def measure(name: str, num_games: int = 4096, runs: int = 5, lengths: int = 2, batch_size: int = BATCH) -> list[Run]:
    """Runs of one agent against itself, the slowest first.

    Args:
        name: for `dominion_agents.make`; whoever has no list of those in `STRATEGIES` plays random kingdoms.
        num_games: in progress.
        runs: how many.
        lengths: of a game, that each run takes; a game more goes before, so that not all are at the same turn.
        batch_size: rows of each batch, but for the last one, which has what is left.
    """
    agent = make(name)
    kingdom = (kingdom_for(STRATEGIES[name]) if name in STRATEGIES else None) or "random"
    few = GameBatch(64, kingdom=kingdom, auto_treasures=True)
    games, steps = 0, 0
    while games < 128:
        games += _step(few, agent, np.empty((64, few.observation_size), np.float32), [0.0] * len(PARTS))
        steps += 1
    length = 64 * steps // games

    batches = [
        GameBatch(min(batch_size, num_games - first), index=first, kingdom=kingdom, auto_treasures=True)
        for first in range(0, num_games, batch_size)
    ]
    seen = np.zeros((batch_size, batches[0].observation_size), np.float32)

    def play(spent: list[float]) -> int:
        """A game's length of each batch; how many games have ended."""
        return sum(_step(batch, agent, seen[: batch.num_games], spent) for batch in batches for _ in range(length))

    play([0.0] * len(PARTS))
    found = []
    for _ in range(runs):
        spent, start = [0.0] * len(PARTS), time.process_time()
        games = sum(play(spent) for _ in range(lengths))
        found.append(
            Run(games, lengths * length * num_games, time.process_time() - start, dict(zip(PARTS, spent, strict=True)))
        )
    return sorted(found, key=lambda each: each.games_per_second)


def _step(batch: GameBatch, agent: Agent, seen: NDArray[np.float32], spent: list[float]) -> int:
    """One decision of each game; adds the seconds of each part, returns how many games it has ended.

    It does as little else as it can, for all of it counts.
    """
    start = time.perf_counter()
    shown_to(agent, batch, out=seen)
    observed = time.perf_counter()
    keys = batch.policy_keys()
    keyed = time.perf_counter()
    actions = agent.act(seen, batch.action_mask, keys)
    answered = time.perf_counter()
    _, terminated, truncated = batch.step(actions)
    end = time.perf_counter()
    spent[0] += observed - start
    spent[1] += keyed - observed
    spent[2] += answered - keyed
    spent[3] += end - answered
    return int(np.count_nonzero(terminated | truncated))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=AGENTS, help="names, or strategies")
    parser.add_argument("--games", type=int, default=4096, help="in progress")
    parser.add_argument("--batch", type=int, default=BATCH, help="games in one batch")
    parser.add_argument("--runs", type=int, default=5, help="runs of each figure")
    chosen = parser.parse_args(arguments)
    if chosen.games < 1 or chosen.batch < 1:
        parser.error(f"--games, --batch: expected at least 1 each, got {chosen.games} and {chosen.batch}")
    print(
        f"{platform.machine()}, Python {platform.python_version()}, {chosen.games} games in batches of {chosen.batch}"
    )
    print(f"{'agent':<22} games a CPU second: median [low, high]  decisions  ns a decision: {', '.join(PARTS)}")
    for name in chosen.agents:
        try:
            found = measure(name, chosen.games, chosen.runs, batch_size=chosen.batch)
        except DominionError as error:
            parser.error(str(error))
        rates = [run.games_per_second for run in found]
        parts = ", ".join(f"{median(run.nanoseconds[part] for run in found):.0f}" for part in PARTS)
        length = median(run.decisions / run.games for run in found)
        spread = f"{median(rates):,.0f} [{rates[0]:,.0f}, {rates[-1]:,.0f}]"
        print(f"{name:<22} {spread:<38}  {length:>9.0f}  {parts}", flush=True)


if __name__ == "__main__":
    main()
