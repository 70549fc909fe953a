"""What a player sees, as numbers: the table of named fields.

The view is the player's own: "me" first, then the opponents in turn order. `value / scale` is the count or the plain
number; scales are powers of two, so nothing is rounded. Fields that a player must remember or work out (what lies in a
discard pile, who owns what) belong to the "recall" view only; "strict" leaves them zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.cards import NUM_CARDS
from dominion_env.checks import whole_number
from dominion_env.errors import InvalidOption
from dominion_env.rules import decisions
from dominion_env.rules.jit import records
from dominion_env.rules.state import LARGEST, MAX_CARDS, MAX_COPIES, seats_for

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
    return tuple(_fields(whole_number("num_players", num_players, 1, 6)))


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


# A field's name is the same for any number of players; one of the opponents' stands for that field of all of them.
FIELD_NAMES: tuple[str, ...] = (
    *(name for name, *_ in _TABLE),
    *(f"opponent_{name}" for name, *_ in _OPPONENT),
    *(name for name, *_ in _QUESTION),
)


def any_opponents(name: str) -> str:
    """The name in `FIELD_NAMES` of a field of `observation_fields`: "opponent_points" of "opponent_3_points"."""
    return re.sub(r"^opponent_\d_", "opponent_", name)


SCALES = {any_opponents(field.name): np.float32(field.scale) for field in observation_fields(2)}

# Where each field begins in an observation, for compiled code: `at.my_hand`; of the opponents' fields, that of the first.
NOT_WANTED = -(1 << 30)  # also plus the way to any opponent's fields a negative number
PLACES = np.dtype(
    [
        *((name, "i8") for name in FIELD_NAMES),
        ("opponents", "i8"),  # 1: at least one of their fields is wanted
        ("next_opponent", "i8"),  # from one opponent's field to the next one's
        ("players", "i8"),
    ]
)


@cache
def places(num_players: int, names: tuple[str, ...] = FIELD_NAMES) -> NDArray[Any]:
    """Where these fields begin in an observation for so many players, the others `NOT_WANTED`; records of `PLACES`, (1,)."""
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
    """The fields of the "strict" view."""
    return tuple(name for name, field in zip(FIELD_NAMES, observation_fields(2), strict=True) if field.strict)


def check_names(names: Sequence[str]) -> None:
    """Nothing, if all of these are names of fields.

    Raises:
        InvalidOption: one is not in `FIELD_NAMES`; the message offers the nearest.
    """
    for name in names:
        if name not in FIELD_NAMES:
            near = get_close_matches(str(name), FIELD_NAMES, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InvalidOption(f"fields: there is no {name!r}: {hint}there are {', '.join(FIELD_NAMES)}")


assert MAX_CARDS[seats_for(6)] <= 640  # the highest size that the table names
