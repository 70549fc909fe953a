"""Where agents stand among the project's own, kingdom by kingdom. `dominion baselines [AGENT ...]`.

A strategy without its cards is Big Money under another name. So on each kingdom only those play that find all the cards
there which they buy; who needs none, and `auto`, play on all. The tables of docs/results.md are made by this command.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

from agents import STRATEGIES
from dominion_env.batch import DEFAULT_MAX_TURNS
from dominion_env.errors import InvalidOption
from dominion_env.kingdoms import KINGDOMS, resolve
from training.evaluate import markdown, report, tables
from training.evaluate.benchmark import RATINGS_METHOD, Benchmark, collect, plan, play
from training.evaluate.compare import command
from training.evaluate.ratings import Z
from training.evaluate.runner import (
    Folder,
    Match,
    default_folder,
    parse_kingdom,
    sets_of,
    versions,
    write_atomically,
)


@dataclass(frozen=True)
class Standings:
    """What was found.

    Attributes:
        by_kingdom: everybody who plays on a kingdom, on that kingdom.
        everywhere: those who play on all kingdoms, over all of them.
    """

    by_kingdom: dict[str, Benchmark]
    everywhere: Benchmark

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers, for JSON."""
        return {
            "everywhere": self.everywhere.summary(),
            "by_kingdom": {kingdom: found.summary() for kingdom, found in self.by_kingdom.items()},
        }


def baselines_for(kingdom: str) -> tuple[str, ...]:
    """`random`, `auto`, and the project's strategies that have all cards there which they buy.

    Args:
        kingdom: a recommended set, or ten card names with commas between.

    Raises:
        InvalidKingdom: there is no such kingdom.
        InvalidOption: it is not one set of ten cards.
    """
    kingdoms = resolve(parse_kingdom(kingdom)).kingdoms
    if len(kingdoms) != 1:
        raise InvalidOption(f"kingdom {kingdom}: one set of ten cards is wanted, as who plays depends on the cards")
    cards = set(kingdoms[0].tolist())
    return ("random", "auto", *(name for name, each in STRATEGIES.items() if cards.issuperset(each.kingdom_cards)))


def standings(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_games: int,
    workers: int = 1,
    folder: Path | None = None,
    seed: int = 0,
    progress: Callable[[int, str], None] = lambda games, note: None,
    **options: Any,
) -> Standings:
    """Let agents and baselines meet each other, two players, on the same addresses on every kingdom.

    Args:
        agents: specifications of further agents, who play on all kingdoms; there may be none.
        kingdoms: as in `baselines_for`.
        num_games: of each match on each kingdom.
        workers, folder, seed, progress, options: as in `benchmark`.

    Raises:
        InvalidOption: an agent or kingdom named twice, or no kingdom.
        DominionError: as `baselines_for`, `run_tasks` and `Folder`.
    """
    fields, matches = planned(agents, kingdoms, seed, options)
    played = play(matches, num_games, workers, Folder(folder, matches) if folder is not None else None, progress)
    first, *others = fields.values()
    everywhere = [name for name in first if all(name in each for each in others)]
    return Standings(
        {kingdom: collect(names, [kingdom], 2, played) for kingdom, names in fields.items()},
        collect(everywhere, kingdoms, 2, played),
    )


def planned(
    agents: Sequence[str], kingdoms: Sequence[str], seed: int, options: dict[str, Any]
) -> tuple[dict[str, tuple[str, ...]], list[Match]]:
    """Who plays on which kingdom, and the matches that are to be played."""
    plan(agents or ("random",), kingdoms, 2, seed, options)  # refuses what is named twice
    fields: dict[str, tuple[str, ...]] = {}
    matches: list[Match] = []
    for kingdom in kingdoms:
        own = baselines_for(kingdom)
        fields[kingdom], here = plan((*(each for each in agents if each not in own), *own), [kingdom], 2, seed, options)
        matches += here
    return fields, matches


def not_told_apart(found: Benchmark) -> list[int]:
    """The agents, strongest first, whose rating is the highest or does not differ from it at 95%."""
    ratings, covariance = found.ratings, found.ratings.covariance
    order = report.by_strength(found)
    best = order[0]
    variance = covariance[best, best] + covariance.diagonal() - 2 * covariance[best]
    near = ratings.elo[best] - ratings.elo <= Z * np.sqrt(np.maximum(variance, 0))
    return [agent for agent in order if near[agent]]


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
