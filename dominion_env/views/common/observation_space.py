"""The observation space of all views."""

import numpy as np
from gymnasium import spaces

from dominion_env.core.batch import GameBatch
from dominion_env.core.observing.fields import bounds_of


def observation_space(batch: GameBatch) -> spaces.Box:
    """Make the space of the observations of a batch, with the bounds of its fields.

    Each call makes a new space, as a space has a random generator of its own.

    Returns:
        A box of `observation_dtype` (observation_size,).
    """
    low, high = bounds_of(batch.num_players, batch.observation, batch.observation_dtype)
    return spaces.Box(low, high, dtype=low.dtype.type)


def state_space(num_players: int) -> spaces.Box:
    """Make the space of the float32 recall observations of all seats, one after the other."""
    low, high = bounds_of(num_players, "recall", "float32")
    return spaces.Box(np.tile(low, num_players), np.tile(high, num_players), dtype=np.float32)
