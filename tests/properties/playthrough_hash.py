"""Print a hash of a few playthroughs, observations and random keys included: `python -m tests.properties.playthrough_hash`.

A test runs this in other processes and in the plain interpreter, and compares what they print.
"""

from __future__ import annotations

import hashlib

from dominion_env import GameBatch

from . import GAMES, bits, play, strange_positions


def playthrough_hash(steps: int = 40, rows: int = 2) -> str:
    """Return a hash of everything that a user can see of these games at each decision."""
    digest = hashlib.sha256()
    batches = [GameBatch(rows, seed=11, record=True, **options) for options in GAMES]
    batches += [GameBatch(rows, start=strange_positions(players, rows), seed=11, record=True) for players in (2, 3)]
    for number, batch in enumerate(batches):
        for _ in play(batch, steps, seed=number):
            for array in (batch.current_player, batch.action_mask, batch.observe(), batch.scores, batch.policy_keys()):
                digest.update(array.tobytes())
            digest.update(batch.sample_actions().tobytes())
        digest.update(batch.events().tobytes())
        digest.update(bits(batch.state))
    return digest.hexdigest()


if __name__ == "__main__":
    print(playthrough_hash())
