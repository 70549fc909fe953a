"""The tables of docs/strategies.md, made from the data: `python -m agents.tables` writes them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from agents.auto import RANKING
from agents.play import WAYS
from agents.strategies import STRATEGIES
from agents.strategy import MOST_PLAYERS, QUANTITIES, WILDCARDS, Strategy

PAGE = Path(__file__).parent.parent / "docs" / "strategies.md"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _row(strategy: Strategy) -> list[str]:
    cards = ", ".join(card.title for card in strategy.kingdom_cards) or "none"
    shown = [line for line in strategy.lines() if not line.startswith(("name:", "source:"))]
    return [
        f"`{strategy.name}`", strategy.source or "-", cards, f"{RANKING[strategy.name]:.1f}", f"`{'; '.join(shown)}`",
    ]  # fmt: skip


def _strategies() -> str:
    rows = [_row(STRATEGIES[name]) for name in RANKING]
    return _table(["name", "source", "Kingdom cards", "score", "list"], rows)


def _quantities() -> str:
    cards = [["`Gold`, any card", "copies of it that I own"], ["`left(Gold)`", "copies of it left in the Supply"]]
    return _table(["quantity", "is"], [*cards, *([f"`{name}`", meaning] for name, meaning in QUANTITIES.items())])


def _wildcards() -> str:
    return _table(["instead of a card", "buys"], ([f"`{name}`", meaning] for name, meaning in WILDCARDS.items()))


def _settings() -> str:
    rows = [
        ["`name`", "any text", "by which it shows itself"],
        ["`source`", "any text", "where it was published"],
        ["`guard`", "`off`, `on`", "on: never take a card that ends the game in a loss"],
        ["`missing`", "`skip`, `refuse`", "a card outside the kingdom: skip its rules, or refuse the game"],
        ["`players`", f"`{MOST_PLAYERS}`, or fewer", "`auto` uses it for at most so many"],
    ]
    for decision, ways in WAYS.items():
        rows += [
            [f"`{decision}`" if number == 0 else "", f"`{way}`", meaning]
            for number, (way, meaning) in enumerate(ways.items())
        ]
    return _table(["setting", "value; the first is what holds by itself", "meaning"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "strategies": _strategies,
    "quantities": _quantities,
    "wildcards": _wildcards,
    "settings": _settings,
}


def with_tables(page: str) -> str:
    """A page with what stands between `<!-- name -->` and `<!-- end -->` replaced by the table of that name."""
    for name, table in TABLES.items():
        before, mark, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not mark or not end:
            raise ValueError(f"the page must have a line <!-- {name} --> and then <!-- end -->")
        page = f"{before}{mark}{table()}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
