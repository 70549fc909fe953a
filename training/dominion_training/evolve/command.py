"""The command `dominion evolve`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dominion_training.common.folders import folder_for_work, results_folder
from dominion_training.evaluate.commands.options import At, check_place, executor_of

if TYPE_CHECKING:
    from dominion_training.evaluate.match import MatchResult
    from dominion_training.evolve.evolve import Evolved
    from dominion_training.lists.random_lists import Heart

MINUTES = 10.0


@dataclass(frozen=True)
class EvolveOptions:
    """Evolve a buy list for a kingdom, from random lists, and see how good and how beatable it is.

    Lists play each other and a hall of fame, two at a table. No published list takes part. What is found is simplified,
    attacked by a search as long as the evolution, and measured against the published lists of the kingdom, in games of
    their own. The score counts a tie as half a win. After an interruption, the same command goes on where it was;
    with a larger budget it evolves on.
    """

    kingdom: str = "first-game-2e"
    """Name of a single set, such as size-distortion-2e; or ten card names with commas between."""
    minutes: float | None = None
    """Minutes of the evolution, and as many for the search for the list that beats it most [10 without --games]."""
    games: int | None = None
    """Most games of the evolution, and of the search. Without --minutes the result is the same on any machine."""
    seed: int = 0
    """Seed of everything; the games that measure have other addresses than those of the evolution."""
    heart: str | None = None
    """Two cards with a comma between, such as Village,Smithy: climbs that build decks on two cards build on these."""
    workers: int = 1
    """Number of threads that play."""
    cluster: At = None
    measured: int = 4000
    """Number of games of each match that measures, an even number."""
    out: Path | None = None
    """Folder of the results [results/evolve-..., one for each choice of kingdom, heart, seed and rules]."""
    json: Path | None = None
    """Write the result to this file too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(EvolveOptions, args=arguments, prog="dominion evolve")
    # `--help` does not need these, which take a while.
    from dominion_training.common.records import versions, write_atomically
    from dominion_training.evaluate.commands.steps import searching, write_record
    from dominion_training.evolve import evolve as evolving
    from dominion_training.evolve.lineage import lineage_picture, lineage_table
    from dominion_training.lists.random_lists import RandomLists

    check_place("--json", chosen.json)
    executor = executor_of(chosen.cluster)
    kingdom, console = chosen.kingdom, Console()
    cards = None if chosen.heart is None else [card.strip() for card in chosen.heart.split(",")]
    heart = RandomLists(kingdom).heart_of(cards)
    out = chosen.out or _default_folder(chosen, heart)
    minutes = MINUTES if chosen.minutes is None and chosen.games is None else chosen.minutes
    command = shlex.join(["dominion", "evolve", *(sys.argv[1:] if arguments is None else arguments)])
    with folder_for_work(out, "a search", kept="*"):
        try:
            with searching("evolving", console) as bar:
                found = evolving.evolve(
                    kingdom, games=chosen.games, minutes=minutes, seed=chosen.seed, workers=chosen.workers,
                    measured=chosen.measured, folder=out, executor=executor, heart=heart,
                    progress=lambda now: bar(now.doing, now.share, ", ".join(filter(None, (f"{now.games:,} games", now.note)))),
                )  # fmt: skip
        except KeyboardInterrupt:
            console.print(
                f"Interrupted. What was evolved in {escape(str(out))} is kept: the same command goes on from there."
            )
            raise
        record = {"command": command, "versions": versions(), "kingdom": chosen.kingdom, **_summary(found)}
        record["lineage"] = lineage_table(found.ancestors)
        write_record(record, out, chosen.json)
        write_atomically(out / "evolved.strategy", _text(chosen.kingdom, found))
        write_atomically(out / "lineage.md", _lineage_in_markdown(record["lineage"]))
        title = f"What became {_name(chosen.kingdom)}"
        write_atomically(out / "lineage.png", lineage_picture(found.ancestors, title, "png"))
        write_atomically(out / "lineage.svg", lineage_picture(found.ancestors, title, "svg"))
        console.print(_table(chosen.kingdom, found))
        console.print(f"The list, after {found.games:,} games of evolution in {found.seconds / 60:.1f} minutes:\n")
        console.print(escape(str(found.strategy)), highlight=False)
        console.print(
            f"\nIts worst enemy, found in {found.enemy_games:,} games in {found.enemy_seconds / 60:.1f} minutes:\n"
        )
        console.print(escape(str(found.enemy)), highlight=False)
        console.print(
            f"\nMeasured on games of seed {found.seeds[2]}; the evolution played those of seed {found.seeds[0]}, the search "
            f"for the enemy those of seed {found.seeds[1]}.\nResults: {escape(str(out))}"
        )
        return 0


def _summary(found: Evolved) -> dict[str, Any]:
    """Return what was found as plain values for JSON."""
    return {
        "cards": list(found.kingdom), "strategy": found.strategy.one_line(), "before_simplifying": found.before.one_line(),
        "games": found.games, "seconds": found.seconds, "generations": found.generations, "climbs": found.climbs,
        "matches": {name: result.summary() for name, result in found.matches.items()},
        "enemy": found.enemy.one_line(), "enemy_games": found.enemy_games, "enemy_seconds": found.enemy_seconds,
        "enemy_result": found.enemy_result.summary(),
        "seeds": dict(zip(("evolving", "enemy", "measuring"), found.seeds, strict=True)),
    }  # fmt: skip


def _name(kingdom: str) -> str:
    return f"evolved-{kingdom}" if "," not in kingdom else "the evolved list"


def _text(kingdom: str, found: Evolved) -> str:
    """Return the list as a file, with what is known of it."""
    comment = [
        f"# Evolved on {kingdom} from random lists, in {found.games:,} games.",
        *(f"# {result} against {name}" for name, result in found.matches.items()),
        f"# {found.enemy_result} scored by its worst enemy, found in {found.enemy_games:,} games: {found.enemy.one_line()}",
    ]
    return "\n".join([*comment, str(found.strategy), ""])


def _table(kingdom: str, found: Evolved) -> Table:
    table = Table(title=escape(f"{_name(kingdom)}: its score against the published lists, and against its worst enemy"))
    table.add_column("against")
    for heading in ("score", "95% interval", "n"):
        table.add_column(heading, justify="right")

    def row(name: str, score: float, interval: tuple[float, float], result: MatchResult) -> None:
        table.add_row(name, f"{score:.1%}", f"{interval[0]:.1%} to {interval[1]:.1%}", f"{result.num_games:,}")

    for name, result in found.matches.items():
        row(name, result.score, result.interval(), result)
    low, high = found.enemy_result.interval()
    table.add_section()
    row("its worst enemy", 1 - found.enemy_result.score, (1 - high, 1 - low), found.enemy_result)
    return table


def _lineage_in_markdown(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| list | generation | games before | made | parents | score against the last one | 95% interval | n | what is new |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        parents = ", ".join(map(str, row["parents"])) or "-"
        lines.append(
            f"| {row['list']} | {row['generation']} | {row['games']:,} | {row['made']} | {parents} | {row['score']:.1%} | "
            f"{row['low']:.1%} to {row['high']:.1%} | {row['n']} | {row['what_is_new']} |"
        )
    return "\n".join(lines) + "\n"


def _default_folder(chosen: EvolveOptions, heart: Heart | None) -> Path:
    """Return where results are kept if no folder is named; it depends on everything but the budget."""
    from dominion_training.common.records import versions_of_games

    named = [chosen.kingdom, chosen.seed, *([] if heart is None else [",".join(heart)])]
    return results_folder("evolve", [*named, versions_of_games()])
