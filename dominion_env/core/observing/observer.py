"""What Python calls to have observations written: it checks the arguments and makes the arrays."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.jit import records, specialised
from dominion_env.core.observing.fields import FIELD_NAMES, observation_size
from dominion_env.core.observing.observation import observe_games
from dominion_env.core.observing.places import what_to_write

_FLOAT32 = np.dtype(np.float32)


class Observer:
    """A function that writes the observations of these games, for `GameBatch.observe`.

    Args:
        states: the records of the games, all for `num_players`.
        num_players: number of players, 1 to 6.
        strict: whether to show only what lies open.
    """

    def __init__(self, states: NDArray[Any], num_players: int, strict: bool) -> None:
        self._games = records(states)
        self._num_games, self._players = len(states), num_players
        self._size = observation_size(num_players)
        self._strict = strict
        self._everything = what_to_write(num_players, strict, FIELD_NAMES)
        self._rows = np.arange(self._num_games)
        self._seats = np.full(self._num_games, -1, np.int64)
        self._write: Callable[..., None] = self._first_write

    def __call__(
        self,
        player: ArrayLike | None = None,
        out: NDArray[np.float32] | None = None,
        fields: Sequence[str] | None = None,
        rows: ArrayLike | None = None,
    ) -> NDArray[np.float32]:
        """See `GameBatch.observe`."""
        chosen = self._rows if rows is None else checked_rows(rows, self._num_games)
        seats = self._seats if rows is None else np.empty(len(chosen), np.int64)
        if player is None:
            seats.fill(-1)
        elif type(player) is int and 0 <= player < self._players:
            seats.fill(player)
        else:
            seats[:] = self._seats_of(player, len(chosen))
        to_write = self._everything if fields is None else self._only(fields)
        if out is None:
            out = (np.empty if fields is None else np.zeros)((len(chosen), self._size), np.float32)
        else:
            self._check(out, len(chosen))
        self._write(self._games, chosen, seats, out.reshape(-1), self._size, *to_write)
        return out

    def of_the_only_game(self, player: int) -> NDArray[np.float32]:
        """Return what a seat, which is not checked, sees in a batch of one game, float32 (observation_size,)."""
        self._seats.fill(player)
        out = np.empty(self._size, np.float32)
        self._write(self._games, self._rows, self._seats, out, self._size, *self._everything)
        return out

    def _only(self, fields: Sequence[str]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        try:
            names = (fields,) if isinstance(fields, str) else tuple(fields)
            return what_to_write(self._players, self._strict, names)
        except TypeError as error:  # it is no sequence, or its items can't be hashed
            raise InvalidOption(f"fields: expected names from FIELD_NAMES, got {shown(fields)}") from error

    def _first_write(self, *arguments: Any) -> None:
        """Compile the entry point for these arrays at the first call: batches that are only played never need it."""
        self._write = specialised(observe_games, *arguments)
        self._write(*arguments)

    def _seats_of(self, player: ArrayLike, rows: int) -> NDArray[Any]:
        try:
            given = np.asarray(player)
        except ValueError:
            given = np.empty(0, object)
        fits = given.dtype.kind in "iu" and given.shape in ((), (rows,))
        if not fits or (given < 0).any() or (given >= self._players).any():
            raise InvalidOption(
                f"player: expected a seat from 0 to {self._players - 1}, one for each game ({rows}) or None, got {shown(player)}"
            )
        return given

    def _check(self, out: NDArray[np.float32], rows: int) -> None:
        shape = (rows, self._size)
        if not isinstance(out, np.ndarray):
            raise InvalidOption(f"out: expected a float32 array of shape {shape}, got {type(out).__name__}")
        flags = out.flags
        if out.dtype != _FLOAT32 or out.shape != shape or not flags.c_contiguous or not flags.writeable:
            raise InvalidOption(
                f"out: expected a contiguous, writable float32 array of shape {shape}, "
                f"got {out.dtype} of shape {out.shape}"
            )


def checked_rows(rows: ArrayLike, num_games: int) -> NDArray[np.int64]:
    """Return these numbers of games of a batch, int64 (rows,).

    Raises:
        InvalidOption: `rows` is no list of whole numbers, or there is no such game.
    """
    try:
        given = np.asarray(rows)
    except ValueError:
        given = np.empty((), object)
    whole = given.ndim == 1 and (given.dtype.kind in "iu" or given.size == 0)
    if not whole or (given.size and (given.min() < 0 or given.max() >= num_games)):
        raise InvalidOption(f"rows: expected numbers of games from 0 to {num_games - 1}, got {shown(rows)}")
    return np.ascontiguousarray(given, np.int64)
