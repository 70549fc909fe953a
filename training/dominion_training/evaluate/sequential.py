"""A sequential test: play until it is clear enough whether the first agent is better, and no longer.

Generalised sequential probability ratio test (GSPRT) on the scores of sets, with bounds in normalised Elo. For pairs
the five scores 0, 1/4, 1/2, 3/4, 1 are the "pentanomial" counts.

Sources: M. Van den Bergh, "A Practical Introduction to the GSPRT", "Comments on Normalized Elo" and "The generalized
maximum likelihood ratio for the expectation value of a distribution" (cantate.be/Fishtest), which Stockfish's Fishtest
follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from dominion_env.common.errors import InvalidOption

SETS_PER_LOOK = 25
Verdict = Literal["accept", "reject", "undecided"]

ELO_PER_T = 800 / math.log(10)
SMALLEST_COUNT = 1e-3  # of a score that has not come up: a set that no hypothesis can explain must not decide alone
MEANINGS: dict[Verdict, str] = {
    "accept": "accepted: the first agent is better",
    "reject": "rejected: the first agent is not better by that much",
    "undecided": "undecided: more games are needed",
}


@dataclass(frozen=True)
class SequentialTest:
    """H0: the first agent's normalised Elo is at most `elo0`, against H1: it is at least `elo1`.

    Normalised Elo is 800 / ln 10 times (mean score - even) / (standard deviation of a game's score); the deviation of a
    game is that of the sets' means times the root of the games in a set. For two agents of about the same strength
    without ties it equals Elo; unlike Elo, equal steps of it need equally many games to be seen, whatever the share of
    ties and even pairs.

    Attributes:
        elo0, elo1: the hypotheses, elo0 < elo1.
        alpha: at most this often H1 is accepted where H0 holds.
        beta: at most this often H0 is accepted where H1 holds.
        players: number of seats at the table, and of games in a set; equals score 1 / players.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    players: int = 2

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1)):
            raise InvalidOption(f"elo0, elo1: expected finite numbers, got {self.elo0} and {self.elo1}")
        if not self.elo0 < self.elo1:
            raise InvalidOption(f"elo0, elo1: expected elo0 below elo1, got {self.elo0} and {self.elo1}")
        for name in ("alpha", "beta"):
            rate = getattr(self, name)
            if not 0 < rate < 0.5:
                raise InvalidOption(f"{name}: expected an error rate between 0 and 1/2, got {rate}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, set_scores: NDArray[np.float64]) -> Verdict:
        """Return what the scores of these sets, float64 (sets,), say so far."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(set_scores)
        return "accept" if ratio >= high else "reject" if ratio <= low else "undecided"

    def first_verdict(
        self, set_scores: NDArray[np.float64], already: int = 0, more: bool = False
    ) -> tuple[Verdict, int]:
        """Return the verdict of the first look that has one, and the number of sets that it looked at.

        It looks at the first 25 sets, at the first 50, and so on, and last at all sets. So the answer depends on the
        scores and their order alone, and is the same whether they come in one piece or in parts.

        Args:
            set_scores: mean score in each set in the order of their numbers, float64 (sets,).
            already: number of sets that were looked at before without a verdict.
            more: whether other sets follow, before which it does not look at all of these.
        """
        number = len(set_scores)
        looks = [*range(already - already % SETS_PER_LOOK + SETS_PER_LOOK, number + 1, SETS_PER_LOOK)]
        looks += [] if more else [number]
        for looked_at in looks:
            verdict = self.verdict(set_scores[:looked_at])
            if verdict != "undecided":
                return verdict, looked_at
        return "undecided", number

    def log_likelihood_ratio(self, set_scores: NDArray[np.float64]) -> float:
        """Return the log-likelihood of H1 over H0, each at its most likely distribution of scores.

        Args:
            set_scores: mean score in each set, float64 (sets,).
        """
        if len(set_scores) == 0:
            return 0.0
        values, probabilities, number = self._observed(set_scores)
        null, alternative = (
            _most_likely(values, probabilities, 1 / self.players, elo / ELO_PER_T * math.sqrt(self.players))
            for elo in (self.elo0, self.elo1)
        )
        return number * sum(p * math.log(b / a) for p, a, b in zip(probabilities, null, alternative, strict=True))

    def normalised_elo(self, set_scores: NDArray[np.float64]) -> float:
        """Return the normalised Elo that these sets estimate."""
        values, probabilities, _ = self._observed(set_scores)
        mean, deviation = _moments(values, probabilities)
        return ELO_PER_T * (mean - 1 / self.players) / deviation / math.sqrt(self.players)

    def counts(self, set_scores: NDArray[np.float64]) -> dict[float, int]:
        """Return how often each score came up; of pairs always all five."""
        counts = {step / 4: 0 for step in range(5)} if self.players == 2 else {0.0: 0, 1 / self.players: 0, 1.0: 0}
        for value, number in zip(*np.unique(set_scores.round(9), return_counts=True), strict=True):
            counts[_nearest(float(value), counts)] = counts.get(_nearest(float(value), counts), 0) + int(number)
        return dict(sorted(counts.items()))

    def _observed(self, set_scores: NDArray[np.float64]) -> tuple[list[float], list[float], float]:
        counts = self.counts(set_scores)
        more = [max(number, SMALLEST_COUNT) for number in counts.values()]
        return list(counts), [each / sum(more) for each in more], sum(more)


def _nearest(value: float, known: dict[float, int]) -> float:
    """Return the known number that this one is but for rounding, else itself."""
    return next((each for each in known if abs(each - value) < 1e-6), value)


def _moments(values: Sequence[float], probabilities: Sequence[float]) -> tuple[float, float]:
    mean = sum(p * v for p, v in zip(probabilities, values, strict=True))
    return mean, math.sqrt(sum(p * (v - mean) ** 2 for p, v in zip(probabilities, values, strict=True)))


def _most_likely(values: Sequence[float], observed: Sequence[float], even: float, t: float) -> list[float]:
    """Return the distribution over these values that best explains the observed one, with (mean - even) / deviation = t.

    It is the best of the fixed points that are found, as there may be several.
    """
    equal = 1 / len(values)
    starts = [[near * p + (1 - near) * equal for p in observed] for near in (0.0, 0.5, 1.0)]
    starts.append(_with_that_t(values, observed, even, t))
    found = (_fixed_point(values, observed, even, t, start) for start in starts)
    return max(
        (each for each in found if each is not None),
        key=lambda each: sum(p * math.log(q) for p, q in zip(observed, each, strict=True)),
    )


def _with_that_t(values: Sequence[float], observed: Sequence[float], even: float, t: float) -> list[float]:
    """Return the observed distribution with so much of the highest or lowest value added that it has that t."""
    mean, deviation = _moments(values, observed)
    edge = max(values) if mean - even < t * deviation else min(values)

    def mixed(share: float) -> list[float]:
        return [(1 - share) * p + share * (v == edge) for v, p in zip(values, observed, strict=True)]

    def off(share: float) -> float:
        mean, deviation = _moments(values, mixed(share))
        return mean - even - t * deviation

    return mixed(brentq(off, 0.0, 1.0))


def _fixed_point(
    values: Sequence[float], observed: Sequence[float], even: float, t: float, found: list[float]
) -> list[float] | None:
    """Return a distribution with that t, reached from `found`; None if none is.

    The condition is not linear; each step makes it linear at the distribution found last.
    """
    for _ in range(20):
        mean, deviation = _moments(values, found)
        excess = [v - even - t * deviation * (1 + ((mean - v) / deviation) ** 2) / 2 for v in values]
        if not min(excess) < 0 < max(excess):
            return None
        x = _multiplier(excess, observed)
        before, found = found, [p / (1 + x * e) for p, e in zip(observed, excess, strict=True)]
        if max(abs(a - b) for a, b in zip(before, found, strict=True)) < 1e-9:
            break
    return found


def _multiplier(excess: Sequence[float], observed: Sequence[float]) -> float:
    """Return the Lagrange multiplier x with sum p e / (1 + x e) = 0; as all 1 + x e > 0, there is one."""
    low, high = -1 / max(excess), -1 / min(excess)
    margin = 1e-9 * (high - low)
    root: float = brentq(
        lambda x: sum(p * e / (1 + x * e) for p, e in zip(observed, excess, strict=True)), low + margin, high - margin
    )
    return root
