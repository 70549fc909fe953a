"""How fast the core plays, measured in CPU seconds: `python -m dominion_env.speed`.

Random legal play on the First Game kingdom (second edition). A figure is the median over several runs, with the lowest
and the highest; a decision is one action of one game: choosing it (`sample_actions`), carrying it out and making the
next mask (`step`), and, where said, writing the observation of the seat that decides next (`observe`).
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Sequence
from statistics import median

import numpy as np

from dominion_env.batch import GameBatch

BATCH_SIZES = (1, 64, 1024, 4096)


def decisions_per_second(
    num_games: int, observe: bool, num_threads: int = 1, seconds: float = 0.5, runs: int = 7
) -> list[float]:
    """Decisions a CPU second of several runs, sorted; with threads, a second on the clock instead.

    Args:
        num_games: rows of the batch.
        observe: whether the float32 observation is written at every decision.
        num_threads: over which `step` is spread.
        seconds: about how long a run takes.
        runs: how many.
    """
    clock = time.process_time if num_threads == 1 else time.perf_counter
    batch = GameBatch(num_games, num_threads=num_threads)
    out = np.zeros((num_games, batch.observation_size), np.float32)

    def play(steps: int) -> float:
        start = clock()
        for _ in range(steps):
            batch.step(batch.sample_actions())
            if observe:
                batch.observe(out=out)
        return clock() - start

    play(200)  # compiled, and no longer all at the same early turn
    steps = max(20, int(200 * seconds / max(play(200), 1e-6)))
    return sorted(steps * num_games / play(steps) for _ in range(runs))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=BATCH_SIZES, help="batch sizes")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a run takes")
    parser.add_argument("--runs", type=int, default=7, help="runs of each figure")
    parser.add_argument(
        "--threads", type=int, default=1, help="threads of `step`; figures are per second on the clock then"
    )
    chosen = parser.parse_args(arguments)
    print(f"{platform.machine()}, Python {platform.python_version()}, {chosen.threads} thread(s)")
    print(f"{'games':>6}  {'observed':<8}  million decisions a second: median [lowest, highest] of {chosen.runs}")
    for games in chosen.games:
        for observe in (False, True):
            rates = [
                rate / 1e6 for rate in decisions_per_second(games, observe, chosen.threads, chosen.seconds, chosen.runs)
            ]
            label = "yes" if observe else "no"
            print(f"{games:>6}  {label:<8}  {median(rates):6.2f} [{rates[0]:.2f}, {rates[-1]:.2f}]")


if __name__ == "__main__":
    main()
