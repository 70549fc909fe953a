"""The compiled loop of playouts: worlds are dealt, and every seat plays on by a strategy of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents.scripted import book as books
from dominion_agents.scripted.book import follow
from dominion_agents.scripted.buying import may_end
from dominion_agents.scripted.heuristics import answer, buy_phase
from dominion_agents.searching.loops.insight import look, look_at_hand, look_at_rivals
from dominion_env.compiled.instructions import from_here
from dominion_env.compiled.jit import entry_point, hash_of_sources, layer, rule
from dominion_env.rules.record.state import ILLEGAL
from dominion_env.rules.record.streams import policy_key
from dominion_env.rules.scoring import points_of, winners_of
from dominion_env.rules.turns.redeal import deal, empty
from dominion_env.rules.turns.turn import run
from dominion_env.rules.words.decisions import ASK_BUY

TO_THE_END = -1  # instead of a number of turns
_LOT_BITS = np.uint64(33)  # bits by which a key is shifted, so that 31 are left


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
        see.lot = np.int64(policy_key(game, me) >> _LOT_BITS)
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
    number = 0
    for seat in range(players):
        number += winners >> seat & 1
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


def _make_play_out(source_hash: str) -> Callable[..., None]:
    def play_out(
        games: Any, rows: Any, actions: Any, copies: Any, seeds: Any, turns: Any, followed: Any, book: Any, lines: Any,
        sights: Any, patterns: Any, worlds: Any, places: Any, shares: Any, points: Any, cards: Any, num_actions: Any,
    ) -> None:  # fmt: skip
        """Play out `copies` worlds of each row, as `GameBatch.worlds` deals them, and write shares and points of each.

        Seat s of row r follows the strategy `book[followed[r, s]]` after the first action. A playout stops when this many more
        `turns` have begun, if these are not TO_THE_END. If there is a place in `worlds` for each, they are left there; else
        all use its only place.
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        program = from_here(lines, 0)
        for r in range(rows.shape[0]):
            patterns[0] = games[rows[r]]
            pattern = patterns[0]
            empty(pattern, places)
            for seat in range(pattern.num_players):
                follow(sights[seat], book[followed[r, seat]])
            last = turns_begun(pattern) + turns
            for j in range(copies):
                place = r * copies + j
                at = place if worlds.shape[0] > 1 else 0
                worlds[at] = patterns[0]
                game = worlds[at]
                deal(game, seeds[r], j, places)
                action = int(actions[r])
                while not game.over:
                    game.decisions[game.asked] += 1
                    run(game, action)
                    if game.over or (turns != TO_THE_END and turns_begun(game) >= last):
                        break
                    me = int(game.asked)
                    entry = book[followed[r, me]]
                    action = choose(sights[me], entry, game, me, program, cards, num_actions)
                _write_result(game, place, shares, points)

    return play_out


LOOPS_HASH = books.SCRIPTED_HASH + hash_of_sources(Path(__file__).parent, ("*.py",))
play_out = entry_point(
    _make_play_out,
    LOOPS_HASH,
)
