"""The observation space of all views."""

import numpy as np
from gymnasium import spaces

from dominion_env.core.observing.fields import observation_fields, observation_size


def observation_space(num_players: int, seats: int = 1) -> spaces.Box:
    """Make the space of observations, with the bounds of `observation_fields`.

    Each call makes a new space, as a space has a random generator of its own.

    Args:
        num_players: number of players, 1 to 6.
        seats: number of observations that stand one after the other.

    Returns:
        A box of float32 (seats * observation_size,).
    """
    low = np.empty(observation_size(num_players), dtype=np.float32)
    high = np.empty_like(low)
    for field in observation_fields(num_players):
        part = slice(field.start, field.start + field.size)
        low[part], high[part] = field.low, field.high
    return spaces.Box(np.tile(low, seats), np.tile(high, seats), dtype=np.float32)
