"""Measure how fast games are played here, and in other packages that are installed.

    dominion speed
    dominion speed batch --games 1024 --threads 2
    dominion speed --start --markdown speed.md --json speed.json

A figure is the median of several runs, with the lowest and the highest. All subjects run by turns, and figures are in CPU
seconds of one core. Packages that are not installed are left out and named: pip install 'dominion_env[others,train]'
brings all of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.progress import Progress

from dominion_env.common.errors import InvalidOption
from tests.speed.clock import Part, Piece, Subject, measure
from tests.speed.learners import learner_subjects
from tests.speed.machine import machine
from tests.speed.others import other_subjects
from tests.speed.ours import batch_subjects, view_subjects
from tests.speed.report import Report
from tests.speed.searches import search_subjects
from tests.speed.start import measure_start


@dataclass(frozen=True)
class SpeedOptions:
    """Options of the bench: its subjects, the time it takes, and the files that it writes."""

    parts: tyro.conf.Positional[tuple[Part, ...]] = ("batch", "views", "search", "learner", "others")
    """batch: GameBatch; views: PettingZoo, Gymnasium, SB3; search: playouts; learner: training; others: other environments."""
    games: tuple[int, ...] = (1, 64, 1024, 4096, 32768)
    """Games at once in GameBatch."""
    view_games: int = 256
    """Games at once in the views of many."""
    seconds: float = 0.5
    """Shortest time of a run."""
    runs: int = 7
    """Runs of each figure."""
    threads: int = 1
    """Number of threads used by the learner; with more than one, all figures are per second on the clock."""
    start: bool = False
    """Also measure the time until the first step, compiled (about a minute) and loaded from the cache."""
    json: Path | None = None
    """A JSON file for all figures, every run included."""
    markdown: Path | None = None
    """A Markdown file for the table."""
    picture: Path | None = None
    """An image file for the cost of a decision in GameBatch against the number of games at once."""

    def check(self) -> None:
        """Check the options before anything is measured.

        Raises:
            InvalidOption: a number out of range, nothing to measure, or a file that can't be written.
        """
        wanted = {"--view-games": self.view_games, "--runs": self.runs, "--threads": self.threads}
        for option, number in [*wanted.items(), *(("--games", size) for size in self.games)]:
            if number < 1:
                raise InvalidOption(f"{option}: expected at least 1, got {number}")
        if not 0 < self.seconds < float("inf"):
            raise InvalidOption(f"--seconds: expected more than 0, got {self.seconds}")
        if not (self.games and self.parts):
            raise InvalidOption("parts and --games: expected at least one of each, got none")
        for option, path in (("--json", self.json), ("--markdown", self.markdown), ("--picture", self.picture)):
            if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
                raise InvalidOption(f"{option}: expected a file in an existing folder, got {path}")

    def subjects(self) -> Iterator[Subject]:
        """Yield the subjects that the options name."""
        if "batch" in self.parts:
            yield from batch_subjects(self.games)
        if "views" in self.parts:
            yield from view_subjects(self.view_games)
        if "search" in self.parts:
            yield from search_subjects()
        if "learner" in self.parts:
            yield from learner_subjects(self.threads)
        if "others" in self.parts:
            yield from other_subjects()

    def measure(self, progress: Progress) -> Report:
        """Measure all subjects and report."""
        facts = machine()
        subjects = list(self.subjects())
        bar = progress.add_task("getting ready", total=(self.runs + 2) * len(subjects) + self.start)
        begun: list[tuple[Subject, Piece]] = []
        left_out: dict[str, str] = {}
        for subject in subjects:
            try:
                begun.append((subject, subject.begin()))
                progress.advance(bar)
            except ImportError as error:
                if not subject.extra:
                    raise
                left_out[subject.name] = f"{error}; pip install 'dominion_env[{subject.extra}]'"
                progress.advance(bar, self.runs + 2)
        progress.update(bar, description="measuring")
        clock = time.process_time if self.threads == 1 else time.perf_counter
        figures = measure(begun, self.seconds, self.runs, clock, lambda: progress.advance(bar))
        if self.start:
            progress.update(bar, description="starting Python")
        return Report(
            machine=facts,
            second="CPU second" if self.threads == 1 else "second on the clock",
            threads=self.threads,
            runs=self.runs,
            figures=figures,
            left_out=left_out,
            start=measure_start() if self.start else None,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = tyro.cli(SpeedOptions, args=arguments, description=__doc__, prog="dominion speed")
    options.check()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        report = options.measure(progress)
    Console().print(report.as_text(), highlight=False)
    if options.json is not None:
        options.json.write_text(json.dumps(report.as_json(), indent=1) + "\n", encoding="utf-8")
    if options.markdown is not None:
        options.markdown.write_text(report.as_markdown(), encoding="utf-8")
    if options.picture is not None:
        report.as_picture().savefig(options.picture)
    return 0
