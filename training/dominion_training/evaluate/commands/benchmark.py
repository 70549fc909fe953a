"""The command `dominion benchmark AGENT ...`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.players.registry import trusting
from dominion_training.evaluate.commands.options import (
    CONTEST,
    GAME,
    RUN,
    Contest,
    Game,
    Run,
    Trust,
    games_from_every_seat,
)
from dominion_training.evaluate.commands.steps import playing, record_of, results_of, write_record


@dataclass(frozen=True)
class BenchmarkOptions:
    """Rate agents against each other over kingdoms.

    Agents are registered names, models (model.safetensors), code of your own (module:attribute, file.py:attribute), or
    functions of a text to a text, such as language models (text:module:function).
    A model of stable-baselines3 (model.zip) needs --trust: load only files that you trust. All matches are played on the
    same addresses, from every seat. Big Money always takes part: ratings count from it.
    After an interruption, the same command goes on where it was; with more games, agents or kingdoms and the same folder it plays
    only what is missing.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """The agents that take part."""
    kingdom: tuple[str, ...] = ("first-game-2e",)
    """Names, such as size-distortion-2e, random, test; or ten card names with commas between."""
    games: int | None = None
    """Number of games of each match on each kingdom, a multiple of the players [1000, or just below]."""
    players: int = 2
    """Number of seats at the table, 2 to 6; from 3 on, one copy of an agent meets copies of another."""
    paper: bool = False
    """Write for a paper: Elo with intervals as ratings.svg and .pdf, ratings and scores as tables in CSV and LaTeX."""
    contest: Contest = CONTEST
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN

    @property
    def num_games(self) -> int:
        """Number of games of a match."""
        return games_from_every_seat(self.games, 1000, self.players)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(BenchmarkOptions, args=arguments, prog="dominion benchmark")
    with trusting(chosen.trust):
        return _run(chosen, arguments)


def _run(chosen: BenchmarkOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_training.common.records import write_atomically
    from dominion_training.evaluate.benchmark import collect, plan_matches, play_matches
    from dominion_training.evaluate.reports import tables
    from dominion_training.evaluate.reports.paper import write_paper
    from dominion_training.evaluate.reports.parquet import write_games
    from dominion_training.evaluate.reports.pictures import payoff_picture
    from dominion_training.evaluate.reports.report import html_report
    from dominion_training.executors.folder import Folder

    run = chosen.run
    options, console = chosen.game.for_batch(), Console()
    named, limits = chosen.contest.named(chosen.agents), chosen.contest.limits()
    agents, planned = plan_matches(named, chosen.kingdom, chosen.players, run.seed or 0, options, limits)
    with results_of("benchmark", run, planned) as (path, matches, executor):
        addresses = matches[0].addresses(chosen.num_games) | {"kingdom": list(chosen.kingdom)}
        folder = Folder(path, matches)
        with playing(chosen.num_games * len(matches), path, console) as advance:
            played = play_matches(matches, chosen.num_games, executor, folder, advance)
        found = collect(agents, chosen.kingdom, chosen.players, played)
        record = record_of("benchmark", arguments, agents) | found.summary() | {"addresses": addresses}
        write_record(record, path, run.json)
        write_games(path / "games.parquet", [(match, result.games) for match, result in played.items()])
        write_atomically(path / "matrix.png", payoff_picture(found))
        if chosen.paper:
            write_paper(path, found)
        write_atomically(path / "report.html", html_report(found, record))
        console.print(tables.ratings(found, console.width))
        console.print(tables.matrix(found))
        if (taken := tables.taken(found)) is not None:
            console.print(taken)
        console.print(f"Games, results and report: {escape(str(path))}")
        return 0
