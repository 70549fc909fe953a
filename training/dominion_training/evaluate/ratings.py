"""Ratings: one number for each agent that explains all games together, in Elo.

The model is Luce's choice rule, which for two players is that of Bradley and Terry: an agent with rating r (in nats)
that is q-th to act has strength exp(r + b_q), and wins with probability strength / sum of strengths at the table. b_q is
the advantage of the place in the order of turns, 0 for the last. A shared victory counts as shares of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from dominion_env.common.errors import InvalidOption
from dominion_training.evaluate.match import ELO_PER_NAT, MatchResult

LONGEST_STEP = 2.0  # in nats: far from the solution the information says little about it


@dataclass(frozen=True)
class Encounter:
    """All sets that one agent played against copies of another.

    Attributes:
        first, second: numbers of the agents.
        shares: float64 (sets, k, k) for k players: of the win, in the game in which the first agent is q-th to act
            (axis 1), of the player who is p-th to act (axis 2).
        sets: int64 (sets,), the number of the luck that each had; sets with one number are not independent of each other.
    """

    first: int
    second: int
    shares: NDArray[np.float64]
    sets: NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents, and how sure they are.

    Attributes:
        elo: float64 (agents,), the anchor's 0.
        low, high: float64 (agents,), ends of the 95% confidence interval of the difference to the anchor.
        covariance: float64 (agents, agents), of `elo`.
        freedom: degrees of freedom of the covariance; intervals come from Student's distribution with as many.
        seat_elo: float64 (players - 1,), advantage of being first, second ... to act over being last.
        seat_low, seat_high: float64 (players - 1,), ends of its 95% confidence intervals.
        expected: float64 (agents, agents), score of row against column that the ratings predict, seats evenly spread.
    """

    elo: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    covariance: NDArray[np.float64]
    freedom: int
    seat_elo: NDArray[np.float64]
    seat_low: NDArray[np.float64]
    seat_high: NDArray[np.float64]
    expected: NDArray[np.float64]

    @property
    def quantile(self) -> float:
        """Number of standard errors on either side of an estimate in a 95% confidence interval."""
        return float(student.ppf(0.975, self.freedom))


def encounter(first: int, second: int, result: MatchResult) -> Encounter:
    """Return the sets of a match, sorted by the order of turns."""
    games, players = result.games, result.num_players
    by_turn = (np.arange(players) + games["starter"][:, None]) % players  # seat of the p-th to act
    shares = np.take_along_axis(games["shares"], by_turn, axis=1).reshape(-1, players, players)
    order = np.argsort(result.positions, axis=1)  # which rotation has the first agent q-th to act
    sets = games["set"].reshape(-1, players)[:, 0]
    return Encounter(first, second, np.take_along_axis(shares, order[:, :, None], axis=1), sets)


