"""`dominion baselines [AGENT ...]`: the project's own agents, and others beside them, rated kingdom by kingdom.

The tables of docs/results.md are made by this command.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_env.kingdoms import KINGDOMS
from dominion_training.evaluate import markdown, report, tables
from dominion_training.evaluate.benchmark import RATINGS_METHOD
from dominion_training.evaluate.compare import command
from dominion_training.evaluate.runner import check_place, default_folder, sets_of, versions, write_atomically
from dominion_training.evaluate.standings import planned, standings


@dataclass
class BaselineOptions:
    """Rate the project's own agents, and others beside them, kingdom by kingdom.

    On each kingdom those strategies play that find all their cards there. Further agents are given as for `dominion
    benchmark` and play everywhere. Big Money is 0. Interrupted, the same command goes on where it was.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Further agents."""
    kingdom: tuple[str, ...] = tuple(KINGDOMS)
    """Recommended sets, or ten card names with commas between."""
    games: int = 1000
    """Games of each match on each kingdom, an even number."""
    seed: int = 0
    """Of the games' addresses."""
    max_turns: int = DEFAULT_MAX_TURNS
    """A game that would begin a round beyond this is truncated."""
    ask_treasures: bool = False
    """Ask agents for every Treasure they play, instead of playing all."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes."""
    out: Path | None = None
    """Folder of the results [results/baselines-..., one for each set of agents and kingdoms]."""
    markdown: Path | None = None
    """Write the tables to this page too: between its lines <!-- standings --> and <!-- end -->, or as a new page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit status is 0, or 130 when interrupted."""
    chosen = tyro.cli(BaselineOptions, args=arguments, prog="dominion baselines")
    options = {"auto_treasures": not chosen.ask_treasures, "max_turns": chosen.max_turns}
    check_place("--markdown", chosen.markdown)
    _, matches = planned(chosen.agents, chosen.kingdom, chosen.seed, options)
    out = chosen.out or default_folder("baselines", matches)
    console = Console()
    try:
        with tables.progress(chosen.games * len(matches), console) as advance:
            found = standings(
                chosen.agents, chosen.kingdom, chosen.games, chosen.workers, out, chosen.seed, advance, **options
            )
    except KeyboardInterrupt:
        console.print(f"Interrupted. The games in {out} are kept: the same command goes on from there.")
        return 130
    record = {"command": command("baselines", arguments), "versions": versions(), "ratings_method": RATINGS_METHOD}
    addresses = tables.addresses(matches[0], sets_of(chosen.games, 2)) | {"kingdom": list(chosen.kingdom)}
    text = json.dumps({**record, "addresses": addresses, **found.summary()}, indent=2) + "\n"
    write_atomically(out / "result.json", text)
    report.write_picture(out / "matrix.png", found.everywhere)
    if chosen.markdown is not None:
        markdown.write_standings(chosen.markdown, found, chosen.games)
    for each in found.by_kingdom.values():
        console.print(tables.ratings(each))
    console.print(tables.matrix(found.everywhere))
    console.print(f"Games and results: {out}")
    return 0
