"""The batch and its views, measured. All play First Game (second edition) with two seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from dominion_env import dominion_v0, make_agent
from dominion_env.core.batch import GameBatch
from dominion_env.players.agent import shown_to
from dominion_env.views.vector_env import DominionVectorEnv
from tests.speed.clock import Piece, Subject

# Steps before anything is measured. By then the games are at all stages and no longer all in their first turns.
STEPS_BEFORE = 200
AEC_DECISION = "one step of the loop agent_iter, last, step, with a random legal action"


def batch_subjects(sizes: Sequence[int]) -> Iterator[Subject]:
    """Yield random legal play and Big Money in a `GameBatch`.

    Args:
        sizes: numbers of games at once for random play; Big Money plays as many as the largest.
    """
    chosen = "sample_actions and step of one game: an action drawn, carried out, the next mask made"
    for size in sizes:
        batch = partial(GameBatch, size)
        yield Subject("batch", "GameBatch, random", chosen, partial(_random, batch), size)
        name, observed = "GameBatch, random, observed", "sample_actions, step and observe of one game"
        yield Subject("batch", name, observed, partial(_random, batch, "recall", "float32"), size)
        in_bytes = f"{observed}, in bytes"
        yield Subject(
            "batch", "GameBatch, observed in bytes", in_bytes, partial(_random, batch, "recall", "uint8"), size
        )
        kingdom = f"{in_bytes} of the kingdom's cards"
        yield Subject(
            "batch", "GameBatch, kingdom in bytes", kingdom, partial(_random, batch, "kingdom", "uint8"), size
        )
    yield Subject(
        "batch",
        "GameBatch, Big Money",
        "shown_to (what the agent reads), act and step of one game; all Treasures are played at once",
        partial(_big_money, partial(GameBatch, max(sizes), auto_treasures=True)),
        max(sizes),
    )


def view_subjects(size: int) -> Iterator[Subject]:
    """Yield random legal play in the views.

    Args:
        size: number of games at once in views of many.
    """
    for name, make in (("raw_env", dominion_v0.raw_env), ("env", dominion_v0.env)):
        yield Subject("views", f"PettingZoo {name}", AEC_DECISION, partial(aec, make))
    copied = "sample_actions and step of one game with observations, masks and infos, all copied"
    name = "Gymnasium DominionVectorEnv"
    yield Subject("views", name, copied, partial(_vector, size, "float32"), size)
    yield Subject("views", "DominionVectorEnv in bytes", copied, partial(_vector, size, "uint8"), size)
    masked = "sample_actions, step with observations and infos, and action_masks of one game, all copied"
    yield Subject("views", "SB3VecEnv", masked, partial(_sb3, size, "float32"), size, "train")
    yield Subject("views", "SB3VecEnv in bytes", masked, partial(_sb3, size, "uint8"), size, "train")


def aec(make: Callable[[], Any]) -> Piece:
    """Return random legal play in a PettingZoo environment whose observations hold the mask; a piece is a game."""
    env = make()
    env.reset(seed=0)
    luck = Random(0)

    def game() -> tuple[int, int]:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]  # Gymnasium's `sample` would take as long as the step
                env.step(int(legal[int(luck.random() * len(legal))]))
                decisions += 1
        return decisions, 1

    return game


def _random(make: Callable[..., GameBatch], observation: str | None = None, dtype: str = "float32") -> Piece:
    batch = make(observation=observation or "recall", observation_dtype=dtype)
    seen = np.zeros((batch.num_games, batch.observation_size), dtype)

    def step() -> None:
        batch.step(batch.sample_actions())

    def observed_step() -> None:
        batch.step(batch.sample_actions())
        batch.observe(out=seen)

    return _steps(batch, step if observation is None else observed_step)


def _big_money(make: Callable[[], GameBatch]) -> Piece:

    batch = make()
    seen = np.zeros((batch.num_games, batch.observation_size), np.float32)
    agent = make_agent("big-money")

    def step() -> None:
        shown_to(agent, batch, out=seen)
        batch.step(agent.act(seen, batch.action_mask, batch.policy_keys()))

    return _steps(batch, step)


def _vector(size: int, dtype: str) -> Piece:
    # The step that ends a game also starts the next one, so that every action of every step is a decision.
    env = DominionVectorEnv(size, opponents=None, autoreset_mode="SameStep", seed=0, observation_dtype=dtype)
    env.reset()
    return _steps(env.games.batch, lambda: env.step(env.sample_actions()))


def _sb3(size: int, dtype: str) -> Piece:
    from dominion_env.views.sb3 import SB3VecEnv  # needs the extra `train`

    env = SB3VecEnv(size, seed=0, observation_dtype=dtype)
    env.reset()

    def step() -> None:
        env.action_masks()
        env.step(env.games.batch.sample_actions())

    return _steps(env.games.batch, step)


def _steps(batch: GameBatch, step: Callable[[], object]) -> Piece:
    """Return pieces of as many steps as make some thousand decisions, with ended games counted by the episodes begun."""
    steps = max(4, 4096 // batch.num_games)
    episodes = batch.state["episode"]
    for _ in range(STEPS_BEFORE):
        step()

    def piece() -> tuple[int, int]:
        before = episodes.sum()
        for _ in range(steps):
            step()
        return steps * batch.num_games, int(episodes.sum() - before)

    return piece
