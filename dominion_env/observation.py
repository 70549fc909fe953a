"""What a player sees, as numbers: one table of named fields, and the compiled code that fills them.

The view is the player's own: "me" first, then the opponents in turn order. `value / scale` is the count or the plain
number; scales are powers of two, so nothing is rounded. Fields that a player must remember or work out (what lies in a
discard pile, who owns what) belong to the "recall" view only; "strict" leaves them zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.cards import NUM_CARDS, Card
from dominion_env.errors import InvalidOption
from dominion_env.rules import decisions, effects, scoring
from dominion_env.rules.jit import (
    entry_point,
    from_here,
    prefetch,
    primitive,
    records,
    row_of,
    rule,
    scaled_copy,
    specialised,
)
from dominion_env.rules.state import (
    ALL,
    BUY_PHASE,
    CACHE_LINE,
    CHOSEN,
    HOT_BYTES,
    LARGEST,
    MAX_CARDS,
    MAX_COPIES,
    OWNER,
    SET_ASIDE,
    seats_for,
)
from dominion_env.rules.zones import aside, empty_piles

NUM_KINDS = decisions.ASK_DISCARD_DECK + 1
KNOWN_TOP = 3  # cards on top of a draw pile that are shown, if known
CODE = 6  # bits of a card's number plus 1


class Field(NamedTuple):
    """A named slice of an observation.

    Attributes:
        name: "my_hand"; `start`, `size`: the slice.
        scale: value / scale is the count or number.
        low, high: bounds of the values.
        strict: whether the "strict" view has it too.
        meaning: in words.
    """

    name: str
    start: int
    size: int
    scale: float
    low: float
    high: float
    strict: bool
    meaning: str


# A single card is given by its number plus 1 in binary, lowest bit first; all zero: no card, or not known.
# name, size (an int, or "cards" / "players"), scale, lowest and highest count, in the strict view, meaning
_TABLE: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("supply", "cards", 1 / 8, 0, MAX_COPIES, True, "cards left in each pile"),
    ("in_game", "cards", 1, 0, 1, True, "1: the card has a pile in this game"),
    ("trash", "cards", 1 / 8, 0, MAX_COPIES, True, "cards in the trash"),
    ("empty_piles", 1, 1 / 4, 0, 17, True, "piles that have run out"),
    ("edition", 1, 1, 0, 1, True, "wording: 0 first, 1 second edition"),
    ("turn_player", "players", 1, 0, 1, True, "1 at whose turn it is: me, then the opponents in turn order"),
    ("buy_phase", 1, 1, 0, 1, True, "0 Action phase, 1 Buy phase"),
    ("actions", 1, 1 / 4, 0, LARGEST, True, "Actions left in this turn"),
    ("buys", 1, 1 / 4, 0, LARGEST, True, "Buys left in this turn"),
    ("coins", 1, 1 / 8, 0, LARGEST, True, "coins left in this turn"),
    ("merchants", 1, 1 / 4, 0, LARGEST, True, "Merchants played this turn"),
    ("silver_played", 1, 1, 0, 1, True, "1: a Silver has been played this turn"),
    ("bought", 1, 1, 0, 1, True, "1: something has been bought this turn"),
    ("turns", "players", 1 / 32, 0, 32767, True, "turns begun by each player"),
    ("start_player", "players", 1, 0, 1, True, "1 at who began the game"),
    ("asked", "players", 1, 0, 1, True, "1 at who must decide"),
    ("my_hand", "cards", 1 / 4, 0, MAX_COPIES, True, "my hand"),
    ("my_draw_pile", "cards", 1 / 8, 0, MAX_COPIES, False, "my draw pile, in no order"),
    ("my_discard", "cards", 1 / 8, 0, MAX_COPIES, False, "my discard pile, in no order"),
    ("my_in_play", "cards", 1 / 4, 0, MAX_COPIES, True, "my cards in play"),
    ("my_set_aside", "cards", 1 / 4, 0, MAX_COPIES, True, "my cards set aside"),
    ("my_owned", "cards", 1 / 8, 0, MAX_COPIES, False, "all my cards"),
    ("my_discard_top", CODE, 1, 0, 1, True, "top card of my discard pile, in binary"),
    ("my_known_top", KNOWN_TOP * CODE, 1, 0, 1, False, "the next three cards of my deck as far as I know them, in binary"),
    ("my_hand_size", 1, 1 / 8, 0, 640, True, "cards in my hand, those being chosen included"),
    ("my_draw_pile_size", 1, 1 / 8, 0, 640, True, "cards in my draw pile"),
    ("my_discard_size", 1, 1 / 8, 0, 640, False, "cards in my discard pile"),
    ("my_points", 1, 1 / 8, -640, 32767, False, "my victory points now"),
]  # fmt: skip

# Of each opponent, with "opponent_1_" and so on before the name.
_OPPONENT: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("owned", "cards", 1 / 8, 0, MAX_COPIES, False, "all cards"),
    ("in_play", "cards", 1 / 4, 0, MAX_COPIES, True, "cards in play"),
    ("set_aside", "cards", 1 / 4, 0, MAX_COPIES, True, "cards set aside"),
    ("known_hand", "cards", 1 / 4, 0, MAX_COPIES, False, "what everyone has seen of the hand"),
    ("known_discard", "cards", 1 / 8, 0, MAX_COPIES, False, "what everyone has seen of the discard pile"),
    ("discard_top", CODE, 1, 0, 1, True, "top card of the discard pile, in binary"),
    ("known_top", KNOWN_TOP * CODE, 1, 0, 1, False, "the next three cards of the deck as far as everyone knows them, in binary"),
    ("hand_size", 1, 1 / 8, 0, 640, True, "cards in hand"),
    ("draw_pile_size", 1, 1 / 8, 0, 640, False, "cards in the draw pile"),
    ("discard_size", 1, 1 / 8, 0, 640, False, "cards in the discard pile"),
    ("points", 1, 1 / 8, -640, 32767, False, "victory points now"),
]  # fmt: skip

# Zero unless I am asked.
_QUESTION: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("question_kind", NUM_KINDS, 1, 0, 1, True, "1 at what I am asked: the eight verbs, action, buy, discard deck"),
    ("question_source", CODE, 1, 0, 1, True, "the card whose text asks, in binary"),
    ("question_card", CODE, 1, 0, 1, True, "the card that it is about, in binary"),
    ("question_target", "players", 1, 0, 1, True, "1 at the player whom it is about"),
    ("question_picks", 1, 1 / 4, 0, 1000, True, "picks made so far"),
    ("question_min_left", 1, 1 / 4, 0, 1000, True, "fewest picks to come, this one included"),
    ("question_max_left", 1, 1 / 4, 0, 1000, True, "most picks to come, this one included"),
    ("question_chosen", "cards", 1 / 4, 0, MAX_COPIES, True, "cards that I have picked and that have not moved yet"),
    ("question_candidates", "cards", 1 / 4, 0, MAX_COPIES, True, "cards to choose from that are in no hand and no pile"),
    ("pending_replays", 1, 1 / 4, 0, MAX_COPIES, True, "Throne Rooms that will play a card once more"),
    ("next_replay", CODE, 1, 0, 1, True, "the card that the last of them will play, in binary"),
    ("immune", "players", 1, 0, 1, True, "1 at who has revealed a Moat for the Attack in progress"),
]  # fmt: skip


@cache
def observation_fields(num_players: int) -> tuple[Field, ...]:
    """The parts of an observation of a game for `num_players`, in order.

    Raises:
        InvalidOption: not 1 to 6 players.
    """
    if isinstance(num_players, bool) or not isinstance(num_players, int) or not 1 <= num_players <= 6:
        raise InvalidOption(f"num_players: a whole number from 1 to 6 is wanted, {num_players!r} came")
    return tuple(_fields(num_players))


def _fields(players: int) -> Iterator[Field]:
    rows = [*_TABLE]
    for number in range(1, players):
        rows += [(f"opponent_{number}_{name}", *rest) for name, *rest in _OPPONENT]  # type: ignore[misc]
    rows += _QUESTION
    sizes = {"cards": NUM_CARDS, "players": players}
    start = 0
    for name, given, scale, low, high, strict, meaning in rows:
        size = sizes[given] if isinstance(given, str) else given
        yield Field(name, start, size, scale, low * scale, high * scale, strict, meaning)
        start += size


@cache
def observation_size(num_players: int) -> int:
    """Numbers in an observation."""
    last = observation_fields(num_players)[-1]
    return last.start + last.size


_SCALE = {name: np.float32(scale) for name, _, scale, *_ in [*_TABLE, *_OPPONENT, *_QUESTION]}
_SUPPLY, _TRASH, _HAND, _PILE, _OWNED = (_SCALE[n] for n in ("supply", "trash", "my_hand", "my_draw_pile", "my_owned"))
_IN_PLAY, _SET_ASIDE, _SIZE, _POINTS = (_SCALE[n] for n in ("my_in_play", "my_set_aside", "my_hand_size", "my_points"))
_EMPTY, _ACTIONS, _COINS, _TURNS = (_SCALE[n] for n in ("empty_piles", "actions", "coins", "turns"))
_PICKS, _CHOSEN, _REPLAYS = (_SCALE[n] for n in ("question_picks", "question_chosen", "pending_replays"))
_ONE = np.float32(1.0)
HOT = HOT_BYTES[2]  # of the next record, fetched ahead; so is the place for the next row: most of the time is waiting
FLOAT = 4  # bytes
_THRONE_ROOM = int(Card.THRONE_ROOM)
_IN_BINARY = np.array([[code >> bit & 1 for bit in range(CODE)] for code in range(1 << CODE)], np.float32)


_put_scaled, _add_scaled = scaled_copy(NUM_CARDS), scaled_copy(NUM_CARDS, add=True)


@primitive
def _put_counts(out: Any, at: Any, counts: Any, scale: Any) -> Any:
    """A count per card; where the next field begins."""
    _put_scaled(out, at, from_here(counts, 0), 0, scale)
    return at + NUM_CARDS


@primitive
def _put_zone(out: Any, at: Any, zones: Any, seat: Any, scale: Any) -> Any:
    """A count per card of one seat's zone."""
    _put_scaled(out, at, row_of(zones, seat), 0, scale)
    return at + NUM_CARDS


