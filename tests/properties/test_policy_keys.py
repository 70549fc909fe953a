"""Keys of agents give nothing of the game away: they are one-way, where the words of all other streams can be inverted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dominion_env import Card, GameBatch
from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.rules.record.siphash import siphash
from dominion_env.rules.record.streams import POLICY_KEY

from . import play, sized

# The word of the message 00, 01, 02, ... of each length from 0 to 16 bytes, under the key 00, 01, ..., 0f: from the
# reference code of SipHash's authors.
AUTHORS_WORDS = [
    "310e0edd47db6f72", "fd67dc93c539f874", "5a4fa9d909806c0d", "2d7efbd796666785", "b7877127e09427cf",
    "8da699cd64557618", "cee3fe586e46c9cb", "37d1018bf50002ab", "6224939a79f5f593", "b0e4a90bdf82009e",
    "f3b9dd94c5bb5d7a", "a7ad6b22462fb3f4", "fbe50e86bc8f1e75", "903d84c02756ea14", "eef27a8e90ca23f7",
    "e545be4961ca29a1", "db9bc2577fcc2a3f",
]  # fmt: skip


def words_of(message: bytes) -> tuple[np.uint64, ...]:
    """Cut a message into words, the length in the last byte."""
    size = len(message)
    padded = message + bytes(7 - size % 8) + bytes([size])
    return tuple(np.uint64(int.from_bytes(padded[i : i + 8], "little")) for i in range(0, len(padded), 8))


@pytest.mark.parametrize("length", range(len(AUTHORS_WORDS)))
def test_siphash_is_that_of_its_authors(length: int) -> None:
    key, more_key, _ = words_of(bytes(range(16)))
    with np.errstate(over="ignore"):
        word = siphash(key, more_key, words_of(bytes(range(length))))
    assert int(word).to_bytes(8, "little").hex() == AUTHORS_WORDS[length]


def test_the_keys_are_siphash_of_seat_and_number_of_decisions() -> None:
    """It is the same compiled and in plain Python."""
    batch = GameBatch(20, num_players=3, seed=9)
    for _ in play(batch, 10):
        seats = batch.current_player
        for row, key in enumerate(batch.policy_keys()):
            game = batch.state[row]
            message = np.array([seats[row], game["decisions"][seats[row]]], "<u8").tobytes()
            with np.errstate(over="ignore"):
                halves = [splitmix((game["key"] ^ np.uint64(number)) + GAMMA) for number in (301, 302)]
                assert key == siphash(*halves, words_of(message))


# The attack: an agent knows its seat and how often it has decided, takes its key for a word of SplitMix64, undoes one step
# after the other and has all streams of the game.


def invertible_keys(batch: GameBatch) -> NDArray[np.uint64]:
    """Return the keys as version 0.1 made them."""
    me = batch.current_player
    decisions = batch.state["decisions"][np.arange(len(batch)), me]
    secret: NDArray[np.uint64] = splitmix((batch.state["key"] ^ POLICY_KEY) + GAMMA)
    keys: NDArray[np.uint64] = splitmix(
        (secret ^ (me + 1).astype(np.uint64)) + GAMMA * (decisions + 1).astype(np.uint64)
    )
    return keys


def undo_shift(words: NDArray[np.uint64], shift: int) -> NDArray[np.uint64]:
    """Return x from x ^ (x >> shift)."""
    found = words
    for _ in range(64 // shift):
        found = words ^ (found >> np.uint64(shift))
    return found


def undo_splitmix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return what SplitMix64's finaliser has made into these words."""
    words = undo_shift(words, 31) * np.uint64(pow(0x94D049BB133111EB, -1, 1 << 64))
    words = undo_shift(words, 27) * np.uint64(pow(0xBF58476D1CE4E5B9, -1, 1 << 64))
    return undo_shift(words, 30)


def predicted_coppers(keys: NDArray[np.uint64], me: NDArray[Any], decisions: NDArray[Any], seat: int) -> list[int]:
    """Return how many Coppers a seat holds in its opening hand, from the keys of another seat."""
    start = undo_splitmix(keys) - GAMMA * (decisions + 1).astype(np.uint64) ^ (me + 1).astype(np.uint64)
    secret = undo_splitmix(start) - GAMMA ^ POLICY_KEY
    streams = splitmix((secret ^ np.uint64(seat + 1)) + GAMMA)
    coppers = []
    for stream in streams:
        left = {Card.COPPER: 7, Card.ESTATE: 3}
        for _ in range(5):
            stream += GAMMA
            place = number_below(splitmix(stream), sum(left.values()))
            left[Card.COPPER if place < left[Card.COPPER] else Card.ESTATE] -= 1
        coppers.append(7 - left[Card.COPPER])
    return coppers


def test_agents_can_not_compute_the_opponents_hand_from_their_keys() -> None:
    batch = GameBatch(sized(2000), num_players=2, seed=17, first_player=0, ask_forced=True)
    batch.step(np.zeros(len(batch), np.int64))  # the second decision of the first player, to have a number of decisions
    me, games = batch.current_player, np.arange(len(batch))
    decisions, coppers = batch.state["decisions"][games, me], batch.state["hand"][:, 1, Card.COPPER]
    assert (me == 0).all()
    assert (decisions == 1).all()
    with np.errstate(over="ignore"):
        invertible = predicted_coppers(invertible_keys(batch), me, decisions, seat=1)
        assert (invertible == coppers).all(), "the attack does not work"
        hits = (predicted_coppers(batch.policy_keys(), me, decisions, seat=1) == coppers).mean()
    by_chance = (2 * 21**2 + 2 * 105**2) / 252**2  # of 2, 3, 4 or 5 Coppers
    assert abs(hits - by_chance) < 4 * np.sqrt(by_chance * (1 - by_chance) / len(batch))
