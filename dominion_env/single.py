"""One game stepped and observed with as little Python as possible, for views of a single game.

`GameBatch` checks and converts whole arrays at each call, which for one game takes longer than the rules themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env import kernels
from dominion_env.actions import NUM_ACTIONS
from dominion_env.batch import GameBatch
from dominion_env.cards import NUM_CARDS
from dominion_env.errors import IllegalAction
from dominion_env.observation import _NOTHING_HIDDEN, _hidden_in_strict, _observe_games
from dominion_env.rules.jit import records


class SingleGame:
    """A `GameBatch` of one game that ends at its end.

    Args:
        options: those of `GameBatch` that suit one game.

    Attributes:
        batch: the game itself.
        legal: int8 (NUM_ACTIONS,), 1 for every action that is legal; a read-only live view.

    Raises:
        DominionError: a wrong option, as in `GameBatch`.
    """

    def __init__(self, **options: Any) -> None:
        self._attach(GameBatch(1, autoreset=False, **options))

    def _attach(self, batch: GameBatch) -> None:
        """Keep what every call hands to compiled code."""
        self.batch = batch
        self._size = batch.observation_size
        self._actions = np.zeros(1, np.int64)
        self._rewards, self._terminated, self._truncated = batch._paid
        self._asked, self._over = batch.current_player, batch.state["over"]
        self._recording = len(batch._events) > 0
        self.legal = batch.action_mask[0].view(np.int8)
        self._seats = [np.array([seat]) for seat in range(batch.num_players)]
        self._for_step: tuple[Any, ...] = (
            batch._games, batch._final_records, batch._outcome_records, self._actions, batch._plans,
            records(batch._events), batch._blank, *batch._rules[1:],
        )  # fmt: skip
        hidden = _hidden_in_strict(batch.num_players) if batch.observation == "strict" else _NOTHING_HIDDEN
        self._hidden, self._nothing_hidden = hidden, _NOTHING_HIDDEN

    def __getstate__(self) -> GameBatch:
        return self.batch

    def __setstate__(self, batch: GameBatch) -> None:
        self._attach(batch)

    @property
    def asked(self) -> int:
        """The seat that must decide."""
        return self._asked.item(0)

    @property
    def outcome(self) -> tuple[list[float], bool, bool]:
        """Of the last step: what it paid to each seat, whether it ended the game by the rules (or by an illegal
        action), and whether it cut it short."""
        return self._rewards[0].tolist(), self._terminated.item(0), self._truncated.item(0)

    def step(self, action: Any) -> bool:
        """Carry out an action of the seat that must decide.

        Returns:
            Whether the game is over.

        Raises:
            IllegalAction: no action, or not legal (with `illegal="raise"`); nothing has moved.
        """
        whole = type(action) is int or isinstance(action, np.integer)
        if not whole or not 0 <= action < NUM_ACTIONS or self._recording:
            self.batch.step(np.asarray([action]))
        else:
            self._actions[0] = action
            if kernels.play_games(*self._for_step) != kernels.DONE:
                raise IllegalAction(self.batch._illegal(0, int(action)))
        return bool(self._over.item(0))

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees, float32 (observation_size,): a new array."""
        out = np.empty(self._size, np.float32)
        _observe_games(self.batch._games, self._seats[seat], out, self._size, self._hidden, NUM_CARDS)
        return out

    def observe_everything(self) -> NDArray[np.float32]:
        """What all seats with perfect memory see together, float32 (num_players * observation_size,)."""
        out = np.empty((len(self._seats), self._size), np.float32)
        for row, seat in zip(out, self._seats, strict=True):
            _observe_games(self.batch._games, seat, row, self._size, self._nothing_hidden, NUM_CARDS)
        return out.reshape(-1)
