"""The action that a view of one game is given, checked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.batch import GameBatch
from dominion_env.errors import IllegalAction


def one_action(batch: GameBatch, action: Any) -> int:
    """The number of an action for a batch of one game; whether it is legal, `step` finds out.

    Args:
        action: a whole number: an int, a number of numpy, an array or tensor without dimensions.

    Raises:
        IllegalAction: something else, or outside of the space; the message says what is asked and what is legal.
    """
    if type(action) is int and 0 <= action < NUM_ACTIONS:  # nearly always: no time is lost
        return action
    try:
        number = -1 if isinstance(action, (bool, np.bool_)) else operator.index(action)
    except TypeError:
        number = -1
    if 0 <= number < NUM_ACTIONS:
        return number
    asked = "the game is over" if batch.state["over"][0] else batch.question(0)
    raise IllegalAction(f"expected an action from 0 to {NUM_ACTIONS - 1}, got {action!r}; {asked}")
