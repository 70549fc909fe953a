"""What an agent is: one method, many games at once."""

from __future__ import annotations

from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Observations: TypeAlias = NDArray[np.float32]
Masks: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
Actions: TypeAlias = NDArray[np.int64]


@runtime_checkable
class Agent(Protocol):
    """Chooses an action for each of n decisions, in n different games.

    An agent sees what the seat that decides may see, never the state of the game. Rows are independent: the same row
    gives the same action in any batch. So an agent keeps nothing between calls, and what it wants to leave to chance it
    takes from the row's key.
    """

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose.

        Args:
            observations: of the seats that decide, float32 `(n, observation_size)`; may be a read-only buffer.
            action_masks: what is legal, bool `(n, NUM_ACTIONS)`, at least one per row.
            keys: a random number per row, uint64 `(n,)`, from `GameBatch.policy_keys()`.

        Returns:
            A legal action per row, int64 `(n,)`.
        """
        ...
