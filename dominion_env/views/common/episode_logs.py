"""The logs of the running episodes of a batch, which the views show beside the position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.core.batch import GameBatch
from dominion_env.rules.events import Event
from dominion_env.views.game import Game


class EpisodeLogs:
    """Keeps the events of each game of a batch since its episode began, or since `begin`, if the batch records them.

    A log starts again with each episode, also after an automatic restart. Every reset of the batch must go through
    `reset`.

    Args:
        batch: the games; with `record=True`, this object takes their events.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch
        self._recording = batch.is_recording
        self._parts: list[list[NDArray[Any]]] = [[] for _ in range(batch.num_games)]

    def begin(self) -> None:
        """Record from now on, unless the batch does already, so that logs which nobody reads cost nothing."""
        if not self._recording:
            self._batch.start_recording()
            self._recording = True

    def game(self, row: int) -> Game:
        """Return the position of a row as a `Game` whose log is that of the running episode."""
        self.update()
        return Game.with_history(self._batch.to_dict(row), self._parts[row])

    def take(self, batch: GameBatch, rows: NDArray[Any]) -> EpisodeLogs:
        """Return the logs of a batch that was taken from these rows of this one."""
        self.update()
        part = EpisodeLogs(batch)
        part._parts = [[*self._parts[row]] for row in rows]
        return part

    def reset(self, seed: Any = None, mask: ArrayLike | None = None) -> None:
        """Reset the batch as `GameBatch.reset` does, and start the logs of these rows again.

        Raises:
            InvalidOption: a seed or mask has the wrong form; nothing has changed.
        """
        self.update()  # later events belong to the new episodes
        self._batch.reset(seed=seed, mask=mask)
        for row in range(len(self._parts)) if mask is None else np.flatnonzero(mask):
            self._parts[row] = []

    def update(self) -> None:
        """Take the events that the batch has recorded, so that they don't pile up there."""
        if self._recording:
            events = self._batch.events()
            games, starts = np.unique(events["game"], return_index=True)
            if games.size == 0:
                return
            if games.size > 1:
                events = events[np.argsort(events["game"], kind="stable")]
                starts = np.searchsorted(events["game"], games)
            for game, part in zip(games, np.split(events, starts[1:]), strict=True):
                self._add(int(game), part)

    def _add(self, row: int, part: NDArray[Any]) -> None:
        """Add events to a row's log; those after the end of a game belong to its next episode.

        If the game is running, an END as the newest event starts an empty log: the next episode has begun without events.
        """
        past = self._parts[row]
        begins = np.flatnonzero(part["event"] == Event.END) + 1
        if self._batch.state["over"][row]:
            begins = begins[begins < len(part)]
        if begins.size:
            past.clear()
            part = part[begins[-1] :]
        if part.size:
            past.append(part.copy())  # a slice would keep the events of all games