@primitive
def _put_rest(out: Any, at: Any, game: Any, seat: Any, scale: Any) -> Any:
    """All of a seat's cards without hand and bag: quicker than counting what lies in a long zone card by card."""
    _put_scaled(out, at, row_of(game.owned, seat), 0, scale)
    _add_scaled(out, at, row_of(game.hand, seat), 0, -scale)
    _add_scaled(out, at, row_of(game.bag, seat), 0, -scale)
    return at + NUM_CARDS


@primitive
def _put(out: Any, at: Any, number: Any, scale: Any) -> Any:
    out[at] = np.float32(number) * scale
    return at + 1


@primitive
def _put_mark(out: Any, at: Any, size: Any, number: Any) -> Any:
    """1 at `number`, nothing if it is negative."""
    if number >= 0:
        out[at + number] = _ONE
    return at + size


@primitive
def _put_card(out: Any, at: Any, card: Any) -> Any:
    """One card in binary; nothing if it is negative."""
    for bit in range(CODE):
        out[at + bit] = _IN_BINARY[card + 1, bit]
    return at + CODE


@primitive
def _relative(game: Any, seat: Any, me: Any) -> Any:
    """How many seats after me."""
    distance = int(seat) - me
    return distance if distance >= 0 else distance + int(game.num_players)


