"""What the tests of agents share: a question put to an agent, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

import dominion_agents
from dominion_env import NUM_ACTIONS, GameBatch, action_id, action_name, make_agent
from tests.table import Table


def answer(agent: str | dominion_agents.Agent, table: Table, key: int = 0, **settings: Any) -> str:
    """Return the answer of the agent to the open question of a table."""
    if isinstance(agent, str):
        agent = make_agent(agent, **settings)
    mask = np.zeros((1, NUM_ACTIONS), dtype=np.bool_)
    mask[0, [action_id(words) for words in table.legal]] = True
    seen = np.asarray(table.game.observe(), dtype=np.float32)[None]
    return action_name(int(agent.act(seen, mask, np.array([key], dtype=np.uint64))[0]))


def answers(agent: str | dominion_agents.Agent, table: Table, **settings: Any) -> list[str]:
    """Carry out the answers of the agent to all questions of one card, and return them."""
    source, player = table.decision.source, table.decision.player
    said: list[str] = []
    while not table.over and (table.decision.source, table.decision.player) == (source, player):
        said.append(answer(agent, table, **settings))
        table.answer(said[-1])
    return said


def buys(agent: str | dominion_agents.Agent, coins: int, owned: str = "", **position: Any) -> str:
    """Return what the agent buys with so many coins, if it owns these cards; see `Table` for the rest of the position."""
    settings = {key: position.pop(key) for key in ("guard", "missing") if key in position}
    table = Table(discards=[owned, ""], phase="buy", coins=coins, **position)
    said = answer(agent, table, **settings)
    return said.removeprefix("buy ") if said != "pass" else "nothing"


def play(batch: GameBatch, *players: dominion_agents.Agent) -> GameBatch:
    """Let agents play all games to the end: a seat each, or one all seats."""
    running = np.ones(batch.num_games, dtype=np.bool_)
    while running.any():
        seen, mask, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = np.zeros(batch.num_games, dtype=np.int64)
        for seat, agent in enumerate(players):
            rows = np.flatnonzero(running & ((batch.current_player == seat) | (len(players) == 1)))
            if rows.size:
                actions[rows] = agent.act(seen[rows], mask[rows], keys[rows])
        _, terminated, truncated = batch.step(actions)
        running &= ~(terminated | truncated)
    return batch
