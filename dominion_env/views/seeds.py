"""Seeds as the libraries have them: None is fresh entropy, an int s of many games is s + i for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.core.address import fresh_seed
from dominion_env.errors import InvalidOption


def checked_seed(seed: Any) -> int:
    """Check a seed that `reset` is given, as Gymnasium wants it.

    Raises:
        InvalidOption: no whole number, or below 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        raise InvalidOption(f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}")
    return int(seed)


def row_seeds(seed: Any, num_games: int) -> Any:
    """Return one seed per row, s + i of an int s, as vector environments have it; None draws s at random.

    Anything else is left to `GameBatch`, which refuses or takes it.
    """
    if seed is None:
        seed = fresh_seed()
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    return [int(seed) + row for row in range(num_games)] if whole else seed
