"""Tables with a column for each agent, as many as the terminal has room for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.table import Table

Column = TypeVar("Column")


def fitting(columns: Sequence[Column], build: Callable[[Sequence[Column]], Table], width: int) -> list[Table]:
    """Return one table of all columns, or as few of about equal width as fit into the terminal.

    Args:
        columns: what the columns show, at least one.
        build: function that makes a table of some of them.
        width: number of columns of the terminal.
    """
    endless = Console(width=10_000)
    for number in range(1, len(columns) + 1):
        in_each = math.ceil(len(columns) / number)
        tables = [build(columns[begin : begin + in_each]) for begin in range(0, len(columns), in_each)]
        if all(endless.measure(table).maximum <= width for table in tables):
            break
    return tables
