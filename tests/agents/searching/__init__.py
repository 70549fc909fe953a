"""Tests of playouts and of agents that search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents import ScriptedAgent
from dominion_env import GameBatch
from dominion_env.players.agent import shown_to


def advanced(batch: GameBatch, decisions: int) -> GameBatch:
    """Make so many random decisions in each game, and return the batch."""
    for _ in range(decisions):
        batch.step(batch.sample_actions())
    return batch


def played_by(agent: ScriptedAgent, followed: NDArray[np.int64], games: GameBatch, first: NDArray[np.int64]) -> Any:
    """Play games to their ends through the public surface; return shares of the win and points, (games, players).

    Seat s of game i follows the strategy `agent.strategies[followed[i, s]]` after the first action.
    """
    running = ~games.state["over"].astype(bool)
    actions, everyone = first.copy(), np.arange(len(games))
    while running.any():
        _, terminated, truncated = games.step(actions)
        running &= ~(terminated | truncated)
        numbers = followed[everyone, games.current_player]
        actions = agent.act_as(numbers, shown_to(agent, games), games.action_mask, games.policy_keys())
    return shares_of(games), games.final.scores


def shares_of(games: GameBatch) -> NDArray[np.float64]:
    """Return the shares of the win of games that have ended; a truncated game is shared by all."""
    winners = np.where(games.state["ended"][:, None] == 3, True, games.final.winners)
    return winners / winners.sum(axis=1, keepdims=True)
