"""The figures as a table for the terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from tests.speed.clock import Figures, Part
from tests.speed.start import Start

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS: dict[Part, str] = {
    "batch": "here: many games in one call",
    "views": "here: views",
    "search": "here: what searching costs",
    "learner": "here: learning, and networks that play",
    "others": "other packages",
}
GAMES = "games of dominion_env: First Game, second edition, two players"
HEAD = ("what", "at once", "decisions", "from low to high", "games", "note")


@dataclass(frozen=True)
class Report:
    """All that was measured.

    Attributes:
        machine: facts about the machine, see `machine.machine`.
        second: unit of time, "CPU second" or "second on the clock".
        threads: number of threads used by the learner.
        runs: number of runs of each subject.
        figures: figures of each subject, those of a part together.
        left_out: names of subjects that could not be measured, each with the reason.
        start: figures of a new process, or None if they were not asked for.
    """

    machine: dict[str, Any]
    second: str
    threads: int
    runs: int
    figures: list[Figures]
    left_out: dict[str, str]
    start: Start | None

    def as_json(self) -> dict[str, Any]:
        """Return everything, every single run included."""
        rows = []
        for found in self.figures:
            low, middle, high = found.decisions_per_second
            subject = found.subject
            rows.append(
                {
                    "part": subject.part,
                    "name": subject.name,
                    "games": subject.games,
                    "decision": subject.decision,
                    "decisions_per_second": {"low": low, "median": middle, "high": high},
                    "games_per_second": found.games_per_second,
                    "runs": [asdict(run) for run in found.runs],
                }
            )
        return {
            "machine": self.machine,
            "second": self.second,
            "threads": self.threads,
            "rows": rows,
            "left_out": self.left_out,
            "start": self.start and asdict(self.start),
        }

    def as_text(self) -> RenderableType:
        """Return the table for the terminal."""
        table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
        for column in HEAD:
            table.add_column(column, justify="left" if column == "what" else "right", no_wrap=True)
        part = None
        for figures, row in zip(self.figures, self._rows(), strict=True):
            if figures.subject.part != part:
                part = figures.subject.part
                table.add_row(f"[dim]{PARTS[part]}[/dim]")
            table.add_row(*map(escape, row))
        notes = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
        for number, decision in enumerate(self._decisions(), start=1):
            notes.add_row(f"{number}.", escape(decision))
        lines = [GAMES, *self._start_lines(), *self._left_out_lines(), self._machine_line()]
        measured = (f"[bold]{self._title()}[/bold]", table, "\na decision is:", notes, "") if self.figures else ()
        return Group(*measured, *map(escape, lines))

    def as_markdown(self) -> str:
        """Return the table for a page."""
        table = [HEAD, ("---", *["---:"] * (len(HEAD) - 1)), *self._rows()]
        measured = [
            f"{self._title()}.",
            "\n".join(f"| {' | '.join(row)} |" for row in table),
            "A decision is:",
            "\n".join(f"{number}. {decision}" for number, decision in enumerate(self._decisions(), start=1)),
        ]
        lines = [GAMES, *self._start_lines(), *self._left_out_lines(), self._machine_line()]
        paragraphs = [*(measured if self.figures else []), "\n".join(f"- {line}" for line in lines)]
        return "\n\n".join(paragraphs) + "\n"

    def as_picture(self) -> Figure:
        """Return the cost of a decision in a batch against the number of its games."""
        from matplotlib.figure import Figure

        figure = Figure((7, 5), layout="constrained")
        axes = figure.gca()
        batches = [found for found in self.figures if found.subject.part == "batch"]
        for name in dict.fromkeys(found.subject.name for found in batches):
            ours = sorted(
                (found for found in batches if found.subject.name == name), key=lambda each: each.subject.games
            )
            low, middle, high = (1e9 / np.array([found.decisions_per_second for found in ours])).T
            axes.errorbar([found.subject.games for found in ours], middle, (middle - high, low - middle), label=name)
        axes.set(
            xscale="log", yscale="log", xlabel="games at once", ylabel=f"nanoseconds a decision, by the {self.second}"
        )
        axes.legend()
        return figure

    def _title(self) -> str:
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        return f"Decisions and games a {self.second}{threads}: median, lowest and highest of {self.runs} runs"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        decisions = self._decisions()
        for found in self.figures:
            low, middle, high = map(_rounded, found.decisions_per_second)
            subject = found.subject
            note = str(1 + decisions.index(subject.decision))
            yield (
                subject.name, f"{subject.games:,}", middle, f"{low} to {high}", _rounded(found.games_per_second), note,
            )  # fmt: skip

    def _decisions(self) -> list[str]:
        """Return the meanings of a decision, each once, in the order of the rows."""
        return list(dict.fromkeys(found.subject.decision for found in self.figures))

    def _start_lines(self) -> Iterator[str]:
        if self.start is not None:
            yield (
                f"CPU seconds until the first step: {self.start.cold:.1f} compiling all of it, {self.start.warm:.1f} from "
                f"the cache ({self.start.cache_bytes / 1e6:.1f} MB); {self.start.imported:.1f} of them until dominion_env is "
                "imported"
            )
            records = (f"{size:,} for {seats} seats" for seats, size in self.start.record_bytes.items())
            yield f"bytes of a game's record: {', '.join(records)}"

    def _left_out_lines(self) -> Iterator[str]:
        for name, why in self.left_out.items():
            yield f"left out: {name}: {why}"

    def _machine_line(self) -> str:
        machine = self.machine
        packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
        load = "" if machine["load"] is None else f", load {machine['load']} at the start"
        return (
            f"{machine['processor']}, {machine['processors']} processors{load}; Python {machine['python']}, {packages}"
        )


def _rounded(rate: float) -> str:
    """Round a rate to three digits, such as "2.85 M", "12.0 k" or "0.520"."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rate >= 0.9995 * size:
            return f"{_three_digits(rate / size)} {unit}"
    return _three_digits(rate)


def _three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 99.95 else f"{number:#.3g}" if number else "0"
