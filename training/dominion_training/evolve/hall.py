"""The hall of fame: lists that others must beat, and how much each of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

SHARPNESS = 10.0  # of `robust`: an opponent that scores 10 points more against a list counts e times as much
SPREAD = 0.25  # share of the weight that all opponents have alike, so that none is forgotten
ANCHORED = 0.5  # share of the weight that the anchors have among themselves

Scores = NDArray[np.float64]


def _soft_mean(scores: Scores) -> Scores:
    found: Scores = -np.log(np.exp(-SHARPNESS * scores).mean(axis=-1)) / SHARPNESS
    return found


def _by_danger(scores: Scores) -> Scores:
    chances = np.exp(-SHARPNESS * (scores - scores.min()))
    found: Scores = chances / chances.sum()
    return found


@dataclass(frozen=True)
class Hall:
    """Lists by their numbers, and their scores against each other.

    Attributes:
        members: numbers of the lists.
        scores: float64 (members, members), the row's score against the column; 1/2 on the diagonal.
        anchors: numbers of the members that stay and that always count, as the best ones of a kind.
    """

    members: tuple[int, ...]
    scores: Scores
    anchors: tuple[int, ...] = ()

    @property
    def leader(self) -> int:
        """The place of the list that does best against all, its worst opponents and the anchors foremost."""
        return self.by_strength()[0]

    def by_strength(self) -> list[int]:
        """Return all places, the strongest list first."""
        return [int(place) for place in np.argsort(-self.robust(self.scores), kind="stable")]

    def robust(self, scores: Scores) -> Scores:
        """Return how lists do against the members, between the mean score and the worst one; the anchors have a share of it.

        Args:
            scores: float64 (..., members), from 0 to 1; means over the last axis are soft.
        """
        found, anchors = _soft_mean(scores), self._are_anchors
        if not anchors.any():
            return found
        both: Scores = (1 - ANCHORED) * found + ANCHORED * _soft_mean(scores[..., anchors])
        return both

    def weights_against(self, scores: Scores) -> Scores:
        """Return how much each member is to count for those that would replace a list, float64 (members,), together 1.

        Those that win most against the list count most, so that going round in a circle does not pay.

        Args:
            scores: the list's score against each member, float64 (members,).
        """
        found, anchors = (1 - SPREAD) * _by_danger(scores) + SPREAD / len(scores), self._are_anchors
        if anchors.any():
            found *= 1 - ANCHORED
            found[anchors] += ANCHORED * _by_danger(scores[anchors])
        return found

    @property
    def _are_anchors(self) -> NDArray[np.bool_]:
        return np.isin(self.members, self.anchors)

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
        return replace(self, members=(*self.members, number), scores=grown)

    def with_room(self, most: int) -> Hall:
        """Return the hall with at most this number of lists: those leave that the strongest have least to fear of."""
        hall = self
        while len(hall.members) > most:
            strongest = hall.by_strength()[: max(1, most // 4)]
            feared = np.max([hall.weights_against(hall.scores[place]) for place in strongest], axis=0)
            feared[strongest] = np.inf
            feared[hall._are_anchors] = np.inf
            feared[-1] = np.inf  # it has just joined
            stay = np.delete(np.arange(len(hall.members)), int(feared.argmin()))
            members = tuple(hall.members[place] for place in stay)
            hall = replace(hall, members=members, scores=hall.scores[np.ix_(stay, stay)])
        return hall
