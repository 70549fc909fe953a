"""The compiled code that writes observations: a row for each game, for the seat that must decide or any other."""

from typing import Any

import numpy as np

from dominion_env.compiled.instructions import from_here, prefetch_record
from dominion_env.compiled.jit import entry_point, layer
from dominion_env.core.observing.put_fields import put_mine, put_opponent, put_question, put_table
from dominion_env.core.observing.putting import seat_after
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.rules.record.state import HOT_BYTES

HOT = HOT_BYTES[2]  # bytes of the next record that are fetched ahead, as most of the time goes by waiting for memory


@layer
def write_row(row: Any, places: Any, cleared: Any, game: Any, me: Any) -> None:
    """Write what a seat sees.

    Args:
        row: a row of observations.
        places: where the fields begin that are written, a record of `PLACES`.
        cleared: the stretches of the row that are set to zero before.
        game: the record of the game.
        me: the seat.
    """
    for stretch in range(cleared.shape[0]):
        for number in range(cleared[stretch, 0], cleared[stretch, 1]):
            row[number] = np.float32(0.0)
    put_table(row, places, game, me)
    put_mine(row, places, game, me)
    for distance in range(1, game.num_players if places.opponents else 1):
        shift = (distance - 1) * places.next_opponent
        put_opponent(row, places, shift, game, seat_after(game, me, distance))
    if me == game.asked and not game.over:
        put_question(row, places, game, me)


@entry_point(SOURCE_HASH)
def observe_games(games: Any, rows: Any, seats: Any, values: Any, size: Any, places: Any, cleared: Any) -> None:
    """Write what `seats[i]` (-1: the seat that must decide) sees of game `rows[i]` into the i-th row of `values`.

    A row has `size` numbers. `places` (of shape (1,)) and `cleared` are those of `write_row`.
    """
    where, last = places[0], rows.shape[0] - 1
    for i in range(rows.shape[0]):
        prefetch_record(games, rows[min(i + 1, last)], HOT)
        game = games[rows[i]]
        me = int(seats[i]) if seats[i] >= 0 else int(game.asked)
        write_row(from_here(values, i * size), where, cleared, game, me)
