"""Observations, written by compiled code: each field of `fields.py` from the record of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.instructions import from_here, prefetch_record, row_of, scaled_copy
from dominion_env.compiled.jit import entry_point, layer, primitive, records, rule, specialised
from dominion_env.core.fields import (
    BOUNDS,
    CODE,
    FIELD_NAMES,
    KNOWN_TOP,
    LOOT,
    REPLAYS,
    SCALES,
    any_opponents,
    check_names,
    observation_fields,
    observation_size,
    places,
    strict_names,
)
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.rules import scoring
from dominion_env.rules.record.parts import REMEMBER_A_REPLAY, REMEMBER_AN_ANSWER
from dominion_env.rules.record.state import ALL, BUY_PHASE, CHOSEN, HOT_BYTES, OWNER, SET_ASIDE
from dominion_env.rules.words import decisions, stack
from dominion_env.rules.zones import aside, card_in, empty_piles, mark_of
from dominion_env.tables.cards import NUM_CARDS

_SUPPLY, _TRASH, _HAND, _PILE, _OWNED = (SCALES[n] for n in ("supply", "trash", "my_hand", "my_draw_pile", "my_owned"))
_IN_PLAY, _SET_ASIDE, _SIZE, _POINTS = (SCALES[n] for n in ("my_in_play", "my_set_aside", "my_hand_size", "my_points"))
_EMPTY, _ACTIONS, _COINS, _TURNS = (SCALES[n] for n in ("empty_piles", "actions", "coins", "turns"))
_PICKS, _CHOSEN, _REPLAYS = (SCALES[n] for n in ("question_picks", "question_chosen", "pending_replays"))
_LOOT = SCALES["loot"]
_MOST_ACTIONS, _MOST_COINS, _MOST_TURNS = (BOUNDS[n][1] for n in ("actions", "coins", "turns"))
_MOST_PICKS, _MOST_REPLAYS = BOUNDS["question_picks"][1], BOUNDS["pending_replays"][1]
_LEAST_POINTS, _MOST_POINTS = BOUNDS["my_points"]
_ONE = np.float32(1.0)
HOT = HOT_BYTES[2]  # bytes of the next record that are fetched ahead, as most of the time goes by waiting for memory
_REPLAYING, _ANSWERING = (sum(1 << card for card in cards) for cards in (REMEMBER_A_REPLAY, REMEMBER_AN_ANSWER))
_IN_BINARY = np.array([[code >> bit & 1 for bit in range(CODE)] for code in range(1 << CODE)], np.float32)

# All numbers of these fields are written, whatever the position; of the others only those that are not zero.
_WRITTEN_WHOLE = {
    "supply", "trash", "empty_piles", "edition", "turn_player", "buy_phase", "actions", "buys", "coins", "merchants",
    "silver_played", "bought", "turns", "start_player", "asked", "my_hand", "my_draw_pile", "my_discard", "my_owned",
    "my_last_played", "my_known_hand", "my_known_discard", "my_discard_top", "my_hand_size", "my_draw_pile_size",
    "my_discard_size", "my_points", "opponent_owned", "opponent_known_hand", "opponent_known_discard",
    "opponent_discard_top", "opponent_hand_size", "opponent_draw_pile_size", "opponent_discard_size",
    "opponent_points",
}  # fmt: skip
assert set(FIELD_NAMES) >= _WRITTEN_WHOLE


# `at` is where a field begins in `out`, which is a row of observations; it is negative if the field is not wanted.

_put_scaled, _add_scaled = scaled_copy(NUM_CARDS), scaled_copy(NUM_CARDS, add=True)


@primitive
def _put_counts(out: Any, at: Any, counts: Any, scale: Any) -> None:
    """Write a count per card."""
    if at >= 0:
        _put_scaled(out, at, from_here(counts, 0), 0, scale)


@primitive
def _put_zone(out: Any, at: Any, zones: Any, seat: Any, scale: Any) -> None:
    """Write a count per card of one seat's zone."""
    if at >= 0:
        _put_scaled(out, at, row_of(zones, seat), 0, scale)


