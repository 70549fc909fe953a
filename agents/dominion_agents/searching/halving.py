"""Sequential halving: which of several arms is the best, when each playout of an arm says little.

All arms of a decision are tried in the same worlds, against the same plans of the others. In each round the arms that are
left share the same number of playouts, and the worse half of them goes. Source: Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits" (2013).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IN_A_TRIAL = 2  # playouts of a trial, which have the same plans of the others

Try = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]
"""Plays `IN_A_TRIAL` playouts for each pair of an arm and the number of a trial, int64 (m,) both, and returns their means,
float64 (m,). Trials of one decision with the same number have the same worlds."""


@dataclass(frozen=True)
class Tried:
    """What halving has found out about the arms.

    Attributes:
        values: mean of each trial of each arm, float64 (arms, trials); NaN where an arm was not tried any more.
        left: the arms that were not dropped, bool (arms,).
    """

    values: NDArray[np.float64]
    left: NDArray[np.bool_]

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean value of each arm, float64 (arms,)."""
        found: NDArray[np.float64] = np.nanmean(self.values, axis=1)
        return found

    def advantage(self, arm: int, other: int) -> tuple[float, float]:
        """Return by how much an arm is better than another in the trials that both have, and the standard error of that."""
        differences = self.values[arm] - self.values[other]
        differences = differences[~np.isnan(differences)]
        if len(differences) < 2:
            return float(differences.mean()), float("inf")
        return float(differences.mean()), float(differences.std(ddof=1) / np.sqrt(len(differences)))


def halve(decision: NDArray[np.int64], budget: int, kept: NDArray[np.bool_], play: Try) -> Tried:
    """Try the arms of several decisions, and drop the worse ones, until one of each decision is left,
    and those to be kept.

    What is done for a decision depends on its own arms alone, so it is the same among any others.

    Args:
        decision: the decision that each arm belongs to, int64 (arms,), in rising order.
        budget: playouts for each decision.
        kept: arms that are never dropped, bool (arms,).
        play: plays trials.
    """
    _, decision = np.unique(decision, return_inverse=True)
    arms = np.bincount(decision)
    rounds = np.maximum(np.ceil(np.log2(np.maximum(arms, 2))), 1).astype(np.int64)
    left = np.ones(len(decision), np.bool_)
    values = np.full((len(decision), 0), np.nan)
    done = np.zeros(len(arms), np.int64)  # trials of each decision so far
    for number in range(int(rounds.max())):
        active = number < rounds
        share = np.bincount(decision, left).astype(np.int64)
        trials = np.where(active, np.maximum(1, np.rint(budget / (rounds * share * IN_A_TRIAL)).astype(np.int64)), 0)
        trying = np.flatnonzero(left & active[decision])
        each = trials[decision[trying]]
        arm = np.repeat(trying, each)
        trial = np.arange(len(arm)) - np.repeat(np.cumsum(each) - each, each) + done[decision[arm]]
        done += trials
        values = _widened(values, int(done.max()))
        values[arm, trial] = play(arm, trial)
        left = _better_half(
            decision, left, kept, np.nansum(values, 1) / np.maximum((~np.isnan(values)).sum(1), 1), active
        )
    return Tried(values, left)


def _widened(values: NDArray[np.float64], trials: int) -> NDArray[np.float64]:
    return np.concatenate([values, np.full((len(values), trials - values.shape[1]), np.nan)], axis=1)


def _better_half(
    decision: NDArray[np.int64],
    left: NDArray[np.bool_],
    kept: NDArray[np.bool_],
    means: NDArray[np.float64],
    active: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return the arms that stay: the better half of those that are left of each active decision, and those to be kept."""
    rivals = left & ~kept
    order = np.lexsort(
        (-means, ~rivals, decision)
    )  # of each decision those that may go first, the best of them in front
    first = np.searchsorted(decision, np.arange(len(active)))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - first[decision[order]]
    half = -(-np.bincount(decision, rivals).astype(np.int64) // 2)
    stays = (rivals & (place < half[decision])) | (left & kept)
    found: NDArray[np.bool_] = np.where(active[decision], stays, left)
    return found
