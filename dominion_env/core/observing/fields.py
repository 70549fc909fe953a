"""The observation, which is what a player sees as numbers: the table of its named fields.

It is the player's own: "me" first, then the opponents in turn order. `value / scale` is the count or the plain
number; scales are powers of two, so nothing is rounded. A number beyond the bounds of its field, which no ordinary game
reaches, is cut off there. Fields that a player must remember or work out (what lies in a discard pile, who owns what)
belong to the "recall" observation only; "strict" leaves them zero.

A field is one entry here. `python -m dominion_env.core.observing.generate` makes `put_fields.py` of the entries, which is the
compiled code that writes them; the words that an entry writes a field with are those of `putting.py`.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dominion_env.common import checks
from dominion_env.common.errors import InvalidOption
from dominion_env.core.observing.field_kinds import (
    OPEN,
    RECALL,
    Entry,
    card,
    card_list,
    cards,
    copies,
    flag,
    flag_each,
    flag_of_cards,
    number,
    number_each,
    one_of,
    player,
    points,
    size,
)
from dominion_env.rules.record.state import MAX_COPIES, NUM_PILES
from dominion_env.rules.words import decisions
from dominion_env.tables.actions import NUM_VERBS
from dominion_env.tables.cards import NUM_CARDS

OBSERVATION_VERSION = 2  # grows when the same position is no longer shown by the same numbers

NUM_KINDS = decisions.ASK_DISCARD_DECK + 1
KNOWN_TOP = 3  # cards on top of a draw pile that are shown, if known
REPLAYS = 10  # cards to be played once more that are shown: as many as there are Throne Rooms
LOOT = 3  # Treasures, which have the lowest numbers
BYTE_OFFSET_OF_POINTS = 100  # added to points in bytes, which hold no negative numbers


ObservationName: TypeAlias = Literal["recall", "strict", "kingdom"]
OBSERVATIONS: tuple[ObservationName, ...] = ("recall", "strict", "kingdom")
DtypeName: TypeAlias = Literal["float32", "int16", "uint8"]
DTYPES: tuple[DtypeName, ...] = ("float32", "int16", "uint8")


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


# "In binary" means the number of a card plus 1, lowest bit first; all bits are zero where there is no card, or where it is
# not known. So are several cards in a row given, one after the other. Of players, I come first, then the opponents in
# turn order. The kinds of question are the eight verbs, an Action to play, a card to play or buy, and Chancellor's question.
_COMMON = (
    cards("supply", "put_counts(game.supply)", 1 / 8, OPEN, "cards left in each pile"),
    flag_of_cards("in_game", "add_piles(game)", OPEN, "1 for each card that has a pile"),
    cards("trash", "put_counts(game.trash)", 1 / 8, OPEN, "copies of each card in the trash"),
    number("empty_piles", "empty_piles(game)", 1 / 4, 17, OPEN, "empty piles"),
    flag("edition", "game.edition - 1", OPEN, "wording: 0 for the first edition, 1 for the second"),
    player("turn_player", "game.turn_player", OPEN, "1 for the player whose turn it is"),
    flag("buy_phase", "int(game.phase == BUY_PHASE)", OPEN, "0 in the Action phase, 1 in the Buy phase"),
    number("actions", "game.actions", 1 / 4, 1000, OPEN, "Actions left in this turn"),
    number("buys", "game.buys", 1 / 4, 1000, OPEN, "Buys left in this turn"),
    number("coins", "game.coins", 1 / 8, 2000, OPEN, "coins left in this turn"),
    number("merchants", "game.merchants", 1 / 4, 1000, OPEN, "Merchants played this turn"),
    flag("silver_played", "game.silver_played", OPEN, "1 once a Silver has been played this turn"),
    flag("bought", "game.bought", OPEN, "1 once a card has been bought this turn"),
    number_each("turns", "game.turns[seat]", 1 / 32, 8000, OPEN, "turns begun by each player"),
    player("start_player", "game.start_player", OPEN, "1 for the player who began the game"),
    player("asked", "game.asked", OPEN, "1 for the player who must decide"),
)  # fmt: skip

_MINE = (
    cards("my_hand", "put_zone(game.hand, me)", 1 / 4, OPEN, "copies of each card in my hand"),
    cards("my_draw_pile", "put_draw_pile(game, me)", 1 / 8, RECALL, "copies of each card in my draw pile"),
    cards("my_discard", "put_discard(game, me)", 1 / 8, RECALL, "copies of each card in my discard pile"),
    cards("my_in_play", "add_listed(game.table, me, game.play_size[me])", 1 / 4, OPEN, "copies of each card in my play area"),
    cards("my_set_aside", "add_aside(game, me, SET_ASIDE)", 1 / 4, OPEN, "copies of each card that I have set aside"),
    card("my_last_played", "last_played(game, me)", OPEN, "card in my play area that I have played last, in binary"),
    cards("my_owned", "put_zone(game.owned, me)", 1 / 8, RECALL, "copies of each card that I own, wherever they are"),
    cards("my_known_hand", "put_zone(game.known_hand, me)", 1 / 4, RECALL, "copies of each card that all know in my hand"),
    cards("my_known_discard", "put_zone(game.known_discard, me)", 1 / 8, RECALL,
          "copies of each card that all know in my discard pile"),
    card("my_discard_top", "top_of_discard(game, me)", OPEN, "top card of my discard pile, in binary"),
    card_list("my_known_top", KNOWN_TOP, "add_known_top(game, me, OWNER)", RECALL,
              "next cards of my deck, as far as I know them, in binary"),
    size("my_hand_size", "size_of_hand(game, me)", OPEN,
           "cards in my hand, including those that I have picked"),
    size("my_draw_pile_size", "draw_pile_size(game, me)", OPEN, "cards in my draw pile"),
    size("my_discard_size", "game.discard_size[me]", RECALL, "cards in my discard pile"),
    points("my_points", "points_of(game, me)", RECALL, "my victory points now"),
)  # fmt: skip

# These fields exist for each opponent, with "opponent_1_" and so on before the name. The opponent has the seat `seat`.
_OPPONENT = (
    cards("opponent_owned", "put_zone(game.owned, seat)", 1 / 8, RECALL,
          "copies of each card that they own, wherever they are"),
    cards("opponent_in_play", "add_listed(game.table, seat, game.play_size[seat])", 1 / 4, OPEN,
          "copies of each card in their play area"),
    cards("opponent_set_aside", "add_aside(game, seat, SET_ASIDE)", 1 / 4, OPEN,
          "copies of each card that they have set aside"),
    cards("opponent_known_hand", "put_zone(game.known_hand, seat)", 1 / 4, RECALL,
          "copies of each card that all know in their hand"),
    cards("opponent_known_discard", "put_zone(game.known_discard, seat)", 1 / 8, RECALL,
          "copies of each card that all know in their discard pile"),
    card("opponent_discard_top", "top_of_discard(game, seat)", OPEN, "top card of their discard pile, in binary"),
    card_list("opponent_known_top", KNOWN_TOP, "add_known_top(game, seat, ALL)", RECALL,
              "next cards of their deck, as far as all know them, in binary"),
    size("opponent_hand_size", "size_of_hand(game, seat)", OPEN, "cards in their hand"),
    size("opponent_draw_pile_size", "draw_pile_size(game, seat)", RECALL, "cards in their draw pile"),
    size("opponent_discard_size", "game.discard_size[seat]", RECALL, "cards in their discard pile"),
    points("opponent_points", "points_of(game, seat)", RECALL, "their victory points now"),
)  # fmt: skip

# All of these are zero unless I am asked.
_QUESTION = (
    one_of("question_kind", NUM_KINDS, "game.kind", OPEN, "1 for the kind of question: a verb, Action, Buy, discard deck"),
    card("question_source", "game.source", OPEN, "card whose text asks me, in binary"),
    card("question_card", "game.subject", OPEN, "card that the question is about, in binary"),
    player("question_target", "game.target", OPEN, "1 for the player whom the question is about"),
    number("question_picks", "game.picks", 1 / 4, 1000, OPEN, "picks that I have made so far"),
    number("question_min_left", "game.min_left", 1 / 4, 1000, OPEN,
           "smallest number of picks to come, including this one"),
    number("question_max_left", "game.max_left", 1 / 4, 1000, OPEN,
           "largest number of picks to come, including this one"),
    cards("question_chosen", "add_aside(game, me, CHOSEN)", 1 / 4, OPEN,
          "copies of each card picked that have not moved yet"),
    card("question_last_card", "last_card(game, me)", OPEN,
         "card that I have picked, set aside or put somewhere last, in binary"),
    one_of("question_last_verb", NUM_VERBS, "last_verb(game)", OPEN,
           "1 for the verb that I have chosen for the first of two cards"),
    cards("question_candidates", "add_candidates(game, me)", 1 / 4, OPEN,
          "copies of each card to choose from, in no hand or pile"),
    number("pending_replays", "num_replays(game)", 1 / 4, MAX_COPIES, OPEN,
           "Throne Rooms that will play a card once more"),
    card_list("next_replays", REPLAYS, "add_replays(game)", OPEN,
              "cards that they will play, the next one first, in binary"),
    copies("loot", LOOT, "game.loot[i]", 1 / 4, OPEN,
            "Copper, Silver and Gold that the Thief in progress can still gain"),
    flag_each("immune", "add_immune(game, me)", OPEN,
              "1 for each player who has revealed a Moat against the Attack in progress"),
)  # fmt: skip

# The entries by who they are about: what lies open between the players, me, each opponent, and the question.
ENTRIES = {"table": _COMMON, "mine": _MINE, "opponent": _OPPONENT, "question": _QUESTION}


@cache
def entries() -> dict[str, Entry]:
    """Return all entries by name, in order."""
    return {entry.name: entry for part in ENTRIES.values() for entry in part}


def observation_fields(num_players: int, observation: ObservationName = "recall") -> tuple[Field, ...]:
    """Return the fields of an observation of a game for `num_players`, in order.

    Args:
        num_players: number of players, 1 to 6.
        observation: "recall" and "strict" have the same fields; in "kingdom", a field of cards has a number for each of the
            17 piles, and a card in binary is the number of its pile plus 1.

    Raises:
        InvalidOption: the number of players is not 1 to 6, or there is no such observation.
    """
    players = checks.whole_number("num_players", num_players, 1, 6)
    in_kingdom = checks.one_of("observation", observation, OBSERVATIONS) == "kingdom"
    return _fields(players, NUM_PILES if in_kingdom else NUM_CARDS)


@cache
def _fields(players: int, cards: int) -> tuple[Field, ...]:
    rows = [*_COMMON, *_MINE]
    for distance in range(1, players):
        rows += [row._replace(name=row.name.replace("_", f"_{distance}_", 1)) for row in _OPPONENT]
    rows += _QUESTION
    sizes = {"cards": cards, "players": players, "all_cards": NUM_CARDS}
    fields: list[Field] = []
    start = 0
    for name, given, scale, low, high, strict, meaning, _ in rows:
        count = sizes[given] if isinstance(given, str) else given
        fields.append(Field(name, start, count, scale, low * scale, high * scale, strict, meaning))
        start += count
    return tuple(fields)


def observation_size(num_players: int, observation: ObservationName = "recall") -> int:
    """Return how many numbers an observation has.

    Raises:
        InvalidOption: the number of players is not 1 to 6, or there is no such observation.
    """
    last = observation_fields(num_players, observation)[-1]
    return last.start + last.size


def observation_scales(num_players: int, observation: ObservationName = "recall") -> NDArray[np.float32]:
    """Return what whole numbers are multiplied by to be those of a float32 observation, float32 (observation_size,).

    Raises:
        InvalidOption: the number of players is not 1 to 6, or there is no such observation.
    """
    fields = observation_fields(num_players, observation)
    return np.repeat(np.array([field.scale for field in fields], np.float32), [field.size for field in fields])


def bounds_of(
    num_players: int, observation: ObservationName = "recall", dtype: DtypeName = "float32"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lowest and the highest value of each number of an observation, both of `dtype` (observation_size,)."""
    fields, whole = observation_fields(num_players, observation), dtype != "float32"
    sizes = [field.size for field in fields]
    bounds = []
    for values in ([field.low for field in fields], [field.high for field in fields]):
        numbers = np.repeat(values, sizes)
        if whole:
            numbers /= observation_scales(num_players, observation)
            if dtype == "uint8":
                numbers += np.repeat(
                    [BYTE_OFFSET_OF_POINTS * field.name.endswith("_points") for field in fields], sizes
                )
            numbers = np.clip(numbers, np.iinfo(dtype).min, np.iinfo(dtype).max)
        bounds.append(numbers.astype(dtype))
    return bounds[0], bounds[1]


# A field's name is the same for any number of players; that of the opponents' fields names that field of all of them.
FIELD_NAMES: tuple[str, ...] = tuple(entries())


def any_opponents(name: str) -> str:
    """Return the name in `FIELD_NAMES` of a field of `observation_fields`: "opponent_points" for "opponent_3_points"."""
    return re.sub(r"^opponent_\d_", "opponent_", name)


SCALES = {name: np.float32(entry.scale) for name, entry in entries().items()}

# The lowest and the highest count or number that each field shows.
BOUNDS = {name: (entry.low, entry.high) for name, entry in entries().items()}


def check_names(names: Sequence[str]) -> None:
    """Check that all of these are names of fields.

    Raises:
        InvalidOption: a name is not in `FIELD_NAMES`; the message offers the nearest one.
    """
    for name in names:
        if name not in FIELD_NAMES:
            near = get_close_matches(str(name), FIELD_NAMES, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InvalidOption(f"fields: there is no {checks.shown(name)}: {hint}there are {', '.join(FIELD_NAMES)}")
