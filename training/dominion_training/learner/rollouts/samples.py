"""The samples of a rollout: every decision that the network has made, in one flat list, and what became of it.

Each sample knows the next decision of the same seat in the same game. So advantages run along a seat's own decisions,
whatever the other seats do between them, for any number of players.

At the end of a rollout most games are unfinished. Nothing is guessed about them: the last sample of each seat is kept
for the next rollout, which says what became of it. Until then its value replaces the rest of the game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import dominion_agents.trained
from dominion_agents.trained.forward import drawn, log_of_sum, look, think
from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.reading import as_game_action
from dominion_env.compiled.instructions import from_here, row_of
from dominion_env.compiled.jit import entry_point, hash_of_sources, rule
from dominion_env.core.sources import SOURCE_HASH

OPEN, ENDED = -1, -2  # instead of the next sample: it is not known yet; the game has ended

_PLAYING = hash_of_sources(Path(dominion_agents.trained.__file__).parent, ("*.py",))
# Part of the cache key of what is compiled here.
SOURCES = SOURCE_HASH + _PLAYING + hash_of_sources(Path(__file__).parent, ("samples.py", "translate.py"))


class Decided(NamedTuple):
    """The columns of samples that are written when a decision is made; see `Samples`."""

    inputs: NDArray[np.int8]
    legal: NDArray[np.uint8]
    actions: NDArray[np.int16]
    log_probs: NDArray[np.float32]
    shares: NDArray[np.float32]
    leads: NDArray[np.float32]
    turns: NDArray[np.int16]
    following: NDArray[np.int64]
    games: NDArray[np.int32]
    seats: NDArray[np.int8]


class Samples:
    """The samples of one shard, with room for a rollout.

    Args:
        layout: inputs and actions of the network.
        room: number of samples that fit.

    Attributes:
        size: number of samples so far.
        inputs: int8 (room, num_inputs), counts.
        legal: uint8 (room, bytes), the legal actions of the network, a bit each, lowest first.
        actions: int16 (room,), the action that was chosen, or that a teacher would choose.
        log_probs: float32 (room,), logarithm of the probability with which it was drawn.
        shares, leads: float32 (room,), what the network expected: the share of the win, and the lead in points / 50.
        turns: int16 (room,), turns that the seat had begun.
        following: int64 (room,), the next sample of the same seat in the same game, OPEN or ENDED.
        final_shares, final_leads: float32 (room,), the result; set where `following` is ENDED.
        games, seats: int32 and int8 (room,), row and seat of the decision.
        targets: float16 (room, num_actions), the probabilities of a teacher that tells them; else None.
    """

    FIELDS = (
        "inputs", "legal", "actions", "log_probs", "shares", "leads", "turns", "following", "final_shares", "final_leads",
        "games", "seats",
    )  # fmt: skip

    def __init__(self, layout: Layout, room: int) -> None:
        self.layout, self.room, self.size = layout, room, 0
        self.inputs = np.zeros((room, layout.num_inputs), np.int8)
        self.legal = np.zeros((room, -(-layout.num_actions // 8)), np.uint8)
        self.actions = np.zeros(room, np.int16)
        self.turns = np.zeros(room, np.int16)
        self.following = np.full(room, OPEN, np.int64)
        self.targets: NDArray[np.float16] | None = None
        self.games, self.seats = np.zeros(room, np.int32), np.zeros(room, np.int8)
        self.log_probs, self.shares, self.leads, self.final_shares, self.final_leads = np.zeros((5, room), np.float32)
        self._room_for_targets: NDArray[np.float16] | None = None

    def make_targets(self) -> NDArray[np.float16]:
        """Make room for a teacher's probabilities, if there is none yet, and return `targets`."""
        if self.targets is None:
            if self._room_for_targets is None:
                self._room_for_targets = np.zeros((self.room, self.layout.num_actions), np.float16)
            self.targets = self._room_for_targets
        return self.targets

    def bytes_needed(self, with_targets: bool) -> int:
        """Return the size of the memory that `move_into` needs."""
        targets = self.room * self.layout.num_actions * np.dtype(np.float16).itemsize if with_targets else 0
        return sum(_aligned(getattr(self, name).nbytes) for name in self.FIELDS) + _aligned(targets)

    def move_into(self, memory: NDArray[np.uint8], with_targets: bool) -> None:
        """Keep the samples from now on in this memory, which another process may have too.

        Args:
            memory: as many bytes as `bytes_needed` says, uint8.
            with_targets: whether there is to be room for a teacher's probabilities.
        """
        first = 0
        for name in self.FIELDS:
            own = getattr(self, name)
            moved = memory[first : first + own.nbytes].view(own.dtype).reshape(own.shape)
            moved[: self.size] = own[: self.size]
            setattr(self, name, moved)
            first += _aligned(own.nbytes)
        if with_targets:
            size, before = self.room * self.layout.num_actions, self.targets
            self._room_for_targets = memory[first:].view(np.float16)[:size].reshape(self.room, -1)
            self.targets = None
            if before is not None:
                self.make_targets()[: self.size] = before[: self.size]

    def keep_open(self, last: NDArray[np.int64]) -> None:
        """Begin a rollout with the samples whose outcome is not known, and forget all others.

        Args:
            last: the last sample of each seat in each game, int64 (num_games, num_players), or -1; it is brought up to date.
        """
        kept = last[last >= 0]
        for name in self.FIELDS:
            array = getattr(self, name)
            array[: len(kept)] = array[kept]
        if self.targets is not None:
            self.targets[: len(kept)] = self.targets[kept]
        last[last >= 0] = np.arange(len(kept))
        self.size = len(kept)

    def decided(self) -> Decided:
        """Return the columns that `collect` writes, the inputs as one row."""
        columns = (getattr(self, name) for name in Decided._fields[1:])
        return Decided(self.inputs.reshape(-1), *columns)

    def trained_on(self) -> NDArray[np.int64]:
        """Return the samples whose outcome is known, int64."""
        return np.flatnonzero(self.following[: self.size] != OPEN)


