"""Fields without games: who wins is told by a number that each list has, so that the best list is known."""

from __future__ import annotations

import numpy as np

from dominion_training.lists.arena import SEATS


class PlantedArena:
    """An arena in which a list's strength decides how often it wins.

    Args:
        strength: function that returns the strength of a list.
    """

    def __init__(self, strength):
        self._strength = strength
        self.games = 0

    def play(self, strategies, opponents, sets):
        assert len(opponents) == len(sets)
        others = np.repeat([self._strength(each) for each in opponents], SEATS)
        luck = np.random.default_rng([7, sets.start]).random(len(others))
        gaps = np.array([[self._strength(each)] for each in strategies]) - others
        self.games += gaps.size
        return np.stack([(luck < 1 / (1 + np.exp(-gaps))).astype(float), gaps])
