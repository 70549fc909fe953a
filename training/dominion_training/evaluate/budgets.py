"""How strong a searching agent is with how many playouts: the points of a curve, and how long a decision takes."""

from __future__ import annotations

import csv
import io
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from dominion_env import GameBatch
from dominion_env.agent import Agent, ask, gains_for, searches
from dominion_env.checks import shown
from dominion_env.errors import InvalidOption
from dominion_training.evaluate.entrants import make_agent
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.work import Match, parse_kingdom

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIMED_GAMES = 4  # from each seat, in which the time of a decision is measured
TIMED_SEED = 9_000_000


@dataclass(frozen=True)
class Point:
    """A budget against one opponent: the games, and the time of a decision."""

    match: Match
    budget: int
    result: MatchResult
    milliseconds: float

    def row(self) -> dict[str, Any]:
        """Return everything as plain values."""
        low, high = self.result.interval()
        return {
            "opponent": self.match.second, "playouts": self.budget, "milliseconds": round(self.milliseconds, 2),
            "score": round(self.result.score, 4), "low": round(low, 4), "high": round(high, 4),
            "games": self.result.num_games,
        }  # fmt: skip


def milliseconds_of(match: Match) -> float:
    """Return the CPU milliseconds of a decision of the first agent of a match, after some games that do not count.

    Decisions with one legal action are left out.

    Raises:
        InvalidOption: the agent does not search.
    """
    agent, other = make_agent(match.first), make_agent(match.second)
    if not searches(agent):
        raise InvalidOption(f"agent: expected one that searches, got {shown(match.first)}")
    _timed(agent, other, match, match.num_players)
    return _timed(agent, other, match, TIMED_GAMES * match.num_players)


def _timed(agent: Agent, other: Agent, match: Match, games: int) -> float:
    """Play games in which the agent has each seat as often, and return the milliseconds of its decisions."""
    batch = GameBatch(
        games,
        match.num_players,
        seed=TIMED_SEED,
        kingdom=parse_kingdom(match.kingdom),
        autoreset=False,
        **match.options,
    )
    own = np.arange(games) % match.num_players
    gains, running = gains_for(batch, [agent, other]), np.ones(games, np.bool_)
    seconds, decisions = 0.0, 0
    while running.any():
        mine = running & (batch.current_player == own)
        actions = np.zeros(games, np.int64)
        if (rows := np.flatnonzero(running & ~mine)).size:
            actions[rows] = ask(other, batch, rows, gains)
        if (rows := np.flatnonzero(mine)).size:
            start = time.process_time()
            actions[rows] = ask(agent, batch, rows, gains)
            seconds += time.process_time() - start
            decisions += int(np.count_nonzero(batch.action_mask[rows].sum(axis=1) > 1))
        _, terminated, truncated = batch.step(actions)
        if gains is not None:
            gains.update()
        running &= ~(terminated | truncated)
    return 1000 * seconds / max(decisions, 1)


def as_csv(points: Sequence[Point]) -> str:
    """Return a line for each point, below the names of the columns."""
    stream = io.StringIO()
    rows = [point.row() for point in points]
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def table(points: Sequence[Point]) -> Table:
    """Return the points as a table for the terminal."""
    found = Table("opponent", "playouts", "CPU ms", "score", "95% interval", "games")
    for row in (point.row() for point in points):
        found.add_row(
            row["opponent"], f"{row['playouts']:,}", f"{row['milliseconds']:.1f}", f"{row['score']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}", f"{row['games']:,}",
        )  # fmt: skip
    return found


def picture(agent: str, kingdom: str, points: Sequence[Point]) -> bytes:
    """Return the scores over the budgets, a line for each opponent, as the bytes of a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Axes = figure.subplots()
    axes.axhline(100 * points[0].result.even, color="grey", linewidth=0.8, linestyle="--")
    opponents = dict.fromkeys(point.match.second for point in points)
    for opponent, marker in zip(opponents, itertools.cycle("os^Dv"), strict=False):
        rows = [point.row() for point in points if point.match.second == opponent]
        scores, lows, highs = (100 * np.array([row[name] for row in rows]) for name in ("score", "low", "high"))
        axes.errorbar(
            [row["playouts"] for row in rows], scores, yerr=np.abs([scores - lows, highs - scores]), marker=marker,
            markersize=4, linewidth=1.2, elinewidth=0.8, clip_on=False, label=f"{opponent} ({rows[0]['games']} games a point)",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.set_xlabel("most playouts of a decision")
    axes.set_ylabel("score and 95% interval (%)")
    axes.set_title(f"{agent} on {kingdom}, against", fontsize=10, parse_math=False)
    figure.legend(fontsize=8, loc="outside lower left", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()
