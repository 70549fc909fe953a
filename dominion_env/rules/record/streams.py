"""Random streams: a 64-bit counter each, stored in the record of the game, whose mix is the next word (SplitMix64).

The address of a game decides where its streams start, so the same address gives the same luck in any batch, process or
view; a seat's stream is used by nothing but that seat's draws.

Each of these steps can be undone, so agents are given none of these words. Their keys come from SipHash, which nobody can
invert. An agent can still try all seeds of some range, so those of ranked games have 64 random bits.
"""

from typing import Any

import numpy as np

from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.record.siphash import siphash

# Numbers of what is derived from a game's key; the streams of the seats have 1, 2, ...
SETUP_STREAM = np.uint64(101)
SAMPLING = np.uint64(201)  # of legal actions
POLICY_KEY, MORE_POLICY_KEY = np.uint64(301), np.uint64(302)  # the two halves of the secret behind the keys for agents

mix = primitive(splitmix)
scaled = primitive(number_below)
_siphash = rule(siphash)
_SIXTEEN_BYTES = np.uint64(16 << 56)  # the end of a message of two words


@primitive
def address_key(seed: Any, index: Any, episode: Any) -> Any:
    """Return one number for the address (seed, index, episode) of a game."""
    key = mix(np.uint64(seed) + GAMMA)
    key = mix((key ^ np.uint64(index)) + GAMMA)
    return mix((key ^ np.uint64(episode)) + GAMMA)


@primitive
def derived(key: Any, number: Any) -> Any:
    """Return where the stream of that number starts."""
    return mix((key ^ np.uint64(number)) + GAMMA)


@rule
def start_streams(game: Any) -> None:
    """Give the game the streams that belong to its key."""
    key = game.key
    for seat in range(game.streams.shape[0]):
        game.streams[seat] = derived(key, np.uint64(seat + 1))
    game.setup_stream = derived(key, SETUP_STREAM)


@primitive
def below(game: Any, seat: Any, n: Any) -> Any:
    """Return the next number from 0 to n - 1 of that seat's stream."""
    game.streams[seat] += GAMMA
    return scaled(mix(game.streams[seat]), n)


@primitive
def setup_below(game: Any, n: Any) -> Any:
    """Return the next number from 0 to n - 1 of the setup stream."""
    game.setup_stream += GAMMA
    return scaled(mix(game.setup_stream), n)


@primitive
def decision_word(game: Any, seat: Any, purpose: Any) -> Any:
    """Return a random word for the next decision of that seat, the same as long as that seat has not decided."""
    return mix((derived(game.key, purpose) ^ np.uint64(seat + 1)) + GAMMA * np.uint64(game.decisions[seat] + 1))


@rule
def policy_key(game: Any, seat: Any) -> Any:
    """Return the random word for the agent that makes the next decision of that seat.

    It is the SipHash of the seat and its number of decisions, under a key that is made from the address.
    """
    message = np.uint64(seat), np.uint64(game.decisions[seat]), _SIXTEEN_BYTES
    return _siphash(derived(game.key, POLICY_KEY), derived(game.key, MORE_POLICY_KEY), message)
