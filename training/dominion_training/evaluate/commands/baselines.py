"""The command `dominion baselines [AGENT ...]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.players.registry import trusting
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.evaluate.commands.options import GAME, RUN, Game, Run, Trust, check_place
from dominion_training.evaluate.commands.steps import playing, record_of, results_of, write_record


@dataclass(frozen=True)
class BaselineOptions:
    """Rate the project's own agents, and others with them, kingdom by kingdom.

    On each kingdom those strategies play that find all their cards there. Further agents are given as for `dominion
    benchmark` and play everywhere. A model of stable-baselines3 (model.zip) needs --trust: load only files that you trust.
    Big Money is 0. After an interruption, the same command goes on where it was.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Further agents."""
    kingdom: Annotated[tuple[str, ...], tyro.conf.arg(help_behavior_hint="(default: all sets)")] = tuple(KINGDOMS)
    """Recommended sets, or ten card names with commas between."""
    games: int = 1000
    """Number of games of each match on each kingdom, an even number."""
    markdown: Path | None = None
    """Write the tables to this file too, in Markdown."""
    paper: bool = False
    """Write for a paper: Elo with intervals as ratings.svg and .pdf, ratings and scores as tables in CSV and LaTeX."""
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(BaselineOptions, args=arguments, prog="dominion baselines")
    with trusting(chosen.trust):
        return _run(chosen, arguments)


def _run(chosen: BaselineOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_training.common.records import write_atomically
    from dominion_training.evaluate.benchmark import RATINGS_METHOD
    from dominion_training.evaluate.reports import tables
    from dominion_training.evaluate.reports.markdown import standings_in_markdown
    from dominion_training.evaluate.reports.paper import write_paper
    from dominion_training.evaluate.reports.pictures import payoff_picture
    from dominion_training.evaluate.standings import plan_standings, standings
    from dominion_training.executors.work import agents_of

    run, options = chosen.run, chosen.game.for_batch()
    check_place("--markdown", chosen.markdown)
    _, planned = plan_standings(chosen.agents, chosen.kingdom, run.seed or 0, options)
    console = Console()
    with results_of("baselines", run, planned) as (out, matches, executor):
        addresses = matches[0].addresses(chosen.games) | {"kingdom": list(chosen.kingdom)}
        with playing(chosen.games * len(matches), out, console) as advance:
            found = standings(
                chosen.agents, chosen.kingdom, chosen.games, executor, out, matches[0].seed, advance, **options
            )
        record = record_of("baselines", arguments, agents_of(matches)) | {
            "ratings_method": RATINGS_METHOD,
            "addresses": addresses,
        }
        write_record(record | found.summary(), out, run.json)
        write_atomically(out / "matrix.png", payoff_picture(found.everywhere))
        if chosen.paper:
            write_paper(out, found.everywhere)
        if chosen.markdown is not None:
            write_atomically(chosen.markdown, standings_in_markdown(found, chosen.games) + "\n")
        for each in found.by_kingdom.values():
            console.print(tables.ratings(each, console.width))
        for part in tables.matrices(found.everywhere, console.width):
            console.print(part)
        console.print(f"Games and results: {escape(str(out))}")
        return 0
