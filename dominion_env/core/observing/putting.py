"""What the entries of `fields.py` are written with: into a `row` of observations, from a `place` in it on.

A function that begins with `put_` writes all numbers of its field; one that begins with `add_` writes only those that
are not zero, into a part of the row that was cleared. The others return what is written.
"""

from typing import Any

import numpy as np

from dominion_env.compiled.instructions import from_here, row_of
from dominion_env.compiled.jit import primitive, rule
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import BYTE_OFFSET_OF_POINTS, KNOWN_TOP, REPLAYS
from dominion_env.core.observing.rows import add_copies, code_of, holds_bytes, mark, most, put, put_each, put_rest
from dominion_env.rules.record.parts import REMEMBER_A_REPLAY, REMEMBER_AN_ANSWER
from dominion_env.rules.record.state import CHOSEN, SET_ASIDE
from dominion_env.rules.words import decisions, stack
from dominion_env.rules.zones import aside, card_in, mark_of

_REPLAYING, _ANSWERING = (sum(1 << card for card in cards) for cards in (REMEMBER_A_REPLAY, REMEMBER_AN_ANSWER))
_IN_BINARY = np.array([[code >> bit & 1 for bit in range(CODE)] for code in range(1 << CODE)], np.float32)
_IN_BYTES = _IN_BINARY.astype(np.uint8)
_UNIT = np.float32(1)

# --- numbers and counts ----------------------------------------------------------------------------------------------


@primitive
def put_number(row: Any, place: Any, number: Any, scale: Any) -> None:
    """Write a number that lies within its bounds."""
    put(row, place, int(number), scale)


@primitive
def put_at_most(row: Any, place: Any, number: Any, high: Any, scale: Any) -> None:
    """Write a number, or the highest one that is shown."""
    put(row, place, min(int(number), most(row, high)), scale)


@primitive
def put_points(row: Any, place: Any, points: Any, high: Any, scale: Any) -> None:
    """Write points, which may be negative: in bytes they are counted from below 0, and cut off there too."""
    if holds_bytes(row):
        points = max(int(points) + BYTE_OFFSET_OF_POINTS, 0)
    put_at_most(row, place, points, high, scale)


@primitive
def put_counts(row: Any, place: Any, counts: Any, scale: Any) -> None:
    """Write a count per card."""
    put_each(row, place, from_here(counts, 0), scale)


@primitive
def put_zone(row: Any, place: Any, zones: Any, seat: Any, scale: Any) -> None:
    """Write a count per card of one seat's zone."""
    put_each(row, place, row_of(zones, seat), scale)


# --- other kinds -----------------------------------------------------------------------------------------------------


@primitive
def seat_after(game: Any, me: Any, distance: Any) -> Any:
    """Return the seat this far after me, without a division, which would take as long as a whole field."""
    seat = me + distance
    return seat if seat < game.num_players else seat - int(game.num_players)


@primitive
def distance_to(game: Any, me: Any, seat: Any) -> Any:
    """Return how far after me a seat is; -1 for no seat, which is negative."""
    if seat < 0:
        return -1
    return seat - me if seat >= me else seat - me + int(game.num_players)


@primitive
def add_mark(row: Any, place: Any, number: Any) -> None:
    """Write 1 at the place `number`, and nothing if that is negative."""
    if number >= 0:
        mark(row, place + int(number))


@primitive
def put_card(row: Any, place: Any, card: Any) -> None:
    """Write one card in binary, all zeros if it is negative."""
    code = code_of(row, int(card))
    if holds_bytes(row):
        for bit in range(CODE):
            row.values[place + bit] = _IN_BYTES[code, bit]
    else:
        for bit in range(CODE):
            row.values[place + bit] = _IN_BINARY[code, bit]


# --- cards in order --------------------------------------------------------------------------------------------------


@primitive
def add_piles(row: Any, place: Any, game: Any) -> None:
    """Write 1 for each card that has a pile; also in a row of those cards alone each card has a place here."""
    for pile in range(game.piles.shape[0]):
        mark(row, place + int(game.piles[pile]))


@primitive
def add_listed(row: Any, place: Any, zones: Any, seat: Any, size: Any, scale: Any) -> None:
    """Count the cards of one seat's ordered zone."""
    for i in range(size):
        add_copies(row, place, int(zones[seat, i]), 1, scale)


@primitive
def add_aside(row: Any, place: Any, game: Any, seat: Any, purpose: Any, scale: Any) -> None:
    """Count the cards that lie beside the play area for this purpose."""
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[seat]), end):
        if mark_of(game.table[seat, i]) == purpose:
            add_copies(row, place, card_in(game.table[seat, i]), 1, scale)


@primitive
def _add_top(row: Any, place: Any, game: Any, seat: Any, copies: Any, scale: Any) -> None:
    """Count the cards that lie in order on top of a draw pile, as `copies` each."""
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[seat]), end):
        add_copies(row, place, card_in(game.pile[seat, i]), copies, scale)


@primitive
def put_draw_pile(row: Any, place: Any, game: Any, me: Any, scale: Any) -> None:
    """Count the cards of my draw pile: the shuffled ones, and those in order on top of them."""
    put_zone(row, place, game.bag, me, scale)
    _add_top(row, place, game, me, 1, scale)


