"""Strategies as numbers, which the compiled loops follow: a book of strategies, and the lines of their buy lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted import buying
from dominion_agents.strategies.buy_list import WILDCARDS
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.strategies.ways import WAYS
from dominion_env.compiled.jit import hash_of_sources, records, rule
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.tables.cards import Card

# One strategy of a book.
BOOK = np.dtype(
    [
        ("first_line", "i8"),
        ("last_line", "i8"),
        ("needs", "i8"),  # Kingdom cards, a bit each
        ("players", "i8"),  # the most that it is meant for
        ("guard", "i8"),
        ("refuses", "i8"),  # 1 if it refuses a kingdom without one of these cards
        ("draws", "i8"),  # 1 if it draws a card at random
        *((f"{decision}_way", "i8") for decision in WAYS),
    ]
)

# The files that the compiled code and its constants come from, besides the core's own; a test compares them with the imports.
SOURCES = ("scripted/*.py", "strategies/buy_list.py", "strategies/ways.py")
SCRIPTED_HASH = SOURCE_HASH + hash_of_sources(Path(__file__).parents[1], SOURCES)


def book_of(strategies: Sequence[Strategy], cards: Sequence[Sequence[Card]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the strategies as the compiled loops read them: dtype `BOOK`, and the lines of all buy lists, int64 (numbers,).

    Args:
        strategies: the strategies.
        cards: Kingdom cards that must be in the game for each.
    """
    book = np.zeros(len(strategies), BOOK)
    book["needs"] = [sum(1 << card for card in each) for each in cards]
    lines: list[NDArray[np.int64]] = []
    length = 0
    for row, strategy in enumerate(strategies):
        program = buying.program(strategy)
        program[2 :: buying.LINE][program[:: buying.LINE] == buying.RULE] += length
        book[row]["first_line"] = length
        length += len(program)
        book[row]["last_line"] = length
        book[row]["players"] = strategy.players
        book[row]["guard"] = strategy.guard
        book[row]["refuses"] = strategy.missing == "refuse"
        book[row]["draws"] = any(rule.card in WILDCARDS for rule in strategy.rules)
        for decision, way in strategy.ways.numbers.items():
            book[row][f"{decision}_way"] = way
        lines.append(program)
    return records(book), np.concatenate(lines)


@rule
def follow(see: Any, entry: Any) -> None:
    """Go on by this strategy."""
    see.first_line = entry.first_line
    see.last_line = entry.last_line
    see.guard = entry.guard
    see.actions_way = entry.actions_way
    see.discard_way = entry.discard_way
    see.cellar_way = entry.cellar_way
    see.trash_way = entry.trash_way
    see.remodel_way = entry.remodel_way
    see.mine_way = entry.mine_way
    see.gain_way = entry.gain_way
    see.topdeck_way = entry.topdeck_way
    see.library_way = entry.library_way
    see.chancellor_way = entry.chancellor_way
    see.spy_way = entry.spy_way
    see.moat_way = entry.moat_way
