"""Nash averaging: how agents fare against the mixture of agents that nobody beats.

A mean over opponents depends on who happens to be among them: a copy of a weak agent lifts everybody who beats it. An
equilibrium of the game "name an agent, your agent plays mine" does not, and of all equilibria the one with the greatest
entropy is unique and treats copies alike.

Source: D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog, minimize
from scipy.stats import bootstrap

SLACK = 1e-9


@dataclass(frozen=True)
class NashAverage:
    """The equilibrium.

    Attributes:
        weights: float64 (agents,), the mixture of greatest entropy; they add up to 1.
        skill: float64 (agents,), mean payoff against the mixture, at most 0, and 0 for all agents in it.
    """

    weights: NDArray[np.float64]
    skill: NDArray[np.float64]


@dataclass(frozen=True)
class NashEstimate(NashAverage):
    """The equilibrium of payoffs that were estimated from games, and how sure it is.

    Attributes:
        weights_low, weights_high: float64 (agents,), ends of the 95% intervals of `weights`.
        skill_low, skill_high: float64 (agents,), ends of the 95% intervals of `skill`.
        named: float64 (agents,), share of the resamples whose mixture gives the agent at least 1%.
    """

    weights_low: NDArray[np.float64]
    weights_high: NDArray[np.float64]
    skill_low: NDArray[np.float64]
    skill_high: NDArray[np.float64]
    named: NDArray[np.float64]


def nash_estimate(set_payoffs: ArrayLike, resamples: int = 500, seed: int = 0) -> NashEstimate:
    """Estimate the equilibrium from sets of games, with percentile intervals of a bootstrap over sets.

    A small change of the payoffs can move the whole weight from one agent to another. The intervals show it: an interval
    from 0 to 1 says that the games don't tell whether the agent belongs to the mixture.

    Args:
        set_payoffs: float (sets, agents, agents), antisymmetric in the agents: the row's mean payoff against the column
            in the set of this number, such as score - 1/2. All matches of one luck are resampled together.
        resamples: number of resamples.
        seed: seed of the resamples.

    Raises:
        ValueError: fewer than two sets, or the payoffs are no antisymmetric square matrices.
    """
    payoffs = np.asarray(set_payoffs, dtype=np.float64)
    if payoffs.ndim != 3 or len(payoffs) < 2:
        raise ValueError(
            f"set_payoffs: expected shape (sets, agents, agents) with two sets or more, got {payoffs.shape}"
        )
    best = nash_average(payoffs.mean(axis=0))
    sets, agents = payoffs.shape[:2]

    def equilibria(drawn: NDArray[np.int64], axis: int) -> NDArray[np.float64]:
        """Return weights and skill for each row of numbers of sets, float64 (2 * agents, rows)."""
        times = np.stack([np.bincount(row, minlength=sets) for row in np.moveaxis(drawn, axis, -1).reshape(-1, sets)])
        means = (times @ payoffs.reshape(sets, -1) / sets).reshape(-1, agents, agents)
        found = [nash_average(mean) for mean in means]
        return np.array([[*each.weights, *each.skill] for each in found]).T.reshape(2 * agents, *drawn.shape[:-1])

    result = bootstrap(
        (np.arange(sets),),
        equilibria,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        random_state=np.random.default_rng(seed),
    )
    (low, high), drawn = result.confidence_interval, result.bootstrap_distribution[:agents]
    return NashEstimate(
        best.weights, best.skill, weights_low=low[:agents], weights_high=high[:agents], skill_low=low[agents:],
        skill_high=high[agents:], named=(drawn >= 0.01).mean(axis=1),
    )  # fmt: skip


def set_payoffs(num_agents: int, set_scores: Mapping[tuple[int, int], NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return payoffs of matches between two players in the form that `nash_estimate` takes.

    Args:
        num_agents: agents are 0 to num_agents - 1.
        set_scores: the first agent's mean score in each set, float64 (sets,), by the numbers of both agents; each two
            agents once, and all matches on the same sets.
    """
    payoffs = np.zeros((len(next(iter(set_scores.values()))), num_agents, num_agents))
    for (first, second), scores in set_scores.items():
        payoffs[:, first, second] = scores - 0.5
        payoffs[:, second, first] = 0.5 - scores
    return payoffs


