"""What has happened in the running episodes of a batch: for the views, which show it beside the position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.core.batch import GameBatch
from dominion_env.game import Game, game_with_log
from dominion_env.rules.events import Event


class EpisodeLogs:
    """The events of each game of a batch since its episode began, or since `begin`; none if the batch does not record.

    After an automatic restart a log begins anew. All resets of the batch must go through `reset`.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch
        self._recording = len(batch._events) > 0
        self._parts: list[list[NDArray[Any]]] = [[] for _ in range(batch.num_games)]

    def begin(self) -> None:
        """Record from now on, unless the batch does already: what is seldom looked at shall not cost anything before."""
        if not self._recording:
            self._batch.start_recording()
            self._recording = True

    def game(self, row: int) -> Game:
        """The position of a row as a `Game` whose log is that of the running episode."""
        self.update()
        return game_with_log(self._batch.to_dict(row), self._parts[row])

    def reset(self, seed: Any = None, mask: ArrayLike | None = None) -> None:
        """As `GameBatch.reset`; the logs of these rows begin anew.

        Raises:
            InvalidOption: a seed or mask of the wrong form; nothing has changed.
        """
        self.update()  # what comes later is of the new episodes
        self._batch.reset(seed=seed, mask=mask)
        for row in range(len(self._parts)) if mask is None else np.flatnonzero(mask):
            self._parts[row] = []

    def update(self) -> None:
        """Take over what the batch has noted, so that it does not pile up there."""
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
        """Nothing happens in a game after its end: what follows an end, if only that it runs, is the next episode."""
        past = self._parts[row]
        begins = np.flatnonzero(part["event"] == Event.END) + 1
        if self._batch.state["over"][row]:
            begins = begins[begins < len(part)]
        if begins.size:
            past.clear()
            part = part[begins[-1] :]
        if part.size:
            past.append(part.copy())  # a slice would keep the events of all games
