"""What Ray costs, and what another node brings: the same parts by processes of this machine and on clusters, by turns.

    ray start --head --num-cpus 2
    python -m tools.overhead_of_ray --games 1000000

All keep their games in a folder. Starting never counts: the clock starts ten seconds after the first part has come back, when
all nodes have started processes. The clock means something on an idle machine only. The CPU time of the process that hands
out the parts does so anywhere.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from dominion_training.evaluate.matches import MatchPart
    from dominion_training.executors.executor import Executor


STARTING = 10.0  # seconds


@dataclass(frozen=True)
class OverheadOptions:
    """The match, and where it is played."""

    first: str = "big-money-ultimate"
    """An agent."""
    second: str = "big-money"
    """The agent that it meets."""
    games: int = 1_000_000
    """Number of games of each run."""
    runs: int = 3
    """Number of runs on each side."""
    workers: int = 2
    """Number of processes of this machine, as many as a cluster has cores; 0 for clusters alone."""
    clusters: tuple[str, ...] = ("auto",)
    """The clusters, auto or HOST:PORT."""


@dataclass(frozen=True)
class Run:
    """What one run took after all had started.

    Attributes:
        parts: number of parts.
        seconds: time on the clock.
        cpu: CPU seconds of this process.
    """

    parts: int
    seconds: float
    cpu: float


def measured(parts: Sequence[MatchPart], executor: Executor) -> Run:
    """Play parts, and measure.

    Raises:
        SystemExit: all were over before the clock started.
    """
    from dominion_training.executors.folder import Folder
    from dominion_training.executors.runner import run_parts

    with tempfile.TemporaryDirectory() as folder:
        running = run_parts(parts, executor, Folder(Path(folder), [parts[0].work]))
        next(running)
        begun = time.monotonic()
        while time.monotonic() < begun + STARTING:
            if next(running, None) is None:
                raise SystemExit(
                    f"games: expected some that take longer than {STARTING:.0f} seconds, got {len(parts)} parts"
                )
        clock, cpu = time.monotonic(), time.process_time()
        number = sum(1 for _ in running)
        return Run(number, time.monotonic() - clock, time.process_time() - cpu)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    chosen = tyro.cli(OverheadOptions, args=arguments, description=__doc__, prog="overhead")
    from dominion_training.evaluate.matches import Match
    from dominion_training.executors.cluster.executor import Cluster
    from dominion_training.executors.local import Local

    parts = Match(chosen.first, chosen.second, options={"auto_treasures": True}).parts(chosen.games)
    sides: dict[str, Executor] = {"processes": Local(chosen.workers)} if chosen.workers else {}
    sides |= {f"Ray, {address}": Cluster(address) for address in chosen.clusters}
    table = Table(title=f"{len(parts):,} parts, {chosen.runs} runs by turns: median, lowest and highest")
    for heading in ("played by", "parts a second", "CPU ms of this process for a part"):
        table.add_column(heading, justify="right")
    runs: dict[str, list[Run]] = {name: [] for name in sides}
    for _ in range(chosen.runs):
        for name, executor in sides.items():
            runs[name].append(measured(parts, executor))
    for name, found in runs.items():
        table.add_row(
            name,
            _spread([run.parts / run.seconds for run in found]),
            _spread([1000 * run.cpu / run.parts for run in found]),
        )
    Console().print(table)
    return 0


def _spread(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.2f} ({ordered[0]:.2f} to {ordered[-1]:.2f})"


if __name__ == "__main__":
    raise SystemExit(main())