@primitive
def _put(out: Any, at: Any, number: Any, scale: Any) -> None:
    if at >= 0:
        out[at] = np.float32(number) * scale


@primitive
def _put_at_most(out: Any, at: Any, number: Any, most: Any, scale: Any) -> None:
    """Write a number, or the highest one that is shown."""
    _put(out, at, min(number, most), scale)


@primitive
def _put_mark(out: Any, at: Any, number: Any) -> None:
    """Write 1 at the place `number`, and nothing if that is negative."""
    if at >= 0 and number >= 0:
        out[at + number] = _ONE


@primitive
def _seat_after(game: Any, me: Any, distance: Any) -> Any:
    """Return the seat `distance` places after me, without a division, which would take as long as a whole field."""
    seat = me + distance
    return seat if seat < game.num_players else seat - int(game.num_players)


@primitive
def _put_player(out: Any, at: Any, game: Any, seat: Any, me: Any) -> None:
    """Write 1 at this seat and 0 at all others."""
    if at >= 0:
        for distance in range(game.num_players):
            out[at + distance] = np.float32(_seat_after(game, me, distance) == seat)


@primitive
def _put_card(out: Any, at: Any, card: Any) -> None:
    """Write one card in binary, all zeros if it is negative."""
    if at >= 0:
        for bit in range(CODE):
            out[at + bit] = _IN_BINARY[card + 1, bit]


@primitive
def _put_aside(out: Any, at: Any, game: Any, seat: Any, purpose: Any, scale: Any) -> None:
    """Count the cards that lie beside the play area for this purpose."""
    if at >= 0:
        end = game.table.shape[1]
        for i in range(end - int(game.aside_size[seat]), end):
            if mark_of(game.table[seat, i]) == purpose:
                out[at + card_in(game.table[seat, i])] += scale


@primitive
def _put_listed(out: Any, at: Any, zones: Any, seat: Any, size: Any, scale: Any) -> None:
    """Count the cards of one seat's ordered zone."""
    if at >= 0:
        for i in range(size):
            out[at + int(zones[seat, i])] += scale


@primitive
def _put_draw_pile(out: Any, at: Any, game: Any, me: Any) -> None:
    """Count the cards of my draw pile: the shuffled ones, and those in order on top of them."""
    if at >= 0:
        _put_scaled(out, at, row_of(game.bag, me), 0, _PILE)
        end = game.pile.shape[1]
        for i in range(end - int(game.top_size[me]), end):
            out[at + card_in(game.pile[me, i])] += _PILE


@primitive
def _put_discard(out: Any, at: Any, game: Any, me: Any) -> None:
    """Count the cards of my discard pile: all my cards without those elsewhere, as that is quicker for a long pile."""
    if at >= 0:
        _put_scaled(out, at, row_of(game.owned, me), 0, _PILE)
        _add_scaled(out, at, row_of(game.hand, me), 0, -_PILE)
        _add_scaled(out, at, row_of(game.bag, me), 0, -_PILE)
        end = game.pile.shape[1]
        for i in range(end - int(game.top_size[me]), end):
            out[at + card_in(game.pile[me, i])] -= _PILE
        end = game.table.shape[1]
        for i in range(end - int(game.aside_size[me]), end):
            out[at + card_in(game.table[me, i])] -= _PILE
        for i in range(game.play_size[me]):
            out[at + int(game.table[me, i])] -= _PILE


@primitive
def _put_known_top(out: Any, at: Any, game: Any, seat: Any, needed: Any) -> None:
    """Write the next cards of a deck, as far as they are known to all, or (`needed` is OWNER) to the owner."""
    if at >= 0:
        size, end = int(game.top_size[seat]), game.pile.shape[1]
        for i in range(min(KNOWN_TOP, size)):
            entry = int(game.pile[seat, end - size + i])
            if mark_of(entry) >= needed:
                _put_card(out, at + i * CODE, card_in(entry))


