"""The command `dominion compile`: compile ahead what would be compiled at first use, for images, clusters and test runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import tyro
from numba.core import event

import dominion_agents
from dominion_agents.searching.ismcts import Ismcts
from dominion_agents.searching.puct import Puct
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Model, shapes
from dominion_env import NUM_ACTIONS, GameBatch, make_agent, observation_size
from dominion_env.common.checks import whole_number
from dominion_env.compiled.jit import COMPILED
from dominion_env.compiled.notice import LOGGER, NOTICE
from dominion_env.players.agent import ask
from dominion_env.rules.record.state import GAME

NOT_COMPILED = 1  # exit status of --check
SMALL, LARGE = min(GAME), max(GAME)


@dataclass(frozen=True)
class CompileOptions:
    """Compile ahead all that would be compiled when it is first used, and keep it where NUMBA_CACHE_DIR says.

    Only what `dominion train` needs besides is left to its first run. It takes about a minute on two idle cores, and a
    second where nothing is left to do. What was compiled runs with the same sources, Python, Numba and kind of processor;
    anything else is compiled again when it is used.
    """

    players: int = LARGE
    """The most players at a table; up to 2 it takes half the time."""
    check: bool = False
    """Compile nothing, and end with status 1 if something would be compiled."""


@dataclass(frozen=True)
class Part:
    """Something that is compiled: its name, and a call that needs it."""

    name: str
    use: Callable[[], None]


def parts(seats: int) -> list[Part]:
    """Return what is compiled for records with this number of seats; agents come with the large ones.

    That order keeps two processes, one for each number, from compiling the same function at once.
    """
    tables = "1 and 2" if seats == SMALL else "3 to 6"
    found = [
        Part(f"tables of {tables} players", lambda: use_core(seats)),
        Part(f"playouts and searches, {tables} players", lambda: use_searches(seats)),
    ]
    if find_spec("polars"):
        found.append(Part(f"games for research, {tables} players", lambda: use_recorder(seats)))
    return found if seats == SMALL else [Part("agents", use_agents), *found]


def use_core(seats: int) -> None:
    """Call every compiled function of the core, with records for this number of seats."""
    batch = GameBatch(2, num_players=seats)
    batch.step(batch.sample_actions())
    batch.observe()
    batch.policy_keys()
    batch.scores  # noqa: B018  a property that counts
    batch.note_ends()
    batch.fork(0, 1, 1).worlds([0], 1, 1)


def use_searches(seats: int) -> None:
    """Call the compiled loops of playouts and of tree searches, with records for this number of seats."""
    batch = GameBatch(1, num_players=seats)
    dominion_agents.playouts(batch, [0], batch.sample_actions(), 1, "big-money", 1)
    ask(Ismcts(2, plans=["big-money"]), batch)
    ask(Puct(blank_agent(seats), 2), batch)


def use_recorder(seats: int) -> None:
    """Call the compiled loop that records games for research, with records for this number of seats."""
    from dominion_training.play.loop import Player
    from dominion_training.research.collect.playing import play, unchanged

    agent = Player("big-money", make_agent("big-money"))
    for compiled in (True, False):
        changes = unchanged(1)
        changes["gift"] = 1
        play([agent], np.zeros((1, seats), int), np.arange(1), seats, changes=changes, compiled=compiled)


def use_agents() -> None:
    """Call the compiled functions of the scripted and the trained agents."""
    passing = np.arange(NUM_ACTIONS)[None] == 0
    observations, keys = np.zeros((1, observation_size(2)), np.float32), np.zeros(1, np.uint64)
    make_agent("big-money").act(observations, passing, keys)
    agent = blank_agent(2)
    agent.act(observations, passing, keys)
    agent.evaluate(observations, passing)


def blank_agent(players: int) -> TrainedAgent:
    """Return the agent of a network of zeros."""
    layout = Layout("all", players)
    return TrainedAgent(
        Model(layout, {name: np.zeros(shape, np.float32) for name, shape in shapes(layout, (16,)).items()})
    )


class _Refusal(event.Listener):  # type: ignore[misc]  # numba's types are unknown to mypy
    """Ends the process where one of the project's functions is about to be compiled."""

    def on_start(self, told: Any) -> None:
        """Raise an error if numba starts to compile a function that Python calls."""
        if told.data["dispatcher"] in NOTICE.functions:
            raise SystemExit(NOT_COMPILED)

    def on_end(self, told: Any) -> None:
        """Do nothing."""


def compile_all(seats: int, check: bool) -> None:
    """Compile what is for this number of seats in this process, and print a line for each part.

    Raises:
        SystemExit: `check` is set, and a part is not compiled.
    """
    LOGGER.setLevel("ERROR")  # who waits is told by these lines
    if check:
        event.register("numba:compile", _Refusal())
    for part in parts(seats):
        if not check:
            print(f"compiling {part.name} ...", flush=True)
        try:
            part.use()
        except SystemExit:
            print(f"not compiled: {part.name}", flush=True)
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0 when all is compiled."""
    options = tyro.cli(CompileOptions, args=arguments, prog="dominion compile", description=CompileOptions.__doc__)
    whole_number("players", options.players, 1, LARGE)
    if not COMPILED:
        print("nothing is compiled: NUMBA_DISABLE_JIT is set")
        return 0
    sizes = [size for size in GAME if size == SMALL or options.players > SMALL]
    code = f"from dominion_app.compiling import compile_all; compile_all(%d, check={options.check})"
    children = [subprocess.Popen([sys.executable, "-c", code % size]) for size in sizes]
    try:
        status = max(child.wait() for child in children)
    except KeyboardInterrupt:  # what is whole was kept, and nothing else
        for child in children:
            child.terminate()
            child.wait()
        raise
    if not status:
        print("all is compiled")
    return status
