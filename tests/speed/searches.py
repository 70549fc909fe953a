"""What searching costs: worlds dealt, and playouts, alone and by hundreds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from dominion_agents import playouts
from dominion_env.core.batch import GameBatch
from tests.speed.clock import Piece, Subject

KINGDOM = "first-game-2e"
ACTIONS = 17  # that are tried in the same worlds
STRATEGIES = ("big-money", "big-money-ultimate", "smithy-optimised", "first-game")


def search_subjects() -> Iterator[Subject]:
    """Yield worlds dealt anew, with and without buffers used again, and playouts of several strategies."""
    told = "one world: a game of eight turns a player copied and dealt anew, {}"
    for copies in (4, 64, 1000):
        games = ACTIONS * copies
        yield Subject(
            "search", "worlds, out=", told.format("into worlds made before"), partial(_worlds, copies, True), games
        )
    yield Subject("search", "worlds", told.format("in new memory"), partial(_worlds, 64, False), ACTIONS * 64)
    for strategy in STRATEGIES:
        for rows, copies in ((1, 64), (64, 1), (64, 64)):
            told = "one playout: a game dealt anew and played by this strategy in both seats from the first turn to the end"
            begin = partial(_playouts, strategy, rows, copies)
            yield Subject("search", f"playouts, {strategy}, {rows} rows", told, begin, rows * copies)


def _worlds(copies: int, again: bool) -> Piece:
    batch = GameBatch(1, kingdom=KINGDOM, seed=1, auto_treasures=True)
    while batch.turns.max() < 8:
        batch.step(batch.sample_actions())
    rows, seeds = np.zeros(ACTIONS, np.int64), np.zeros(ACTIONS, np.uint64)
    out = batch.worlds(rows, copies, seeds) if again else None
    times = max(1, 20_000 // (ACTIONS * copies))

    def piece() -> tuple[int, int]:
        for _ in range(times):
            batch.worlds(rows, copies, seeds, out=out)
        return times * ACTIONS * copies, 0

    return piece


def _playouts(strategy: str, rows: int, copies: int) -> Piece:
    batch = GameBatch(rows, kingdom=KINGDOM, seed=1, auto_treasures=True)
    numbers, actions = np.arange(rows), batch.action_mask.argmax(axis=1)
    times = max(1, 1024 // (rows * copies))

    def piece() -> tuple[int, int]:
        for _ in range(times):
            playouts(batch, numbers, actions, copies, strategy, seeds=numbers)
        return times * rows * copies, times * rows * copies

    return piece