@primitive
def _put_discard_top(out: Any, at: Any, game: Any, seat: Any) -> None:
    size = int(game.discard_size[seat])
    _put_card(out, at, int(game.pile[seat, size - 1]) if size > 0 else -1)


@primitive
def _put_last_played(out: Any, at: Any, game: Any, seat: Any) -> None:
    size = int(game.play_size[seat])
    _put_card(out, at, int(game.table[seat, size - 1]) if size > 0 else -1)


@primitive
def _put_hand_size(out: Any, at: Any, game: Any, seat: Any) -> None:
    """Write the number of cards in hand, with those that are being chosen."""
    if at >= 0:
        hand, end = int(game.hand_size[seat]), game.table.shape[1]
        for i in range(end - int(game.aside_size[seat]), end):
            hand += mark_of(game.table[seat, i]) == CHOSEN
        out[at] = np.float32(hand) * _SIZE


@primitive
def _put_points(out: Any, at: Any, game: Any, seat: Any) -> None:
    if at >= 0:
        points = int(scoring.points_of(game, seat))
        out[at] = np.float32(max(_LEAST_POINTS, min(points, _MOST_POINTS))) * _POINTS


@rule
def _put_table_and_turn(out: Any, at: Any, game: Any, me: Any) -> None:
    _put_counts(out, at.supply, game.supply, _SUPPLY)
    if at.in_game >= 0:
        for pile in range(game.piles.shape[0]):
            out[at.in_game + int(game.piles[pile])] = _ONE
    _put_counts(out, at.trash, game.trash, _TRASH)
    _put(out, at.empty_piles, empty_piles(game), _EMPTY)
    _put(out, at.edition, game.edition - 1, _ONE)
    _put_player(out, at.turn_player, game, int(game.turn_player), me)
    _put(out, at.buy_phase, int(game.phase == BUY_PHASE), _ONE)
    _put_at_most(out, at.actions, int(game.actions), _MOST_ACTIONS, _ACTIONS)
    _put_at_most(out, at.buys, int(game.buys), _MOST_ACTIONS, _ACTIONS)
    _put_at_most(out, at.coins, int(game.coins), _MOST_COINS, _COINS)
    _put_at_most(out, at.merchants, int(game.merchants), _MOST_ACTIONS, _ACTIONS)
    _put(out, at.silver_played, int(game.silver_played), _ONE)
    _put(out, at.bought, int(game.bought), _ONE)
    for distance in range(game.num_players):
        turns = int(game.turns[_seat_after(game, me, distance)])
        _put_at_most(out, at.turns + distance, turns, _MOST_TURNS, _TURNS)
    _put_player(out, at.start_player, game, int(game.start_player), me)
    _put_player(out, at.asked, game, int(game.asked), me)


@rule
def _put_me(out: Any, at: Any, game: Any, me: Any) -> None:
    _put_zone(out, at.my_hand, game.hand, me, _HAND)
    _put_draw_pile(out, at.my_draw_pile, game, me)
    _put_discard(out, at.my_discard, game, me)
    _put_listed(out, at.my_in_play, game.table, me, int(game.play_size[me]), _IN_PLAY)
    _put_aside(out, at.my_set_aside, game, me, SET_ASIDE, _SET_ASIDE)
    _put_last_played(out, at.my_last_played, game, me)
    _put_zone(out, at.my_owned, game.owned, me, _OWNED)
    _put_zone(out, at.my_known_hand, game.known_hand, me, _HAND)
    _put_zone(out, at.my_known_discard, game.known_discard, me, _PILE)
    _put_discard_top(out, at.my_discard_top, game, me)
    _put_known_top(out, at.my_known_top, game, me, OWNER)
    _put_hand_size(out, at.my_hand_size, game, me)
    _put(out, at.my_draw_pile_size, int(game.top_size[me]) + int(game.bag_size[me]), _SIZE)
    _put(out, at.my_discard_size, int(game.discard_size[me]), _SIZE)
    _put_points(out, at.my_points, game, me)


