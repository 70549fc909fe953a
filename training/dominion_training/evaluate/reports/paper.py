"""A benchmark for a paper: ratings as a figure, ratings and scores as tables in CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from dominion_training.common.records import write_atomically
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.reports.pictures import ratings_picture

FILES = ("ratings.svg", "ratings.pdf", "ratings.csv", "ratings.tex", "scores.csv", "scores.tex")

_LATEX = {each: f"\\{each}" for each in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def write_paper(folder: Path, found: Benchmark) -> None:
    """Write `FILES` into a folder.

    Raises:
        DominionError: a file can't be written.
    """
    ratings, scores = _ratings(found), _scores(found)
    contents: tuple[str | bytes, ...] = (
        ratings_picture(found, "svg"), ratings_picture(found, "pdf"), in_csv(ratings), in_latex(_rounded(ratings, 0)),
        in_csv(scores), in_latex(_rounded(scores, 1, 100)),
    )  # fmt: skip
    for name, content in zip(FILES, contents, strict=True):
        write_atomically(folder / name, content)


Table = list[list[str | float]]


def in_csv(table: Table) -> str:
    """Return a table with its heading as CSV, numbers in full."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(table)
    return stream.getvalue()


def in_latex(table: Sequence[Sequence[str]]) -> str:
    """Return a table with its heading as a LaTeX tabular for the package booktabs."""
    head, *rows = ([_escaped(cell) for cell in row] for row in table)
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}", r"\toprule", rf"{' & '.join(head)} \\", r"\midrule"]
    lines += [rf"{' & '.join(row)} \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _ratings(found: Benchmark) -> Table:
    fitted = found.ratings
    table: Table = [["agent", "Elo", "low", "high"]]
    for agent in found.by_strength:
        table.append([_name(found, agent), *(float(each[agent]) for each in (fitted.elo, fitted.low, fitted.high))])
    return table


def _scores(found: Benchmark) -> Table:
    """Return the score of each agent against each, with its interval, a line for each pair."""
    payoff, (low, high) = found.payoff(), found.interval()
    table: Table = [["agent", "against", "score", "low", "high"]]
    for row in found.by_strength:
        table += [
            [_name(found, row), _name(found, column), *(float(each[row, column]) for each in (payoff, low, high))]
            for column in found.by_strength
            if row != column
        ]
    return table


def _name(found: Benchmark, agent: int) -> str:
    return "; ".join(found.agents[agent].splitlines())


def _rounded(table: Table, digits: int, factor: float = 1.0) -> list[list[str]]:
    """Return a table as texts, numbers multiplied and rounded."""
    rows = [[cell if isinstance(cell, str) else f"{factor * cell:.{digits}f}" for cell in row] for row in table]
    if factor == 100:
        rows[0] = [f"{name} (%)" if name == "score" else name for name in rows[0]]
    return [["0" if cell == "-0" else cell for cell in row] for row in rows]


def _escaped(cell: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in cell)
