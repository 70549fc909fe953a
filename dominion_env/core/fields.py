"""The observation, which is what a player sees as numbers: the table of its named fields.

It is the player's own: "me" first, then the opponents in turn order. `value / scale` is the count or the plain
number; scales are powers of two, so nothing is rounded. A number beyond the bounds of its field, which no ordinary game
reaches, is cut off there. Fields that a player must remember or work out (what lies in a discard pile, who owns what)
belong to the "recall" observation only; "strict" leaves them zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import shown, whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.jit import records
from dominion_env.rules.record.state import MAX_CARDS, MAX_COPIES, seats_for
from dominion_env.rules.words import decisions
from dominion_env.tables.actions import NUM_VERBS
from dominion_env.tables.cards import NUM_CARDS

OBSERVATION_VERSION = 2  # grows when the same position is no longer shown by the same numbers

NUM_KINDS = decisions.ASK_DISCARD_DECK + 1
KNOWN_TOP = 3  # cards on top of a draw pile that are shown, if known
REPLAYS = 10  # cards to be played once more that are shown: as many as there are Throne Rooms
LOOT = 3  # Treasures, which have the lowest numbers
CODE = 6  # bits of a card's number plus 1


class Field(NamedTuple):
    """A named slice of an observation.

    Attributes:
        name: name of the field, such as "my_hand".
        start, size: place of its first number, and how many numbers it has.
        scale: factor of the values; value / scale is the count or number.
        low, high: bounds of the values.
        strict: whether the "strict" observation shows it too.
        meaning: meaning of its numbers, in words.
    """

    name: str
    start: int
    size: int
    scale: float
    low: float
    high: float
    strict: bool
    meaning: str


# A row has the field's name; its size, an int, or "cards" or "players" for a number of each; its scale; the lowest and the
# highest count or number; whether "strict" shows it; and its meaning. "In binary" means the number of a card plus 1,
# lowest bit first; all bits are zero where there is no card, or where it is not known. So are several cards in a row
# given, one after the other. Of players, I come first, then the opponents in turn order. The kinds of question are the
# eight verbs, an Action to play, a card to play or buy, and Chancellor's question.
_TABLE: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("supply", "cards", 1 / 8, 0, MAX_COPIES, True, "cards left in each pile"),
    ("in_game", "cards", 1, 0, 1, True, "1 for each card that has a pile"),
    ("trash", "cards", 1 / 8, 0, MAX_COPIES, True, "copies of each card in the trash"),
    ("empty_piles", 1, 1 / 4, 0, 17, True, "empty piles"),
    ("edition", 1, 1, 0, 1, True, "wording: 0 for the first edition, 1 for the second"),
    ("turn_player", "players", 1, 0, 1, True, "1 for the player whose turn it is"),
    ("buy_phase", 1, 1, 0, 1, True, "0 in the Action phase, 1 in the Buy phase"),
    ("actions", 1, 1 / 4, 0, 1000, True, "Actions left in this turn"),
    ("buys", 1, 1 / 4, 0, 1000, True, "Buys left in this turn"),
    ("coins", 1, 1 / 8, 0, 2000, True, "coins left in this turn"),
    ("merchants", 1, 1 / 4, 0, 1000, True, "Merchants played this turn"),
    ("silver_played", 1, 1, 0, 1, True, "1 once a Silver has been played this turn"),
    ("bought", 1, 1, 0, 1, True, "1 once a card has been bought this turn"),
    ("turns", "players", 1 / 32, 0, 8000, True, "turns begun by each player"),
    ("start_player", "players", 1, 0, 1, True, "1 for the player who began the game"),
    ("asked", "players", 1, 0, 1, True, "1 for the player who must decide"),
    ("my_hand", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card in my hand"),
    ("my_draw_pile", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card in my draw pile"),
    ("my_discard", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card in my discard pile"),
    ("my_in_play", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card in my play area"),
    ("my_set_aside", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card that I have set aside"),
    ("my_last_played", CODE, 1, 0, 1, True, "card in my play area that I have played last, in binary"),
    ("my_owned", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card that I own, wherever they are"),
    ("my_known_hand", "cards", 1 / 4, 0, MAX_COPIES, False, "copies of each card that all know in my hand"),
    ("my_known_discard", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card that all know in my discard pile"),
    ("my_discard_top", CODE, 1, 0, 1, True, "top card of my discard pile, in binary"),
    ("my_known_top", KNOWN_TOP * CODE, 1, 0, 1, False, "next cards of my deck, as far as I know them, in binary"),
    ("my_hand_size", 1, 1 / 8, 0, 640, True, "cards in my hand, including those that I have picked"),
    ("my_draw_pile_size", 1, 1 / 8, 0, 640, True, "cards in my draw pile"),
    ("my_discard_size", 1, 1 / 8, 0, 640, False, "cards in my discard pile"),
    ("my_points", 1, 1 / 8, -640, 2000, False, "my victory points now"),
]  # fmt: skip

# These fields exist for each opponent, with "opponent_1_" and so on before the name.
_OPPONENT: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("owned", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card that they own, wherever they are"),
    ("in_play", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card in their play area"),
    ("set_aside", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card that they have set aside"),
    ("known_hand", "cards", 1 / 4, 0, MAX_COPIES, False, "copies of each card that all know in their hand"),
    ("known_discard", "cards", 1 / 8, 0, MAX_COPIES, False, "copies of each card that all know in their discard pile"),
    ("discard_top", CODE, 1, 0, 1, True, "top card of their discard pile, in binary"),
    ("known_top", KNOWN_TOP * CODE, 1, 0, 1, False, "next cards of their deck, as far as all know them, in binary"),
    ("hand_size", 1, 1 / 8, 0, 640, True, "cards in their hand"),
    ("draw_pile_size", 1, 1 / 8, 0, 640, False, "cards in their draw pile"),
    ("discard_size", 1, 1 / 8, 0, 640, False, "cards in their discard pile"),
    ("points", 1, 1 / 8, -640, 2000, False, "their victory points now"),
]  # fmt: skip

# All of these are zero unless I am asked.
_QUESTION: list[tuple[str, int | str, float, int, int, bool, str]] = [
    ("question_kind", NUM_KINDS, 1, 0, 1, True, "1 for the kind of question: a verb, Action, Buy, discard deck"),
    ("question_source", CODE, 1, 0, 1, True, "card whose text asks me, in binary"),
    ("question_card", CODE, 1, 0, 1, True, "card that the question is about, in binary"),
    ("question_target", "players", 1, 0, 1, True, "1 for the player whom the question is about"),
    ("question_picks", 1, 1 / 4, 0, 1000, True, "picks that I have made so far"),
    ("question_min_left", 1, 1 / 4, 0, 1000, True, "smallest number of picks to come, including this one"),
    ("question_max_left", 1, 1 / 4, 0, 1000, True, "largest number of picks to come, including this one"),
    ("question_chosen", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card picked that have not moved yet"),
    ("question_last_card", CODE, 1, 0, 1, True, "card that I have picked, set aside or put somewhere last, in binary"),
    ("question_last_verb", NUM_VERBS, 1, 0, 1, True, "1 for the verb that I have chosen for the first of two cards"),
    ("question_candidates", "cards", 1 / 4, 0, MAX_COPIES, True, "copies of each card to choose from, in no hand or pile"),
    ("pending_replays", 1, 1 / 4, 0, MAX_COPIES, True, "Throne Rooms that will play a card once more"),
    ("next_replays", REPLAYS * CODE, 1, 0, 1, True, "cards that they will play, the next one first, in binary"),
    ("loot", LOOT, 1 / 4, 0, MAX_COPIES, True, "Copper, Silver and Gold that the Thief in progress can still gain"),
    ("immune", "players", 1, 0, 1, True, "1 for each player who has revealed a Moat against the Attack in progress"),
]  # fmt: skip


def observation_fields(num_players: int) -> tuple[Field, ...]:
    """Return the fields of an observation of a game for `num_players`, in order.

    Raises:
        InvalidOption: the number of players is not 1 to 6.
    """
    return _fields(whole_number("num_players", num_players, 1, 6))


@cache
def _fields(players: int) -> tuple[Field, ...]:
    return tuple(_each_field(players))


def _each_field(players: int) -> Iterator[Field]:
    rows = [*_TABLE]
    for number in range(1, players):
        rows += [(f"opponent_{number}_{row[0]}", *row[1:]) for row in _OPPONENT]
    rows += _QUESTION
    sizes = {"cards": NUM_CARDS, "players": players}
    start = 0
    for name, given, scale, low, high, strict, meaning in rows:
        size = sizes[given] if isinstance(given, str) else given
        yield Field(name, start, size, scale, low * scale, high * scale, strict, meaning)
        start += size


def observation_size(num_players: int) -> int:
    """Return the number of floats of an observation.

    Raises:
        InvalidOption: the number of players is not 1 to 6.
    """
    last = observation_fields(num_players)[-1]
    return last.start + last.size


# A field's name is the same for any number of players; one of the opponents' is that field of all of them.
FIELD_NAMES: tuple[str, ...] = (
    *(name for name, *_ in _TABLE),
    *(f"opponent_{name}" for name, *_ in _OPPONENT),
    *(name for name, *_ in _QUESTION),
)


def any_opponents(name: str) -> str:
    """Return the name in `FIELD_NAMES` of a field of `observation_fields`: "opponent_points" for "opponent_3_points"."""
    return re.sub(r"^opponent_\d_", "opponent_", name)


SCALES = {any_opponents(field.name): np.float32(field.scale) for field in observation_fields(2)}

# The lowest and the highest count or number that each field shows.
BOUNDS = {
    any_opponents(field.name): (int(field.low / field.scale), int(field.high / field.scale))
    for field in observation_fields(2)
}

# Where each field begins in an observation, for compiled code: `at.my_hand`. An opponent's field has the place of that of
# the first opponent.
NOT_WANTED = -(1 << 30)  # so far below zero that it stays negative when the way to another opponent's fields is added
PLACES = np.dtype(
    [
        *((name, "i8") for name in FIELD_NAMES),
        ("opponents", "i8"),  # 1: at least one of the opponents' fields is wanted
        ("next_opponent", "i8"),  # from one opponent's field to the next one's
        ("players", "i8"),
    ]
)


@cache
def places(num_players: int, names: tuple[str, ...] = FIELD_NAMES) -> NDArray[Any]:
    """Return where these fields begin in an observation for this number of players, as one record of `PLACES`, shape (1,).

    The other fields are `NOT_WANTED`.
    """
    start = {field.name: field.start for field in observation_fields(num_players)}
    table = np.zeros(1, PLACES)
    for name in FIELD_NAMES:
        first = name.replace("opponent_", "opponent_1_")
        table[name] = start[first] if name in names and first in start else NOT_WANTED
    table["opponents"] = any(name.startswith("opponent_") for name in names)
    if num_players > 2:
        table["next_opponent"] = start["opponent_2_owned"] - start["opponent_1_owned"]
    table["players"] = num_players
    return records(table)


@cache
def strict_names() -> tuple[str, ...]:
    """Return the names of the fields of the "strict" observation."""
    return tuple(name for name, field in zip(FIELD_NAMES, observation_fields(2), strict=True) if field.strict)


def check_names(names: Sequence[str]) -> None:
    """Check that all of these are names of fields.

    Raises:
        InvalidOption: a name is not in `FIELD_NAMES`; the message offers the nearest one.
    """
    for name in names:
        if name not in FIELD_NAMES:
            near = get_close_matches(str(name), FIELD_NAMES, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InvalidOption(f"fields: there is no {shown(name)}: {hint}there are {', '.join(FIELD_NAMES)}")


assert MAX_CARDS[seats_for(6)] <= 640  # the highest size that the table names