def fit(
    num_agents: int, encounters: Sequence[Encounter], anchor: int = 0, seats: bool = True, prior: bool = True
) -> Ratings:
    """Fit ratings by penalised maximum likelihood, with confidence intervals over sets.

    The penalty is Jeffreys' prior. It takes away the bias of maximum likelihood with few games, and keeps the ratings of
    agents finite that have won or lost all games. It weighs as much as half a game for each parameter, however many
    matches there are, so that it doesn't draw strong and weak agents together.

    Intervals come from the robust ("sandwich") covariance with all games of one luck as one observation. Pairs, and
    different matches played on the same addresses, are not counted as independent. So an interval is as narrow as the
    pairing of games has made the comparison.

    Args:
        num_agents: number of agents, 0 to num_agents - 1; the encounters must connect them.
        encounters: all that was played, with equally many players in each.
        anchor: the agent whose rating is 0.
        seats: whether places in the order of turns have advantages of their own; False: b = 0.
        prior: False for plain maximum likelihood, which has no solution where an agent has won or lost all games.

    Raises:
        InvalidOption: an agent has no connection to the others, so that nothing can be said.

    Sources: D. Firth, "Bias Reduction of Maximum Likelihood Estimates" (1993), for the penalty; K.-Y. Liang and
    S. Zeger, "Longitudinal Data Analysis Using Generalized Linear Models" (1986), for the covariance.
    """
    players = encounters[0].shares.shape[1] if encounters else 2
    _check_connected(num_agents, encounters)
    parameters = num_agents + players - 1
    free = np.array([i for i in range(parameters) if i != anchor and (seats or i < num_agents)], dtype=np.int64)
    games = _Games.of(encounters, num_agents, free)

    theta = np.zeros(len(free))
    for _ in range(200):
        step = np.linalg.solve(games.at(theta).information, games.at(theta).gradient(prior))
        step *= min(1.0, LONGEST_STEP / np.abs(step).max(initial=LONGEST_STEP))
        before = games.objective(theta, prior)
        while games.objective(theta + step, prior) < before - 1e-9:
            step /= 2
        theta = theta + step
        if np.abs(step).max(initial=0.0) < 1e-9:
            break

    spread, lucks = _spread(games.at(theta), encounters, prior)
    inverse = np.linalg.inv(games.at(theta).information)
    estimate, covariance = np.zeros(parameters), np.zeros((parameters, parameters))
    estimate[free] = theta * ELO_PER_NAT
    covariance[np.ix_(free, free)] = inverse @ spread @ inverse * ELO_PER_NAT**2
    freedom, n = max(lucks - 1, 1), num_agents
    half = student.ppf(0.975, freedom) * np.sqrt(np.diag(covariance))
    low, high = estimate - half, estimate + half
    return Ratings(
        elo=estimate[:n], low=low[:n], high=high[:n], covariance=covariance[:n, :n], freedom=freedom,
        seat_elo=estimate[n:], seat_low=low[n:], seat_high=high[n:], expected=_expected(estimate / ELO_PER_NAT, n, players),
    )  # fmt: skip


@dataclass(frozen=True)
class _Games:
    """All games by "cell", which is a match and a place of its first agent in the order of turns.

    Attributes:
        design: float64 (cells, players, parameters), which parameters make up the strength of each player.
        shares: float64 (cells, players), sum of the shares of the win.
    """

    design: NDArray[np.float64]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, encounters: Sequence[Encounter], num_agents: int, free: NDArray[np.int64]) -> _Games:
        players = encounters[0].shares.shape[1] if encounters else 2
        none = np.zeros((0, players, num_agents + players - 1))
        designs = [_design(each, num_agents, players) for each in encounters]
        shares = [np.zeros((0, players)), *(each.shares.sum(axis=0) for each in encounters)]
        return cls(np.concatenate([none, *designs])[:, :, free], np.concatenate(shares))

    def at(self, theta: NDArray[np.float64]) -> _Fit:
        """Return the model with these parameters."""
        strength = self.design @ theta
        weight = np.exp(strength - strength.max(axis=1, keepdims=True))
        return _Fit(self.design, self.shares, weight / weight.sum(axis=1, keepdims=True))

    def objective(self, theta: NDArray[np.float64], prior: bool) -> float:
        """Return the log-likelihood, with the logarithm of Jeffreys' prior if there is a prior."""
        fitted = self.at(theta)
        likelihood = float((self.shares * np.log(fitted.chances)).sum())
        return likelihood + (0.5 * float(np.linalg.slogdet(fitted.information)[1]) if prior else 0.0)


