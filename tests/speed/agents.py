"""Measure how fast scripted agents play whole games, and which part takes the time: `python -m tests.speed.agents`.

Each agent plays itself in two seats, with all Treasures played at once, in a kingdom with its cards. The figures are CPU
seconds of one core and include the loop around agent and core. A decision has four parts: the observation of the seat to
decide (`observe`, into one buffer), its key (`policy_keys`), the agent's answer (`act`), and the step that carries it out
and makes the next mask (`step`). The games are cut into batches, so that records and observations stay in the core's own
cache. Each batch plays for the length of a game before the next one does; turns at each decision would be as slow as one
large batch.
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

from dominion_agents.strategies.named import STRATEGIES
from dominion_env import DominionError, GameBatch, make_agent
from dominion_env.players.agent import Agent, shown_to
from tools.rank_strategies import kingdom_for

AGENTS = ("big-money", "big-money-ultimate", "double-witch", "chapel-witch", "first-game", "htbd-1", "auto")
PARTS = ("observe", "keys", "act", "step")
BATCH = 512


@dataclass(frozen=True)
class Run:
    """One measurement.

    Attributes:
        games, decisions: numbers of finished games and of answers.
        seconds: CPU seconds of the run.
        parts: seconds of each of `PARTS` by the clock, which takes less time to read than the CPU's own.
    """

    games: int
    decisions: int
    seconds: float
    parts: dict[str, float]

    @property
    def games_per_second(self) -> float:
        """Games per CPU second."""
        return self.games / self.seconds

    @property
    def nanoseconds(self) -> dict[str, float]:
        """Nanoseconds of each part of a decision."""
        return {part: 1e9 * seconds / self.decisions for part, seconds in self.parts.items()}


def measure(name: str, num_games: int = 4096, runs: int = 5, lengths: int = 2, batch_size: int = BATCH) -> list[Run]:
    """Return runs of one agent against itself, the slowest first.

    Args:
        name: name for `make_agent`; an agent that is not in `STRATEGIES` plays random kingdoms.
        num_games: number of games in progress.
        runs: number of runs.
        lengths: length of a run, in lengths of a game; one more is played before, so that games are at all stages.
        batch_size: rows of each batch but the last, which has the rest.
    """
    agent = make_agent(name)
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
        """Play a game's length of each batch and return the number of games that have ended."""
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
    """Play one decision of each game, add the seconds of each part, and return the number of games that have ended.

    The function does little else, as all of it is measured.
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
    parser.add_argument("agents", nargs="*", default=AGENTS, help="names of agents, or strategies")
    parser.add_argument("--games", type=int, default=4096, help="games in progress")
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
