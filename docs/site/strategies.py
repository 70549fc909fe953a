"""The tables of docs/strategies.md, made from the data: `python -m docs.site.strategies` writes them again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from docs.site.describe import filled, table
from dominion_agents.strategies.buy_list import MOST_PLAYERS, QUANTITIES, WILDCARDS
from dominion_agents.strategies.evolved import FILE
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.rankings import RANKINGS
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.strategies.ways import WAYS

_FOUND = re.compile(r"([\d,]+) games of evolution\. ([\d.]+%) \([^)]*\) against ([\w-]+)")  # in the comments of a list
PAGE = Path(__file__).parents[1] / "strategies.md"


def _row(strategy: Strategy) -> list[str]:
    scores = [f"{ranking[strategy.name]:.1f}" if strategy.name in ranking else "-" for ranking in RANKINGS.values()]
    return [f"`{strategy.name}`", strategy.source or "-", *scores]


def _strategies() -> str:
    rows = [_row(STRATEGIES[name]) for name in RANKINGS[2]]
    heads = [f"{players} players" for players in RANKINGS]
    return table(["name", "source", *heads], rows)


def _evolved() -> str:
    """Return the evolved lists, each with its games of evolution and its score against what `auto-2` plays there."""
    rows = []
    for part in FILE.read_text(encoding="utf-8").split("\n\n")[1:]:
        said = " ".join(line.removeprefix("#").strip() for line in part.split("\n") if line.startswith("#"))
        (found,) = _FOUND.findall(said)
        games, score, against = found
        rows.append([f"`{Strategy.parse(part).name}`", games, f"{score} against `{against}`"])
    return table(["name", "games of evolution", "score against what `auto-2` plays there"], rows)


def _quantities() -> str:
    cards = [["`Gold`, any card", "copies of it that I own"], ["`left(Gold)`", "copies of it left in the Supply"]]
    return table(["quantity", "is"], [*cards, *([f"`{name}`", meaning] for name, meaning in QUANTITIES.items())])


def _wildcards() -> str:
    return table(["instead of a card", "buys"], ([f"`{name}`", meaning] for name, meaning in WILDCARDS.items()))


def _settings() -> str:
    rows = [
        ["`name`", "any text", "the strategy's name"],
        ["`source`", "any text", "the place where it was published"],
        ["`guard`", "`off`, `on`", "`on`: never take a card that ends the game in a loss"],
        ["`missing`", "`skip`, `refuse`", "skip the rules of cards outside the kingdom, or refuse the game"],
        ["`players`", f"`{MOST_PLAYERS}`, or fewer", "the most players for which `auto` uses it"],
    ]
    for decision, ways in WAYS.items():
        rows += [
            [f"`{decision}`" if number == 0 else "", f"`{way}`", meaning]
            for number, (way, meaning) in enumerate(ways.items())
        ]
    return table(["setting", "value; the first is the default", "meaning"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "strategies": _strategies,
    "evolved": _evolved,
    "quantities": _quantities,
    "wildcards": _wildcards,
    "settings": _settings,
}


def with_tables(page: str) -> str:
    """Return the page with its tables made from the data.

    Raises:
        ValueError: the page has no place for one of them.
    """
    return filled(PAGE.name, page, TABLES)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
