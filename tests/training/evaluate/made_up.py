"""Made-up games, whose scores are known."""

from __future__ import annotations

import numpy as np

from dominion_training.play.sets import game_dtype


def pairs(*scores, starter=0):
    """Return pairs of games with these scores of the first agent from seat 0 and from seat 1."""
    games = np.zeros(2 * len(scores), game_dtype(2))
    games["set"] = np.repeat(np.arange(len(scores)), 2)
    games["rotation"] = np.tile([0, 1], len(scores))
    games["starter"], games["ended"], games["rounds"] = starter, 1, 20
    for row, score in enumerate(np.array(scores, dtype=float).ravel()):
        seat = row % 2
        games["shares"][row, seat], games["shares"][row, 1 - seat] = score, 1 - score
    return games