@primitive
def _seat_after(game: Any, me: Any, distance: Any) -> Any:
    """The seat so many places after me; no division, which would take as long as a field."""
    seat = me + distance
    return seat if seat < game.num_players else seat - int(game.num_players)


@rule
def _put_aside(out: Any, at: Any, game: Any, seat: Any, purpose: Any, scale: Any) -> Any:
    """Cards that lie beside the play area for this purpose."""
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[seat]), end):
        if int(game.table[seat, i]) >> 6 == purpose:
            out[at + (int(game.table[seat, i]) & 63)] += scale
    return at + NUM_CARDS


@primitive
def _put_listed(out: Any, at: Any, zones: Any, seat: Any, size: Any, scale: Any) -> Any:
    """Cards of one seat's ordered zone."""
    for i in range(size):
        out[at + int(zones[seat, i])] += scale
    return at + NUM_CARDS


@rule
def _put_known_top(out: Any, at: Any, game: Any, seat: Any, needed: Any) -> Any:
    """The next cards of a deck, as far as they are known: to all, or (`needed` OWNER) to the owner."""
    size, end = int(game.top_size[seat]), game.pile.shape[1]
    for i in range(min(KNOWN_TOP, size)):
        entry = int(game.pile[seat, end - size + i])
        if entry >> 6 >= needed:
            _put_card(out, at + i * CODE, entry & 63)
    return at + KNOWN_TOP * CODE


