"""Finished games as polars tables, as `schema.py` describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_training.research.collect.playing import Played
from dominion_training.research.collect.schema import TABLES, schema_of


@dataclass(frozen=True)
class Tables:
    """Games as three tables.

    Attributes:
        games, players, events: the tables of `schema.TABLES`; the events are None if none were recorded.
        agents: names of the agents, in order of their numbers.
        options: options of the games, as `GameBatch` names them.
    """

    games: pl.DataFrame
    players: pl.DataFrame
    events: pl.DataFrame | None
    agents: tuple[str, ...] = ()
    options: dict[str, Any] | None = None

    def __len__(self) -> int:
        return len(self.games)

    def by_name(self, name: str) -> pl.DataFrame | None:
        """Return a table by its name in `schema.TABLES`."""
        found: pl.DataFrame | None = getattr(self, name)
        return found


def tables_of(played: Played, events: bool = True, agents: tuple[str, ...] = ()) -> Tables:
    """Return games as tables.

    Args:
        played: the games and their records.
        events: whether there is a table of events.
        agents: names of the agents.
    """
    games, records = played.games, played.records
    number, players = games["agents"].shape
    seats = np.tile(np.arange(players), number)
    starter = np.repeat(games["starter"], players)
    columns: dict[str, dict[str, Any]] = {
        "games": {
            "game": games["number"], "players": np.full(number, players), "starter": games["starter"],
            "rounds": games["rounds"], "ended": games["ended"], "kingdom": games["kingdom"],
        },
        "players": {
            "game": np.repeat(games["number"], players), "seat": seats, "agent": games["agents"].reshape(-1),
            "position": (seats - starter) % players, "points": games["points"].reshape(-1),
            "turns": games["turns"].reshape(-1), "share": games["shares"].reshape(-1),
            "deck": games["decks"].reshape(number * players, -1),
        },
        "events": {name: records[name] for name in schema_of("events")},
    }  # fmt: skip
    made = {name: _frame(name, each) for name, each in columns.items()}
    return Tables(made["games"], made["players"], made["events"] if events else None, agents)


def _frame(table: str, columns: dict[str, NDArray[Any]]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            pl.Series(column.name, _native(columns[column.name], column.dtype)).cast(column.dtype)
            for column in TABLES[table]
        ]
    )


def _native(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return values in one piece, those of an array column as unsigned bytes."""
    return np.ascontiguousarray(values, np.uint8) if isinstance(dtype, pl.Array) else np.ascontiguousarray(values)
