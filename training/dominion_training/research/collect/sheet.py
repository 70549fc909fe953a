"""The page of a data set: `README.md` in its folder, by which Hugging Face's `load_dataset` reads it, and tables of names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dominion_env.rules.events import Event
from dominion_env.tables.cards import CARDS
from dominion_training.play.sets import ENDINGS
from dominion_training.research.collect.schema import TABLES

SHEET = "README.md"


def sheet(record: dict[str, Any]) -> str:
    """Return the page of the data set whose `data.json` says this."""
    configs = [
        f"- config_name: {name}\n  data_files: {name}/*.parquet\n" + ("  default: true\n" if name == "players" else "")
        for name in record["tables"]
    ]
    rows = {name: sum(each["rows"] for each in record["files"] if each["table"] == name) for name in record["tables"]}
    tables = (
        f"## {name}\n\n{rows[name]:,} rows.\n\n"
        + _table("column", "meaning", ((f"`{each.name}`", each.meaning) for each in TABLES[name]))
        for name in record["tables"]
    )
    names: dict[str, Iterable[tuple[int, str]]] = {
        "Agents": enumerate(f"`{agent}`" for agent in record["mix"]),
        "Cards": ((number, card.name) for number, card in enumerate(CARDS)),
        "Events": ((event.value, event.name.lower().replace("_", " ")) for event in Event),
        "How games ended": ENDINGS.items(),
    }
    return "\n".join(
        [
            "---",
            f"configs:\n{''.join(configs)}tags:\n- reinforcement-learning\n- board-games\n- dominion\n---\n",
            f"# Games of Dominion: {_said(record['kingdom'])}\n",
            f"Collected by dominion_env {record['dominion_env']}: `{_said(record['command'])}`. `data.json` says all about it.\n",
            '`datasets.load_dataset(FOLDER, "players")` reads a table. The numbers in it are explained below.\n',
            *tables,
            *(f"## {heading}\n\n{_table('number', 'name', of)}" for heading, of in names.items()),
        ]
    )  # fmt: skip


def _said(words: str) -> str:
    """Return words in one line, as a specification of an agent may have several."""
    return " ".join(words.split())


def _table(first: str, second: str, rows: Iterable[tuple[Any, str]]) -> str:
    lines = [f"| {one} | {_said(other).replace('|', chr(92) + '|')} |" for one, other in rows]
    return "\n".join([f"| {first} | {second} |", "| --- | --- |", *lines]) + "\n"