@primitive
def _put_discard_top(out: Any, at: Any, game: Any, seat: Any) -> Any:
    size = int(game.discard_size[seat])
    return _put_card(out, at, int(game.pile[seat, size - 1]) if size > 0 else -1)


@rule
def _put_sizes(out: Any, at: Any, game: Any, seat: Any) -> Any:
    """Hand (those being chosen included), draw pile, discard pile, points."""
    hand, end = int(game.hand_size[seat]), game.table.shape[1]
    for i in range(end - int(game.aside_size[seat]), end):
        hand += int(game.table[seat, i]) >> 6 == CHOSEN
    at = _put(out, at, hand, _SIZE)
    at = _put(out, at, int(game.top_size[seat]) + int(game.bag_size[seat]), _SIZE)
    at = _put(out, at, int(game.discard_size[seat]), _SIZE)
    return _put(out, at, scoring.points(game, seat), _POINTS)


@rule
def _put_table_and_turn(out: Any, at: Any, game: Any, me: Any) -> Any:
    players = int(game.num_players)
    at = _put_counts(out, at, game.supply, _SUPPLY)
    for pile in range(game.piles.shape[0]):
        out[at + int(game.piles[pile])] = _ONE
    at = _put_counts(out, at + NUM_CARDS, game.trash, _TRASH)
    at = _put(out, at, empty_piles(game), _EMPTY)
    at = _put(out, at, game.edition - 1, _ONE)
    at = _put_mark(out, at, players, _relative(game, game.turn_player, me))
    at = _put(out, at, int(game.phase == BUY_PHASE), _ONE)
    at = _put(out, at, int(game.actions), _ACTIONS)
    at = _put(out, at, int(game.buys), _ACTIONS)
    at = _put(out, at, int(game.coins), _COINS)
    at = _put(out, at, int(game.merchants), _ACTIONS)
    at = _put(out, at, int(game.silver_played), _ONE)
    at = _put(out, at, int(game.bought), _ONE)
    for distance in range(players):
        at = _put(out, at, int(game.turns[_seat_after(game, me, distance)]), _TURNS)
    at = _put_mark(out, at, players, _relative(game, game.start_player, me))
    return _put_mark(out, at, players, _relative(game, game.asked, me))


