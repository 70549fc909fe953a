"""How strong a searching agent is with how many playouts.

    python -m dominion_training.evaluate.budgets planner --against double-witch any --kingdom size-distortion-2e
    python -m dominion_training.evaluate.budgets planner --against auto-2 --kingdom test --budgets 30 300 3000

The agent plays with each budget against each opponent, and a picture shows the scores with their 95% intervals. The time of
a decision is that of one core in some games of the match, without decisions that have one legal action. Interrupted, the same
command goes on where it was.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, cast

import numpy as np
import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dominion_env.agent import Actions, Keys, Masks, Observations, Searcher, searches
from dominion_env.checks import shown
from dominion_env.errors import InvalidOption
from dominion_env.situation import Situation
from dominion_training.evaluate.commands.options import Run, RunOptions
from dominion_training.evaluate.match import MatchResult, play_match, sets_of
from dominion_training.evaluate.work import Match, parse_kingdom

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BUDGETS = (10, 30, 100, 300, 1000, 3000, 10_000)
TIMED_GAMES = 4  # in which the time of a decision is measured
TIMED_SEED = 9_000_000


@dataclass(frozen=True)
class BudgetOptions:
    """The agent, its budgets, and whom it meets."""

    agent: Annotated[str, tyro.conf.Positional]
    """A searching agent that takes its playouts behind a colon: planner, search, ismcts, puct."""
    against: tuple[str, ...]
    """Its opponents; from three players on, at all other seats."""
    budgets: tuple[int, ...] = BUDGETS
    """Numbers of playouts of a decision."""
    games: int = 100
    """Number of games with each budget against each opponent, a multiple of the number of players."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, test; or ten card names with commas between."""
    players: int = 2
    """Number of seats at the table, 2 to 6."""
    run: Run = field(default_factory=RunOptions)


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


class Timed:
    """A searching agent whose time is taken."""

    def __init__(self, agent: Searcher) -> None:
        self.agent = agent
        self.observation = getattr(agent, "observation", None)
        self.fields = getattr(agent, "fields", None)
        self.seconds, self.decisions = 0.0, 0

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as the agent does without games."""
        return self.agent.act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose as the agent does, and note its CPU time."""
        start = time.process_time()
        actions = self.agent.decide(situation)
        self.seconds += time.process_time() - start
        self.decisions += int(np.count_nonzero(situation.action_masks.sum(axis=1) > 1))
        return actions

    @property
    def milliseconds(self) -> float:
        """CPU milliseconds of a decision with more than one legal action."""
        return 1000 * self.seconds / max(self.decisions, 1)


def milliseconds_of(match: Match) -> float:
    """Return the CPU milliseconds of a decision of the first agent of a match, after one game that does not count.

    Raises:
        InvalidOption: the agent does not search.
    """
    from dominion_training.evaluate.entrants import make_agent

    agent, other = make_agent(match.first), make_agent(match.second)
    if not searches(agent):
        raise InvalidOption(f"agent: expected one that searches, got {shown(match.first)}")
    timed = Timed(cast(Searcher, agent))
    for games in (match.num_players, match.num_players * TIMED_GAMES):
        timed.seconds, timed.decisions = 0.0, 0
        play_match(
            timed, other, games, TIMED_SEED, match.num_players, kingdom=parse_kingdom(match.kingdom), **match.options
        )
    return timed.milliseconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(BudgetOptions, args=arguments, description=__doc__, prog="budgets")
    from dominion_training.evaluate.commands.steps import playing
    from dominion_training.evaluate.compare import compare
    from dominion_training.evaluate.folder import Folder, default_folder
    from dominion_training.records import write_atomically

    sets_of(chosen.games, chosen.players)
    works = [
        (Match(f"{chosen.agent}:{budget}", opponent, chosen.kingdom, chosen.players, chosen.run.seed, {"auto_treasures": True}),
         budget)
        for opponent in chosen.against for budget in chosen.budgets
    ]  # fmt: skip
    matches, console = [match for match, _ in works], Console()
    folder = Folder(chosen.run.out or default_folder("budgets", matches), matches)
    points: list[Point] = []
    with playing(chosen.games * len(works), folder.path, console) as advance:
        for match, budget in works:
            done = chosen.games * len(points)
            note = f"{match.first} against {match.second}"
            found = compare(
                match, chosen.games, chosen.run.workers, folder,
                progress=lambda result, done=done, note=note: advance(done + result.num_games, note),  # type: ignore[misc]
            )  # fmt: skip
            points.append(Point(match, budget, found.result, milliseconds_of(match)))
            write_atomically(folder.path / "budgets.csv", as_csv(points))
    write_atomically(folder.path / "budgets.png", picture(chosen.agent, chosen.kingdom, points))
    console.print(table(points))
    console.print(f"Picture and figures: {escape(str(folder.path))}")
    return 0


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
    for opponent in dict.fromkeys(point.match.second for point in points):
        rows = [point.row() for point in points if point.match.second == opponent]
        scores, lows, highs = (100 * np.array([row[name] for row in rows]) for name in ("score", "low", "high"))
        axes.errorbar(
            [row["playouts"] for row in rows], scores, yerr=np.abs([scores - lows, highs - scores]), marker="o",
            markersize=4, linewidth=1.2, elinewidth=0.8, label=f"{opponent} ({rows[0]['games']} games a point)",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.set_xlabel("most playouts of a decision")
    axes.set_ylabel("score and 95% interval (%)")
    axes.set_title(f"{agent} on {kingdom}, against", fontsize=10, parse_math=False)
    axes.legend(fontsize=8, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
