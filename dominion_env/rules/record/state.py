"""One game as one record: every fact about a running game, one line a field.

`GAME[2]` serves one and two players, `GAME[6]` three to six; they differ only in the number of seats and in how many
cards there is room for. Cards are numbers of `Card`, players are seats. A zone whose order means nothing is a count
per card; an ordered zone is a stretch of an array, two zones to an array, each growing from its own end. That bounds
them by the number of cards in the game and keeps a record small.

    pile   [ discard pile, oldest first ...            ... ordered top of the draw pile, next card first ]
    table  [ play area, first played first ...         ... revealed, looked at, set aside or chosen, newest first ]

Only `zones.py` moves cards, only `knowledge.py` touches who knows what.
"""

from typing import Any

import numpy as np

from dominion_env.compiled import CACHE_LINE
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_ACTIONS
from dominion_env.tables.cards import NUM_CARDS, TYPES, Card, Type

RULES_VERSION = 2  # grows when the same address and choices no longer give the same game

LARGEST = 1_000_000  # number of Actions, Buys, coins or Merchants that a position may have
LARGEST_INDEX = 1 << 62  # index or episode of an address that a game may start with; both are counted on
MAX_COPIES = 127  # of one card in a game
MAX_CARDS = {2: 400, 6: 640}  # in a game, by number of seats
NUM_PILES = 17  # of the Supply: 7 base cards and 10 Kingdom cards

# Each Throne Room waits on the stack while the card it plays is carried out, at most once for each of its copies
# (MAX_COPIES); above these lie at most: the card's text, its Attack's victims and aftermath, one victim, the windows.
MAX_EFFECTS = MAX_COPIES + 9

# Room for the events between two points at which the log is emptied; the largest single step of the rules shows a
# hand without Victory cards, all different cards at most (see `events.py`).
LOG_SIZE = NUM_CARDS + 9

ACTION_PHASE, BUY_PHASE = 0, 1

# Who knows a card on top of the draw pile (its mark).
NOBODY, OWNER, ALL = 0, 1, 2

# What a card beside the play area is there for (its mark).
CHOSEN, SET_ASIDE, REVEALED, LOOKED_AT = 0, 1, 2, 3

# What all may know of an unseen card: that it is none of a set, and whether it was drawn before the last shuffle, so that it
# is none of the cards shuffled then. What says more comes before what says less.
_ACTIONS, _TREASURES = (
    sum(1 << card for card in range(NUM_CARDS) if TYPES[card] & kind) for kind in (int(Type.ACTION), int(Type.TREASURE))
)
_COPPERS = 1 << int(Card.COPPER)
_SETS = [_ACTIONS | _TREASURES, _ACTIONS | _COPPERS, _TREASURES, _ACTIONS, _COPPERS]
LACKED = np.array([*_SETS, 0, *_SETS])
NUM_LACKED = len(LACKED)
MOST_LACKING = 127  # cards that are counted
BEFORE_SHUFFLE = NUM_LACKED - len(_SETS)  # the first ones are about cards drawn before the shuffle

# Why a game has ended.
NOT_ENDED, PROVINCES, PILES, TRUNCATED, ILLEGAL = 0, 1, 2, 3, 4

# Number of empty piles that end a game, by number of players from 0 on.
PILES_TO_END = np.array([0, 3, 3, 3, 3, 4, 4])


# An effect in progress, packed. Records stay small, and there is no unused byte in which a frame that has been moved
# would leave something and make equal games look different.
FRAME = np.dtype(
    [
        ("effect", "u1"),  # which kind, see `stack.py`
        ("card", "i1"),  # whose text
        ("player", "i1"),  # whom it is about
        ("step", "i2"),  # how often it has been entered
        ("memory", "i2"),  # the number that its text remembers, see `stack.py`
    ]
)


