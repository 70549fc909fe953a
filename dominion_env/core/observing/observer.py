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
        self._slots = np.zeros(SIZE_OF_SLOTS, np.int8) if observation == "kingdom" else None
        self._everything = what_to_write(num_players, observation, FIELD_NAMES)
        self._rows = np.arange(self._num_games)
        self._seats = np.full(self._num_games, -1, np.int64)
        self._writers: dict[tuple[np.dtype[Any], bool], Callable[..., None]] = {}

    def __call__(
        self,
        player: ArrayLike | None = None,
        out: Numbers | None = None,
        fields: Sequence[str] | None = None,
        rows: ArrayLike | None = None,
    ) -> Any:
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
            out = (np.empty if fields is None else np.zeros)((len(chosen), self.size), self.dtype)
        else:
            self._check(out, len(chosen))
        self._write(chosen, seats, out.reshape(-1), *to_write)
        return out

    def of_seats(self, seats: NDArray[np.int64], out: Numbers | None = None) -> Any:
        """Return what these seats see, which are not checked, one a game; see `GameBatch.observe`."""
        if out is None:
            out = np.empty((self._num_games, self.size), self.dtype)
        else:
            self._check(out, self._num_games)
        self._write(self._rows, seats, out.reshape(-1), *self._everything)
        return out

    def of_the_only_game(self, player: int) -> Any:
        """Return what a seat, which is not checked, sees in a batch of one game, shape (observation_size,)."""
        self._seats.fill(player)
        out = np.empty(self.size, self.dtype)
        self._write(self._rows, self._seats, out, *self._everything)
        return out

    def _only(self, fields: Sequence[str]) -> tuple[NDArray[Any] | None, NDArray[np.int64]]:
        try:
            names = (fields,) if isinstance(fields, str) else tuple(fields)
            return what_to_write(self._players, self.observation, names)
        except TypeError as error:  # it is no sequence, or its items can't be hashed
            raise InvalidOption(f"fields: expected names from FIELD_NAMES, got {shown(fields)}") from error

    def _write(self, rows: Any, seats: Any, out: Any, wanted: Any, cleared: Any) -> None:
        """Call the entry point for arrays of these types, which is compiled at its first call: batches that are only played
        never need it."""
        arguments = self._games, rows, seats, out, self.size, self._slots, wanted, cleared
        kind = out.dtype, wanted is None
        write = self._writers.get(kind)
        if write is None:
            write = self._writers[kind] = specialised(observe_games, *arguments)
        write(*arguments)

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
        expected = f"a contiguous, writable array of {', '.join(DTYPES)}, of shape {(rows, self.size)}"
        if not isinstance(out, np.ndarray):
            raise InvalidOption(f"out: expected {expected}, got {type(out).__name__}")
        flags = out.flags
        if out.dtype not in _DTYPES or out.shape != (rows, self.size) or not flags.c_contiguous or not flags.writeable:
            came = f"{out.dtype} of shape {out.shape}"
            more = "" if flags.c_contiguous else ", not contiguous"
            more += "" if flags.writeable else ", read-only"
            raise InvalidOption(f"out: expected {expected}, got {came}{more}")


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
