"""Ratings: one number for each agent that explains all games together, in Elo.

The model is Luce's choice rule, which for two players is that of Bradley and Terry: an agent with rating r (in nats)
that is q-th to act has strength exp(r + b_q), and wins with probability strength / sum of strengths at the table. b_q is
the advantage of the place in the order of turns, 0 for the last. A shared victory counts as shares of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dominion_env.errors import InvalidOption
from dominion_training.evaluate.match import ELO_PER_NAT, MatchResult

Z = 1.959963984540054  # of a 95% confidence interval


@dataclass(frozen=True)
class Encounter:
    """All sets that one agent played against copies of another.

    Attributes:
        first, second: numbers of the agents.
        shares: float64 (sets, k, k) for k players: of the win, in the game in which the first agent is q-th to act
            (axis 1), of the player who is p-th to act (axis 2).
        sets: int64 (sets,): which luck each had; sets with one number are not independent of each other.
    """

    first: int
    second: int
    shares: NDArray[np.float64]
    sets: NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """The fit.

    Attributes:
        elo: float64 (agents,), the anchor's 0.
        low, high: float64 (agents,), ends of the 95% confidence interval of the difference to the anchor.
        covariance: float64 (agents, agents), of `elo`.
        seat_elo: float64 (players - 1,), advantage of being first, second ... to act over being last.
        seat_low, seat_high: float64 (players - 1,).
        expected: float64 (agents, agents), score of row against column that the ratings predict, seats evenly spread.
    """

    elo: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    covariance: NDArray[np.float64]
    seat_elo: NDArray[np.float64]
    seat_low: NDArray[np.float64]
    seat_high: NDArray[np.float64]
    expected: NDArray[np.float64]


def encounter(first: int, second: int, result: MatchResult) -> Encounter:
    """The sets of a match, sorted by the order of turns."""
    games, players = result.games, result.num_players
    by_turn = (np.arange(players) + games["starter"][:, None]) % players  # seat of the p-th to act
    shares = np.take_along_axis(games["shares"], by_turn, axis=1).reshape(-1, players, players)
    order = np.argsort(result.positions, axis=1)  # which rotation has the first agent q-th to act
    sets = games["set"].reshape(-1, players)[:, 0]
    return Encounter(first, second, np.take_along_axis(shares, order[:, :, None], axis=1), sets)


def fit(
    num_agents: int,
    encounters: Sequence[Encounter],
    anchor: int = 0,
    seats: bool = True,
    prior: bool = True,
) -> Ratings:
    """Ratings by maximum likelihood (Newton's method), with confidence intervals over sets.

    Intervals come from the robust ("sandwich") covariance with all games of one luck as one observation: pairs, and what
    different matches played on the same addresses, are not counted as independent. So an interval is as narrow as the
    pairing of games has made the comparison.

    Args:
        num_agents: agents are 0 to num_agents - 1; the encounters must connect them.
        encounters: what was played, all with equally many players.
        anchor: whose rating is 0.
        seats: whether places in the order of turns have advantages of their own; False: b = 0.
        prior: adds to each encounter one set won by the first agent and, for k players, k - 1 sets won by the others
            in equal parts. It keeps ratings finite, and their intervals honest, where somebody has won all games;
            among many games it means little.

    Raises:
        InvalidOption: an agent has no connection to the others, so that nothing can be said.
    """
    players = encounters[0].shares.shape[1] if encounters else 2
    _check_connected(num_agents, encounters)
    parameters = num_agents + players - 1
    free = np.array([i for i in range(parameters) if i != anchor and (seats or i < num_agents)], dtype=np.int64)
    designs = [_design(each, num_agents, players)[:, :, free] for each in encounters]
    virtual = [_virtual(players) if prior else np.zeros((0, players, players)) for _ in encounters]
    totals = [
        each.shares.sum(axis=0) + more.sum(axis=0) for each, more in zip(encounters, virtual, strict=True)
    ]  # shares by place of the first agent and place at the table

    theta = np.zeros(len(free))
    hessian = np.zeros((len(free), len(free)))
    for _ in range(100):
        gradient, hessian = _derivatives(theta, designs, totals)
        step = np.linalg.solve(hessian, gradient)
        scale = 1.0
        while _log_likelihood(theta + scale * step, designs, totals) < _log_likelihood(theta, designs, totals) - 1e-9:
            scale /= 2
        theta = theta + scale * step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break

    spread = _spread(theta, designs, encounters, virtual)
    inverse = np.linalg.inv(hessian)
    estimate, covariance = np.zeros(parameters), np.zeros((parameters, parameters))
    estimate[free] = theta * ELO_PER_NAT
    covariance[np.ix_(free, free)] = inverse @ spread @ inverse * ELO_PER_NAT**2
    half = Z * np.sqrt(np.diag(covariance))
    low, high, n = estimate - half, estimate + half, num_agents
    return Ratings(
        elo=estimate[:n], low=low[:n], high=high[:n], covariance=covariance[:n, :n],
        seat_elo=estimate[n:], seat_low=low[n:], seat_high=high[n:], expected=_expected(estimate / ELO_PER_NAT, n, players),
    )  # fmt: skip


def _design(each: Encounter, num_agents: int, players: int) -> NDArray[np.float64]:
    """Which parameters make up the strength of the p-th to act when the first agent is q-th, (players, players, all)."""
    design = np.zeros((players, players, num_agents + players - 1))
    for q in range(players):
        for p in range(players):
            design[q, p, each.first if p == q else each.second] = 1
            if p < players - 1:
                design[q, p, num_agents + p] = 1
    return design


def _virtual(players: int) -> NDArray[np.float64]:
    """The added sets, float64 (players, players, players): one won by the first agent, the others lost."""
    own = np.eye(players)
    return np.stack([own] + [(1 - own) / (players - 1)] * (players - 1))


def _chances(theta: NDArray[np.float64], design: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chance to win by place of the first agent (axis 0) and place at the table (axis 1)."""
    strength = design @ theta
    weight = np.exp(strength - strength.max(axis=1, keepdims=True))
    chances: NDArray[np.float64] = weight / weight.sum(axis=1, keepdims=True)
    return chances


def _log_likelihood(
    theta: NDArray[np.float64], designs: Sequence[NDArray[np.float64]], totals: Sequence[NDArray[np.float64]]
) -> float:
    return sum(
        float((total * np.log(_chances(theta, design))).sum()) for design, total in zip(designs, totals, strict=True)
    )


def _derivatives(
    theta: NDArray[np.float64], designs: Sequence[NDArray[np.float64]], totals: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient of the log-likelihood, and minus its second derivatives."""
    gradient, hessian = np.zeros(len(theta)), np.zeros((len(theta), len(theta)))
    for design, total in zip(designs, totals, strict=True):
        chances, games = _chances(theta, design), total.sum(axis=1)
        gradient += np.einsum("qp,qpi->i", total - games[:, None] * chances, design)
        mean = np.einsum("qp,qpi->qi", chances, design)
        hessian += np.einsum("q,qp,qpi,qpj->ij", games, chances, design, design)
        hessian -= np.einsum("q,qi,qj->ij", games, mean, mean)
    return gradient, hessian


def _spread(
    theta: NDArray[np.float64],
    designs: Sequence[NDArray[np.float64]],
    encounters: Sequence[Encounter],
    virtual: Sequence[NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Covariance of the gradient: over lucks, each with all its games; the added sets stand alone."""
    size = 1 + max((int(each.sets.max(initial=0)) for each in encounters), default=0)
    by_luck = np.zeros((size, len(theta)))
    alone = [np.zeros((0, len(theta)))]
    for design, each, more in zip(designs, encounters, virtual, strict=True):
        chances = _chances(theta, design)
        np.add.at(by_luck, each.sets, np.einsum("sqp,qpi->si", each.shares - chances, design))
        alone.append(np.einsum("sqp,qpi->si", more - chances, design))
    every = np.concatenate([by_luck, *alone])
    spread: NDArray[np.float64] = every.T @ every
    return spread


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
    """How sure the ratings are that the first agent's is above the second's: 1/2 nothing known, 1 certain."""
    covariance = ratings.covariance
    variance = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    difference = ratings.elo[first] - ratings.elo[second]
    if variance <= 0:
        return 0.5
    return 0.5 * (1 + math.erf(float(difference) / math.sqrt(2 * float(variance))))
