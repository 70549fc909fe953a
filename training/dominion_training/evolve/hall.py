"""The hall of fame: lists that others must beat, and how much each of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHARPNESS = 10.0  # of `robust`: an opponent that scores 10 points more against a list counts e times as much
SPREAD = 0.25  # share of the weight that all opponents have alike, so that none is forgotten

Scores = NDArray[np.float64]


def robust(scores: Scores) -> Scores:
    """Return how a list does against many, between its mean score and its worst one; the mean over the last axis is soft.

    Args:
        scores: float64 (..., opponents), from 0 to 1.
    """
    found: Scores = -np.log(np.exp(-SHARPNESS * scores).mean(axis=-1)) / SHARPNESS
    return found


def weights_against(scores: Scores) -> Scores:
    """Return how much each opponent is to count for those that would replace a list, float64 (opponents,), together 1.

    Those that win most against the list count most, so that going round in a circle does not pay.

    Args:
        scores: the list's score against each opponent, float64 (opponents,).
    """
    chances = np.exp(-SHARPNESS * (scores - scores.min()))
    found: Scores = (1 - SPREAD) * chances / chances.sum() + SPREAD / len(scores)
    return found


@dataclass(frozen=True)
class Hall:
    """Lists by their numbers, and their scores against each other.

    Attributes:
        members: numbers of the lists.
        scores: float64 (members, members), the row's score against the column; 1/2 on the diagonal.
    """

    members: tuple[int, ...]
    scores: Scores

    @property
    def leader(self) -> int:
        """The place of the list that does best against all, its worst opponents foremost."""
        return int(robust(self.scores).argmax())

    def by_strength(self) -> list[int]:
        """Return all places, the strongest list first."""
        return [int(place) for place in np.argsort(-robust(self.scores), kind="stable")]

    def joined(self, number: int, scores: Sequence[float]) -> Hall:
        """Return the hall with one more list.

        Args:
            number: its number.
            scores: its score against each member.
        """
        size = len(self.members)
        grown = np.full((size + 1, size + 1), 0.5)
        grown[:size, :size] = self.scores
        grown[size, :size] = scores
        grown[:size, size] = 1 - np.asarray(scores)
        return Hall((*self.members, number), grown)

    def with_room(self, most: int) -> Hall:
        """Return the hall with at most so many lists: those leave that the strongest have least to fear of."""
        hall = self
        while len(hall.members) > most:
            strongest = hall.by_strength()[: max(1, most // 4)]
            feared = np.max([weights_against(hall.scores[place]) for place in strongest], axis=0)
            feared[strongest] = np.inf
            feared[-1] = np.inf  # it has just joined
            stay = np.delete(np.arange(len(hall.members)), int(feared.argmin()))
            hall = Hall(tuple(hall.members[place] for place in stay), hall.scores[np.ix_(stay, stay)])
        return hall
