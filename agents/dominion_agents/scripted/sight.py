"""One decision as a scripted agent sees it: a row of the observation, decoded into whole numbers.

The heuristics read a record of the type `SIGHT`, such as `see.hand[card]` and `see.coins`, and know nothing of slices and
scales. `offsets` says where the fields of an observation begin, which depends on the number of players.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.ways import WAYS
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.instructions import from_here, prefetch, scaled_copy, where_set
from dominion_env.compiled.jit import primitive, rule
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import NUM_KINDS, SCALES, observation_size
from dominion_env.core.observing.places import places
from dominion_env.rules.record.card_sets import lowest
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_ACTIONS, NUM_VERBS
from dominion_env.tables.cards import NUM_CARDS, Card

NOTHING = -1

SIGHT = np.dtype(
    [
        ("legal", "u1", NUM_ACTIONS),  # the mask
        ("named", "i8"),  # the cards that legal actions name, a bit each
        ("kind", "i4"),  # the question: a verb, ASK_ACTION, ASK_BUY or ASK_DISCARD_DECK; or NOTHING
        ("source", "i4"),  # the card whose text asks; NOTHING for a phase of the turn
        ("subject", "i4"),  # the card that the question is about, or NOTHING
        ("about_me", "i4"),  # 1 if that is a card of mine (Spy)
        ("my_turn", "i4"),  # 1 in my own turn
        ("actions", "i4"),
        ("buys", "i4"),
        ("coins", "i4"),
        ("turn", "i4"),  # turns that I have begun
        ("players", "i4"),
        ("cards", "i4"),  # NUM_CARDS; the compiler would unroll a loop of a length that it knows, and take long for it
        ("empty_piles", "i4"),
        ("hand_size", "i4"),
        ("hand", "i4", NUM_CARDS),  # without the cards that I have chosen already
        ("held", "i8"),  # the cards in it, a bit each
        ("chosen", "i4", NUM_CARDS),  # chosen and not moved yet, where cards are discarded or trashed
        ("draw_pile", "i4", NUM_CARDS),  # decoded only where Chancellor asks
        ("owned", "i4", NUM_CARDS),
        ("supply", "i4", NUM_CARDS),
        ("points", "i4"),  # my points; this and the next two are decoded only with the guard
        ("best_points", "i4"),  # those of the best opponent
        ("best_turns", "i4"),  # fewest turns among the opponents with that many points
        ("lot", "i8"),  # a random number below 2 ** 31
        # the strategy of this row
        ("first_line", "i4"),
        ("last_line", "i4"),
        ("guard", "i4"),
        *((f"{decision}_way", "i4") for decision in WAYS),
    ],
    align=True,
)

# The fields of the observation that are read, whether always or only for some questions.
FIELDS = (
    "supply", "empty_piles", "turn_player", "actions", "buys", "coins", "turns", "my_hand", "my_draw_pile", "my_owned",
    "my_hand_size", "question_kind", "question_source", "question_card", "question_target", "question_chosen",
)  # fmt: skip
FIELDS_OF_KINGDOMS = ("in_game",)  # `piles_in_game`
FIELDS_OF_GUARD = ("my_points", "opponent_points")  # `look_at_rivals`

# Factors that turn the numbers of an observation into counts.
_SUPPLY, _HAND, _PILE, _OWNED = (1 / SCALES[name] for name in ("supply", "my_hand", "my_draw_pile", "my_owned"))
_EMPTY, _ACTIONS, _COINS, _TURNS, _SIZE, _POINTS, _CHOSEN = (
    1 / SCALES[name]
    for name in ("empty_piles", "actions", "coins", "turns", "my_hand_size", "my_points", "question_chosen")
)
LOT_BITS = np.uint64(33)  # bits by which a key is shifted, so that 31 are left
CACHE_LINE, FLOAT = 64, 4  # bytes
MASK_LINES = NUM_ACTIONS // CACHE_LINE + 1
CARD_LINES = NUM_CARDS * FLOAT // CACHE_LINE + 1
_CHANCELLOR = int(Card.CHANCELLOR)


@cache
def offsets(observation_size_given: int) -> NDArray[Any]:
    """Return where the fields of an observation of this size begin, records of dtype `PLACES`, shape (1,).

    Raises:
        InvalidOption: no number of players has observations of this size.
    """
    sizes = {observation_size(players): players for players in range(1, 7)}
    players = sizes.get(observation_size_given)
    if players is None:
        raise InvalidOption(
            f"observations: expected rows of {', '.join(map(str, sizes))} numbers (1 to 6 players), "
            f"got {observation_size_given}"
        )
    return places(players)


@primitive
def can(see: Any, verb: Any, card: Any) -> Any:
    """Return whether doing this with that card is legal."""
    return see.legal[FIRST_CARD_ACTION + NUM_VERBS * card + verb] != 0


@rule
def offered(see: Any, verb: Any) -> Any:
    """Return the cards for which this verb is legal, a bit each."""
    cards, left = 0, int(see.named)
    while left:
        card = lowest(left)
        left &= left - 1
        if can(see, verb, card):
            cards |= 1 << card
    return cards


_count = scaled_copy(NUM_CARDS)
_cards_of_mask, _cards_of_counts = where_set(NUM_CARDS, NUM_VERBS), where_set(NUM_CARDS, 4)


@primitive
def _counts(into: Any, row: Any, start: Any, factor: Any) -> None:
    """Decode a count per card."""
    _count(from_here(into, 0), 0, row, start, factor)


@primitive
def _code(row: Any, start: Any) -> Any:
    """Return a card whose number is given in binary, or NOTHING."""
    code = 0
    for bit in range(CODE):
        code |= int(row[start + bit]) << bit
    return code - 1


@rule
def expect(at: Any, values: Any, masks: Any, row: Any) -> None:
    """Let the processor fetch the parts of a row that `look` will read soon, as a large batch is in no near cache."""
    mask, start = row * masks.strides[0], row * values.strides[0]
    for line in range(MASK_LINES):
        prefetch(masks, mask + CACHE_LINE * line)
    for line in range(CARD_LINES):
        prefetch(values, start + FLOAT * at.supply + CACHE_LINE * line)
        prefetch(values, start + FLOAT * at.my_owned + CACHE_LINE * line)
    prefetch(values, start + FLOAT * at.turn_player)
    prefetch(values, start + FLOAT * at.question_kind)


@rule
def look(see: Any, at: Any, row: Any, mask: Any, cards: Any, actions: Any) -> None:
    """Decode all that a purchase depends on; other decisions also need `look_at_hand`. The strategy's fields stay."""
    for action in range(actions):
        see.legal[action] = mask[action]
    see.named = _cards_of_mask(mask, FIRST_CARD_ACTION)
    see.kind = NOTHING
    for kind in range(NUM_KINDS):
        if row[at.question_kind + kind] != 0:
            see.kind = kind
    see.coins = int(row[at.coins] * _COINS)
    see.buys = int(row[at.buys] * _ACTIONS)
    see.turn = int(row[at.turns] * _TURNS)
    see.players = at.players
    see.cards = cards
    see.empty_piles = int(row[at.empty_piles] * _EMPTY)
    _counts(see.supply, row, at.supply, _SUPPLY)
    _counts(see.owned, row, at.my_owned, _OWNED)


