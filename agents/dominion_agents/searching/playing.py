"""Playouts: games are dealt anew and played on by strategies, thousands in a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_agents.scripted.book import book_of
from dominion_agents.searching.loops.dealing import dealing_for
from dominion_agents.searching.loops.playouts import TO_THE_END, play_out, playing_for
from dominion_agents.strategies.named import strategy_of
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import array, shown, whole_number, whole_per_row
from dominion_env.common.errors import IllegalAction, InvalidOption, InvalidStrategy
from dominion_env.compiled.jit import specialised
from dominion_env.core.batch import MOST_TURNS, GameBatch
from dominion_env.core.observing.observer import checked_rows
from dominion_env.rules.turns.redeal import MOST_SEATS
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS

Shares: TypeAlias = NDArray[np.float32]
Points: TypeAlias = NDArray[np.int16]
Strategies: TypeAlias = Strategy | str | Sequence[Any] | NDArray[Any]

_MOST_PLAYOUTS = 1 << 31
_BOOKS_KEPT = 64


@overload
def playouts(
    batch: GameBatch,
    rows: ArrayLike,
    actions: ArrayLike,
    worlds: int,
    strategies: Strategies,
    seeds: int | Sequence[int] | NDArray[Any],
    turns: None = None,
) -> tuple[Shares, Points]: ...


@overload
def playouts(
    batch: GameBatch,
    rows: ArrayLike,
    actions: ArrayLike,
    worlds: int,
    strategies: Strategies,
    seeds: int | Sequence[int] | NDArray[Any],
    turns: int,
) -> tuple[Shares, Points, GameBatch]: ...


def playouts(
    batch: GameBatch,
    rows: ArrayLike,
    actions: ArrayLike,
    worlds: int,
    strategies: Strategies,
    seeds: int | Sequence[int] | NDArray[Any],
    turns: int | None = None,
) -> tuple[Shares, Points] | tuple[Shares, Points, GameBatch]:
    """Play games on in worlds that the seats that are asked there may be in, and return who wins how often.

    Row r is the game `rows[r]` in as many worlds as are asked for, which `batch.worlds` would deal with the same seeds. In
    each the seat that is asked begins with `actions[r]`, and then every seat plays by its strategy. A game that is named
    twice with the same seed and another action is played in the same worlds, with the same luck.

    Args:
        batch: the games, which stay as they are.
        rows: ints (n,), at least one.
        actions: ints (n,), legal in their rows.
        worlds: number of worlds in which each row is played, at least 1.
        strategies: a strategy for each row and seat (n, num_players), or one for each seat, or one for all. Each is a
            `Strategy`, the name of one, or its text.
        seeds: one int or one per row.
        turns: number of turns after the running one, those of all players together, at whose end a playout stops; None plays
            to the end of the game.

    Returns:
        The share of the win of each seat, float32 (n, worlds, num_players), which several winners divide, as all seats do
        where a game is truncated; and the points, int16 of that shape. With `turns` also the games where the playouts have
        stopped, in which row r * worlds + j is world j of row r; shares are NaN in those that go on.

    Raises:
        InvalidOption: there is no row, no world, no such row, or another number of strategies.
        IllegalAction: an action is not legal in its row.
        InvalidStrategy: a text is no strategy, or a kingdom lacks a card of a strategy with `missing="refuse"`.
    """
    chosen = checked_rows(rows, batch.num_games).copy()  # the loop is compiled for arrays that may be written to
    number, players = len(chosen), batch.num_players
    if not number:
        raise InvalidOption("rows: expected at least one row number, got []")
    copies = whole_number("worlds", worlds, 1, _MOST_PLAYOUTS // number)
    words = whole_per_row("seeds", seeds, number, np.uint64)
    limit = TO_THE_END if turns is None else whole_number("turns", turns, 0, MOST_SEATS * MOST_TURNS)
    first = _legal(batch, chosen, actions)
    followed, named = _numbered(strategies, number, players)
    _check_cards(batch, chosen, followed, named)
    _, book, lines = _book(named)
    shares = np.empty((number * copies, players), np.float32)
    points = np.empty((number * copies, players), np.int16)
    leaves = None if turns is None else batch.worlds(chosen, copies, words)
    given = (
        batch.records, chosen, first, copies, words, limit, followed, playing_for(players, book, lines),
        dealing_for(batch.state.dtype, None if leaves is None else leaves.records), shares, points,
    )  # fmt: skip
    specialised(play_out, *given)(*given)
    if leaves is not None:
        leaves.note_ends()
    shape = number, copies, players
    found = shares.reshape(shape), points.reshape(shape)
    return found if leaves is None else (*found, leaves)


def _legal(batch: GameBatch, rows: NDArray[np.int64], actions: ArrayLike) -> NDArray[np.int64]:
    """Check that there is a legal action for each row; return them as int64."""
    given = array("actions", actions)
    if given.shape != rows.shape or given.dtype.kind not in "iu":
        raise InvalidOption(f"actions: expected an action for each of {len(rows)} rows, got {shown(actions)}")
    inside = (given >= 0) & (given < NUM_ACTIONS)
    legal = inside & batch.action_mask[rows, np.where(inside, given, 0)]
    if not legal.all():
        wrong = int(legal.argmin())
        raise IllegalAction(batch.why_illegal(int(rows[wrong]), int(given[wrong])))
    return np.array(given, np.int64)


def _numbered(strategies: Strategies, rows: int, players: int) -> tuple[NDArray[np.int64], tuple[Strategy, ...]]:
    """Return the number of a strategy for each row and seat, int64 (rows, players), and the strategies so numbered."""
    wanted = (
        f"strategies: expected one for each of {rows} rows and {players} players, one for each player, or one for all"
    )
    try:
        given = np.asarray(strategies, dtype=object)
    except ValueError as error:
        raise InvalidOption(f"{wanted}; got {shown(strategies)}") from error
    if given.shape not in ((), (players,), (rows, players)):
        raise InvalidOption(f"{wanted}; got an array of shape {given.shape}")
    named: dict[int, int] = {}  # by identity, as to compare strategies takes longer than a playout
    flat = given.ravel().tolist()
    numbers = np.array([named.setdefault(id(each), len(named)) for each in flat], np.int64)
    kept = {id(each): each for each in flat}
    grid = np.broadcast_to(numbers.reshape(given.shape), (rows, players))
    return np.array(grid, order="C"), tuple(strategy_of(kept[each], "strategies") for each in named)


_BOOKS: dict[tuple[int, ...], tuple[tuple[Strategy, ...], NDArray[Any], NDArray[np.int64]]] = {}


def _book(strategies: tuple[Strategy, ...]) -> tuple[tuple[Strategy, ...], NDArray[Any], NDArray[np.int64]]:
    """Return the strategies, and as the loop reads them; those of the last calls are kept."""
    key = tuple(map(id, strategies))
    found = _BOOKS.get(key)
    if found is None:
        if len(_BOOKS) >= _BOOKS_KEPT:
            _BOOKS.clear()
        found = strategies, *book_of(strategies, [each.kingdom_cards for each in strategies])
        _BOOKS[key] = found  # with the strategies, so that no other object gets their identity
    return found


def _check_cards(
    batch: GameBatch, rows: NDArray[np.int64], followed: NDArray[np.int64], strategies: Sequence[Strategy]
) -> None:
    """Check that no kingdom lacks a card of a strategy that refuses to do without."""
    for number, strategy in enumerate(strategies):
        if strategy.missing == "refuse":
            for row in rows[(followed == number).any(axis=1)]:
                kingdom = set(batch.state["piles"][row, NUM_BASE_CARDS:].tolist())
                if absent := [CARDS[card].name for card in strategy.kingdom_cards if card not in kingdom]:
                    raise InvalidStrategy(
                        f"strategy {strategy.name or strategy.one_line()!r}, {batch.name_of(int(row))}: "
                        f"{', '.join(absent)} not in the kingdom; missing: skip would leave these rules out"
                    )
