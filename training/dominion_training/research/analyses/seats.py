"""What a place in the order of turns is worth, at tables of each size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dominion_env.common.errors import InvalidOption
from dominion_training.research.analyses.statistics import Estimate, adjusted, contrast
from dominion_training.research.collect.tables import Tables


@dataclass(frozen=True)
class Place:
    """A place in the order of turns.

    Attributes:
        players: number of players at the table.
        position: 0 for the player who begins.
        score: mean share of the win.
        edge: the score, less that of equals.
        q: q-value of the edge, among all places of all tables.
    """

    players: int
    position: int
    score: Estimate
    edge: Estimate
    q: float | None = None


@dataclass(frozen=True)
class SeatScores:
    """Scores by place in the order of turns, for games of several numbers of players.

    Attributes:
        rows: the places, in order of players and position.
        games: number of games for each number of players.
    """

    rows: tuple[Place, ...]
    games: dict[int, int]


def seat_advantage(tables: Tables) -> SeatScores:
    """Return how the places in the order of turns fared; agents must be spread over them evenly, as `dominion collect` does.

    Raises:
        InvalidOption: there are no games.
    """
    if not len(tables):
        raise InvalidOption("games: expected at least one, got an empty selection")
    joined = tables.players.join(tables.games.select("game", "players"), on="game")
    rows, games = [], {}
    for count in sorted(joined["players"].unique().to_list()):
        mine = joined.filter(joined["players"] == count)
        games[count] = mine["game"].n_unique()
        shares, number = mine["share"].to_numpy(), mine["game"].to_numpy()
        for position in range(count):
            group = np.where(mine["position"].to_numpy() == position, 0, -1)
            score = contrast(shares, group, (1,), number, (0, 1))
            edge = contrast(shares - 1 / count, group, (1,), number, (-1, 1))
            rows.append(Place(count, position, score, edge))
    q = adjusted([row.edge for row in rows])
    return SeatScores(
        tuple(Place(row.players, row.position, row.score, row.edge, value) for row, value in zip(rows, q, strict=True)),
        games,
    )
