"""What Python calls to have observations written: it checks the arguments and makes the arrays."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.jit import records, specialised
from dominion_env.core.observing.fields import DTYPES, FIELD_NAMES, DtypeName, ObservationName, observation_size
from dominion_env.core.observing.observation import observe_games
from dominion_env.core.observing.places import what_to_write
from dominion_env.core.observing.rows import SIZE_OF_SLOTS

Numbers: TypeAlias = NDArray[np.float32] | NDArray[np.int16] | NDArray[np.uint8]
_DTYPES = tuple(np.dtype(name) for name in DTYPES)


class Observer:
    """A function that writes the observations of these games, for `GameBatch.observe`.

    Args:
        states: the records of the games, all for `num_players`.
        num_players: number of players, 1 to 6.
        observation: "recall", "strict" or "kingdom".
        dtype: type of the numbers in new arrays, "float32", "int16" or "uint8".
    """

    def __init__(
        self, states: NDArray[Any], num_players: int, observation: ObservationName, dtype: DtypeName = "float32"
    ) -> None:
        self._games = records(states)
        self._num_games, self._players = len(states), num_players
        self.observation: ObservationName = observation
        self.size = observation_size(num_players, observation)
        self.dtype = np.dtype(dtype)
        slots = np.zeros(SIZE_OF_SLOTS, np.int8) if observation == "kingdom" else None
        self._everything = slots, *what_to_write(num_players, observation, FIELD_NAMES)
        self._rows = np.arange(self._num_games)
        self._seats = np.full(self._num_games, -1, np.int64)
        self._asked = self._seats.copy()
        self._only_seat = np.arange(num_players)[:, None]  # what `seats` is for each seat of the only game
        self._shape = (self._num_games, self.size)
        self._writers: dict[int, Callable[..., None]] = {}
        self._write_all: Callable[..., None] = self._write  # until its first call, for arrays of `dtype`

    def __call__(
        self,
        player: ArrayLike | None = None,
        out: Numbers | None = None,
        fields: Sequence[str] | None = None,
        rows: ArrayLike | None = None,
    ) -> Any:
        """See `GameBatch.observe`."""
        if player is rows is fields is None and self._fits(out):  # in a hurry, for few games
            self._write_all(self._games, self._rows, self._asked, out, *self._everything)
            return out
        chosen = self._rows if rows is None else checked_rows(rows, self._num_games)
        if player is None and rows is None:
            seats = self._asked
        else:
            seats = self._seats if rows is None else np.empty(len(chosen), np.int64)
            seats[:] = -1 if player is None else self._seats_of(player, len(chosen))
        to_write = self._everything if fields is None else self._only(fields)
        if out is None:
            out = (np.empty if fields is None else np.zeros)((len(chosen), self.size), self.dtype)
        else:
            self._check(out, len(chosen))
        self._write(self._games, chosen, seats, out, *to_write)
        return out

    def of_seats(self, seats: NDArray[np.int64], out: Numbers | None = None) -> Any:
        """Return what these seats see, which are not checked, one a game; see `GameBatch.observe`."""
        if out is None:
            out = np.empty(self._shape, self.dtype)
        elif not self._fits(out):
            self._check(out, self._num_games)
            self._write(self._games, self._rows, seats, out, *self._everything)
            return out
        self._write_all(self._games, self._rows, seats, out, *self._everything)
        return out

    def of_the_only_game(self, player: int) -> Any:
        """Return what a seat, which is not checked, sees in a batch of one game, shape (observation_size,)."""
        out = np.empty(self._shape, self.dtype)
        self._write_all(self._games, self._rows, self._only_seat[player], out, *self._everything)
        return out[0]

    def _fits(self, out: Any) -> bool:
        """Return whether an array is as those that this function makes, in as little time as possible."""
        return type(out) is np.ndarray and out.dtype is self.dtype and out.shape == self._shape and out.flags.carray

    def _only(self, fields: Sequence[str]) -> tuple[Any, ...]:
        try:
            names = (fields,) if isinstance(fields, str) else tuple(fields)
            return self._everything[0], *what_to_write(self._players, self.observation, names)
        except TypeError as error:  # it is no sequence, or its items can't be hashed
            raise InvalidOption(f"fields: expected names from FIELD_NAMES, got {shown(fields)}") from error

    def _write(self, games: Any, rows: Any, seats: Any, out: Any, slots: Any, wanted: Any, cleared: Any) -> None:
        """Call the entry point for arrays of these types, which is compiled at its first call: batches that are only played
        never need it."""
        arguments = games, rows, seats, out, slots, wanted, cleared
        number = out.dtype.num if wanted is None else -out.dtype.num
        if number not in self._writers:
            self._writers[number] = specialised(observe_games, *arguments)
            if out.dtype == self.dtype and wanted is self._everything[1]:
                self._write_all = self._writers[number]
        self._writers[number](*arguments)

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

    def _check(self, out: Any, rows: int) -> None:
        is_array = isinstance(out, np.ndarray)
        if is_array and out.dtype in _DTYPES and out.shape == (rows, self.size) and out.flags.carray:
            return
        came = f"{out.dtype} of shape {out.shape}" if is_array else type(out).__name__
        if is_array:
            came += "" if out.flags.c_contiguous else ", not contiguous"
            came += "" if out.flags.writeable else ", read-only"
        raise InvalidOption(
            f"out: expected a contiguous, writable array of {', '.join(DTYPES)}, of shape {(rows, self.size)}, got {came}"
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
