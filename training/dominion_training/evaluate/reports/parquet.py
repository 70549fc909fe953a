"""Finished games as a table in a Parquet file, a row each with its address."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from dominion_env.tables.cards import CARDS
from dominion_training.common.records import put_in_place
from dominion_training.evaluate.matches import Match
from dominion_training.play.recorded import NO_ACTION, SPENT, room_for_actions
from dominion_training.play.sets import ENDINGS, FORFEIT, Games


def games_frame(match: Match, games: Games) -> pl.DataFrame:
    """Return games as a table: for each its address, the agent in each seat, and how it ended.

    If answers are kept with the games, `actions` are those of all seats in their order, from which `GameBatch` or `Game` plays
    the game of that address again. In a game that was forfeited the last one is not legal.
    """
    players = match.num_players
    names = np.array([card.name for card in CARDS])
    specs = np.array([match.first, *[match.second] * (players - 1)])
    columns: dict[str, Any] = {
        "first": [match.first] * len(games),
        "second": [match.second] * len(games),
        "kingdom": [match.kingdom] * len(games),
        "cards": [", ".join(row) for row in names[games["kingdom"]]],
        "seed": pl.Series([match.seed % (1 << 64)] * len(games), dtype=pl.UInt64),
        "index": games["set"],
        "episode": np.zeros(len(games), np.int64),
        "rotation": games["rotation"],
        "starter": games["starter"],
        "rounds": games["rounds"],
        "ended": [(ENDINGS | FORFEIT)[code] for code in games["ended"].tolist()],
    }
    for seat in range(players):
        columns |= {
            f"agent_{seat}": specs[(seat - games["rotation"]) % players],
            f"share_{seat}": np.ascontiguousarray(games["shares"][:, seat]),
            f"points_{seat}": np.ascontiguousarray(games["points"][:, seat]),
            f"turns_{seat}": np.ascontiguousarray(games["turns"][:, seat]),
        }
    if room_for_actions(games) is not None:
        columns["actions"] = [actions[actions != NO_ACTION].tolist() for actions in games["actions"]]
        for seat in range(players):
            spent = games["spent"][:, seat]
            columns |= {f"{name}_{seat}": np.ascontiguousarray(spent[name]) for name in SPENT.names or ()}
    return pl.DataFrame(
        {
            name: np.ascontiguousarray(column) if isinstance(column, np.ndarray) else column
            for name, column in columns.items()
        }
    )


def write_games(path: Path, played: Sequence[tuple[Match, Games]]) -> None:
    """Write all games of these matches as one Parquet file; where no answers are kept, their columns are null.

    Raises:
        DominionError: the file can't be written.
    """
    table = pl.concat([games_frame(match, games) for match, games in played], how="diagonal")
    with put_in_place(path) as aside:
        table.write_parquet(aside)
