"""What has happened in games since each seat's last answer, for agents that read it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.core.batch import GameBatch
from dominion_env.core.loop import EVENT
from dominion_env.rules.events import Event

_NOTHING = np.zeros(0, EVENT)


class Story:
    """The events of the games of a batch since each seat's last answer.

    It takes the events from `GameBatch.events`, so nobody else may.

    Args:
        batch: the games; events are kept from now on.
    """

    def __init__(self, batch: GameBatch) -> None:
        batch.start_recording()
        self._batch = batch
        self._parts: list[list[NDArray[Any]]] = [[] for _ in range(batch.num_games)]
        self._read = np.zeros((batch.num_games, batch.num_players), np.int64)  # parts from before the last answer
        self._decisions = self._decided()
        self._add()

    def update(self) -> None:
        """Note what has happened in the last step."""
        decisions = self._decided()
        for row, seat in np.argwhere(decisions != self._decisions).tolist():
            self._read[row, seat] = len(self._parts[row])
        self._decisions = decisions
        self._add()

    def clear(self, rows: NDArray[Any]) -> None:
        """Forget what happened in these games before they began again."""
        self._add()
        self._decisions = self._decided()
        for row in rows.tolist():
            newest = [_NOTHING, *self._parts[row]][-1]
            ends = np.flatnonzero(newest["event"] == Event.END)
            self._parts[row], self._read[row] = [newest[ends[-1] + 1 :] if len(ends) else newest], 0

    def _decided(self) -> NDArray[Any]:
        decisions: NDArray[Any] = self._batch.state["decisions"][:, : self._batch.num_players].copy()
        return decisions

    def _add(self) -> None:
        events = self._batch.events()
        for row in np.unique(events["game"]).tolist():
            self._parts[row].append(events[events["game"] == row])

    def of(self, row: int, seat: int) -> NDArray[Any]:
        """Return the events since the last answer of a seat, as `GameBatch.events` has them, without all it has not seen."""
        events = np.concatenate([_NOTHING, *self._parts[row][self._read[row, seat] :]])
        events = events[(events["seen"] >> seat & 1) > 0]
        events["card"][(events["card_seen"] >> seat & 1) == 0] = -1
        events["game"] = 0
        for field in ("seen", "card_seen"):
            events[field] &= 1 << seat
        return events

    def take(self, batch: GameBatch, rows: NDArray[Any]) -> Story:
        """Return what has happened in a batch that was taken from these rows of this one."""
        part = Story(batch)
        part._parts, part._read = [list(self._parts[row]) for row in rows], self._read[rows]
        return part
