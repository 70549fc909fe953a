"""Standings as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import dominion_env
from dominion_agents.choosing.auto import choice as choice_of_auto
from dominion_agents.choosing.auto import choice_of_auto_2
from dominion_env.tables.kingdoms import resolve
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.standings import Standings, not_told_apart


def standings_in_markdown(found: Standings, num_games: int) -> str:
    """Return the tables of standings in Markdown.

    Args:
        found: the standings.
        num_games: number of games of each match.
    """
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
        cards = resolve(kingdom).kingdoms[0].tolist()
        # Results from before there were evolved lists know `auto-2` by the name of `auto`.
        name = next(each for each in (choice_of_auto(cards), choice_of_auto_2(cards)) if each in found.agents)
        choice = found.agents.index(name)
        names = ", ".join(f"`{found.agents[agent]}`" for agent in near) or "-"
        strongest, chosen = (f"`{found.agents[agent]}` {_elo(found, agent)}" for agent in (best, choice))
        rows.append([kingdom, str(len(found.agents)), strongest, names, _mixture(found, choice), chosen])
    head = ["kingdom", "agents", "highest rating", "not told apart from it", "Nash averaging", "`auto` plays"]
    return _table(head, rows, texts=len(head))


def _mixture(found: Benchmark, choice: int) -> str:
    """Return agents with their weights and 95% intervals in percent.

    The agents are those that may well have 1% of the weight or more. `auto` counts as the strategy that it plays. Both
    are copies and so have the same weight in each resample of the bootstrap, and their intervals can be added, too.
    """
    if found.nash is None:
        return "-"
    auto, parts = found.agents.index("auto"), (found.nash.weights, found.nash.weights_low, found.nash.weights_high)
    weights, low, high = (part.copy() for part in parts)
    for part in (weights, low, high):
        part[choice] += part[auto]
        part[auto] = 0
    order = sorted(range(len(weights)), key=lambda agent: -weights[agent])
    return ", ".join(
        f"`{found.agents[agent]}` {100 * weights[agent]:.0f} ({100 * low[agent]:.0f} to {100 * high[agent]:.0f})"
        for agent in order if max(weights[agent], high[agent]) >= 0.01
    )  # fmt: skip


def _everywhere(found: Benchmark) -> str:
    scores, nash = found.field_scores.mean(axis=1), found.nash
    rows = []
    for agent in found.by_strength:
        rows.append([f"`{found.agents[agent]}`", _elo(found, agent), f"{100 * scores[agent]:.1f}"])
        if nash is not None:
            weights = (part[agent] for part in (nash.weights, nash.weights_low, nash.weights_high))
            rows[-1].append("{:.2f} ({:.2f} to {:.2f})".format(*weights))
    return _table(["agent", "Elo", "mean score (%)", "Nash weight"], rows)


def _matrix(found: Benchmark) -> str:
    order, payoff = found.by_strength, 100 * found.payoff()
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
        [f"`{found.agents[agent]}`", _elo(found, agent), f"{100 * scores[agent]:.1f}"] for agent in found.by_strength
    ]
    return _table(["agent", "Elo", "mean score (%)"], rows)


def _elo(found: Benchmark, agent: int) -> str:
    """Return a rating and the half-width of its 95% interval, such as "+212 ± 9", and "0" for the anchor."""
    fitted = found.ratings
    if fitted.low[agent] == fitted.high[agent]:
        return "0"
    return f"{fitted.elo[agent]:+.0f} ± {(fitted.high[agent] - fitted.low[agent]) / 2:.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """Return a table whose first columns hold text and whose others hold numbers."""
    lines = [head, [*["---"] * texts, *["---:"] * (len(head) - texts)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
