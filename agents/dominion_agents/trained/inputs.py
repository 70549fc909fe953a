"""What a network reads of an observation, and the actions that it chooses from: one table, for all networks.

A network sees the cards as slots. It has either a slot for each of the 17 piles of a game ("kingdom" and "piles"), in
order of the cards' numbers, or one for each of the 39 cards ("all"). Each slot holds the same numbers, which are the
columns of `COLUMNS`; behind the slots come the single numbers of `NUMBERS`. All of them are kept as the counts that the
observation shows, int8, cut off at 127 either way; a network multiplies each by its scale. With "piles" the number of the
card in each slot comes last, for networks that play every kingdom with 17 slots.

An action of a network is `PASS`, `DISCARD_DECK`, or `2 + 8 * slot + verb`, so that it chooses among 138 or 314 actions.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.reading import PILES, READING
from dominion_env.common.checks import one_of
from dominion_env.compiled.jit import records
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import SCALES, any_opponents, observation_fields
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.tables.cards import NUM_CARDS

INPUTS_VERSION = 1  # grows when the same observation no longer gives the same inputs

SlotsName: TypeAlias = Literal["kingdom", "all", "piles"]
SLOTS: dict[SlotsName, int] = {"kingdom": PILES, "all": NUM_CARDS, "piles": PILES}


class Column(NamedTuple):
    """A number that each slot holds: a field with a count per card, or some of a field's cards, counted.

    Attributes:
        field: name of the field; for one of the opponents' there is a column for each opponent.
        first, cards: of a field that holds cards in binary, the first one that is counted and how many are; 0 cards for a
            field with a count per card.
    """

    field: str
    first: int = 0
    cards: int = 0


COLUMNS = (
    Column("supply"),
    Column("my_hand"),
    Column("my_draw_pile"),
    Column("my_discard"),
    Column("my_in_play"),
    Column("my_set_aside"),
    Column("my_owned"),
    Column("my_known_top", 0, 1),
    Column("my_known_top", 1, 2),
    Column("opponent_owned"),
    Column("opponent_known_hand"),
    Column("question_source", 0, 1),
    Column("question_card", 0, 1),
    Column("question_chosen"),
    Column("question_last_card", 0, 1),
    Column("question_candidates"),
    Column("next_replays", 0, 3),
)

NUMBERS = (
    "empty_piles", "edition", "turn_player", "buy_phase", "actions", "buys", "coins", "merchants", "silver_played", "bought",
    "turns", "start_player", "my_hand_size", "my_draw_pile_size", "my_discard_size", "my_points", "opponent_hand_size",
    "opponent_draw_pile_size", "opponent_discard_size", "opponent_points", "question_kind", "question_target",
    "question_picks", "question_min_left", "question_max_left", "question_last_verb", "pending_replays", "loot", "immune",
)  # fmt: skip

# The fields that a network is shown; "in_game" says which cards have slots.
FIELDS = tuple(dict.fromkeys(["in_game", *(column.field for column in COLUMNS), *NUMBERS]))


class Layout(NamedTuple):
    """The inputs and actions of a network.

    Attributes:
        slots: "kingdom" for a slot per pile, "all" for a slot per card, "piles" for a slot per pile that names its card.
        num_players: number of players, 2 to 6.
    """

    slots: SlotsName
    num_players: int

    @property
    def num_slots(self) -> int:
        """Number of slots, 17 or 39."""
        return SLOTS[self.slots]

    @property
    def num_columns(self) -> int:
        """Number of inputs in each slot."""
        return len(_columns(self.num_players)[0])

    @property
    def num_inputs(self) -> int:
        """Number of inputs: those of all slots, then the single numbers, then the cards that are told."""
        return self.num_slots * self.num_columns + self.num_numbers + self.num_cards_told

    @property
    def num_numbers(self) -> int:
        """Number of single numbers."""
        return len(_numbers(self.num_players)[0])

    @property
    def num_cards_told(self) -> int:
        """Number of slots that name their card: all or none."""
        return self.num_slots if self.slots == "piles" else 0

    @property
    def num_actions(self) -> int:
        """Number of actions, 138 or 314."""
        return FIRST_CARD_ACTION + NUM_VERBS * self.num_slots

    @property
    def cards_known(self) -> int:
        """Number of cards that a network has weights of their own for: 17 of one kingdom, or all 39."""
        return NUM_CARDS if self.num_cards_told else self.num_slots

    @property
    def scales(self) -> NDArray[np.float32]:
        """Factor of each input, float32 (num_inputs,)."""
        slot, numbers = _columns(self.num_players)[1], _numbers(self.num_players)[1]
        return np.concatenate([np.tile(slot, self.num_slots), numbers, np.ones(self.num_cards_told, np.float32)])

    @property
    def names(self) -> list[str]:
        """Name of each input, the slots numbered from 0: "my_hand of slot 3"."""
        columns, numbers = _columns(self.num_players)[2], _numbers(self.num_players)[2]
        slots = [f"{name} of slot {slot}" for slot in range(self.num_slots) for name in columns]
        return slots + numbers + [f"card of slot {slot}" for slot in range(self.num_cards_told)]

    def reading(self) -> NDArray[Any]:
        """Return how compiled code reads the inputs, one record of `READING`, shape (1,)."""
        return _reading(self)


def layout(slots: SlotsName, num_players: int) -> Layout:
    """Return the layout of that name.

    Raises:
        InvalidOption: there is no such layout.
    """
    return Layout(one_of("slots", slots, tuple(SLOTS)), num_players)


def _starts(players: int) -> dict[str, tuple[int, int]]:
    return {field.name: (field.start, field.size) for field in observation_fields(players)}


def _each(name: str, players: int) -> list[str]:
    """Return the fields of a name: one for each opponent, where it is a field of the opponents'."""
    if not name.startswith("opponent_"):
        return [name]
    return [name.replace("opponent_", f"opponent_{number}_") for number in range(1, players)]