def nash_average(payoff: ArrayLike) -> NashAverage:
    """Return the equilibrium of greatest entropy of a two-player, zero-sum, symmetric game.

    Copies, agents with equal payoffs against everybody, count as one at first and then share its weight. Where there
    are several equilibria all the same, linear programs find, for each agent, the one that names it most often; their
    mean names every agent that any equilibrium names. From there the entropy is increased within the equilibria. Agents
    that lose something against one equilibrium are in no other, and need no program.

    Args:
        payoff: float (agents, agents), antisymmetric: what the row's agent gets from the column's, such as score - 1/2.

    Raises:
        ValueError: the payoff is no antisymmetric square matrix.
    """
    matrix = np.asarray(payoff, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.allclose(matrix, -matrix.T):
        raise ValueError(f"payoff: expected an antisymmetric square matrix, got {matrix.tolist()}")
    number = len(matrix)
    scale = float(np.abs(matrix).max(initial=0.0)) or 1.0
    unbeaten = np.flatnonzero((matrix / scale > SLACK).sum(axis=1) == number - 1)
    if len(unbeaten):  # it beats every other agent
        weights = np.eye(number)[unbeaten[0]]
        return NashAverage(weights, matrix @ weights)
    game = matrix / scale
    _, kinds, kind_of, copies = np.unique(
        game.round(9), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    merged = game[np.ix_(kinds, kinds)]
    shares = _equilibrium(merged, naming=0)
    corners = shares[None]
    if not _is_only_one(merged, shares):
        nameable = np.flatnonzero(_lose_nothing(merged, shares)).tolist()
        corners = np.array([_equilibrium(merged, naming=kind) for kind in nameable])
    weights = (_shares(corners.mean(axis=0)) / copies)[kind_of.ravel()]
    if np.ptp(corners, axis=0).max() > 1e-6:
        named = np.flatnonzero(weights)
        weights[named] = _greatest_entropy(game[:, named], weights[named])
    return NashAverage(weights, matrix @ weights)


def _equilibrium(matrix: NDArray[np.float64], naming: int) -> NDArray[np.float64]:
    """Return the equilibrium that gives one agent the greatest weight: no agent gains against it."""
    number = len(matrix)
    found: NDArray[np.float64] = linprog(
        -np.eye(number)[naming], A_ub=matrix, b_ub=np.full(number, SLACK), A_eq=np.ones((1, number)), b_eq=[1.0],
        bounds=(0, 1),
    ).x  # fmt: skip
    return found


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights without what is only rounding, adding up to 1."""
    kept: NDArray[np.float64] = np.where(weights > 1e-7, weights, 0.0)
    kept /= kept.sum()
    return kept


def _is_only_one(matrix: NDArray[np.float64], equilibrium: NDArray[np.float64]) -> bool:
    """Whether there is no other equilibrium.

    Another one would name only agents that lose nothing against this one, and no agent of this one would gain against
    it. If this one names all agents of the first kind, the other one solves the same equations on the same agents.
    """
    named = equilibrium > 1e-6
    names_all = (named == _lose_nothing(matrix, equilibrium)).all()
    equations = matrix[np.ix_(named, named)]
    return bool(names_all) and int(np.linalg.matrix_rank(equations, tol=1e-6)) == named.sum() - 1


def _lose_nothing(matrix: NDArray[np.float64], equilibrium: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which agents lose nothing against an equilibrium: those that an equilibrium may name."""
    return np.asarray(matrix @ equilibrium > -1e-6)


def _greatest_entropy(matrix: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    tiny = 1e-12
    found = minimize(
        lambda p: float((p * np.log(p + tiny)).sum()),
        start,
        jac=lambda p: np.log(p + tiny) + p / (p + tiny),
        method="SLSQP",
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones((1, len(p)))},
            {"type": "ineq", "fun": lambda p: SLACK - matrix @ p, "jac": lambda p: -matrix},
        ],
        options={"maxiter": 1000, "ftol": 1e-12},
    ).x
    weights: NDArray[np.float64] = np.clip(found, 0, None) / np.clip(found, 0, None).sum()
    return weights
