"""The compiled code that writes observations: a row for each game, for the seat that must decide or any other."""

from typing import Any

from dominion_env.compiled.instructions import all_from, only_record, row_of
from dominion_env.compiled.jit import entry_point, layer
from dominion_env.core.ahead import AHEAD, fetch_game
from dominion_env.core.observing.put_fields import put_mine, put_opponent, put_question, put_table
from dominion_env.core.observing.putting import seat_after
from dominion_env.core.observing.rows import Row, lay_out
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.rules.record.state import SHOWN_FROM

FIRST_BYTE = SHOWN_FROM[2]


@layer
def write_row(row: Any, wanted: Any, cleared: Any, game: Any, me: Any) -> None:
    """Write what a seat sees.

    Args:
        row: a `Row` of observations.
        wanted: which fields are written, a record of `WANTED`; None for all.
        cleared: the stretches of the row that are set to zero before.
        game: the record of the game.
        me: the seat.
    """
    for stretch in range(cleared.shape[0]):
        for number in range(cleared[stretch, 0], cleared[stretch, 1]):
            row.values[number] = 0
    at = put_table(row, 0, wanted, game, me)
    at = put_mine(row, at, wanted, game, me)
    for distance in range(1, game.num_players):
        at = put_opponent(row, at, wanted, game, seat_after(game, me, distance))
    if me == game.asked and not game.over:
        put_question(row, at, wanted, game, me)


@entry_point(SOURCE_HASH)
def observe_games(games: Any, rows: Any, seats: Any, values: Any, slots: Any, wanted: Any, cleared: Any) -> None:
    """Write what `seats[i]` (-1: the seat that must decide) sees of game `rows[i]` into the i-th row of `values`.

    `slots` is an array for those of `Row`, or None; `wanted` (of shape (1,), or None) and
    `cleared` are those of `write_row`.
    """
    last = rows.shape[0] - 1
    for i in range(rows.shape[0]):
        fetch_game(games, rows[min(i + AHEAD, last)], FIRST_BYTE)
        game = games[rows[i]]
        me = int(seats[i]) if seats[i] >= 0 else int(game.asked)
        lay_out(slots, game.piles)
        write_row(Row(row_of(values, i), all_from(slots)), only_record(wanted), cleared, game, me)
