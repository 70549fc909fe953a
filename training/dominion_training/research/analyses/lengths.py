"""How long games are, and how they end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_env.common.errors import InvalidOption
from dominion_env.rules.record.state import TRUNCATED
from dominion_training.play.sets import ENDINGS
from dominion_training.research.analyses.statistics import Estimate, mean_of, proportion
from dominion_training.research.collect.tables import Tables


@dataclass(frozen=True)
class Lengths:
    """Lengths and ends of games.

    Attributes:
        rounds: mean number of rounds.
        counts: number of games of each length, int64, from 0 rounds on.
        endings: share of games for each way to end.
        margin: mean lead in points of the first over the second.
        shared: share of games with several winners, truncated ones left out.
        games: number of games.
    """

    rounds: Estimate
    counts: NDArray[np.int64]
    endings: dict[str, Estimate]
    margin: Estimate
    shared: Estimate
    games: int


def lengths(tables: Tables) -> Lengths:
    """Return how long games were and how they ended.

    Raises:
        InvalidOption: there are no games.
    """
    if not len(tables):
        raise InvalidOption("games: expected at least one, got an empty selection")
    rounds, ended = tables.games["rounds"].to_numpy().astype(np.int64), tables.games["ended"].to_numpy()
    by_game = tables.players.group_by("game", maintain_order=True)
    best = by_game.agg(pl.col("points").top_k(2)).filter(pl.col("points").list.len() == 2)["points"]
    margins = (best.list.max() - best.list.min()).to_numpy()
    winners = by_game.agg((pl.col("share") > 0).sum().alias("winners"))["winners"].to_numpy()
    whole = winners[ended != TRUNCATED]
    return Lengths(
        mean_of(rounds),
        np.bincount(rounds),
        {name: proportion(int((ended == code).sum()), len(tables)) for code, name in ENDINGS.items()},
        mean_of(margins),
        proportion(int((whole > 1).sum()), len(whole)),
        len(tables),
    )