@dataclass(frozen=True)
class _Fit:
    """The model with some parameters.

    Attributes:
        design, shares: as in `_Games`.
        chances: float64 (cells, players), each player's chance to win.
    """

    design: NDArray[np.float64]
    shares: NDArray[np.float64]
    chances: NDArray[np.float64]

    @cached_property
    def residual(self) -> NDArray[np.float64]:
        """Gradient of the log-likelihood of one game that this player wins, float64 (cells, players, parameters)."""
        mean = np.einsum("cp,cpi->ci", self.chances, self.design)
        residual: NDArray[np.float64] = self.design - mean[:, None, :]
        return residual

    @cached_property
    def information(self) -> NDArray[np.float64]:
        """Fisher information, float64 (parameters, parameters)."""
        return self._weighted(self.shares.sum(axis=1, keepdims=True) * self.chances)

    @cached_property
    def added(self) -> NDArray[np.float64]:
        """Shares of the win that are as good as Jeffreys' prior, float64 (cells, players)."""
        information = np.linalg.inv(self.information)
        leverage = ((self.residual @ information) * self.residual).sum(axis=2)
        added: NDArray[np.float64] = 0.5 * self.shares.sum(axis=1, keepdims=True) * self.chances * leverage
        return added

    def gradient(self, prior: bool) -> NDArray[np.float64]:
        """Gradient of the log-likelihood, and of the logarithm of the prior if there is one."""
        gradient: NDArray[np.float64] = np.einsum(
            "cp,cpi->i", self.shares + (self.added if prior else 0.0), self.residual
        )
        return gradient

    def added_spread(self) -> NDArray[np.float64]:
        """Spread of the gradient that comes from the added shares."""
        return self._weighted(self.added)

    def _weighted(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        rows = self.residual.reshape(-1, self.residual.shape[2])
        total: NDArray[np.float64] = rows.T @ (weights.reshape(-1, 1) * rows)
        return total


def _design(each: Encounter, num_agents: int, players: int) -> NDArray[np.float64]:
    """Return which parameters make up the strength of the p-th to act when the first agent is q-th, (players, players, all)."""
    design = np.zeros((players, players, num_agents + players - 1))
    for q in range(players):
        for p in range(players):
            design[q, p, each.first if p == q else each.second] = 1
            if p < players - 1:
                design[q, p, num_agents + p] = 1
    return design


def _spread(fitted: _Fit, encounters: Sequence[Encounter], prior: bool) -> tuple[NDArray[np.float64], int]:
    """Return the covariance of the gradient over lucks, each with all its games, and the number of lucks.

    With the prior, the shares that it adds count as games, and there is one luck more, whose games vary as the model
    says. Without them agents that have won all games, or twins that come out even in every set, would seem certain.
    """
    numbers = np.unique(np.concatenate([each.sets for each in encounters]))
    lucks, players = len(numbers), fitted.shares.shape[1]
    by_luck = np.zeros((lucks, fitted.design.shape[2]))
    for cell, each in enumerate(encounters):
        residual = fitted.residual[cell * players : (cell + 1) * players]
        np.add.at(by_luck, np.searchsorted(numbers, each.sets), np.einsum("sqp,qpi->si", each.shares, residual))
    spread = by_luck.T @ by_luck * (lucks / max(lucks - 1, 1))
    if prior:
        spread = spread + fitted.added_spread() + fitted.information / lucks
    return spread, lucks


def _expected(estimate: NDArray[np.float64], num_agents: int, players: int) -> NDArray[np.float64]:
    seat = np.exp(np.append(estimate[num_agents:], 0.0))
    strength = np.exp(estimate[:num_agents])
    own, others = strength[:, None, None] * seat, strength[None, :, None] * (seat.sum() - seat)
    expected: NDArray[np.float64] = (own / (own + others)).mean(axis=2)
    return expected


def _check_connected(num_agents: int, encounters: Sequence[Encounter]) -> None:
    reached, waiting = {0}, [0]
    while waiting:
        agent = waiting.pop()
        near = {
            each.second if each.first == agent else each.first
            for each in encounters
            if agent in (each.first, each.second)
        }
        waiting += near - reached
        reached |= near
    if len(reached) < num_agents:
        missing = sorted(set(range(num_agents)) - reached)
        raise InvalidOption(f"ratings: no games connect the agents {missing} with agent 0")


def probability_better(ratings: Ratings, first: int, second: int) -> float:
    """Return how sure the ratings are that the first agent's is above the second's, from 1/2 (nothing known) to 1."""
    covariance = ratings.covariance
    variance = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    difference = ratings.elo[first] - ratings.elo[second]
    if variance <= 0:
        return 0.5
    return float(student.cdf(difference / math.sqrt(float(variance)), ratings.freedom))
