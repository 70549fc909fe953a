"""The three tables of a data set, column by column."""

from __future__ import annotations

from typing import Any, NamedTuple

import polars as pl

from dominion_env.tables.cards import NUM_CARDS

SCHEMA_VERSION = 1  # grows when a column changes its name, type or meaning, or one is left out


class DataColumn(NamedTuple):
    """A column of a table: its name, its type, and what it holds."""

    name: str
    dtype: Any
    meaning: str


GAME = DataColumn("game", pl.UInt32, "number of the game; its address is (seed of the data set, this number, 0)")

TABLES: dict[str, tuple[DataColumn, ...]] = {
    "games": (
        GAME,
        DataColumn("players", pl.UInt8, "number of players"),
        DataColumn("starter", pl.UInt8, "seat that had the first turn"),
        DataColumn("rounds", pl.UInt16, "most turns that a player had"),
        DataColumn("ended", pl.UInt8, "1: the Provinces ran out, 2: enough piles were empty, 3: truncated at the turn limit"),
        DataColumn("kingdom", pl.Array(pl.UInt8, 10), "numbers of the ten Kingdom cards, in order"),
    ),
    "players": (
        GAME,
        DataColumn("seat", pl.UInt8, "seat of the player; a row for each player, seat 0 first"),
        DataColumn("agent", pl.UInt16, "number of the agent in the list of the data set, from 0"),
        DataColumn("position", pl.UInt8, "place in the order of turns, 0 for the player who begins"),
        DataColumn("points", pl.Int16, "points at the end"),
        DataColumn("turns", pl.UInt16, "turns begun"),
        DataColumn("share", pl.Float32, "share of the win: 1 alone, 1/n of n who share it, 0; a truncated game is shared by all"),
        DataColumn("deck", pl.Array(pl.UInt8, NUM_CARDS), "copies of each card owned at the end, in order of card number"),
    ),
    "events": (
        GAME,
        DataColumn("turn", pl.UInt16, "number of the running turn, as the player whose turn it is counts them, from 1"),
        DataColumn("turn_player", pl.UInt8, "seat whose turn it is"),
        DataColumn("player", pl.UInt8, "seat that plays, gains or owned the card; rows of a game stand in order of time"),
        DataColumn(
            "event",
            pl.UInt8,
            "a number of `dominion_env.Event`: 1 play, 2 buy, 3 gain onto the discard pile, 4 gain to hand, 5 gain onto the "
            "deck, 21 gain from the trash, 6 trash; a card that is bought has no gain beside it",
        ),
        DataColumn("card", pl.UInt8, "number of `Card`"),
        DataColumn("count", pl.UInt8, "copies; above 1 only for Treasures that are played together"),
    ),
}  # fmt: skip


def schema_of(table: str) -> dict[str, Any]:
    """Return the types of a table's columns by their names."""
    return {column.name: column.dtype for column in TABLES[table]}