def _fields(seats: int) -> list[tuple[Any, ...]]:
    cards = MAX_CARDS[seats]
    return [
        # What may be answered: `legal` lies over these words (see `game_dtype`).
        ("legal_words", "u8", (NUM_CARDS + 1,)),
        ("legal_set", "i8"),  # a bit per word that is not 0
        ("num_legal", "i2"),
        ("only_legal", "i2"),  # the last action that became legal: the only one if num_legal is 1
        ("answer_is_due", "u1"),  # 1: that one is carried out as soon as the log is empty
        ("asked", "i1"),  # the seat that must decide
        ("decisions", "i4", (seats,)),  # made so far by each seat, forced ones not counted
        ("key", "u8"),  # made from the address: what sampling and agents' keys start from
        # To draw a legal action, no more than this is read (`QUESTION_BYTES`).
        # The question that is open.
        ("kind", "i1"),  # see `decisions.py`
        ("source", "i1"),  # the card whose text asks, -1: the phase
        ("subject", "i1"),  # the card it is about, -1: none
        ("target", "i1"),  # the seat it is about, -1: none
        ("verbs", "i2"),  # bit per verb that is offered
        ("candidates", "i1"),  # from which zone, see `decisions.py`
        ("which", "i8"),  # which cards will do, see `decisions.py`
        ("optional", "u1"),  # 1: may be declined
        ("picks", "i2"),  # made for this effect so far
        ("min_left", "i2"),
        ("max_left", "i2"),
        ("stack_size", "i2"),  # effects in progress, see below
        # The turn.
        ("start_player", "i1"),
        ("turn_player", "i1"),
        ("phase", "i1"),  # ACTION_PHASE or BUY_PHASE
        ("silver_played", "u1"),  # 1: a Silver has been played this turn
        ("bought", "u1"),  # 1: something has been bought this turn: no more Treasures
        ("over", "u1"),
        ("ended", "i1"),  # NOT_ENDED ... ILLEGAL
        ("actions", "i4"),
        ("buys", "i4"),
        ("coins", "i4"),  # left to spend
        ("merchants", "i4"),  # plays of Merchant this turn
        ("turns", "i2", (seats,)),  # begun by each player, the running one included
        # Options that the rules depend on.
        ("max_turns", "i4"),  # the game is cut before a turn of a higher number
        ("num_players", "i1"),
        ("edition", "i1"),  # wording of Throne Room, Moneylender and Mine, 1 or 2
        ("auto_treasures", "u1"),  # 1: all Treasures are played when the Buy phase begins
        ("ask_forced", "u1"),  # 1: decisions with one legal answer are asked too
        ("recording", "u1"),  # 1: events go to the log
        # What all players share, and each seat's luck.
        ("supply", "i1", (NUM_CARDS,)),
        ("supply_set", "i8"),  # the cards whose piles are not empty, as in `card_sets.py`
        ("trash", "i1", (NUM_CARDS,)),
        ("streams", "u8", (seats,)),  # each seat's own luck: shuffles and draws
        # The players' cards.
        ("hand", "i1", (seats, NUM_CARDS)),
        ("bag", "i1", (seats, NUM_CARDS)),  # the shuffled part of the draw pile: a card's place is drawn when needed
        ("owned", "i1", (seats, NUM_CARDS)),  # over all zones
        ("hand_set", "i8", (seats,)),  # the different cards in the hand
        ("bag_set", "i8", (seats,)),  # the different cards in the bag
        ("known_hand", "i1", (seats, NUM_CARDS)),  # of the hand: what everyone has seen
        ("known_discard", "i1", (seats, NUM_CARDS)),  # of the discard pile: what everyone has seen
        ("lacking_hand_set", "i2", (seats,)),  # a bit per number of `lacking_hand` that is not 0
        ("lacking_discard_set", "i2", (seats,)),
        ("hand_size", "i2", (seats,)),
        ("bag_size", "i2", (seats,)),
        ("discard_size", "i2", (seats,)),
        ("top_size", "i2", (seats,)),  # ordered cards on the bag
        ("play_size", "i2", (seats,)),
        ("aside_size", "i2", (seats,)),
        ("stack", FRAME, (MAX_EFFECTS,)),  # effects in progress, newest last; there are seldom more than a few
        # From here on only a few bytes are touched at each step.
        ("pile", "u1", (seats, cards)),  # discard pile; top of the draw pile, marked with who knows a card (`marks.py`)
        ("table", "u1", (seats, cards)),  # play area; beside it, marked with what a card is there for
        # The address of the game, and what is needed at its start.
        ("seed", "u8"),
        ("index", "i8"),
        ("episode", "i8"),
        ("setup_stream", "u8"),  # kingdom and first player
        ("piles", "i1", (NUM_PILES,)),  # the cards of the Supply, in order of their numbers
        # Of cards whose kind not all have seen: the number of those in the hand and in the discard pile of which all know this
        # (`LACKED`), at most MOST_LACKING.
        ("lacking_hand", "i1", (seats, NUM_LACKED)),
        ("lacking_discard", "i1", (seats, NUM_LACKED)),
        ("unshuffled", "i1", (seats, NUM_CARDS)),  # the copies that may have been drawn before the last shuffle
        ("immune", "u1"),  # a bit per seat that the Attack in progress does not affect
        ("loot", "i1", (NUM_CARDS,)),  # trashed by the Thief in progress
        # Events since the log was emptied.
        ("log_size", "i2"),
        ("log_count", "i2", (LOG_SIZE,)),
        ("log_event", "i1", (LOG_SIZE,)),
        ("log_player", "i1", (LOG_SIZE,)),
        ("log_card", "i1", (LOG_SIZE,)),
        ("log_seen", "u1", (LOG_SIZE,)),
        ("log_card_seen", "u1", (LOG_SIZE,)),
    ]


