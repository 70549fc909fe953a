"""The speed card as a table for the terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from dominion_env.speed.clock import Figures, Part
from dominion_env.speed.start import Start

PARTS: dict[Part, str] = {"batch": "here, many games by one call", "views": "here, views", "others": "other packages"}


@dataclass(frozen=True)
class Report:
    """All that was measured.

    Attributes:
        machine: see `machine.machine`.
        second: which is meant, "CPU second" or "second on the clock".
        threads: of `step`.
        figures: one per subject, parts together.
        left_out: what could not be measured: its name, and why.
        start: None if that was not asked for.
    """

    machine: dict[str, Any]
    second: str
    threads: int
    figures: list[Figures]
    left_out: dict[str, str]
    start: Start | None

    def as_json(self) -> dict[str, Any]:
        """Everything, every single run included."""
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
        """For the terminal."""
        table = Table(title=self._title(), title_justify="left", box=None, header_style="bold")
        for column in self._head():
            table.add_column(column, justify="left" if column == "what" else "right", no_wrap=True)
        for part, meaning in PARTS.items():
            rows = [
                row for figures, row in zip(self.figures, self._rows(), strict=True) if figures.subject.part == part
            ]
            if rows:
                table.add_row(f"[dim]{meaning}[/dim]")
            for row in rows:
                table.add_row(*map(escape, row))
        lines = [escape(line) for line in (*self._start_lines(), *self._left_out_lines(), *self._decision_lines())]
        return Group(table, *([""] if lines else []), *lines, f"[dim]{escape(self._machine_line())}[/dim]")

    def as_markdown(self) -> str:
        """For a page."""
        table = [self._head(), ("---", *["---:"] * (len(self._head()) - 1)), *self._rows()]
        lists = [*self._start_lines(), *self._left_out_lines(), *self._decision_lines()]
        paragraphs = (
            [f"{self._title()}."]
            + (["\n".join(f"| {' | '.join(row)} |" for row in table)] if self.figures else [])
            + (["\n".join(f"- {line}" for line in lists)] if lists else [])
            + [f"{self._machine_line()}."]
        )
        return "\n\n".join(paragraphs) + "\n"

    def _title(self) -> str:
        runs = len(self.figures[0].runs) if self.figures else 0
        spread = f"Decisions and games a {self.second}: median of {runs} runs (lowest to highest)"
        return spread + (f", {self.threads} threads" if self.threads > 1 else "")

    def _head(self) -> tuple[str, ...]:
        return ("what", "games at once", "decisions", "(spread)", "games")

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for found in self.figures:
            low, middle, high = map(_rounded, found.decisions_per_second)
            at_once = f"{found.subject.games:,}"
            yield found.subject.name, at_once, middle, f"({low} to {high})", _rounded(found.games_per_second)

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

    def _decision_lines(self) -> Iterator[str]:
        """What a decision is, once for all subjects of the same name."""
        decisions = {figures.subject.name: figures.subject.decision for figures in self.figures}
        for name, decision in decisions.items():
            yield f"a decision of {name}: {decision}"

    def _machine_line(self) -> str:
        machine = self.machine
        packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
        load = "" if machine["load"] is None else f", load {machine['load']} at the start"
        return (
            f"{machine['processor']}, {machine['processors']} processors{load}; Python {machine['python']}, {packages}"
        )


def _rounded(rate: float) -> str:
    """To three digits: 2,850,000, 12.3, 0.52."""
    if rate == 0:
        return "0"
    return f"{float(f'{rate:.3g}'):,.0f}" if rate >= 100 else f"{rate:.3g}"
