"""The command `dominion label`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from dominion_env.errors import InvalidOption
from dominion_env.registry import trusting
from dominion_training.evaluate.commands.options import Game, GameOptions, Trust, check_place

if TYPE_CHECKING:
    from dominion_training.labelling.table import Totals
    from dominion_training.labelling.work import Labelling

_WEIGHT = re.compile(r"=\d*\.?\d+(e-?\d+)?$")  # behind the name of an agent, as in the settings of `dominion train`


@dataclass(frozen=True)
class LabelOptions:
    """Label decisions with what each legal action leads to, as a teacher for `dominion train --teacher FILE`.

    Agents play games, and some of their decisions are labelled: each legal action is tried in playouts, in common worlds in
    which all that the player can't see is dealt again. Interrupted, the same command goes on where it was.
    """

    by: tuple[str, ...] = ("first-game",)
    """Agents that play the games, each seat drawn for one of them, with their weights behind a "=" (auto-2=3)."""
    continuation: tuple[str, ...] = ("first-game",)
    """Strategies that go on in playouts, by name or text; of several the one that wins most. "auto" stands for those of the
    project that fit the kingdom."""
    number: int = 20_000
    """Number of labels."""
    out: Path = Path("labels.parquet")
    """File of the labels."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, train; or ten card names with commas between."""
    players: int = 2
    """Number of seats at the table, 2 to 6."""
    error: float = 0.05
    """Standard error of the difference of the two best actions, a share of the win, with which a decision is done."""
    most: int = 1024
    """Number of worlds after which a decision is done in any case, a multiple of 8."""
    spacing: int = 10
    """Mean number of decisions of a game from one that is labelled to the next."""
    astray: float = 0.05
    """Share of decisions that are made at random when the games are played, so that they go astray."""
    seed: int = 0
    """Seed of the games' addresses."""
    workers: int = 1
    """Number of processes."""
    game: Game = field(default_factory=GameOptions)
    trust: Trust = False

    def work(self) -> Labelling:
        """Return what is to be done, unchecked."""
        from dominion_training.labelling.work import Labelling

        by = [text.rpartition("=")[::2] if _WEIGHT.search(text) else (text, "1") for text in self.by]
        return Labelling(
            tuple((name, float(weight)) for name, weight in by), tuple(self.continuation), self.kingdom, self.players,
            self.seed, self.error, self.most, self.spacing, self.astray, self.game.for_batch(),
        )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(LabelOptions, args=arguments, prog="dominion label")
    with trusting(chosen.trust):
        return _run(chosen)


def _run(chosen: LabelOptions) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_training.evaluate.folder import Folder
    from dominion_training.evaluate.runner import run_parts
    from dominion_training.labelling.table import Totals, labels_frame, write_labels

    work, out, console = chosen.work(), chosen.out, Console()
    plans, parts = work.check(), work.parts(chosen.number)
    check_place("--out", out)
    if out.exists():
        raise InvalidOption(f"--out: expected the name of a new file, got {out}, which is there already")
    folder = Folder(out.with_name(f"{out.name}.parts"), [work])
    totals, tables = Totals(), []
    with _bar(chosen.number, folder.path, console) as advance:
        for _, labels in run_parts(parts, chosen.workers, folder):
            tables.append(labels_frame(labels, plans, work.num_players))
            totals.add(labels, work.error)
            advance(totals)
    write_labels(out, tables)
    shutil.rmtree(folder.path, ignore_errors=True)  # all that was in it is in the file now
    console.print(_table(totals, work.error))
    console.print(f"Labels: {escape(str(out))}")
    return 0


@contextmanager
def _bar(number: int, folder: Path, console: Console) -> Iterator[Callable[[Totals], None]]:
    """Show a bar while decisions are labelled, and say after Ctrl-C where the labels are kept."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("labels{task.description}"), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=number)

            def show(totals: Totals) -> None:
                bar.update(task, completed=totals.labels, description=f", {totals.rate:.0f} per CPU second")

            yield show
    except KeyboardInterrupt:
        console.print(
            f"Interrupted. The labels in {escape(str(folder))} are kept: the same command goes on from there."
        )
        raise


def _table(totals: Totals, error: float) -> Table:
    """Return what the labels come to."""
    table = Table(title="Labels", show_header=False)
    for name, value in (
        ("labels", f"{totals.labels:,}"),
        ("CPU seconds", f"{totals.seconds:,.1f}"),
        ("labels per CPU second", f"{totals.rate:.1f}"),
        ("standard error of the difference of the two best, mean", f"{totals.error / totals.labels:.2%}"),
        (f"labels in which it is above {error:.2%}", f"{totals.beyond:,}"),
        ("labels whose best action is another than the plan's", f"{totals.unusual:,}"),
        ("games played out", f"{totals.games:,}"),
    ):
        table.add_row(name, value)
    return table
