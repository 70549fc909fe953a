"""The compiled loop of playouts: worlds are dealt, and every seat plays on by a strategy of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted import book as books
from dominion_agents.scripted.book import follow
from dominion_agents.scripted.buying import may_end
from dominion_agents.scripted.heuristics import answer, buy_phase
from dominion_agents.scripted.sight import LOT_BITS, SIGHT
from dominion_agents.searching.loops.dealing import advance, deal_world, take_pattern
from dominion_agents.searching.loops.insight import look, look_at_hand, look_at_rivals
from dominion_env.compiled.instructions import from_here, uncounted
from dominion_env.compiled.jit import entry_point, hash_of_sources, layer, records, rule
from dominion_env.rules.record.card_sets import how_many
from dominion_env.rules.record.state import ILLEGAL
from dominion_env.rules.record.streams import policy_key
from dominion_env.rules.scoring import points_of, winners_of
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.tables.cards import NUM_CARDS

TO_THE_END = -1  # instead of a number of turns


class Playing(NamedTuple):
    """Strategies that play: a book of them, the lines of their buy lists, and what each seat sees.

    The numbers of cards and actions come as arguments, as loops of a fixed length would be unrolled.
    """

    book: NDArray[Any]
    lines: NDArray[np.int64]
    sights: NDArray[Any]
    cards: int = NUM_CARDS
    actions: int = NUM_ACTIONS


def playing_for(players: int, book: NDArray[Any], lines: NDArray[np.int64]) -> Playing:
    """Return the strategies of a book as they play at a table; see `book_of`."""
    return Playing(book, lines, records(np.zeros(players, SIGHT)))


@layer
def choose(see: Any, entry: Any, game: Any, me: Any, program: Any, cards: Any, actions: Any) -> Any:
    """Return what this seat's strategy does."""
    if game.num_legal == 1:
        return int(game.only_legal)
    look(see, game, me, cards, actions)
    return choose_seen(see, entry, game, me, program)


@layer
def choose_seen(see: Any, entry: Any, game: Any, me: Any, program: Any) -> Any:
    """Return what this seat's strategy does about what it has looked at, the actions that `see` takes to be legal."""
    if entry.draws:
        see.lot = np.int64(policy_key(game, me) >> LOT_BITS)
    if see.guard and may_end(see):
        look_at_rivals(see, game, me)
    if see.kind == ASK_BUY:
        return buy_phase(see, program)
    look_at_hand(see, game, me)
    return answer(see, program)


@rule
def turns_begun(game: Any) -> Any:
    """Return how many turns have begun, those of all players together."""
    turns = 0
    for seat in range(game.num_players):
        turns += int(game.turns[seat])
    return turns


@rule
def _write_result(game: Any, place: Any, shares: Any, points: Any) -> None:
    """Write the points, and the shares of the win: equal ones if the game was truncated, and none as long as it runs."""
    players, winners = int(game.num_players), int(winners_of(game))
    number = how_many(winners)
    for seat in range(players):
        points[place, seat] = points_of(game, seat)
        if not game.over:
            shares[place, seat] = np.nan
        elif number > 0:
            shares[place, seat] = (winners >> seat & 1) / number
        elif game.ended == ILLEGAL and players > 1:  # the seat that was asked has lost
            shares[place, seat] = 0.0 if seat == game.asked else 1.0 / (players - 1)
        else:
            shares[place, seat] = 1.0 / players


@layer
def play_to_end(game: Any, action: Any, playing: Any, followed: Any, last: Any) -> None:
    """Play on after an action, until `last` turns have begun, or TO_THE_END.

    Seat s follows the strategy `playing.book[followed[s]]`, which its sight already knows.
    """
    book, sights, program = playing.book, playing.sights, from_here(playing.lines, 0)
    while not game.over:
        advance(game, action)
        if game.over or (last != TO_THE_END and turns_begun(game) >= last):
            break
        me = int(game.asked)
        action = choose(sights[me], book[followed[me]], game, me, program, playing.cards, playing.actions)


LOOPS_HASH = books.SCRIPTED_HASH + hash_of_sources(Path(__file__).parent, ("*.py",))


@entry_point(LOOPS_HASH)
def play_out(
    games: Any, rows: Any, actions: Any, copies: Any, seeds: Any, turns: Any, followed: Any, playing: Any, dealing: Any,
    shares: Any, points: Any,
) -> None:  # fmt: skip
    """Play out `copies` worlds of each row, as `GameBatch.worlds` deals them, and write shares and points of each.

    Seat s of row r follows the strategy `playing.book[followed[r, s]]` after the first action. A playout stops when this
    number of further `turns` has begun, if it is not TO_THE_END. If there is a place in `dealing.worlds` for each world,
    they are left there; else all use its only place.
    """
    playing, dealing = uncounted(playing), uncounted(dealing)
    worlds, keeps = dealing.worlds, dealing.worlds.shape[0] > 1
    for r in range(rows.shape[0]):
        take_pattern(dealing, games, rows[r])
        pattern = dealing.patterns[0]
        for seat in range(pattern.num_players):
            follow(playing.sights[seat], playing.book[followed[r, seat]])
        last = TO_THE_END if turns == TO_THE_END else turns_begun(pattern) + turns
        for j in range(copies):
            place = r * copies + j
            at = place if keeps else 0
            deal_world(dealing, at, seeds[r], j)
            play_to_end(worlds[at], int(actions[r]), playing, followed[r], last)
            _write_result(worlds[at], place, shares, points)
