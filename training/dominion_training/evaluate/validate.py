"""Play what others have published and compare: `dominion validate`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from dominion_env.errors import InvalidOption
from dominion_training.evaluate import tables
from dominion_training.evaluate.compare import command
from dominion_training.evaluate.experiments import Experiment, Measured, Trial, parts_of
from dominion_training.evaluate.published import GROUPS, Row
from dominion_training.evaluate.runner import (
    Folder,
    as_plain,
    check_place,
    default_folder,
    run_tasks,
    versions,
    write_atomically,
)

LIMIT = 4.0  # combined standard errors; among some hundred figures, one in two hundred runs has one beyond by chance

Status = Literal["agrees", "DIFFERS", "reported"]


@dataclass(frozen=True)
class Finding:
    """One figure of ours beside the published one.

    Attributes:
        row: where the published one stands.
        name: which of its figures.
        ours, published: the two.
        error: their combined standard error; rounding of the published one is a part of it.
    """

    row: Row
    name: str
    ours: Measured
    published: float
    error: float

    @property
    def difference(self) -> float:
        """Ours less theirs, in combined standard errors."""
        return (self.ours.value - self.published) / self.error

    @property
    def status(self) -> Status:
        """What is to be thought of it."""
        if not self.row.demanded:
            return "reported"
        return "agrees" if abs(self.difference) <= LIMIT else "DIFFERS"


def validate(
    rows: Sequence[Row],
    num_games: int,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, str], None] = lambda done, title: None,
    folder: Folder | None = None,
) -> list[Finding]:
    """Play these rows; an experiment that stands in several is played once.

    Args:
        rows: of `published.GROUPS`.
        num_games: of each experiment.
        seed: of the addresses.
        workers: processes.
        progress: is told how many games are done, and which experiment they are of.
        folder: where they are kept, of `trials(rows, seed)`.

    Raises:
        DominionError: a strategy can't be made or fails.
    """
    parts = [part for trial in trials(rows, seed) for part in parts_of(trial, num_games)]
    played: dict[Experiment, list[NDArray[Any]]] = {}
    done = 0
    for part, games in run_tasks(parts, workers, folder):
        experiment = part.work.experiment
        played.setdefault(experiment, []).append(games)
        done += part.num_games
        progress(done, experiment.title)
    measured = {experiment: experiment.figures(np.concatenate(games)) for experiment, games in played.items()}
    return [
        Finding(row, name, ours, value, combined_error(row, ours))
        for row in rows
        for name, value in row.figures.items()
        for ours in (measured[row.experiment][name],)
    ]


def trials(rows: Sequence[Row], seed: int = 0) -> list[Trial]:
    """What is to be played for these rows, each once."""
    return [Trial(experiment, seed) for experiment in dict.fromkeys(row.experiment for row in rows)]


def combined_error(row: Row, ours: Measured) -> float:
    """Standard error of the difference: ours, theirs (our spread over their games), and rounding of theirs."""
    if row.games is None:
        return ours.error
    rounding = 10.0**-row.digits / math.sqrt(12)
    return math.sqrt(ours.error**2 + ours.spread**2 / row.games + rounding**2)


def table(findings: Sequence[Finding]) -> Table:
    """The findings for people."""
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


def summary(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """The findings as plain numbers, for JSON."""
    return [
        {
            "experiment": each.row.experiment.title,
            "settings": as_plain(each.row.experiment),
            "figure": each.name,
            "ours": each.ours.value,
            "error": each.ours.error,
            "published": each.published,
            "published_games": each.row.games,
            "combined_error": each.error,
            "difference": each.difference,
            "status": each.status,
            "source": each.row.source,
            "note": each.row.note,
        }
        for each in findings
    ]


@dataclass
class ValidateOptions:
    """Play what others have published, and show our figures beside theirs.

    A figure agrees if it is at most 4 combined standard errors away. Figures that depend on others' unpublished play
    heuristics are reported only. The exit status is 1 if a figure differs. Interrupted, the same command goes on where it
    was; with more games, or more groups and the same folder, it plays only what is missing.
    """

    games: int = 20_000
    """Games of each experiment."""
    groups: tuple[str, ...] = tuple(GROUPS)
    """Which figures: openings, solitaire, treasures, one-action, geronimoo."""
    seed: int = 0
    """Of the games' addresses."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes."""
    out: Path | None = None
    """Folder of the results [results/validate-..., one for each choice of groups]."""
    json: Path | None = None
    """Write the findings to this file too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit status is 0, 1 if a figure differs, or 130 when interrupted."""
    chosen = tyro.cli(ValidateOptions, args=arguments, prog="dominion validate")
    unknown = [group for group in chosen.groups if group not in GROUPS]
    if unknown:
        raise InvalidOption(f"--groups {' '.join(unknown)}: there are {', '.join(GROUPS)}")
    if chosen.games < 10:
        raise InvalidOption(f"--games: expected at least 10, got {chosen.games}")
    rows = [row for group in chosen.groups for row in GROUPS[group]]
    check_place("--json", chosen.json)
    console = Console()
    planned = trials(rows, chosen.seed)
    folder = Folder(chosen.out or default_folder("validate", planned), planned)
    games = sum(part.num_games for trial in planned for part in parts_of(trial, chosen.games))
    try:
        with tables.progress(games, console) as advance:
            findings = validate(rows, chosen.games, chosen.seed, chosen.workers, advance, folder)
    except KeyboardInterrupt:
        console.print(f"Interrupted. The games in {folder.path} are kept: the same command goes on from there.")
        return 130
    record = {"command": command("validate", arguments), "versions": versions(), "findings": summary(findings)}
    text = json.dumps(record, indent=2) + "\n"
    write_atomically(folder.path / "result.json", text)
    if chosen.json is not None:
        write_atomically(chosen.json, text)
    console.print(table(findings))
    for row in dict.fromkeys(each.row for each in findings if abs(each.difference) > LIMIT and each.row.note):
        console.print(f"{row.experiment.title}: {row.note}")
    numbers = {status: sum(each.status == status for each in findings) for status in ("agrees", "DIFFERS", "reported")}
    console.print(", ".join(f"{number} {status}" for status, number in numbers.items()))
    console.print(f"Games and results: {folder.path}")
    return 1 if numbers["DIFFERS"] else 0