def _aligned(size: int) -> int:
    """Return the next multiple of the size of a cache line."""
    return -(-size // 64) * 64


@rule
def place_of(glance: Any, action: Any) -> Any:
    """Return the place of an action of the environment among the legal ones."""
    for place in range(glance.num_legal):
        if as_game_action(glance, glance.legal[place]) == action:
            return place
    return 0


@rule
def legal_bits(glance: Any, legal: Any, sample: Any) -> None:
    """Write the legal actions, a bit each."""
    for byte in range(legal.shape[1]):
        legal[sample, byte] = 0
    for place in range(glance.num_legal):
        legal[sample, glance.legal[place] >> 3] |= np.uint8(1 << (glance.legal[place] & 7))


@rule
def note_decision(samples: Any, sample: Any, glance: Any, thought: Any, place: Any) -> None:
    """Write the action at this place among the legal ones as the decision of a sample, and what the network thought."""
    legal_bits(glance, samples.legal, sample)
    samples.actions[sample] = glance.legal[place]
    samples.log_probs[sample] = thought.scores[place] - log_of_sum(thought, glance)
    samples.shares[sample], samples.leads[sample] = thought.values[0], thought.values[1]
    samples.following[sample] = OPEN


@entry_point(SOURCES)
def collect(
    values: Any, masks: Any, keys: Any, rows: Any, seats: Any, turns: Any, network: Any, samples: Any, first: Any,
    last: Any, taught: Any, actions: Any,
) -> Any:  # fmt: skip
    """Decide in the games `rows`, whose observations are `values`, and note each decision as a sample from `first` on.

    Where `taught` holds an action, the sample notes this one, and `actions` stays as it is.
    """
    reading, shape, glance, thought = (network.readings[0], network.shapes[0], network.glances[0], network.thoughts[0])
    parameters, numbers = from_here(network.weights, 0), from_here(samples.inputs, 0)
    for i in range(rows.shape[0]):
        row, sample = rows[i], first + i
        me, at = int(seats[row]), sample * reading.inputs
        look(glance, reading, row_of(values, i), row_of(masks, row), numbers, at)
        think(thought, glance, shape, parameters, numbers, at)
        if taught[row] >= 0:
            place = place_of(glance, taught[row])
        else:
            place = drawn(thought, glance, keys[row])
            actions[row] = as_game_action(glance, glance.legal[place])
        note_decision(samples, sample, glance, thought, place)
        samples.turns[sample] = turns[row, me]
        samples.games[sample], samples.seats[sample] = row, me
        before = last[row, me]
        if before >= 0:
            samples.following[before] = sample
        last[row, me] = sample


@entry_point(SOURCES)
def advantages(size: Any, values: Any, finals: Any, following: Any, turns: Any, decay: Any, found: Any) -> Any:
    """Write the advantage of each sample: how much better its game went than the value said.

    This is generalised advantage estimation without discount, along the decisions of one seat in one game. `decay` (its
    lambda) counts once for each own turn, and not within a turn.
    """
    for sample in range(size - 1, -1, -1):
        after = following[sample]
        if after == ENDED:
            found[sample] = finals[sample] - values[sample]
        elif after == OPEN:
            found[sample] = np.float32(0.0)
        else:
            weight = decay if turns[after] != turns[sample] else np.float32(1.0)
            found[sample] = values[after] - values[sample] + weight * found[after]
