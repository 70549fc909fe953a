"""Tables with a column for each agent: none is cut, and few are needed."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.table import Table

from dominion_training.evaluate.reports.fitting import fitting


def of(names: list[str]) -> Table:
    table = Table("group", *names)
    table.add_row("buy", *("100%, 17.6" for _ in names))
    return table


@pytest.mark.parametrize(
    ("agents", "width", "in_each"), [(3, 80, [3]), (7, 80, [4, 3]), (8, 60, [3, 3, 2]), (2, 5, [1, 1])]
)
def test_as_few_tables_as_fit_show_each_agent_once(agents: int, width: int, in_each: list[int]):
    names = [f"agent {number}" for number in range(agents)]
    found = fitting(names, of, width)
    assert [column.header for table in found for column in table.columns[1:]] == names
    assert [len(table.columns) - 1 for table in found] == in_each
    for table in found if width > 5 else []:
        console = Console(width=width)
        with console.capture() as shown:
            console.print(table)
        assert shown.get().count("100%, 17.6") == len(table.columns) - 1
