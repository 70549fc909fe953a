"""Compile the core and the agents before the workers of a test run start, as each of them would compile all of it.

    python -m tests.precompile

Two processes, side by side: one compiles the core for small records; the other the agents, then the core for large ones.
That order also keeps them from writing what the same function has been compiled to at the same time, which numba's cache
does not survive. Functions that were compiled from these sources before are only loaded.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import dominion_agents
from dominion_agents.searching.ismcts import Ismcts
from dominion_agents.searching.puct import Puct
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Model, shapes
from dominion_env import NUM_ACTIONS, GameBatch, observation_size
from dominion_env.agent import ask
from dominion_env.rules.notice import NOTICE
from dominion_env.rules.state import GAME


def compile_core(seats: int) -> None:
    """Call every compiled function of the core, with records for this number of seats."""
    batch = GameBatch(2, num_players=seats)
    batch.step(batch.sample_actions())
    batch.observe()
    batch.policy_keys()
    batch.scores  # noqa: B018  a property that counts
    batch.note_ends()
    batch.fork(0, 2, 1).worlds([0, 1], 1, 1)


def compile_playouts(seats: int) -> None:
    """Call the compiled loop of playouts, with records for this number of seats."""
    batch = GameBatch(1, num_players=seats)
    dominion_agents.playouts(batch, [0], batch.sample_actions(), 1, "big-money", 1)


def compile_trees(seats: int) -> None:
    """Call the compiled loops that search a tree, with records for this number of seats."""
    batch = GameBatch(1, num_players=seats)
    ask(Ismcts(2, plans=["big-money"]), batch)
    ask(Puct(blank_agent(seats), 2), batch)


def compile_recorder(seats: int) -> None:
    """Call the compiled loop that records games for research, with records for this number of seats."""
    from dominion_training.evaluate.games import Player
    from dominion_training.research.playing import play, unchanged

    agent = Player("big-money", dominion_agents.make("big-money"))
    for compiled in (True, False):
        changes = unchanged(1)
        changes["gift"] = 1
        play([agent], np.zeros((1, seats), int), np.arange(1), seats, changes=changes, compiled=compiled)


def compile_games(seats: int) -> None:
    """Call every compiled function that plays games, with records for this number of seats."""
    compile_core(seats)
    compile_playouts(seats)
    compile_trees(seats)
    compile_recorder(seats)


def blank_agent(players: int) -> TrainedAgent:
    """Return the agent of a network of zeros."""
    layout = Layout("all", players)
    return TrainedAgent(
        Model(layout, {name: np.zeros(shape, np.float32) for name, shape in shapes(layout, (16,)).items()})
    )


def compile_agents() -> None:
    """Call the compiled functions of the agents."""
    passing = np.arange(NUM_ACTIONS)[None] == 0
    dominion_agents.make("big-money").act(
        np.zeros((1, observation_size(2)), np.float32), passing, np.zeros(1, np.uint64)
    )
    agent = blank_agent(2)
    agent.act(np.zeros((1, observation_size(2)), np.float32), passing, np.zeros(1, np.uint64))
    agent.evaluate(np.zeros((1, observation_size(2)), np.float32), passing)


def not_called() -> set[str]:
    """Return the names of compiled functions that this process has not called with records of each kind."""
    wanted = {function: len(GAME) if _takes_records(function) else 1 for function in NOTICE.functions}
    return {function.__name__ for function, kinds in wanted.items() if len(function.signatures) < kinds}


def _takes_records(function: Callable[..., Any]) -> bool:
    """Return whether a compiled function is called with the records of games."""
    rooms = ("dominion_env.", "dominion_agents.searching.", "dominion_training.research.")
    return function.__module__.startswith(rooms)


def main(arguments: Sequence[str]) -> int:
    """Start both processes, or do the part of the one for this number of seats, and return the exit code."""
    if not arguments:
        parts = [subprocess.Popen([sys.executable, "-m", "tests.precompile", str(seats)]) for seats in GAME]
        return max([part.wait() for part in parts])
    seats = int(arguments[0])
    if seats == max(GAME):
        compile_agents()
    compile_games(seats)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