@rule
def _put_opponent(out: Any, at: Any, on: Any, game: Any, seat: Any) -> None:
    """Write the fields of an opponent; `on` is the way from the first opponent's fields to theirs."""
    _put_zone(out, at.opponent_owned + on, game.owned, seat, _OWNED)
    _put_listed(out, at.opponent_in_play + on, game.table, seat, int(game.play_size[seat]), _IN_PLAY)
    _put_aside(out, at.opponent_set_aside + on, game, seat, SET_ASIDE, _SET_ASIDE)
    _put_zone(out, at.opponent_known_hand + on, game.known_hand, seat, _HAND)
    _put_zone(out, at.opponent_known_discard + on, game.known_discard, seat, _PILE)
    _put_discard_top(out, at.opponent_discard_top + on, game, seat)
    _put_known_top(out, at.opponent_known_top + on, game, seat, ALL)
    _put_hand_size(out, at.opponent_hand_size + on, game, seat)
    _put(out, at.opponent_draw_pile_size + on, int(game.top_size[seat]) + int(game.bag_size[seat]), _SIZE)
    _put(out, at.opponent_discard_size + on, int(game.discard_size[seat]), _SIZE)
    _put_points(out, at.opponent_points + on, game, seat)


@rule
def _put_candidates(out: Any, at: Any, game: Any, me: Any) -> None:
    """Count the cards to choose from, if they are in no hand and no pile."""
    if game.candidates == decisions.LOOT:
        _put_counts(out, at, game.loot, _CHOSEN)
    elif game.candidates == decisions.DISCARD_PILE:
        _put_listed(out, at, game.pile, me, int(game.discard_size[me]), _CHOSEN)
    elif game.candidates == decisions.ASIDE:
        owner, among = stack.whose(game), stack.num_aside(game)
        for i in range(among):
            card = aside(game, owner, among, i)
            if decisions.that_will_do(game, int(game.which)) >> card & 1:
                out[at + card] += _CHOSEN


@rule
def _put_replays(out: Any, at: Any, game: Any) -> None:
    """Write how many Throne Rooms will play a card once more, and which cards these are, the next one first."""
    replays = 0
    for i in range(game.stack_size - 2, -1, -1):  # below the newest effect
        frame = game.stack[i]
        if frame.effect in (stack.TEXT, stack.REPLAY) and _REPLAYING >> int(frame.card) & 1:
            if at.next_replays >= 0 and replays < REPLAYS:
                _put_card(out, at.next_replays + replays * CODE, int(frame.memory))
            replays += 1
    _put_at_most(out, at.pending_replays, replays, _MOST_REPLAYS, _REPLAYS)


@rule
def _put_last_answer(out: Any, at: Any, game: Any, me: Any) -> None:
    """Write what I have answered last to the text that asks me, as far as the cards that have moved don't show it.

    That is the first of Sentry's two answers; the newest of the cards picked, which comes to lie on top; and likewise the
    newest card that Library has set aside.
    """
    card, end = -1, game.table.shape[1]
    for i in range(end - 1, end - int(game.aside_size[me]) - 1, -1):  # the newest is first
        if mark_of(game.table[me, i]) in (CHOSEN, SET_ASIDE):
            card = card_in(game.table[me, i])
    if game.candidates == decisions.SUBJECT and _ANSWERING >> stack.whose_text(game) & 1:
        answer = stack.first_answer(game)
        card = decisions.card_of(answer)
        _put_mark(out, at.question_last_verb, decisions.verb_of(answer))
    _put_card(out, at.question_last_card, card)


