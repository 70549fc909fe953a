"""Random streams: one 64-bit counter each, stored in the record of the game (SplitMix64).

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants as in their
reference code. The address of a game decides where its streams start, so the same address gives the same luck in any
batch, process or view; a seat's stream is used by nothing but that seat's draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.rules.jit import primitive, rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

SETUP_STREAM = np.uint64(101)  # seats have 1, 2, ...
SAMPLING = np.uint64(201)


@primitive
def mix(z: Any) -> Any:
    """A 64-bit number that looks unrelated to `z`; one to one."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@primitive
def address_key(seed: Any, index: Any, episode: Any) -> Any:
    """One number for the address (seed, index, episode) of a game."""
    key = mix(np.uint64(seed) + GAMMA)
    key = mix((key ^ np.uint64(index)) + GAMMA)
    return mix((key ^ np.uint64(episode)) + GAMMA)


@primitive
def derived(key: Any, number: Any) -> Any:
    """Where the stream of that number starts."""
    return mix((key ^ np.uint64(number)) + GAMMA)


@rule
def start_streams(game: Any) -> None:
    """Give the game the streams that belong to its key."""
    key = game.key
    for seat in range(game.streams.shape[0]):
        game.streams[seat] = derived(key, np.uint64(seat + 1))
    game.setup_stream = derived(key, SETUP_STREAM)


@primitive
def scaled(word: Any, n: Any) -> Any:
    """A random word as a number from 0 to n - 1 (its upper half times n; the bias is below n / 2**32)."""
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@primitive
def below(game: Any, seat: Any, n: Any) -> Any:
    """The next number from 0 to n - 1 of that seat's stream."""
    game.streams[seat] += GAMMA
    return scaled(mix(game.streams[seat]), n)


@primitive
def setup_below(game: Any, n: Any) -> Any:
    """The next number from 0 to n - 1 of the setup stream."""
    game.setup_stream += GAMMA
    return scaled(mix(game.setup_stream), n)


@primitive
def decision_word(game: Any, seat: Any, purpose: Any) -> Any:
    """A random word for the next decision of that seat: the same as long as that seat has not decided."""
    return mix((derived(game.key, purpose) ^ np.uint64(seat + 1)) + GAMMA * np.uint64(game.decisions[seat] + 1))
