"""Go through a saved game of a person: the chance to win over the turns, and what each decision has cost, alone and on average.

    dominion review game.json
    dominion review game.json --seat 1 --out chances.png
    dominion review game.json --playouts 3000   # faster, and less exact
    dominion review game.json --json > review.json

Files come from `dominion play` (key s, and leaving). Nothing is used that the player could not know at the time. The chances
assume that everybody goes on by the best plan of the project for it, so a mistake is what these plans would do better.
Ctrl-C ends with the decisions that are judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dominion_app.play.table import GameTable, load
from dominion_env.common.errors import InvalidOption
from dominion_env.common.files import to_json

if TYPE_CHECKING:
    from dominion_agents.coach import Coach, Decision

INTERRUPTED = 130  # exit status after Ctrl-C


@dataclass(frozen=True)
class ReviewOptions:
    """Which game is reviewed, and how exactly."""

    file: tyro.conf.Positional[Path]
    """A saved game."""
    seat: int | None = None
    """Seat whose decisions are judged. Without it, that of the person who played."""
    playouts: int | None = None
    """Number of playouts of a decision; the default makes intervals of 3 percent to either side for the best actions."""
    seconds: float | None = None
    """Most seconds for a decision. Without it, the same file and options give the same review."""
    seed: int = 0
    """Seed of the playouts."""
    out: Path | None = None
    """File of the picture (.png). Without it, the name of the saved game with "-review.png"."""
    json: bool = False
    """Print all that was found as JSON instead of the table."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status, which is 130 after Ctrl-C."""
    options = tyro.cli(ReviewOptions, args=arguments, description=__doc__, prog="dominion review")
    # These need the extra `research`, and `--help` does not.
    from dominion_agents.coach import PLAYOUTS
    from dominion_agents.coach.judging import checked_budget
    from dominion_agents.coach.reviewing import checked_seed, own_steps, reviewed
    from dominion_app.review import tables
    from dominion_app.review.picture import picture
    from dominion_training.common.records import write_atomically

    table = load(options.file)
    seat = _seat(table, options)
    out = options.out or options.file.with_name(f"{options.file.stem}-review.png")
    if out.suffix.lower() != ".png":
        raise InvalidOption(f"out: expected a name that ends in .png, got {str(out)!r}")
    if not out.absolute().parent.is_dir():
        raise InvalidOption(f"out: expected a folder that is there, got {str(out.absolute().parent)!r}")
    playouts = PLAYOUTS if options.playouts is None else options.playouts
    checked_budget(playouts, options.seconds)
    checked_seed(options.seed)
    number = len(own_steps(table.game, seat))
    if not number:
        raise InvalidOption(f"{options.file}: {table.names[seat]} had nothing to decide in this game")
    found, coach, stopped = _judge(table, seat, playouts, number, options)
    console = Console()
    if not found:
        return INTERRUPTED
    review = reviewed(seat, found, coach)
    if options.json:
        print(to_json({"name": table.names[seat], "complete": not stopped, **review.to_dict()}, indent=1))
    else:
        console.print(tables.decisions(review, table.names[seat]))
        console.print(tables.losses(review))
        console.print(tables.INTERVALS, highlight=False)
        for line in tables.explanations(review):
            console.print(escape(line), highlight=False)
    try:
        write_atomically(out, picture(review, table.names[seat]))
    except OSError as error:
        raise InvalidOption(f"{out}: can't be written: {error.strerror}") from error
    if not options.json:
        if stopped:
            console.print(f"Interrupted after {len(found)} of {number} decisions.")
        console.print(f"Picture: {escape(str(out))}")
    return INTERRUPTED if stopped else 0


def _seat(table: GameTable, options: ReviewOptions) -> int:
    """Return the seat that is reviewed.

    Raises:
        InvalidOption: there is no such seat, or the file does not tell who was a person.
    """
    table.game.check_seat(options.seat)
    if options.seat is not None:
        return options.seat
    people = [seat for seat in range(table.game.num_players) if seat not in table.called]
    if len(people) != 1:
        players = ", ".join(f"{seat} {name}" for seat, name in enumerate(table.names))
        raise InvalidOption(
            f"{options.file}: expected one seat of a person, got {len(people)}; --seat: one of {players}"
        )
    return people[0]


def _judge(
    table: GameTable, seat: int, playouts: int, number: int, options: ReviewOptions
) -> tuple[list[Decision], Coach, bool]:
    """Judge all decisions with a bar on the screen; return them, who judged them, and whether Ctrl-C ended it."""
    from dominion_agents.coach import Coach
    from dominion_agents.coach.reviewing import judged_decisions

    found: list[Decision] = []
    coach, stopped = Coach(), False
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("decisions"), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=number)
            for decision in judged_decisions(table.game, seat, coach, playouts, options.seconds, options.seed):
                found.append(decision)
                bar.update(task, completed=len(found))
    except KeyboardInterrupt:
        stopped = True
    return found, coach, stopped
