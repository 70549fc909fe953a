"""Standings as tables of a Markdown page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import dominion_env
from dominion_agents.auto import choice as choice_of_auto
from dominion_env.kingdoms import resolve
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.report import by_strength
from dominion_training.evaluate.runner import parse_kingdom, write_atomically
from dominion_training.evaluate.standings import Standings, not_told_apart

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
    rows = []
    for kingdom, found in kingdoms.items():
        best, *near = [agent for agent in not_told_apart(found) if found.agents[agent] != "auto"]
        choice = found.agents.index(choice_of_auto(resolve(parse_kingdom(kingdom)).kingdoms[0].tolist()))
        names = ", ".join(f"`{found.agents[agent]}`" for agent in near) or "-"
        strongest, chosen = (f"`{found.agents[agent]}` {_elo(found, agent)}" for agent in (best, choice))
        rows.append([kingdom, str(len(found.agents)), strongest, names, _mixture(found, choice), chosen])
    head = ["kingdom", "agents", "highest rating", "not told apart from it", "Nash averaging", "`auto` plays"]
    return _table(head, rows, texts=len(head))


def _mixture(found: Benchmark, choice: int) -> str:
    """Who has at least 1% of the weight, in percent; what `auto` has is that of the strategy that it plays."""
    if found.nash is None:
        return "-"
    weights = found.nash.weights.copy()
    auto = found.agents.index("auto")
    weights[choice] += weights[auto]
    weights[auto] = 0
    order = sorted(range(len(weights)), key=lambda agent: -weights[agent])
    return ", ".join(f"`{found.agents[agent]}` {100 * weights[agent]:.0f}" for agent in order if weights[agent] >= 0.01)


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


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """A table whose first columns hold text, the others numbers."""
    lines = [head, [*["---"] * texts, *["---:"] * (len(head) - texts)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
