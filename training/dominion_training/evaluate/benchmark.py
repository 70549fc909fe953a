"""Agents against each other over kingdoms: payoff matrix, ratings, Nash averaging. `dominion benchmark AGENT ...`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console

from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_env.errors import InvalidOption
from dominion_training.evaluate import report, tables
from dominion_training.evaluate.compare import command
from dominion_training.evaluate.games import Games
from dominion_training.evaluate.match import MatchResult, score_interval
from dominion_training.evaluate.nash import NashEstimate, nash_estimate, set_payoffs
from dominion_training.evaluate.ratings import Ratings, encounter, fit
from dominion_training.evaluate.runner import (
    Folder,
    Match,
    as_plain,
    check_place,
    default_folder,
    run_tasks,
    sets_of,
    tasks_of,
    versions,
    write_atomically,
)

ANCHOR = "big-money"


@dataclass(frozen=True)
class Benchmark:
    """All matches between some agents on some kingdoms, on the same addresses each.

    Attributes:
        agents: specifications; one of them is the anchor, Big Money.
        kingdoms: as in `Match`.
        num_players: seats; two players meet once, of more one copy of the row's agent meets copies of the column's.
        results: by (row, column, kingdom) numbers; of two players, row < column.
    """

    agents: tuple[str, ...]
    kingdoms: tuple[str, ...]
    num_players: int
    results: dict[tuple[int, int, int], MatchResult]

    def payoff(self, kingdom: int | None = None) -> NDArray[np.float64]:
        """Scores of row against column, float64 (agents, agents): on one kingdom, or the mean over all. An agent
        against itself scores 1 / players."""
        return self._payoffs[kingdom][0]

    def interval(self, kingdom: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Ends of the 95% confidence intervals of `payoff`."""
        _, low, high = self._payoffs[kingdom]
        return low, high

    @cached_property
    def ratings(self) -> Ratings:
        """Over all kingdoms; Big Money has 0."""
        return self._fit(range(len(self.kingdoms)))

    @cached_property
    def ratings_by_kingdom(self) -> list[Ratings]:
        """On each kingdom alone."""
        return [self._fit([kingdom]) for kingdom in range(len(self.kingdoms))]

    @cached_property
    def nash(self) -> NashEstimate | None:
        """Of the mean payoff, with intervals over sets; None after a single set, which says nothing about its spread, and
        at tables of more than two, whose game is not zero-sum between two."""
        sets = {
            (row, column): np.mean([self.results[row, column, k].set_scores for k in range(len(self.kingdoms))], axis=0)
            for row, column in dict.fromkeys((row, column) for row, column, _ in self.results)
        }
        if self.num_players != 2 or len(next(iter(sets.values()))) < 2:
            return None
        return nash_estimate(set_payoffs(len(self.agents), sets))

    @property
    def field_scores(self) -> NDArray[np.float64]:
        """Mean score against the other agents on each kingdom, float64 (agents, kingdoms)."""
        n = len(self.agents)
        others = ~np.eye(n, dtype=np.bool_)
        return np.array([self.payoff(k)[others].reshape(n, n - 1).mean(axis=1) for k in range(len(self.kingdoms))]).T

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers, for JSON."""
        low, high = self.interval()
        matches = [
            {"first": self.agents[row], "second": self.agents[column], "kingdom": self.kingdoms[k], **result.summary()}
            for (row, column, k), result in self.results.items()
        ]
        plain: dict[str, Any] = as_plain(
            {
                "agents": self.agents,
                "kingdoms": self.kingdoms,
                "players": self.num_players,
                "payoff": self.payoff(),
                "payoff_low": low,
                "payoff_high": high,
                "ratings": self.ratings,
                "ratings_by_kingdom": dict(zip(self.kingdoms, self.ratings_by_kingdom, strict=True)),
                "ratings_method": RATINGS_METHOD,
                "nash": self.nash,
                "field_scores": self.field_scores,
                "matches": matches,
            }
        )
        return plain

    @cached_property
    def _payoffs(self) -> dict[int | None, tuple[NDArray[np.float64], ...]]:
        numbers = range(len(self.kingdoms))
        return {kingdom: self._matrix(numbers if kingdom is None else [kingdom]) for kingdom in (None, *numbers)}

    def _matrix(self, kingdoms: Sequence[int]) -> tuple[NDArray[np.float64], ...]:
        """Scores and the ends of their intervals; games of one address on several kingdoms count as one observation."""
        n = len(self.agents)
        score, low, high = np.full((3, n, n), 1 / self.num_players)
        for row, column in {(row, column) for row, column, _ in self.results}:
            sets = np.mean([self.results[row, column, kingdom].set_scores for kingdom in kingdoms], axis=0)
            score[row, column] = sets.mean()
            low[row, column], high[row, column] = score_interval(sets)
            if self.num_players == 2:
                score[column, row] = 1 - score[row, column]
                low[column, row], high[column, row] = 1 - high[row, column], 1 - low[row, column]
        return score, low, high

    def _fit(self, kingdoms: Sequence[int]) -> Ratings:
        chosen = [encounter(row, column, result) for (row, column, k), result in self.results.items() if k in kingdoms]
        return fit(len(self.agents), chosen, anchor=self.agents.index(ANCHOR))


RATINGS_METHOD = (
    "Bradley-Terry (Luce's choice rule at tables of more than two) by maximum likelihood, shared victories in parts, an "
    "advantage for each place in the order of turns, Jeffreys' prior; intervals from the robust covariance with all games "
    "of one address as one observation; Big Money is 0"
)


def benchmark(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_games: int,
    workers: int = 1,
    folder: Path | None = None,
    num_players: int = 2,
    seed: int = 0,
    progress: Callable[[int, str], None] = lambda games, note: None,
    **options: Any,
) -> Benchmark:
    """Let every agent meet every other.

    Args:
        agents: specifications; Big Money is added if it is missing, as ratings count from it.
        kingdoms: as in `Match`.
        num_games: of each match on each kingdom.
        workers: processes.
        folder: where games are kept.
        num_players, seed, options: as in `Match`.
        progress: is told the games finished, and the match they are of.

    Raises:
        InvalidOption: an agent or kingdom named twice or not by a text, no kingdom, or nobody but Big Money.
        DominionError: as `run_tasks` and `Folder`.
    """
    everybody, matches = plan(agents, kingdoms, num_players, seed, options)
    played = play(matches, num_games, workers, Folder(folder, matches) if folder is not None else None, progress)
    return collect(everybody, kingdoms, num_players, played)


def play(
    matches: Sequence[Match],
    num_games: int,
    workers: int = 1,
    folder: Folder | None = None,
    progress: Callable[[int, str], None] = lambda games, note: None,
) -> dict[Match, MatchResult]:
    """Play matches; arguments as in `benchmark`."""
    tasks = [task for match in matches for task in tasks_of(match, sets_of(num_games, match.num_players))]
    parts: dict[Match, list[Games]] = {}
    done = 0
    for task, games in run_tasks(tasks, workers, folder):
        match = task.match
        parts.setdefault(match, []).append(games)
        done += len(games)
        progress(done, f"{match.first} against {match.second}, {match.kingdom}")
    return {match: MatchResult(np.concatenate(games)) for match, games in parts.items()}


def collect(
    agents: Sequence[str], kingdoms: Sequence[str], num_players: int, played: Mapping[Match, MatchResult]
) -> Benchmark:
    """The benchmark of these agents on these kingdoms, all matches of which have been played (others may have, too)."""
    results = {
        (agents.index(match.first), agents.index(match.second), kingdoms.index(match.kingdom)): result
        for match, result in played.items()
        if match.first in agents and match.second in agents and match.kingdom in kingdoms
    }
    return Benchmark(tuple(agents), tuple(kingdoms), num_players, results)


def plan(
    agents: Sequence[str], kingdoms: Sequence[str], num_players: int, seed: int, options: dict[str, Any]
) -> tuple[tuple[str, ...], list[Match]]:
    """Who takes part, and the matches that are to be played."""
    for name, given in (("agents", agents), ("kingdoms", kingdoms)):
        if isinstance(given, str):
            raise InvalidOption(f"{name}: expected a list such as [{given!r}], got {given!r}")
        strange = [each for each in given if not isinstance(each, str)]
        if strange:
            raise InvalidOption(
                f"{name}: expected names, got {strange[0]!r}; code of your own is named as module:attribute or "
                'path/to/file.py:attribute, or by the name that it has from dominion_agents.register("name", maker)'
            )
        twice = sorted({each for each in given if list(given).count(each) > 1})
        if twice:
            raise InvalidOption(f"{name}: {', '.join(twice)} is named twice")
    if not kingdoms:
        raise InvalidOption("kingdoms: expected at least one, got none")
    everybody = tuple(agents) if ANCHOR in agents else (*agents, ANCHOR)
    if len(everybody) < 2:
        raise InvalidOption(f"agents: expected at least one other than {ANCHOR}")
    matches = [
        Match(everybody[row], everybody[column], kingdom, num_players, seed, options)
        for row, column in permutations(range(len(everybody)), 2)
        if row < column or num_players > 2
        for kingdom in kingdoms
    ]
    return everybody, matches


@dataclass
class BenchmarkOptions:
    """Rate agents against each other over kingdoms.

    Agents are registered names, saved models (model.zip), or code of your own (module:attribute, file.py:attribute). All
    matches are played on the same addresses, from every seat. Big Money always takes part: ratings count from it.
    Interrupted, the same command goes on where it was; with more games, agents or kingdoms and the same folder it plays
    only what is missing.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """Who takes part."""
    kingdom: tuple[str, ...] = ("first-game-2e",)
    """Names, such as size-distortion-2e, random, test; or ten card names with commas between."""
    games: int = 1000
    """Games of each match on each kingdom, a multiple of the number of players."""
    players: int = 2
    """Seats at the table, 2 to 6; from 3 on, one copy of an agent meets copies of another."""
    seed: int = 0
    """Of the games' addresses."""
    max_turns: int = DEFAULT_MAX_TURNS
    """A game that would begin a round beyond this is truncated."""
    ask_treasures: bool = False
    """Ask agents for every Treasure they play, instead of playing all."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes."""
    out: Path | None = None
    """Folder of the results [results/benchmark-..., one for each set of agents and kingdoms]."""
    json: Path | None = None
    """Write the result to this file too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit status is 0, or 130 when interrupted."""
    chosen = tyro.cli(BenchmarkOptions, args=arguments, prog="dominion benchmark")
    options = {"auto_treasures": not chosen.ask_treasures, "max_turns": chosen.max_turns}
    check_place("--json", chosen.json)
    everybody, matches = plan(chosen.agents, chosen.kingdom, chosen.players, chosen.seed, options)
    out = chosen.out or default_folder("benchmark", matches)
    console = Console()
    try:
        with tables.progress(chosen.games * len(matches), console) as advance:
            found = benchmark(
                chosen.agents, chosen.kingdom, chosen.games, chosen.workers, out, chosen.players, chosen.seed, advance,
                **options,
            )  # fmt: skip
    except KeyboardInterrupt:
        console.print(f"Interrupted. The games in {out} are kept: the same command goes on from there.")
        return 130
    record = {"command": command("benchmark", arguments), "versions": versions(), **found.summary()}
    record["addresses"] = tables.addresses(matches[0], sets_of(chosen.games, chosen.players)) | {
        "kingdom": list(chosen.kingdom)
    }
    text = json.dumps(record, indent=2) + "\n"
    write_atomically(out / "result.json", text)
    if chosen.json is not None:
        write_atomically(chosen.json, text)
    played = [
        (
            Match(everybody[row], everybody[column], chosen.kingdom[k], chosen.players, chosen.seed, options),
            result.games,
        )
        for (row, column, k), result in found.results.items()
    ]
    tables.write_games(out / "games.parquet", played)
    report.write_picture(out / "matrix.png", found)
    report.write_html(out / "report.html", found, record)
    console.print(tables.ratings(found))
    console.print(tables.matrix(found))
    console.print(f"Games, results and report: {out}")
    return 0