@primitive
def put_discard(row: Any, place: Any, game: Any, me: Any, scale: Any) -> None:
    """Count the cards of my discard pile: all my cards without those elsewhere, as that is quicker for a long pile."""
    put_rest(row, place, row_of(game.owned, me), row_of(game.hand, me), row_of(game.bag, me), scale)
    _add_top(row, place, game, me, -1, scale)
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[me]), end):
        add_copies(row, place, card_in(game.table[me, i]), -1, scale)
    for i in range(game.play_size[me]):
        add_copies(row, place, int(game.table[me, i]), -1, scale)


@primitive
def add_known_top(row: Any, place: Any, game: Any, seat: Any, needed: Any) -> None:
    """Write the next cards of a deck, as far as they are known to all, or (`needed` is OWNER) to the owner."""
    size, end = int(game.top_size[seat]), game.pile.shape[1]
    for i in range(min(KNOWN_TOP, size)):
        entry = int(game.pile[seat, end - size + i])
        if mark_of(entry) >= needed:
            put_card(row, place + i * CODE, card_in(entry))


@primitive
def last_played(game: Any, seat: Any) -> Any:
    """Return the newest card in a play area, -1 if there is none."""
    size = int(game.play_size[seat])
    return int(game.table[seat, size - 1]) if size > 0 else -1


@primitive
def size_of_hand(game: Any, seat: Any) -> Any:
    """Return the number of cards in hand, with those that are being chosen."""
    hand, end = int(game.hand_size[seat]), game.table.shape[1]
    for i in range(end - int(game.aside_size[seat]), end):
        hand += mark_of(game.table[seat, i]) == CHOSEN
    return hand


# --- the question ----------------------------------------------------------------------------------------------------


@primitive
def add_candidates(row: Any, place: Any, game: Any, me: Any, scale: Any) -> None:
    """Count the cards to choose from, if they are in no hand and no pile."""
    if game.candidates in (decisions.LOOT, decisions.DISCARD_PILE, decisions.ASIDE):
        _add_candidates(row, place, game, me, scale)


@rule
def _add_candidates(row: Any, place: Any, game: Any, me: Any, scale: Any) -> None:
    """Count the cards to choose from, if they are in no hand and no pile."""
    if game.candidates == decisions.LOOT:
        put_counts(row, place, game.loot, scale)
    elif game.candidates == decisions.DISCARD_PILE:
        add_listed(row, place, game.pile, me, int(game.discard_size[me]), scale)
    elif game.candidates == decisions.ASIDE:
        owner, among = stack.whose(game), stack.num_aside(game)
        for i in range(among):
            card = aside(game, owner, among, i)
            if decisions.that_will_do(game, int(game.which)) >> card & 1:
                add_copies(row, place, card, 1, scale)


@primitive
def _is_replay(frame: Any) -> Any:
    """Return whether an effect below the newest one is a Throne Room, which will play a card once more."""
    return frame.effect in (stack.TEXT, stack.REPLAY) and _REPLAYING >> int(frame.card) & 1 == 1


@rule
def num_replays(game: Any) -> Any:
    """Return how many texts will play a card once more."""
    replays = 0
    for i in range(game.stack_size - 1):
        replays += _is_replay(game.stack[i])
    return replays


@rule
def add_replays(row: Any, place: Any, game: Any) -> None:
    """Write which cards are played once more, the next one first."""
    replays = 0
    for i in range(game.stack_size - 2, -1, -1):  # below the newest effect
        if _is_replay(game.stack[i]) and replays < REPLAYS:
            put_card(row, place + replays * CODE, int(game.stack[i].memory))
            replays += 1


@primitive
def _first_answer(game: Any) -> Any:
    """Return the first of two answers that a text remembers while it asks for the second; -1 otherwise."""
    if game.candidates == decisions.SUBJECT and _ANSWERING >> stack.whose_text(game) & 1:
        return int(stack.first_answer(game))
    return -1


@rule
def last_card(game: Any, me: Any) -> Any:
    """Return the card of my last answer to the text that asks me, if the cards that have moved don't show it, else -1.

    That is the one of the first of two answers (Sentry); the newest of the cards picked, which comes to lie on top; and
    likewise the newest card that Library has set aside.
    """
    answer = _first_answer(game)
    if answer >= 0:
        return decisions.card_of(answer)
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[me]), end):  # the newest is first
        if mark_of(game.table[me, i]) in (CHOSEN, SET_ASIDE):
            return card_in(game.table[me, i])
    return -1


@primitive
def add_immune(row: Any, place: Any, game: Any, me: Any) -> None:
    """Write 1 for each player whom the Attack in progress does not affect."""
    if game.immune != 0:
        for distance in range(game.num_players):
            if game.immune >> seat_after(game, me, distance) & 1:
                mark(row, place + distance)


@primitive
def last_verb(game: Any) -> Any:
    """Return the verb of the first of two answers, -1 if there is none."""
    answer = _first_answer(game)
    return decisions.verb_of(answer) if answer >= 0 else -1
