"""Arrays in memory that processes share. It has no name in the system, so it is gone with the last process that has it."""

from __future__ import annotations

import multiprocessing
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy only half of numba's and torch's threads
SPARE, LENT = 0, range(1, 5)  # places of a `Ring`; a loop that keeps the last step's arrays has two or three of them
_LINE = 64  # bytes that a processor fetches at once


class SharedArrays:
    """Arrays by name in shared memory, which travel to a process when it is started.

    Args:
        layout: shape and dtype of each array.
    """

    def __init__(self, layout: Mapping[str, tuple[tuple[int, ...], Any]]) -> None:
        self._places: list[tuple[str, tuple[int, ...], np.dtype[Any], int]] = []
        size = 0
        for name, (shape, dtype) in layout.items():
            kind = np.dtype(dtype)
            self._places.append((name, shape, kind, size))
            size += -(-int(np.prod(shape)) * kind.itemsize // _LINE) * _LINE
        self._memory = CONTEXT.RawArray("B", size)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays, as new ones over the same memory."""
        whole = np.frombuffer(self._memory, np.uint8)  # the base of these arrays and of all views that are made of them
        return {name: np.ndarray(shape, kind, whole, at) for name, shape, kind, at in self._places}

    def rows(self, first: int, last: int) -> dict[str, NDArray[Any]]:
        """Return these rows of all arrays."""
        return {name: array[first:last] for name, array in self.arrays().items()}


class Ring:
    """Shared arrays that a caller may keep: memory is written again once nobody has an array over it any more.

    Args:
        layout: shape and dtype of each array.
        copy: False for only one place, whose arrays are handed out each time.
    """

    def __init__(self, layout: Mapping[str, tuple[tuple[int, ...], Any]], copy: bool = True) -> None:
        self.slots = [SharedArrays(layout) for _ in (range(LENT.stop) if copy else (SPARE,))]
        self._lent: list[Callable[[], object]] = [lambda: None] * len(self.slots)  # each returns the base that is alive
        self._spare = self.slots[SPARE].arrays()
        self._copy = copy

    def free(self) -> int:
        """Return the place to write into, which is the spare one if the caller has arrays of all others."""
        return next((at for at in LENT[: len(self.slots) - 1] if self._lent[at]() is None), SPARE)

    def told(self, at: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a place, after they were written; those of the spare one as copies."""
        if at != SPARE:
            arrays = self.slots[at].arrays()
            self._lent[at] = weakref.ref(next(iter(arrays.values())).base)
            return arrays
        return {name: array.copy() for name, array in self._spare.items()} if self._copy else dict(self._spare)
