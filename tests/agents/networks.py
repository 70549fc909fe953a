"""Networks with random weights, and decisions to ask them for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.box import models_in_the_box
from dominion_agents.trained.inputs import Layout, SlotsName
from dominion_agents.trained.model import Model, shapes
from dominion_env import GameBatch, agent_names
from dominion_env.tables.kingdoms import KINGDOMS

FIRST_GAME = tuple(card.title for card in sorted(KINGDOMS["first-game-2e"]))

Decisions = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.uint64]]


def network(
    slots: SlotsName = "kingdom",
    players: int = 2,
    units: tuple[int, ...] = (32, 16),
    kingdom: tuple[str, ...] | None = None,
    seed: int = 0,
    card_units: int | None = None,
) -> Model:
    """Return a network whose weights are drawn from a seed.

    Where the slots tell their cards it has card vectors, as no other network reads such slots.
    """
    if card_units is None:
        card_units = 32 if slots == "piles" else 0
    random, layout = np.random.default_rng(seed), Layout(slots, players)
    arrays = {}
    for name, shape in shapes(layout, units, card_units).items():
        spread = (2 / shape[1]) ** 0.5 if len(shape) == 2 else 0.1
        arrays[name] = (random.normal(size=shape) * spread).astype(np.float32)
    return Model(layout, arrays, kingdom)


def decisions(
    number: int,
    players: int = 2,
    kingdom: str = "first-game-2e",
    auto_treasures: bool = True,
    games: int = 64,
    apart: int = 7,
) -> Decisions:
    """Return observations, masks and keys of that many decisions of games that are played at random.

    Args:
        number: number of decisions.
        players: number of players.
        kingdom: kingdom of the games.
        auto_treasures: whether all Treasures are played at once.
        games: number of games that are played side by side.
        apart: number of decisions of a game that lie between two of those that are returned.
    """
    batch = GameBatch(min(number, games), players, kingdom=kingdom, seed=3, auto_treasures=auto_treasures)
    found: list[Decisions] = []
    while sum(len(keys) for _, _, keys in found) < number:
        for _ in range(apart):
            batch.step(batch.sample_actions())
        found.append((batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()))
    values, masks, keys = (np.concatenate(parts)[:number] for parts in zip(*found, strict=True))
    return values, masks, keys


def names_for_any_game() -> list[str]:
    """Return the names of the agents that play with any number of players on any kingdom: all that need no network."""
    return [name for name in agent_names() if name not in {*models_in_the_box(), "puct"}]


def is_legal(actions: NDArray[np.int64], masks: NDArray[np.bool_]) -> bool:
    """Whether each action is legal in its row."""
    return bool(masks[np.arange(len(masks)), actions].all())