@rule
def _put_me(out: Any, at: Any, game: Any, me: Any) -> Any:
    at = _put_zone(out, at, game.hand, me, _HAND)
    draw_pile, discard = at, at + NUM_CARDS
    at = _put_zone(out, at, game.bag, me, _PILE)
    at = _put_rest(out, at, game, me, _PILE)
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[me]), end):
        card = int(game.pile[me, i]) & 63
        out[draw_pile + card] += _PILE
        out[discard + card] -= _PILE
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[me]), end):
        out[discard + (int(game.table[me, i]) & 63)] -= _PILE
    for i in range(game.play_size[me]):
        card = int(game.table[me, i])
        out[discard + card] -= _PILE
        out[at + card] += _IN_PLAY
    at += NUM_CARDS
    at = _put_aside(out, at, game, me, SET_ASIDE, _SET_ASIDE)
    at = _put_zone(out, at, game.owned, me, _OWNED)
    at = _put_discard_top(out, at, game, me)
    at = _put_known_top(out, at, game, me, OWNER)
    return _put_sizes(out, at, game, me)


@rule
def _put_opponent(out: Any, at: Any, game: Any, seat: Any) -> Any:
    at = _put_zone(out, at, game.owned, seat, _OWNED)
    at = _put_listed(out, at, game.table, seat, int(game.play_size[seat]), _IN_PLAY)
    at = _put_aside(out, at, game, seat, SET_ASIDE, _SET_ASIDE)
    at = _put_zone(out, at, game.known_hand, seat, _HAND)
    at = _put_zone(out, at, game.known_discard, seat, _PILE)
    at = _put_discard_top(out, at, game, seat)
    at = _put_known_top(out, at, game, seat, ALL)
    return _put_sizes(out, at, game, seat)


@rule
def _put_question(out: Any, at: Any, game: Any, me: Any) -> None:
    players = int(game.num_players)
    at = _put_mark(out, at, NUM_KINDS, int(game.kind))
    at = _put_card(out, at, int(game.source))
    at = _put_card(out, at, int(game.subject))
    at = _put_mark(out, at, players, _relative(game, game.target, me) if game.target >= 0 else -1)
    at = _put(out, at, int(game.picks), _PICKS)
    at = _put(out, at, int(game.min_left), _PICKS)
    at = _put(out, at, int(game.max_left), _PICKS)
    at = _put_aside(out, at, game, me, CHOSEN, _CHOSEN)
    if game.candidates == decisions.LOOT:
        _put_counts(out, at, game.loot, _CHOSEN)
    elif game.candidates == decisions.DISCARD_PILE:
        _put_listed(out, at, game.pile, me, int(game.discard_size[me]), _CHOSEN)
    elif game.candidates == decisions.ASIDE:
        owner, among = effects.whose(game), effects.counted(game)
        for i in range(among):
            card = aside(game, owner, among, i)
            if decisions.that_will_do(int(game.which)) >> card & 1:
                out[at + card] += _CHOSEN
    at += NUM_CARDS
    replays, played = 0, -1
    for i in range(game.stack_size - 1):
        if game.effect[i] == effects.TEXT and game.effect_card[i] == _THRONE_ROOM:
            replays += 1
            played = int(game.effect_count[i])
    at = _put(out, at, replays, _REPLAYS)
    at = _put_card(out, at, played)
    for distance in range(players):
        at = _put(out, at, int(game.immune) >> _seat_after(game, me, distance) & 1, _ONE)


