"""Sequential halving: which of several arms is the best, when each playout of an arm says little.

All arms of a decision are tried in the same worlds, against the same plans of the others. In each round the arms that are
left share the same number of playouts, and the worse half of them goes. Source: Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits" (2013). Here an arm also goes as soon as it is surely worse than the best one, and what it
would have taken is saved: most decisions are clear after a few playouts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IN_A_TRIAL = 2  # playouts of a trial, which have the same plans of the others
LEAST_ROUNDS = 3  # rounds even for two arms, so that a clear decision is seen early
SURELY = 2.5  # standard errors by which an arm is worse that goes at once
# Few trials tell little of their own spread: as if this number of trials more had shown the usual spread of a difference.
USUAL_SPREAD, USUAL_TRIALS = 0.5, 4

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
        """Mean value of each arm, float64 (arms,); 0 for one that was not tried."""
        return _means(self.values)

    def advantage(self, arm: int, other: int) -> tuple[float, float]:
        """Return by how much an arm is better than another in the trials that both have, and the standard error of that."""
        mean, error = _mean_and_error((self.values[arm] - self.values[other])[None])
        return float(mean[0]), float(error[0])


def halve(decision: NDArray[np.int64], budget: int, kept: NDArray[np.bool_], play: Try) -> Tried:
    """Try the arms of several decisions, and drop the worse ones, until one of each decision is left, and those to be kept.

    A decision's budget is never exceeded: if it is too small for one trial of each arm, none is tried. What is done for a
    decision depends on its own arms alone, so it is the same among any others.

    Args:
        decision: the decision that each arm belongs to, int64 (arms,), in rising order.
        budget: playouts for each decision.
        kept: arms that are never dropped, bool (arms,).
        play: plays trials.
    """
    _, decision = np.unique(decision, return_inverse=True)
    arms = np.bincount(decision)
    halvings = np.maximum(np.ceil(np.log2(np.maximum(arms, 2))), 1).astype(np.int64)
    rounds = np.maximum(halvings, LEAST_ROUNDS)
    left, going = np.ones(len(decision), np.bool_), np.ones(len(arms), np.bool_)
    values = np.full((len(decision), 0), np.nan)
    done = np.zeros(len(arms), np.int64)  # trials of an arm of each decision so far
    unspent = np.full(len(arms), budget)
    for number in range(int(rounds.max())):
        going &= number < rounds
        # What the arms would share if none had gone early.
        sharing = -(-arms // 2 ** np.maximum(number - (rounds - halvings), 0)) + np.bincount(
            decision[kept], minlength=len(arms)
        )
        trials = np.maximum(1, budget // (rounds * np.minimum(sharing, arms) * IN_A_TRIAL))
        cost = np.bincount(decision[left], minlength=len(arms)) * trials * IN_A_TRIAL
        going &= cost <= unspent
        trying = np.flatnonzero(left & going[decision])
        if not trying.size:
            break
        unspent -= np.where(going, cost, 0)
        each = trials[decision[trying]]
        arm = np.repeat(trying, each)
        trial = np.arange(len(arm)) - np.repeat(np.cumsum(each) - each, each) + done[decision[arm]]
        done += np.where(going, trials, 0)
        values = _widened(values, int(done.max()))
        values[arm, trial] = play(arm, trial)
        rivals = left & going[decision] & ~_surely_worse(decision, values, left)
        left &= rivals | kept | ~going[decision]
        left = _better_half(decision, left, kept, _means(values), going & (number >= rounds - halvings))
        going &= np.bincount(decision, rivals) > 1
    return Tried(values, left)


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each arm, 0 for one that was not tried."""
    found: NDArray[np.float64] = np.nansum(values, 1) / np.maximum((~np.isnan(values)).sum(1), 1)
    return found


def _surely_worse(
    decision: NDArray[np.int64], values: NDArray[np.float64], left: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which arms are worse than the best one that is left of their decision by more than chance explains."""
    best = best_of(decision, np.where(left, _means(values), -np.inf))
    mean, error = _mean_and_error(values[best[decision]] - values)
    found: NDArray[np.bool_] = mean > SURELY * error
    return found


def _mean_and_error(differences: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of each row of (n, trials) without NaN, and its standard error."""
    there = ~np.isnan(differences)
    number = np.maximum(there.sum(1), 1)
    mean = np.where(there, differences, 0).sum(1) / number
    squares = np.where(there, (differences - mean[:, None]) ** 2, 0).sum(1) + USUAL_TRIALS * USUAL_SPREAD**2
    return mean, np.sqrt(squares / (number - 1 + USUAL_TRIALS) / number)


def best_of(decision: NDArray[np.int64], means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the arm with the highest mean of each decision, the first one of equals, int64 (decisions,).

    Args:
        decision: the decision of each arm, 0 and up without gaps, in rising order.
        means: what each arm is worth, float64 (arms,).
    """
    order = np.lexsort((np.arange(len(means)), -means, decision))
    found: NDArray[np.int64] = order[np.searchsorted(decision[order], np.arange(int(decision[-1]) + 1))]
    return found


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
