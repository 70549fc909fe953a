"""What is shown and written: tables on the screen, games as Parquet, progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from dominion_env import CARDS
from dominion_training.evaluate.games import Games
from dominion_training.evaluate.match import ENDINGS
from dominion_training.evaluate.report import by_strength, labels, legend
from dominion_training.evaluate.runner import Match
from dominion_training.evaluate.sequential import MEANINGS

if TYPE_CHECKING:
    from dominion_training.evaluate.benchmark import Benchmark
    from dominion_training.evaluate.compare import Comparison


@contextmanager
def progress(total: int, console: Console, unit: str = "games") -> Iterator[Callable[[int, str], None]]:
    """A bar on the screen; yields a function that is told how many are done, and what else to say."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done, note: bar.update(task, completed=done, description=escape(note))


def comparison(found: Comparison) -> Table:
    """A comparison for people."""
    result, match = found.result, found.match
    others = "" if match.num_players == 2 else f" at the other {match.num_players - 1} seats"
    title = escape(f"{match.first} against {match.second}{others}, {match.kingdom}")
    table = Table(title=title, show_header=False)
    low, high = result.interval()
    table.add_row("score (win, shared win in parts)", f"{result.score:.2%}   95% interval {low:.2%} to {high:.2%}")
    table.add_row("score of equals", f"{result.even:.2%}")
    plain = found.summary()
    if result.elo is not None:
        table.add_row("Elo difference", f"{result.elo:+.1f}   normalised {plain['normalised_elo']:+.1f}")
    table.add_row("games", f"{result.num_games:,} in {len(result.set_scores):,} sets with the same luck")
    table.add_row("won, shared, lost", f"{result.wins:,}, {result.ties:,}, {result.losses:,}")
    places = ", ".join(f"{score:.2%}" for score in result.score_by_position)
    table.add_row("score when first, second ... to act", places)
    mean, deviation = result.rounds
    table.add_row("rounds", f"{mean:.2f}, standard deviation {deviation:.2f}")
    table.add_row("ended by", ", ".join(f"{name} {number:,}" for name, number in result.endings.items()))
    table.add_row("scores of sets", ", ".join(f"{score}: {number:,}" for score, number in plain["set_scores"].items()))
    ratio = result.variance_ratio
    table.add_row("variance against independent games", "no spread" if ratio is None else f"{ratio:.3f}")
    if found.test is not None and found.verdict is not None:
        test = found.test
        table.add_row(
            f"sequential test, {test.elo0:g} or {test.elo1:g} normalised Elo",
            f"{MEANINGS[found.verdict]} (log-likelihood ratio {test.log_likelihood_ratio(result.set_scores):+.2f}, "
            f"bounds {test.bounds[0]:+.2f} and {test.bounds[1]:+.2f})",
        )
        if found.verdict != "undecided":
            table.add_row("", "It stopped at the verdict, so score and Elo lie, on average, too far from even.")
    return table


def ratings(found: Benchmark) -> Table:
    """The agents of a benchmark, strongest first."""
    table = Table(title=f"Ratings, {found.num_players} players, {'; '.join(found.kingdoms)}")
    nash, fitted = found.nash, found.ratings
    for heading in ("agent", "Elo", "95% interval", *(("Nash weight", "Nash skill") if nash is not None else ())):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    short = labels(found.agents)
    for agent in by_strength(found):
        name = found.agents[agent] if short[agent] == found.agents[agent] else f"{short[agent]} {found.agents[agent]}"
        cells = [f"{fitted.elo[agent]:+.0f}", f"{fitted.low[agent]:+.0f} to {fitted.high[agent]:+.0f}"]
        if nash is not None:
            cells += [
                f"{nash.weights[agent]:.2f} ({nash.weights_low[agent]:.2f} to {nash.weights_high[agent]:.2f})",
                f"{nash.skill[agent]:+.3f} ({nash.skill_low[agent]:+.3f} to {nash.skill_high[agent]:+.3f})",
            ]
        table.add_row(escape(name), *cells)
    seat = f"{fitted.seat_elo[0]:+.1f} Elo, {fitted.seat_low[0]:+.1f} to {fitted.seat_high[0]:+.1f}"
    table.caption = f"Big Money is 0. First to act over last: {seat}"
    return table


def matrix(found: Benchmark) -> Table:
    """Scores of row against column with half widths of the intervals, strongest first."""
    names = labels(found.agents)
    table = Table("", title="Score of row against column (%), mean over kingdoms")
    if notes := legend(found.agents):
        table.caption = escape("\n".join(notes))
        table.caption_justify = "left"
    order, payoff = by_strength(found), found.payoff()
    low, high = found.interval()
    for agent in order:
        table.add_column(escape(names[agent]), justify="right")
    for row in order:
        cells = [
            "-" if row == column
            else f"{100 * payoff[row, column]:.1f} ± {50 * (high[row, column] - low[row, column]):.1f}"
            for column in order
        ]  # fmt: skip
        table.add_row(escape(names[row]), *cells)
    return table


def addresses(match: Match, num_sets: int) -> dict[str, Any]:
    """Which games were played: of each set the same address once for each rotation."""
    return {
        "seed": match.seed,
        "index": [0, num_sets - 1],
        "episode": 0,
        "rotations": match.num_players,
        "kingdom": match.kingdom,
        "players": match.num_players,
        "options": dict(match.options),
    }


def games_frame(match: Match, games: Games) -> pl.DataFrame:
    """Games as a table: address, who sat where, and how it ended."""
    players = match.num_players
    names = np.array([card.name for card in CARDS])
    specs = np.array([match.first, *[match.second] * (players - 1)])
    columns: dict[str, Any] = {
        "first": [match.first] * len(games),
        "second": [match.second] * len(games),
        "kingdom": [match.kingdom] * len(games),
        "cards": [", ".join(row) for row in names[games["kingdom"]]],
        "seed": pl.Series([match.seed % (1 << 64)] * len(games), dtype=pl.UInt64),
        "index": games["set"],
        "episode": np.zeros(len(games), np.int64),
        "rotation": games["rotation"],
        "starter": games["starter"],
        "rounds": games["rounds"],
        "ended": [ENDINGS[code] for code in games["ended"].tolist()],
    }
    for seat in range(players):
        columns |= {
            f"agent_{seat}": specs[(seat - games["rotation"]) % players],
            f"share_{seat}": np.ascontiguousarray(games["shares"][:, seat]),
            f"points_{seat}": np.ascontiguousarray(games["points"][:, seat]),
            f"turns_{seat}": np.ascontiguousarray(games["turns"][:, seat]),
        }
    return pl.DataFrame(
        {
            name: np.ascontiguousarray(column) if isinstance(column, np.ndarray) else column
            for name, column in columns.items()
        }
    )


def write_games(path: Path, played: Sequence[tuple[Match, Games]]) -> None:
    """All games of these matches as one Parquet file."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    pl.concat([games_frame(match, games) for match, games in played]).write_parquet(aside)
    aside.replace(path)
