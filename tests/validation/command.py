"""The command `dominion validate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dominion_env.common.errors import InvalidOption
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.commands.options import Run, RunOptions, check_place
from dominion_training.evaluate.commands.steps import playing, record_of, write_record
from tests.validation.published import GROUPS, Row

if TYPE_CHECKING:
    from tests.validation.comparing import Finding

FEWEST_GAMES = 10


@dataclass(frozen=True)
class ValidateOptions:
    """Play what others have published, and show our figures beside theirs.

    A figure agrees if it is at most 4 combined standard errors away, or a little more where games are few; fewer than 100
    games or sets of games are too few for a verdict. Figures that depend on others' unpublished play heuristics are
    reported only. The exit status is 1 if a figure differs. After an interruption, the same command goes on where it was;
    with more games, or more groups and the same folder, it plays only what is missing.
    """

    games: int = 20_000
    """Number of games of each experiment."""
    groups: tuple[str, ...] = tuple(GROUPS)
    """Groups of figures: openings, solitaire, treasures, one-action, geronimoo."""
    run: Run = field(default_factory=RunOptions)

    def rows(self) -> list[Row]:
        """Return the published figures of the groups.

        Raises:
            InvalidOption: a group is unknown.
        """
        unknown = [group for group in self.groups if group not in GROUPS]
        if unknown:
            raise InvalidOption(f"--groups: expected some of {', '.join(GROUPS)}, got {', '.join(unknown)}")
        return [row for group in self.groups for row in GROUPS[group]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status, 1 if a figure differs; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(ValidateOptions, args=arguments, prog="dominion validate")
    # These need the extra `research`, and `--help` does not.
    from dominion_training.executors.folder import Folder, default_folder
    from dominion_training.executors.work import agents_of
    from tests.validation.comparing import STATUSES, summary, trials, validate
    from tests.validation.measured import LIMIT

    run, rows = chosen.run, chosen.rows()
    seed = run.seed or 0  # only buy lists play here, which look for no luck
    if chosen.games < FEWEST_GAMES:
        raise InvalidOption(f"--games: expected at least {FEWEST_GAMES}, got {chosen.games}")
    check_place("--json", run.json)
    planned = trials(rows, seed)
    num_games = sum(part.num_games for trial in planned for part in trial.parts(chosen.games))
    path, console = run.out or default_folder("validate", planned), Console()
    with folder_for_work(path, "results"):
        folder = Folder(path, planned)
        with playing(num_games, path, console) as advance:
            findings = validate(rows, chosen.games, seed, run.executor(), advance, folder)
        write_record(
            record_of("validate", arguments, agents_of(planned)) | {"findings": summary(findings)}, path, run.json
        )
        console.print(_table(findings))
        for row in dict.fromkeys(each.row for each in findings if abs(each.difference) > LIMIT and each.row.note):
            console.print(f"{row.experiment.title}: {row.note}")
    numbers = {status: sum(each.status == status for each in findings) for status in STATUSES}
    console.print(
        ", ".join(f"{number} {status}" for status, number in numbers.items() if number or status == "DIFFERS")
    )
    console.print(f"Games and results: {escape(str(path))}")
    return 1 if numbers["DIFFERS"] else 0


def _table(findings: Sequence[Finding]) -> Table:
    """Return our figures beside the published ones."""
    shown = Table(title="Ours beside published figures")
    for heading in ("experiment", "figure"):
        shown.add_column(heading, overflow="fold")
    for heading in ("ours", "error", "published", "difference / error", "verdict"):
        shown.add_column(heading, justify="right")
    before = None
    for each in findings:
        title = each.row.experiment.title if each.row is not before else ""
        before = each.row
        shown.add_row(
            title, each.name, f"{each.ours.value:.4f}", f"{each.ours.error:.4f}", f"{each.published:.4f}",
            f"{each.difference:+.1f}", f"[red]{each.status}[/red]" if each.status == "DIFFERS" else each.status,
        )  # fmt: skip
    return shown
