"""Checks of the arrays that agents are given, so that a mistake is told in the caller's words, not in numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Keys, Masks, Observations
from dominion_env.tables.actions import NUM_ACTIONS

_FLOAT32, _BOOL, _UINT64 = np.dtype(np.float32), np.dtype(np.bool_), np.dtype(np.uint64)

# Arrays of the kind in which observations and masks come, for compiling: their rows may lie apart.
ROWS_APART = np.zeros((2, 2), np.float32)[:, :1], np.zeros((2, 2), np.bool_)[:, :1]


def checked(observations: Observations, action_masks: Masks, keys: Keys) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return observations and masks in which each row is contiguous; rows may lie apart.

    Raises:
        InvalidOption: these are not the arrays that `Agent.act` describes, with n rows each.
    """
    values, masks = _rows("observations", observations, _FLOAT32), _rows("action_masks", action_masks, _BOOL)
    check_keys(len(values), masks, keys)
    return values, masks


def check_keys(rows: int, action_masks: Masks, keys: Keys) -> None:
    """Check that there is a mask and a key for each row.

    Raises:
        InvalidOption: an array has another shape or dtype.
    """
    if (
        not isinstance(keys, np.ndarray)
        or keys.dtype != _UINT64
        or keys.shape != (rows,)
        or not isinstance(action_masks, np.ndarray)
        or action_masks.shape != (rows, NUM_ACTIONS)
    ):
        raise InvalidOption(
            f"expected for {rows} rows masks of shape {(rows, NUM_ACTIONS)} and uint64 keys of shape {(rows,)}, "
            f"got {_described(action_masks)} and {_described(keys)}"
        )


def _rows(name: str, given: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if not isinstance(given, np.ndarray) or given.dtype != dtype or given.ndim != 2:
        raise InvalidOption(f"{name}: expected a two-dimensional array of {dtype}, got {_described(given)}")
    return given if given.strides[1] == given.itemsize else np.ascontiguousarray(given)


def _described(given: Any) -> str:
    return f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__
