"""Money, points and deck size by turn, gathered while agents play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env import GameBatch

TURNS = 60  # turns of a player that are kept
KINDS = ("money", "points", "deck size")
_LEAST = 0.1  # part of the games that must last until a turn for it to be shown
_BAND = (25.0, 75.0)  # the middle half of the games


class Curves:
    """What the first agent and the others had in each of their turns.

    Money is the most coins of a turn; points and deck size are those just before the next turn begins.

    Args:
        num_sets: number of sets of games.
        num_players: number of players, and of rotations in a set.
    """

    def __init__(self, num_sets: int, num_players: int) -> None:
        self._players = num_players
        # by kind, set, rotation, place in the lineup, turn
        self._kept = np.full((len(KINDS), num_sets, num_players, num_players, TURNS + 1), np.nan, np.float32)

    def watch(self, batch: GameBatch, sets: NDArray[Any], rotations: NDArray[Any], running: NDArray[np.bool_]) -> None:
        """Note what the players have; see `sets.Watching`."""
        rows = np.flatnonzero(running)
        seats = np.arange(self._players)
        state = batch.state
        turns = np.minimum(state["turns"][rows][:, : self._players], TURNS)
        places = (seats - rotations[rows][:, None]) % self._players
        at = (sets[rows][:, None], rotations[rows][:, None], places, turns)
        self._kept[1][at] = batch.scores[rows]
        self._kept[2][at] = state["owned"][rows][:, : self._players].sum(axis=2)
        player = state["turn_player"][rows]
        own = tuple(part[np.arange(len(rows)), player] if part.shape[1] > 1 else part[:, 0] for part in at)
        self._kept[0][own] = np.fmax(self._kept[0][own], state["coins"][rows])

    def told(self, num_sets: int) -> dict[str, list[dict[str, list[float]]]]:
        """Return the curves of the first sets: by kind those of the first agent and of the others.

        Each curve has places (turns), values (means), and low and high (the middle half of the games).
        """
        kept = self._kept[:, :num_sets, :, :, 1:]
        return {kind: [_curve(part[:, :, :1]), _curve(part[:, :, 1:])] for kind, part in zip(KINDS, kept, strict=True)}


def _curve(values: NDArray[np.float32]) -> dict[str, list[float]]:
    """Return the curve of values by set, rotation, place and turn."""
    rows = values.reshape(-1, values.shape[-1])
    number = (~np.isnan(rows)).sum(axis=0)
    turns = int(np.flatnonzero(number >= max(1, _LEAST * len(rows)))[-1]) + 1 if number[0] else 0
    shown = rows[:, :turns]
    if not turns:
        return {"places": [], "values": [], "low": [], "high": []}
    low, high = np.nanpercentile(shown, _BAND, axis=0)
    means = np.nanmean(shown, axis=0)
    return {
        "places": [*range(1, turns + 1)], "values": means.tolist(),
        "low": np.minimum(low, means).tolist(), "high": np.maximum(high, means).tolist(),
    }  # fmt: skip