def _make_observe(source_hash: str) -> Callable[..., Any]:
    def observe_games(games: Any, seats: Any, values: Any, size: Any, hidden: Any) -> None:
        """Write what `seats[g]` (-1: the seat that must decide) sees of each game; `hidden`: parts left zero."""
        source_hash  # noqa: B018
        record = games.itemsize
        for g in range(games.shape[0]):
            for line in range(0, HOT, CACHE_LINE):
                prefetch(games, (g + 1) * record + line)
            for line in range(0, FLOAT * size, CACHE_LINE):
                prefetch(values, FLOAT * (g + 1) * size + line)
            game = games[g]
            values[g * size : (g + 1) * size] = np.float32(0.0)
            out = from_here(values, g * size)
            players = int(game.num_players)
            me = int(seats[g]) if seats[g] >= 0 else int(game.asked)
            at = _put_table_and_turn(out, 0, game, me)
            at = _put_me(out, at, game, me)
            for distance in range(1, players):
                at = _put_opponent(out, at, game, _seat_after(game, me, distance))
            if me == game.asked and not game.over:
                _put_question(out, at, game, me)
            for i in range(hidden.shape[0]):
                for at in range(hidden[i, 0], hidden[i, 1]):
                    out[at] = np.float32(0.0)

    return observe_games


_observe_games = entry_point(_make_observe)


@cache
def _hidden_in_strict(num_players: int) -> NDArray[np.int64]:
    return np.array([(f.start, f.start + f.size) for f in observation_fields(num_players) if not f.strict])


_FLOAT32 = np.dtype(np.float32)
_NOTHING_HIDDEN = np.zeros((0, 2), np.int64)


class Observer:
    """Writes what seats see of these games: what `GameBatch.observe` does.

    Args:
        states: the records of the games, all for `num_players`.
        num_players: 1 to 6.
        strict: only what lies open.
    """

    def __init__(self, states: NDArray[Any], num_players: int, strict: bool) -> None:
        self._games = records(states)
        self._num_games, self._players = len(states), num_players
        self._size = observation_size(num_players)
        self._seats = np.full(self._num_games, -1, np.int64)
        self._hidden = _hidden_in_strict(num_players) if strict else _NOTHING_HIDDEN
        self._write: Callable[..., None] = self._first_write

    def __call__(self, player: ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """See `GameBatch.observe`."""
        if player is None:
            self._seats.fill(-1)
        elif type(player) is int and 0 <= player < self._players:
            self._seats.fill(player)
        else:
            self._seats[:] = self._seats_of(player)
        if out is None:
            out = np.empty((self._num_games, self._size), np.float32)
        else:
            self._check(out)
        self._write(self._games, self._seats, out.reshape(-1), self._size, self._hidden)
        return out

    def of_the_only_game(self, player: int) -> NDArray[np.float32]:
        """What a seat, which must be there, sees in a batch of one game, float32 (observation_size,)."""
        self._seats.fill(player)
        out = np.empty(self._size, np.float32)
        self._write(self._games, self._seats, out, self._size, self._hidden)
        return out

    def _first_write(self, *arguments: Any) -> None:
        """Compiles the entry point for these arrays, which most batches that are only played never need."""
        self._write = specialised(_observe_games, *arguments)
        self._write(*arguments)

    def _seats_of(self, player: ArrayLike) -> NDArray[Any]:
        try:
            given = np.asarray(player)
        except ValueError:
            given = np.empty(0, object)
        fits = given.dtype.kind in "iu" and given.shape in ((), (self._num_games,))
        if not fits or (given < 0).any() or (given >= self._players).any():
            raise InvalidOption(
                f"player: a seat from 0 to {self._players - 1}, one a game ({self._num_games}) or None, {player!r} came"
            )
        return given

    def _check(self, out: NDArray[np.float32]) -> None:
        shape = (self._num_games, self._size)
        if not isinstance(out, np.ndarray):
            raise InvalidOption(f"out: a float32 array of shape {shape} is wanted, {type(out).__name__} came")
        flags = out.flags
        if out.dtype != _FLOAT32 or out.shape != shape or not flags.c_contiguous or not flags.writeable:
            raise InvalidOption(
                f"out: a contiguous, writable float32 array of shape {shape} is wanted, "
                f"{out.dtype} of shape {out.shape} came"
            )


assert MAX_CARDS[seats_for(6)] <= 640  # the highest size that the table names