def game_dtype(seats: int) -> np.dtype[Any]:
    """Return the record of a game with room for `seats` players, aligned.

    `legal` is a byte per action (1: legal). It lies over `legal_words` such that the eight verbs of a card are one
    word, so that clearing, counting and choosing go word by word.
    """
    plain = np.dtype(_fields(seats), align=True)
    assert plain.names is not None
    assert plain.fields is not None
    words_at = plain.fields["legal_words"][1]
    return np.dtype(
        {
            "names": ["legal", *plain.names],
            "formats": [("u1", (NUM_ACTIONS,)), *(plain.fields[name][0] for name in plain.names)],
            "offsets": [words_at + 8 - FIRST_CARD_ACTION, *(plain.fields[name][1] for name in plain.names)],
            "itemsize": plain.itemsize,
        },
        align=True,
    )


GAME: dict[int, np.dtype[Any]] = {seats: game_dtype(seats) for seats in (2, 6)}


def _place_of(field: str, seats: int) -> int:
    """Return how many bytes of a record come before a field."""
    fields = GAME[seats].fields
    assert fields is not None
    return int(fields[field][1])


# The part of a record that nearly every step touches, with the first few effects in progress.
HOT_BYTES = {seats: _place_of("stack", seats) + CACHE_LINE for seats in GAME}
QUESTION_BYTES = {seats: _place_of("kind", seats) for seats in GAME}
# What comes before this, no observation shows.
SHOWN_FROM = {seats: _place_of("legal_set", seats) for seats in GAME}

# Where the ordered zones of each seat begin, and what lies behind all of them.
ZONES_AT = {
    seats: (
        *(_place_of("pile", seats) + MAX_CARDS[seats] * seat for seat in range(seats)),
        *(_place_of("table", seats) + MAX_CARDS[seats] * seat for seat in range(seats)),
        _place_of("piles", seats),
        _place_of("immune", seats),
    )
    for seats in GAME
}


def seats_for(num_players: int) -> int:
    """Return 2 or 6, the key in `GAME` of the record for this number of players."""
    return 2 if num_players <= 2 else 6
