"""What each arm of a decision is worth: arms are tried in common worlds until the two best can be told apart well enough.

All arms of a decision are first tried in a few worlds. Those that are clearly worse than the best are dropped, and the
others are tried in more worlds, as many as the spread so far asks for, until the standard error of the difference of the
two best is small enough. What is done for a decision depends on its own arms alone, so it is the same among any others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FIRST = 16  # worlds in which every arm is tried
STEP = 8  # worlds are added in multiples of this
CLEARLY = 1.5  # standard errors by which an arm is worse than the best when it is dropped
UNSEEN = 0.5  # squared differences that are added to those seen, as few worlds may have shown no difference by chance

Play = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Plays `STEP` worlds for each decision, arm and number of a step, int64 (m,) each, and returns the shares of the win,
float32 (m, STEP). A step has the same worlds for all arms of a decision."""


@dataclass(frozen=True)
class Worth:
    """What the arms of a decision are worth.

    An arm that was dropped is compared with the best in the worlds that both have seen. Its value is that of the best, more
    or less this difference, so the luck of the first worlds does not count.

    Attributes:
        values: share of the win of each arm, float64 (arms,), from 0 to 1.
        errors: standard error of the mean of each arm's own games, float64 (arms,).
        errors_to_best: standard error of the difference of each arm's value to that of the best, float64 (arms,); 0 for the
            best itself.
        games: number of games behind each value, int64 (arms,).
        best: the best arm, the first of equals; a dropped arm is never better.
        second: the second best of those that were not dropped.
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    errors_to_best: NDArray[np.float64]
    games: NDArray[np.int64]
    best: int
    second: int

    @property
    def error(self) -> float:
        """Standard error of the difference of the two best."""
        return float(self.errors_to_best[self.second])


def tried(arms: Sequence[int], error: float, most: int, play: Play, kept: Sequence[int] | None = None) -> list[Worth]:
    """Try the arms of several decisions.

    Args:
        arms: number of arms of each decision, at least 2.
        error: standard error of the difference of the two best arms with which a decision is done.
        most: number of worlds after which a decision is done in any case, a multiple of `STEP`.
        play: plays worlds.
        kept: an arm of each decision that is never dropped, if any. Of many arms some look better than they are in the first
            worlds, so an arm that the others are to be measured by must not be dropped for bad luck there.
    """
    decisions = [_Decision(number, None if kept is None else kept[at]) for at, number in enumerate(arms)]
    wanted = np.full(len(arms), min(FIRST, most) // STEP)
    while wanted.any():
        given = [each.trials(int(steps)) for each, steps in zip(decisions, wanted, strict=True)]
        decision = np.repeat(np.arange(len(arms)), [len(arm) for arm, _ in given])
        shares = play(decision, *(np.concatenate(part) for part in zip(*given, strict=True)))
        ends = np.cumsum([len(arm) for arm, _ in given])[:-1]
        for number, found in enumerate(np.split(shares, ends)):
            if len(found):
                wanted[number] = decisions[number].learn(found, error, most)
    return [each.worth() for each in decisions]


class _Decision:
    """The arms of one decision, and what they have won."""

    def __init__(self, arms: int, kept: int | None) -> None:
        self._kept = kept
        self._shares = np.full((arms, 0), np.nan)  # of each arm in each world
        self._left = np.arange(arms)

    def trials(self, steps: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return arms and numbers of steps that are to be played next, int64 (m,) both."""
        first = self._shares.shape[1] // STEP
        return np.repeat(self._left, steps), np.tile(np.arange(first, first + steps), len(self._left))

    def learn(self, shares: NDArray[np.float32], error: float, most: int) -> int:
        """Note what the trials have won, drop arms, and return how many steps are to follow."""
        news = shares.reshape(len(self._left), -1)
        wider = np.full((len(self._shares), news.shape[1]), np.nan)
        wider[self._left] = news
        self._shares = np.concatenate([self._shares, wider], axis=1)
        _, behind, errors = self._compared(self._left)
        order = np.argsort(behind, kind="stable")  # the best is in front, as nothing lies behind itself less
        stays = (behind <= CLEARLY * errors) | (self._left == self._kept)
        stays[order[:2]] = True
        self._left = self._left[stays]
        worlds = self._shares.shape[1]
        reached = float(errors[order[1]])
        if reached <= error:
            return 0
        needed = int(np.ceil(worlds * (reached / error) ** 2)) - worlds
        return min(max(-(-needed // STEP), 1), worlds // STEP, (most - worlds) // STEP)

    def _compared(self, arms: NDArray[np.int64]) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
        """Return the best of the arms that are left, by how much others are behind it, and the standard errors of that."""
        means = self._shares[self._left].mean(axis=1)
        best = int(self._left[means.argmax()])
        difference = self._shares[best] - self._shares[arms]
        behind = np.nanmean(difference, axis=1)
        errors = _error(difference)
        behind[arms == best], errors[arms == best] = -np.inf, 0
        return best, behind, errors

    def worth(self) -> Worth:
        """Return what the arms are worth."""
        every = np.arange(len(self._shares))
        best, behind, errors = self._compared(every)
        behind[best] = 0
        rivals = np.where(np.isin(every, self._left) & (every != best), behind, np.inf)
        value = self._shares[best].mean()
        return Worth(
            np.clip(value - np.where(every == best, 0, np.maximum(behind, 0)), 0, 1),
            _error(self._shares),
            errors,
            (~np.isnan(self._shares)).sum(axis=1),
            best,
            int(rivals.argmin()),
        )


def _error(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of the mean of each row, in which NaN are no values."""
    number = (~np.isnan(values)).sum(axis=1)
    spread = values - np.nanmean(values, axis=1, keepdims=True)
    return np.asarray(np.sqrt((np.nansum(spread**2, axis=1) + UNSEEN) / (number * (number - 1))))
