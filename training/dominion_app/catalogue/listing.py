"""A list of named things: the options of its command, and how it is filtered and printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dominion_env.common.files import to_json

Entry: TypeAlias = Mapping[str, Any]  # words by column; a list is one of names


@dataclass(frozen=True)
class ListOptions:
    """Which entries are listed, and how."""

    words: tyro.conf.Positional[tuple[str, ...]] = ()
    """Only entries that contain all of these words, in upper or lower case."""
    json: bool = False
    """Print JSON instead of a table."""


def listing(entries: Sequence[Entry], options: ListOptions, columns: Sequence[str] = ()) -> None:
    """Print the entries that contain all words; a table has these columns, or all."""
    shown = [entry for entry in entries if _contains(entry, options.words)]
    if options.json:
        print(to_json(shown, indent=1, ensure_ascii=False))
    elif not shown:
        names = [str(entry["name"]) for entry in entries]
        near = get_close_matches(" ".join(options.words), names, n=1)
        meant = "".join(f"; did you mean {name!r}?" for name in near)
        print(f"nothing contains {' and '.join(map(repr, options.words))}{meant}")
    else:
        Console().print(_table([{name: each[name] for name in columns or each} for each in shown]))


def _contains(entry: Entry, words: Sequence[str]) -> bool:
    text = "\n".join(map(_cell, entry.values())).lower()
    return all(word.lower() in text for word in words)


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(entries: Sequence[Entry]) -> Table:
    table = Table(box=None, pad_edge=False)
    for number, column in enumerate(entries[0]):
        table.add_column(column, style="bold" if number == 0 else "", overflow="fold", no_wrap=number == 0)
    for entry in entries:
        table.add_row(*(escape(_cell(value)) for value in entry.values()))
    return table
