"""Nash averaging: how agents fare against the mixture of agents that nobody beats.

A mean over opponents depends on who happens to be among them: a copy of a weak agent lifts everybody who beats it. An
equilibrium of the game "name an agent, your agent plays mine" does not, and of all equilibria the one with the greatest
entropy is unique and treats copies alike.

Source: D. Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog, minimize

SLACK = 1e-9


@dataclass(frozen=True)
class NashAverage:
    """The equilibrium.

    Attributes:
        weights: float64 (agents,), the mixture of greatest entropy; they add up to 1.
        skill: float64 (agents,), mean payoff against the mixture: at most 0, and 0 for all agents in it.
    """

    weights: NDArray[np.float64]
    skill: NDArray[np.float64]


def nash_average(payoff: ArrayLike) -> NashAverage:
    """The equilibrium of greatest entropy of a two-player, zero-sum, symmetric game.

    Linear programs find, for each agent, the equilibrium that names it most often; their mean names every agent that
    any equilibrium names. From there the entropy is increased within the equilibria.

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
    # p is an equilibrium if nobody gains against it: matrix @ p <= 0
    limits = {"A_ub": matrix / scale, "b_ub": np.full(number, SLACK), "A_eq": np.ones((1, number)), "b_eq": [1.0]}
    corners = [linprog(-np.eye(number)[i], **limits, bounds=(0, 1)).x for i in range(number)]
    start = np.clip(np.mean(corners, axis=0), 0, None)
    named = np.flatnonzero(start > 1e-7)
    weights = np.zeros(number)
    weights[named] = start[named] / start[named].sum()
    if max(np.ptp(corners, axis=0)) > 1e-6:
        weights[named] = _greatest_entropy(matrix[:, named] / scale, weights[named])
    return NashAverage(weights, matrix @ weights)


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
