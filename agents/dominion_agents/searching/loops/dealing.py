"""Worlds that a seat may be in, dealt one after the other in arrays that are made once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.compiled.jit import primitive, records, rule
from dominion_env.rules.turns.redeal import MOST_SEATS, ZONES, deal, empty
from dominion_env.rules.turns.turn import run


class Dealing(NamedTuple):
    """What worlds are dealt in: a game without its hidden cards, the worlds, and the places of hidden cards."""

    patterns: NDArray[Any]
    worlds: NDArray[Any]
    places: NDArray[np.int64]


def dealing_for(game: np.dtype[Any], worlds: NDArray[Any] | None = None) -> Dealing:
    """Return what worlds are dealt in.

    Args:
        game: dtype of the games.
        worlds: records for the worlds; None makes one.
    """
    one = records(np.zeros(1, game)) if worlds is None else worlds
    return Dealing(records(np.zeros(1, game)), one, np.zeros((MOST_SEATS, ZONES), np.int64))


@rule
def take_pattern(dealing: Any, games: Any, row: Any) -> None:
    """Take a game as the pattern of the worlds that are dealt from now on."""
    dealing.patterns[0] = games[row]
    empty(dealing.patterns[0], dealing.places)


@rule
def deal_world(dealing: Any, at: Any, seed: Any, number: Any) -> None:
    """Deal the world of this number into a place."""
    dealing.worlds[at] = dealing.patterns[0]
    deal(dealing.worlds[at], seed, number, dealing.places)


@primitive
def advance(game: Any, action: Any) -> None:
    """Take an action, and go on to the next decision."""
    game.decisions[game.asked] += 1
    run(game, action)
