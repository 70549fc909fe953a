"""The positions that are labelled: decisions of many games, thinned so that they are not neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.agent import gains_for
from dominion_env.splitmix import GAMMA, number_below, splitmix
from dominion_training.evaluate.games import Player, Stopped, answers

_ASTRAY, _SEATS, _GAPS = (np.uint64(word) for word in (0x61C8864680B583EB, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB))
_SHIFT, _UNIT = np.uint64(11), 2.0**-53  # from a word to a number from 0 to 1


@dataclass(frozen=True)
class Positions:
    """Decisions of different games, with more than one legal action each.

    Attributes:
        games: the games.
        index: index of the address of each, int64 (n,).
        decision: number of decisions that were made in each before, int64 (n,).
    """

    games: GameBatch
    index: NDArray[np.int64]
    decision: NDArray[np.int64]


def positions(
    players: Sequence[Player],
    weights: Sequence[float],
    games: range,
    seed: int,
    *,
    spacing: int,
    astray: float,
    stopping: Callable[[], bool] | None = None,
    **options: Any,
) -> list[Positions]:
    """Play games, and return some decisions of each.

    Which decisions these are depends on the address of a game alone, not on the games beside it. Each seat is drawn for one
    of the players.

    Args:
        players: who plays.
        weights: weight of each of them, above 0.
        games: the indices of the games.
        seed: seed of the games.
        spacing: mean number of decisions from one that is returned to the next.
        astray: share of decisions that are made at random.
        stopping: function that is called before every step and returns True to stop.
        options: other options of `GameBatch`.

    Raises:
        InvalidAgent: a player raised an error, or answered with no legal action.
        DominionError: an option is wrong.
        Stopped: `stopping()` was true.
    """
    batch = GameBatch(len(games), seed=seed, index=np.array(games), autoreset=False, **options)
    index, gains = np.array(games), gains_for(batch, [player.agent for player in players])
    words = splitmix(splitmix(np.full(len(games), seed % (1 << 64), np.uint64)) + index.astype(np.uint64) * GAMMA)
    seats = _drawn_seats(words, weights, batch.num_players)
    made, stop = np.zeros(len(games), np.int64), number_below(splitmix(words ^ _GAPS), spacing)
    found = []
    while (running := ~batch.state["over"].astype(np.bool_)).any():
        if stopping is not None and stopping():
            raise Stopped
        if not (moving := np.flatnonzero(running & (made < stop))).size:
            rows = np.flatnonzero(running)
            found.append(Positions(batch.take(rows), index[rows], made[rows].copy()))
            gap = number_below(splitmix(words[rows] ^ _GAPS ^ splitmix(stop[rows].astype(np.uint64) + GAMMA)), spacing)
            stop[rows] += spacing - spacing // 2 + gap
            continue
        actions = _actions(players, seats, batch, moving, astray, gains)
        batch.step(actions, moving)
        made[moving] += 1
        if gains is not None:
            gains.update()
    return found


def _drawn_seats(words: NDArray[np.uint64], weights: Sequence[float], num_players: int) -> NDArray[np.int64]:
    """Return the number of the player in each seat of each game, int64 (games, num_players)."""
    until = np.cumsum(weights) / np.sum(weights)
    drawn = splitmix(words[:, None] ^ _SEATS ^ (np.arange(1, num_players + 1).astype(np.uint64) * GAMMA)) >> _SHIFT
    found: NDArray[np.int64] = np.minimum(np.searchsorted(until, drawn * _UNIT, side="right"), len(weights) - 1)
    return found


def _actions(
    players: Sequence[Player],
    seats: NDArray[np.int64],
    batch: GameBatch,
    rows: NDArray[np.int64],
    astray: float,
    gains: Any,
) -> NDArray[np.int64]:
    """Return what the players do in these games, some of it at random."""
    keys = batch.policy_keys()
    who, actions = seats[rows, batch.current_player[rows]], np.empty(len(rows), np.int64)
    for number, player in enumerate(players):
        if (theirs := np.flatnonzero(who == number)).size:
            actions[theirs] = answers(player, batch, rows[theirs], gains, None, keys)
    words = splitmix(keys[rows] ^ _ASTRAY)
    lost = np.flatnonzero((words >> _SHIFT) * _UNIT < astray)
    masks = batch.action_mask[rows[lost]]
    place = number_below(splitmix(words[lost]), masks.sum(axis=1))
    actions[lost] = (masks.cumsum(axis=1) > place[:, None]).argmax(axis=1)
    return actions
