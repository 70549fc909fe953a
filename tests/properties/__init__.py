"""Properties of every game. This file holds games to look at, and a count of the cards in a record."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dominion_env import NUM_ACTIONS, Card, GameBatch, Verb
from dominion_env.compiled.jit import COMPILED
from dominion_env.tables.actions import action_of
from dominion_env.tables.cards import NUM_CARDS
from tests.reference.play import random_position

# Players, kingdom and wording of games that together hold every card, both wordings and every number of players.
GAMES: list[dict[str, Any]] = [
    {"num_players": 1, "kingdom": "random"},
    {"num_players": 2, "kingdom": "random-1e"},
    {"num_players": 2, "kingdom": "random-2e"},
    {"num_players": 2, "kingdom": "train", "edition": 1},
    {"num_players": 3, "kingdom": "interaction-1e"},
    {"num_players": 3, "kingdom": "random", "edition": 1},
    {"num_players": 4, "kingdom": "random"},
    {"num_players": 5, "kingdom": "size-distortion-2e"},
    {"num_players": 6, "kingdom": "random"},
]


def game_name(options: dict[str, Any]) -> str:
    return f"{options['num_players']}-players-{options['kingdom']}"


def sized(number: int) -> int:
    """Return this number, or a tenth of it in the plain interpreter."""
    return number if COMPILED else max(1, number // 10)


SETTINGS = settings(
    deadline=None,
    max_examples=sized(60),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)


@st.composite
def options(draw: st.DrawFn, least_players: int = 1) -> dict[str, Any]:
    """Draw options of a game: address, players, kingdom, wording, and the choices made automatically."""
    words = st.integers(0, 2**64 - 1)
    return {
        "num_players": draw(st.integers(least_players, 6)),
        "kingdom": draw(
            st.sampled_from(["random", "random-1e", "random-2e", "test", "improvements-2e", "big-money-1e"])
        ),
        "edition": draw(st.sampled_from([None, 1, 2])),
        "seed": draw(words),
        "index": draw(st.integers(0, 2**62)),
        "episode": draw(st.integers(0, 1000)),
        "auto_treasures": draw(st.booleans()),
        "ask_forced": draw(st.booleans()),
    }


# Random play that gets somewhere: phases are seldom left early, and junk is seldom bought.
_TASTE = np.ones(NUM_ACTIONS)
_TASTE[0] = 0.35
for _card in (Card.COPPER, Card.CURSE, Card.ESTATE):
    _TASTE[action_of(Verb.BUY, _card)] = 0.25


def choose(batch: GameBatch, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each game."""
    liking = np.where(batch.action_mask, rng.random(batch.action_mask.shape) ** (1 / _TASTE), -1.0)
    actions: NDArray[np.int64] = liking.argmax(axis=1)
    return actions


def play(batch: GameBatch, steps: int, seed: int = 0) -> Iterator[int]:
    """Play on at random, and yield before every step and after the last one."""
    rng = np.random.default_rng(seed)
    for number in range(steps):
        yield number
        batch.step(choose(batch, rng))
    yield steps


def dealt_again(batch: GameBatch, seed: int, seat: int | None = None) -> GameBatch:
    """Return a world of each game, each with luck of its own."""
    rows = np.arange(len(batch))
    return batch.worlds(rows, 1, seed + rows, seat)


def strange_positions(num_players: int, count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Return well-formed positions, most of which no game reaches: loaded hands, tiny decks, nearly empty piles."""
    rng = random.Random(f"{seed} {num_players}")
    found: list[dict[str, Any]] = []
    while len(found) < count:
        position = random_position(rng)
        if position["num_players"] == num_players:
            found.append(position)
    return found


def listed(entries: NDArray[Any], first: NDArray[Any], last: NDArray[Any]) -> NDArray[np.int64]:
    """Count each card in the stretches [first, last) of ordered zones; the result has shape (games, seats, cards)."""
    places = np.arange(entries.shape[2])
    inside = (places >= first[..., None]) & (places < last[..., None])
    game, seat, place = np.nonzero(inside)
    counts = np.zeros((*entries.shape[:2], NUM_CARDS), np.int64)
    np.add.at(counts, (game, seat, entries[game, seat, place] & 63), 1)
    return counts


def zones(states: NDArray[Any]) -> dict[str, NDArray[np.int64]]:
    """Return the counts of each card in every zone of every seat, each of shape (games, seats, cards)."""
    sizes = {name: states[f"{name}_size"].astype(np.int64) for name in ("discard", "top", "play", "aside")}
    end = states["pile"].shape[2]
    nothing = np.zeros_like(sizes["top"])
    return {
        "hand": states["hand"].astype(np.int64),
        "bag": states["bag"].astype(np.int64),
        "discard": listed(states["pile"], nothing, sizes["discard"]),
        "top": listed(states["pile"], end - sizes["top"], nothing + end),
        "play": listed(states["table"], nothing, sizes["play"]),
        "aside": listed(states["table"], end - sizes["aside"], nothing + end),
    }


def census(states: NDArray[Any]) -> NDArray[np.int64]:
    """Return the number of copies of each card in each game, in all zones together, shape (games, cards)."""
    counts: NDArray[np.int64] = states["supply"].astype(np.int64) + states["trash"]
    return counts + sum(zone.sum(axis=1) for zone in zones(states).values())


def bits(states: NDArray[Any]) -> bytes:
    """Return the bytes of all fields of these records, without the unused bytes between them."""
    return b"".join(states[name].tobytes() for name in states.dtype.names or ())
