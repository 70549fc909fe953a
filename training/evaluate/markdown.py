"""Standings as tables of a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import dominion_env
from training.evaluate.report import by_strength
from training.evaluate.runner import write_atomically

if TYPE_CHECKING:
    from training.evaluate.baselines import Standings
    from training.evaluate.benchmark import Benchmark

BEGIN, END = "<!-- standings -->\n", "<!-- end -->"


def write_standings(path: Path, found: Standings, num_games: int) -> None:
    """Put the tables between the marks of a page, or on a new page.

    Args:
        path: of the page; what it says outside of `BEGIN` and `END` stays. Without these marks all is replaced.
        found: what was found.
        num_games: of each match.
    """
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        before = after = ""
    write_atomically(path, f"{before}{BEGIN}\n{_standings(found, num_games)}\n\n{END}{after or chr(10)}")


def _standings(found: Standings, num_games: int) -> str:
    kingdoms = found.by_kingdom
    matches = sum(len(each.results) for each in kingdoms.values())
    made = (
        f"dominion_env {dominion_env.__version__}, rules {dominion_env.RULES_VERSION}; {num_games:,} games of each pair "
        f"on each kingdom, {matches:,} matches, {matches * num_games:,} games."
    )
    parts = [made, "## The strongest", _strongest(kingdoms), "## Who plays everywhere", _everywhere(found.everywhere)]
    parts += ["### Scores", _matrix(found.everywhere), "## Kingdom by kingdom"]
    for kingdom, each in kingdoms.items():
        parts += [f"### {kingdom}", _kingdom(each)]
    return "\n\n".join(parts)


def _strongest(kingdoms: dict[str, Benchmark]) -> str:
    from training.evaluate.baselines import not_told_apart

    rows = []
    for kingdom, found in kingdoms.items():
        best, *near = not_told_apart(found)
        auto = found.agents.index("auto")
        near_names = ", ".join(f"`{found.agents[agent]}`" for agent in near) or "-"
        rows.append([kingdom, str(len(found.agents)), f"`{found.agents[best]}`", _elo(found, best), near_names])
        rows[-1].append(_elo(found, auto))
    head = ["kingdom", "agents", "strongest", "Elo", "not told apart from it", "Elo of `auto`"]
    return _table(head, rows)


def _everywhere(found: Benchmark) -> str:
    scores = found.field_scores.mean(axis=1)
    rows = []
    for agent in by_strength(found):
        rows.append([f"`{found.agents[agent]}`", _elo(found, agent), f"{100 * scores[agent]:.1f}"])
        if found.nash is not None:
            rows[-1].append(f"{found.nash.weights[agent]:.2f}")
    return _table(["agent", "Elo", "mean score (%)", "Nash weight"], rows)


def _matrix(found: Benchmark) -> str:
    order, payoff = by_strength(found), 100 * found.payoff()
    low, high = found.interval()
    rows = [
        [
            f"`{found.agents[row]}`",
            *(
                "-" if row == column
                else f"{payoff[row, column]:.1f} ± {50 * (high[row, column] - low[row, column]):.1f}"
                for column in order
            ),
        ]
        for row in order
    ]  # fmt: skip
    return _table(["row against column (%)", *(f"`{found.agents[agent]}`" for agent in order)], rows)


def _kingdom(found: Benchmark) -> str:
    scores = found.field_scores[:, 0]
    rows = [
        [f"`{found.agents[agent]}`", _elo(found, agent), f"{100 * scores[agent]:.1f}"] for agent in by_strength(found)
    ]
    return _table(["agent", "Elo", "mean score (%)"], rows)


def _elo(found: Benchmark, agent: int) -> str:
    """Rating and interval, such as "+212 (+203 to +221)"; of the anchor "0"."""
    fitted = found.ratings
    if fitted.low[agent] == fitted.high[agent]:
        return "0"
    return f"{fitted.elo[agent]:+.0f} ({fitted.low[agent]:+.0f} to {fitted.high[agent]:+.0f})"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