@rule
def _put_question(out: Any, at: Any, game: Any, me: Any) -> None:
    _put_mark(out, at.question_kind, int(game.kind))
    _put_card(out, at.question_source, int(game.source))
    _put_card(out, at.question_card, int(game.subject))
    _put_player(out, at.question_target, game, int(game.target), me)
    _put_at_most(out, at.question_picks, int(game.picks), _MOST_PICKS, _PICKS)
    _put_at_most(out, at.question_min_left, int(game.min_left), _MOST_PICKS, _PICKS)
    _put_at_most(out, at.question_max_left, int(game.max_left), _MOST_PICKS, _PICKS)
    _put_aside(out, at.question_chosen, game, me, CHOSEN, _CHOSEN)
    if at.question_last_card >= 0 or at.question_last_verb >= 0:
        _put_last_answer(out, at, game, me)
    if at.question_candidates >= 0:
        _put_candidates(out, at.question_candidates, game, me)
    if at.pending_replays >= 0 or at.next_replays >= 0:
        _put_replays(out, at, game)
    for treasure in range(LOOT):
        _put(out, at.loot + treasure, int(game.loot[treasure]), _LOOT)
    for distance in range(game.num_players):
        _put(out, at.immune + distance, int(game.immune) >> _seat_after(game, me, distance) & 1, _ONE)


@layer
def write_row(out: Any, at: Any, cleared: Any, game: Any, me: Any) -> None:
    """Write what a seat sees; `at` says which fields are written, and where, `cleared` what is set to zero before."""
    for stretch in range(cleared.shape[0]):
        for number in range(cleared[stretch, 0], cleared[stretch, 1]):
            out[number] = np.float32(0.0)
    _put_table_and_turn(out, at, game, me)
    _put_me(out, at, game, me)
    for distance in range(1, game.num_players if at.opponents else 1):
        _put_opponent(out, at, (distance - 1) * at.next_opponent, game, _seat_after(game, me, distance))
    if me == game.asked and not game.over:
        _put_question(out, at, game, me)


def _make_observe(source_hash: str) -> Callable[..., Any]:
    def observe_games(games: Any, rows: Any, seats: Any, values: Any, size: Any, wanted: Any, cleared: Any) -> None:
        """Write what `seats[i]` (-1: the seat that must decide) sees of game `rows[i]` into the i-th row of `values`.

        A row has `size` numbers. `wanted` says which fields are written, and where; `cleared` which stretches of a row are
        set to zero before.
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        at, last = wanted[0], rows.shape[0] - 1
        for i in range(rows.shape[0]):
            prefetch_record(games, rows[min(i + 1, last)], HOT)
            game = games[rows[i]]
            me = int(seats[i]) if seats[i] >= 0 else int(game.asked)
            write_row(from_here(values, i * size), at, cleared, game, me)

    return observe_games


_observe_games = entry_point(_make_observe, SOURCE_HASH)


@cache
def what_to_write(num_players: int, strict: bool, names: tuple[str, ...]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return `at` and `cleared` of `write_row` for these fields; those that "strict" does not show stay zero."""
    check_names(names)
    shown = tuple(name for name in names if not strict or name in strict_names())
    if names == FIELD_NAMES:  # in one go
        return places(num_players, shown), np.array([(0, observation_size(num_players))])
    stretches: list[list[int]] = []
    for field in observation_fields(num_players):
        name = any_opponents(field.name)
        if name in names and not (name in shown and name in _WRITTEN_WHOLE):
            if not stretches or stretches[-1][1] != field.start:
                stretches.append([field.start, field.start])
            stretches[-1][1] += field.size
    return places(num_players, shown), np.array(stretches, np.int64).reshape(-1, 2)


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
        wanted = self._everything if fields is None else self._only(fields)
        if out is None:
            out = (np.empty if fields is None else np.zeros)((len(chosen), self._size), np.float32)
        else:
            self._check(out, len(chosen))
        self._write(self._games, chosen, seats, out.reshape(-1), self._size, *wanted)
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
        self._write = specialised(_observe_games, *arguments)
        self._write(*arguments)

    def _seats_of(self, player: ArrayLike, rows: int) -> NDArray[Any]:
        try:
            given = np.asarray(player)
        except ValueError:
            given = np.empty(0, object)
        fits = given.dtype.kind in "iu" and given.shape in ((), (rows,))
        if not fits or (given < 0).any() or (given >= self._players).any():
            raise InvalidOption(
                f"player: expected a seat from 0 to {self._players - 1}, one a game ({rows}) or None, got {shown(player)}"
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
