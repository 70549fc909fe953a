"""The command `dominion puzzles AGENT ...`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.common.errors import InvalidAgent, InvalidOption
from dominion_env.players.agent import repeats_itself
from dominion_env.players.registry import make_agent, trusting
from dominion_training.evaluate.commands.options import Trust, check_place

if TYPE_CHECKING:
    from rich.table import Table

    from dominion_training.puzzles.solving import Score, Solutions

EXPORTS = ".json", ".parquet"
ANSWERS = Path("results/puzzles/answers.jsonl")


@dataclass(frozen=True)
class PuzzleOptions:
    """How many decisions with one best answer does an agent find?

    The puzzles come from games of strong agents, and no game is played. Each answer costs the chance to win with the best
    one less that with the answer given. Answers of agents that do not repeat themselves, such as language models, are kept in
    results/puzzles, so that the same command goes on after an interruption.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """The agents that are asked; none with --export."""
    json: Path | None = None
    """Write scores and answers to this file."""
    export: Path | None = None
    """Write the puzzles as texts for language models to this file, .json or .parquet."""
    trust: Trust = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    chosen = tyro.cli(PuzzleOptions, args=arguments, prog="dominion puzzles")
    if len(set(chosen.agents)) < len(chosen.agents) or not (chosen.agents or chosen.export):
        raise InvalidOption(f"agents: expected at least one, each once, got {', '.join(chosen.agents) or 'none'}")
    if chosen.export is not None and chosen.export.suffix not in EXPORTS:
        raise InvalidOption(f"--export: expected a file that ends in {' or '.join(EXPORTS)}, got {chosen.export}")
    check_place("--json", chosen.json)
    check_place("--export", chosen.export)
    with trusting(chosen.trust):
        _run(chosen)
    return 0


def _run(chosen: PuzzleOptions) -> None:
    from dominion_training.common.records import versions, write_json

    console = Console()
    if chosen.export is not None:
        from dominion_training.puzzles.exporting import export

        export(chosen.export)
        console.print(f"Puzzles: {escape(str(chosen.export))}")
    if chosen.agents:
        found = _solved(chosen.agents, console)
        if chosen.json is not None:
            write_json(chosen.json, {"versions": versions(), "agents": [each.to_dict() for each in found]})
        for table in _tables(found, console.width):
            console.print(table)
        for each in found:
            if each.kept:
                kept = f"{each.kept} of {len(each.answers)} answers were kept in {ANSWERS}: remove it to ask again"
                console.print(f"{escape(each.name)}: {kept}")
            counted = ", ".join(f"{name.replace('_', ' ')} {total:,g}" for name, total in each.used.items())
            if counted:
                console.print(f"{escape(each.name)} counted: {counted}")


def _solved(agents: Sequence[str], console: Console) -> list[Solutions]:
    from rich.progress import track

    from dominion_training.common.folders import folder_for_work
    from dominion_training.puzzles.solving import solve

    is_kept = not all(repeats_itself(make_agent(each)) for each in agents)
    with folder_for_work(ANSWERS.parent if is_kept else None, "answers", kept=ANSWERS.name):
        try:
            return [
                solve(
                    each, kept=ANSWERS, shown=partial(track, description=escape(each), console=console, transient=True)
                )
                for each in agents
            ]
        except (KeyboardInterrupt, InvalidAgent):
            if ANSWERS.exists() and is_kept:
                console.print(f"The answers in {ANSWERS} are kept: the same command goes on from there.")
            raise


def _tables(found: Sequence[Solutions], width: int) -> list[Table]:
    from rich.table import Table

    from dominion_agents.coach.losses import percent_of
    from dominion_training.evaluate.reports.fitting import fitting

    total = Table("agent", "solved", "loss", title=f"{len(found[0].puzzles)} puzzles, in percent")
    for each in found:
        score = each.score()
        total.add_row(escape(each.name), str(score.solved), percent_of(score.loss, score.half_width, digits=1))
    total.caption = "With intervals of 95%."

    def groups_of(some: Sequence[Solutions]) -> Table:
        groups = Table("puzzles", "number", *(escape(each.name) for each in some), title="Solved, and loss")
        by_name = [each.groups() for each in some]
        for name, first in by_name[0].items():
            groups.add_row(name, str(first.solved.playouts), *(_cell(each[name]) for each in by_name))
        return groups

    return [total, *fitting(found, groups_of, width)]


def _cell(score: Score) -> str:
    return f"{score.solved.share:.0%}, {100 * score.loss:.1f}"