@rule
def look_at_hand(see: Any, at: Any, row: Any) -> None:
    """Decode the fields that only decisions other than purchases depend on."""
    see.source = _code(row, at.question_source)
    see.subject = _code(row, at.question_card)
    see.about_me = int(row[at.question_target])
    see.my_turn = int(row[at.turn_player])
    see.actions = int(row[at.actions] * _ACTIONS)
    see.hand_size = int(row[at.my_hand_size] * _SIZE)
    _counts(see.hand, row, at.my_hand, _HAND)
    see.held = _cards_of_counts(row, at.my_hand)
    _counts(see.chosen, row, at.question_chosen, _CHOSEN)
    if see.source == _CHANCELLOR:
        _counts(see.draw_pile, row, at.my_draw_pile, _PILE)


@rule
def piles_in_game(at: Any, row: Any) -> Any:
    """Return the cards that have a pile in this game, a bit each."""
    return _cards_of_counts(row, at.in_game)


@rule
def look_at_rivals(see: Any, at: Any, row: Any) -> None:
    """Decode my points, and those of the opponent who would win if all points stayed as they are."""
    see.points = int(row[at.my_points] * _POINTS)
    see.best_points = -(1 << 30)
    see.best_turns = 0
    for rival in range(at.players - 1):
        points = int(row[at.opponent_points + rival * at.next_opponent] * _POINTS)
        turns = int(row[at.turns + 1 + rival] * _TURNS)
        if points > see.best_points or (points == see.best_points and turns < see.best_turns):
            see.best_points = points
            see.best_turns = turns
