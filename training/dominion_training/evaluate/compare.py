"""Is one agent better than another, by how much, and how sure is that? `dominion compare A B`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_env.errors import InvalidOption
from dominion_training.evaluate import tables
from dominion_training.evaluate.games import Games
from dominion_training.evaluate.match import MatchResult
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
from dominion_training.evaluate.sequential import SequentialTest, Verdict


@dataclass(frozen=True)
class Comparison:
    """What was found.

    Attributes:
        match: who met whom.
        result: the games that count; with a sequential test those up to its verdict.
        test: the sequential test, if there is one.
        verdict: its verdict.
    """

    match: Match
    result: MatchResult
    test: SequentialTest | None = None
    verdict: Verdict | None = None

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers, for JSON."""
        plain: dict[str, Any] = {"first": self.match.first, "second": self.match.second, **self.result.summary()}
        test = self.test or SequentialTest(players=self.match.num_players)
        scores = self.result.set_scores
        plain["normalised_elo"] = test.normalised_elo(scores)
        plain["set_scores"] = {f"{score:g}": number for score, number in test.counts(scores).items()}
        if self.test is not None:
            plain["sequential_test"] = {
                "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "bounds": test.bounds,
                "log_likelihood_ratio": test.log_likelihood_ratio(scores), "verdict": self.verdict,
            }  # fmt: skip
        found: dict[str, Any] = as_plain(plain)
        return found


def compare(
    match: Match,
    num_games: int,
    workers: int = 1,
    folder: Folder | None = None,
    test: SequentialTest | None = None,
    progress: Callable[[MatchResult], None] = lambda result: None,
) -> Comparison:
    """Play a match on several cores; with a sequential test, until its verdict or the last game.

    The test looks at the games after each 25 sets, in order: its verdict does not depend on the workers.

    Args:
        match: who meets whom.
        num_games: a multiple of the number of players; with a test, the most.
        workers, folder: as in `run_tasks`.
        test: stops the match.
        progress: is shown the result so far.

    Raises:
        InvalidOption: not complete sets; a test for another number of players.
        DominionError: as `run_tasks`.
    """
    if test is not None and test.players != match.num_players:
        raise InvalidOption(f"test: it is for {test.players} players, the match has {match.num_players}")
    parts: list[Games] = []
    verdict: Verdict | None = None
    for _, games in run_tasks(tasks_of(match, sets_of(num_games, match.num_players)), workers, folder):
        already = sum(len(each) for each in parts) // match.num_players
        parts.append(games)
        result = MatchResult(np.concatenate(parts))
        if test is not None:
            verdict, looked_at = test.first_verdict(result.set_scores, already)
            result = MatchResult(result.games[: looked_at * match.num_players])
        progress(result)
        if verdict not in (None, "undecided"):
            break
    return Comparison(match, result, test, verdict)


@dataclass
class CompareOptions:
    """Is one agent better than another, by how much, and how sure is that?

    Agents are registered names, saved models (model.zip), or code of your own (module:attribute, file.py:attribute).
    Every game is played from every seat with the same luck. Interrupted, the same command goes on where it was.
    """

    first: Annotated[str, tyro.conf.Positional]
    """The agent in question."""
    second: Annotated[str, tyro.conf.Positional]
    """Whom it meets; from three players on, at all other seats."""
    games: int = 2000
    """Games, a multiple of the number of players; with --elo1, the most that are played."""
    elo0: float | None = None
    """Sequential test: hypothesis that the first agent is at most this much better, in normalised Elo [0 with --elo1]."""
    elo1: float | None = None
    """Sequential test: hypothesis that it is at least this much better; stops as soon as one of the two is accepted."""
    alpha: float = 0.05
    """Sequential test: how often it may accept elo1 where elo0 holds."""
    beta: float = 0.05
    """Sequential test: how often it may accept elo0 where elo1 holds."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, test; or ten card names with commas between."""
    players: int = 2
    """Seats at the table, 2 to 6."""
    seed: int = 0
    """Of the games' addresses."""
    max_turns: int = DEFAULT_MAX_TURNS
    """A game that would begin a round beyond this is truncated."""
    ask_treasures: bool = False
    """Ask agents for every Treasure they play, instead of playing all."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes."""
    out: Path | None = None
    """Folder of the results [results/compare-..., one for each kind of match]."""
    json: Path | None = None
    """Write the result to this file too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit status is 0, or 130 when interrupted."""
    chosen = tyro.cli(CompareOptions, args=arguments, prog="dominion compare")
    if chosen.elo0 is not None and chosen.elo1 is None:
        raise InvalidOption(f"--elo0 {chosen.elo0:g}: a sequential test needs --elo1 too")
    test = None
    if chosen.elo1 is not None:
        test = SequentialTest(chosen.elo0 or 0.0, chosen.elo1, chosen.alpha, chosen.beta, chosen.players)
    options = {"auto_treasures": not chosen.ask_treasures, "max_turns": chosen.max_turns}
    match = Match(chosen.first, chosen.second, chosen.kingdom, chosen.players, chosen.seed, options)
    sets_of(chosen.games, chosen.players)
    check_place("--json", chosen.json)
    folder = Folder(chosen.out or default_folder("compare", [match]), [match])
    console = Console()
    try:
        with tables.progress(chosen.games, console) as advance:
            found = compare(
                match, chosen.games, chosen.workers, folder, test, lambda result: advance(result.num_games, str(result))
            )
    except KeyboardInterrupt:
        console.print(f"Interrupted. The games in {folder.path} are kept: the same command goes on from there.")
        return 130
    record = {"command": command("compare", arguments), "versions": versions(), **found.summary()}
    record["addresses"] = tables.addresses(match, len(found.result.set_scores))
    text = json.dumps(record, indent=2) + "\n"
    write_atomically(folder.path / "result.json", text)
    if chosen.json is not None:
        write_atomically(chosen.json, text)
    tables.write_games(folder.path / "games.parquet", [(match, found.result.games)])
    console.print(tables.comparison(found))
    console.print(f"Games and results: {folder.path}")
    return 0


def command(name: str, arguments: Sequence[str] | None) -> str:
    """The command as it was called."""
    return shlex.join(["dominion", name, *(sys.argv[1:] if arguments is None else arguments)])
