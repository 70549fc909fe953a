"""How long a run would take on 1 to 1,000 nodes, before anybody pays for them.

    python -m dominion_training.evaluate.cluster.simulate --parts 1000000 --seconds 0.04
    python -m dominion_training.evaluate.cluster.simulate --parts 100000 --seconds 12 --failures 0.05 --picture scale.png

Nothing is played. One process sends the parts, as many together as half a second takes, and keeps their games. Nodes fail at
random, and what they were playing is played again. A short run on one core tells the seconds of your parts. That games are
handed out in order is not simulated.
"""

from __future__ import annotations

import heapq
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from dominion_env.checks import shown
from dominion_env.errors import InvalidOption

SECONDS_OF_A_TASK, TOGETHER = 0.5, 32  # as in `tasks.py`, which needs Ray


@dataclass(frozen=True)
class Plan:
    """A run, and the machines that it would take."""

    parts: int = 100_000
    """Number of parts."""
    seconds: float = 1.0
    """Mean time of a part on one core."""
    spread: float = 0.2
    """Standard deviation of this time, relative to its mean."""
    cores: int = 16
    """Cores of a node."""
    start: float = 10.0
    """Seconds until a new node plays."""
    failures: float = 0.01
    """Failures of a node in an hour."""
    away: float = 120.0
    """Seconds until a new node takes the place of one that has failed."""
    task: float = 0.0025
    """Seconds that sending a task takes."""
    part: float = 0.002
    """Seconds that keeping the games of a part takes."""
    seed: int = 0
    """Seed of the times and the failures."""

    @property
    def together(self) -> int:
        """Number of parts of a task."""
        return int(np.clip(SECONDS_OF_A_TASK / self.seconds, 1, TOGETHER))

    def check(self) -> None:
        """Check the numbers.

        Raises:
            InvalidOption: one of them makes no sense.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            least = 1 if field.name in ("parts", "cores") else 0
            if not least <= value < math.inf:
                raise InvalidOption(f"--{field.name}: expected a finite number from {least}, got {shown(value)}")
        if not self.seconds:
            raise InvalidOption("--seconds: expected a number above 0, got 0")
        if self.failures and 3600 / self.failures < self.seconds * self.together:
            raise InvalidOption(
                f"--failures: expected nodes that outlive a task of {self.seconds * self.together:g} seconds, got one failure "
                f"in {3600 / self.failures:g} seconds"
            )


@dataclass(frozen=True)
class Forecast:
    """What a run would come to.

    Attributes:
        nodes: number of nodes.
        hours: its length.
        paid: core-hours of all nodes, from the beginning to the end.
        used: share of them that went into games that count.
        lost: core-hours of tasks that were lost with their nodes.
        sending: share of the time in which the process that sends was busy.
    """

    nodes: int
    hours: float
    paid: float
    used: float
    lost: float
    sending: float


class _Node:
    """A node, and others in its place after it has failed."""

    def __init__(self, plan: Plan, rng: np.random.Generator) -> None:
        self._rng, self._gap = rng, 3600 / plan.failures if plan.failures else math.inf
        self._down = plan.away + plan.start
        self._fails = [plan.start + self._time_to_failure()]

    def up(self, time: float) -> tuple[float, float]:
        """Return when it plays, from a time on, and when it fails next."""
        while self._fails[-1] <= time:
            self._fails.append(self._fails[-1] + self._down + self._time_to_failure())
        before = self._fails[-2] if len(self._fails) > 1 else -math.inf
        return max(time, before + self._down), self._fails[-1]

    def _time_to_failure(self) -> float:
        return math.inf if math.isinf(self._gap) else float(self._rng.exponential(self._gap))


def forecast(plan: Plan, nodes: int) -> Forecast:
    """Simulate a run on that many nodes.

    Raises:
        InvalidOption: a number makes no sense.
    """
    plan.check()
    if nodes < 1:
        raise InvalidOption(f"--nodes: expected numbers from 1, got {nodes}")
    rng = np.random.default_rng(plan.seed)
    times = _times(plan, rng)
    machines = [_Node(plan, rng) for _ in range(nodes)]
    free = [(plan.start, core) for core in range(nodes * plan.cores)]  # when each core is free; in order, so a heap
    again: list[float] = []  # tasks that were lost
    sender = busy = played = lost = end = 0.0
    waiting = iter(times)
    while (takes := again.pop() if again else next(waiting, None)) is not None:
        time, core = heapq.heappop(free)
        machine = machines[core // plan.cores]
        begins, fails = machine.up(time)
        # It takes in the games of the task before, and sends this one.
        costs = plan.task + plan.together * plan.part
        sender, busy = max(sender, begins) + costs, busy + costs
        begins, fails = machine.up(sender)
        if begins + takes > fails:
            lost += fails - begins
            again.append(takes)
            heapq.heappush(free, (fails, core))
            continue
        played += takes
        end = max(end, begins + takes)
        heapq.heappush(free, (begins + takes, core))
    end = max(end, sender) + plan.together * plan.part
    paid = end * nodes * plan.cores
    return Forecast(nodes, end / 3600, paid / 3600, played / paid, lost / 3600, busy / end)


def _times(plan: Plan, rng: np.random.Generator) -> list[float]:
    """Return the seconds of each task."""
    if plan.spread == 0:
        seconds = np.full(plan.parts, plan.seconds)
    else:
        shape = plan.spread**-2
        seconds = rng.gamma(shape, plan.seconds / shape, plan.parts)
    return [float(each) for each in np.add.reduceat(seconds, np.arange(0, plan.parts, plan.together))]


def table(found: Sequence[Forecast]) -> Table:
    """Return what a run comes to on each number of nodes."""
    shown_as = Table(title="A run on more and more nodes")
    for heading in ("nodes", "hours", "core-hours", "of them used", "lost with nodes", "sender busy"):
        shown_as.add_column(heading, justify="right")
    for each in found:
        shown_as.add_row(
            f"{each.nodes:,}", f"{each.hours:,.2f}", f"{each.paid:,.1f}", f"{each.used:.0%}", f"{each.lost:,.1f}",
            f"{each.sending:.0%}",
        )  # fmt: skip
    return shown_as


def picture(runs: Sequence[tuple[str, Sequence[Forecast]]]) -> bytes:
    """Return how many times faster than one node each run is, as the bytes of a PNG.

    Args:
        runs: the name of each run, and its forecasts, the first of them for one node.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # needs no screen and no global state
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    most = max(each.nodes for _, found in runs for each in found)
    axes.plot([1, most], [1, most], color="grey", linewidth=0.8, linestyle="--", label="as many times faster as nodes")
    for (name, found), colour, mark in zip(runs, ("#0072B2", "#D55E00", "#009E73", "#CC79A7"), "osD^", strict=False):
        speeds = [found[0].hours / each.hours for each in found]
        axes.plot([each.nodes for each in found], speeds, color=colour, marker=mark, markersize=4, label=name)
    axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel="times faster than on one node")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    return stream.getvalue()


@dataclass(frozen=True)
class SimulateOptions:
    """The run, the numbers of nodes, and where the picture goes."""

    plan: Annotated[Plan, tyro.conf.OmitArgPrefixes] = Plan()
    nodes: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    """Numbers of nodes."""
    also: tuple[float, ...] = ()
    """Other mean times of a part, for the picture: as many runs of the same length on one core."""
    picture: Path | None = None
    """Draw how many times faster the run is to this file (.png)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    chosen = tyro.cli(SimulateOptions, args=arguments, description=__doc__, prog="simulate")
    from dominion_training.records import write_atomically

    console, plan = Console(), chosen.plan
    found = [forecast(plan, nodes) for nodes in chosen.nodes]
    console.print(table(found))
    if chosen.picture is None:
        return 0
    runs = [(f"parts of {plan.seconds:g} s", found)]
    for seconds in chosen.also:
        other = replace(plan, seconds=seconds, parts=max(1, round(plan.parts * plan.seconds / seconds)))
        runs.append((f"parts of {seconds:g} s", [forecast(other, nodes) for nodes in chosen.nodes]))
    write_atomically(chosen.picture, picture(runs))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