@cache
def _columns(players: int) -> tuple[list[tuple[int, int]], NDArray[np.float32], list[str]]:
    """Return of each column where it begins in an observation and how many binary cards it counts, its scale and name."""
    starts = _starts(players)
    found: list[tuple[int, int]] = []
    scales: list[np.float32] = []
    names: list[str] = []
    for column in COLUMNS:
        for field in _each(column.field, players):
            found.append((starts[field][0] + CODE * column.first, column.cards))
            scales.append(SCALES[any_opponents(field)])
            names.append(field if column.cards in (0, 1) and not column.first else f"{field}, from {column.first + 1}")
    return found, np.array(scales, np.float32), names


@cache
def _numbers(players: int) -> tuple[list[int], NDArray[np.float32], list[str]]:
    """Return of each single number its place in an observation, its scale and its name."""
    starts = _starts(players)
    found: list[int] = []
    scales: list[np.float32] = []
    names: list[str] = []
    for name in NUMBERS:
        for field in _each(name, players):
            start, size = starts[field]
            found += range(start, start + size)
            scales += [SCALES[any_opponents(field)]] * size
            names += [field] if size == 1 else [f"{field} {place}" for place in range(size)]
    return found, np.array(scales, np.float32), names


@cache
def _reading(wanted: Layout) -> NDArray[Any]:
    (columns, column_scales, _), (numbers, number_scales, _) = (
        _columns(wanted.num_players),
        _numbers(wanted.num_players),
    )
    table = np.zeros(1, READING)
    table["slots"] = wanted.num_slots
    table["actions"] = wanted.num_actions
    table["inputs"] = wanted.num_inputs
    table["columns"], table["numbers"], table["cards"] = len(columns), len(numbers), wanted.num_cards_told
    table["column_start"][0, : len(columns)] = [start for start, _ in columns]
    table["column_cards"][0, : len(columns)] = [cards for _, cards in columns]
    table["column_factor"][0, : len(columns)] = 1 / column_scales
    table["number_start"][0, : len(numbers)] = numbers
    table["number_factor"][0, : len(numbers)] = 1 / number_scales
    starts = _starts(wanted.num_players)
    table["in_game"] = starts["in_game"][0]
    table["question_kind"] = starts["question_kind"][0]
    return records(table)
