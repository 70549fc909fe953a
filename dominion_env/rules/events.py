"""What happens in a game, one event after the other, with the seats that see it and those that see its card.

Recording is an option of the game. Events wait in a small log inside the record; the loop that runs the game empties it
between two steps of the rules, before it can overflow (`ROOM`).
"""

from enum import IntEnum
from typing import Any

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.record.state import LOG_SIZE
from dominion_env.tables.cards import NUM_CARDS


class Event(IntEnum):
    """Kinds of events. `card` is -1 where none is concerned; `count` is 1 unless said."""

    TURN = 0  # begins; count: its number for this player
    PLAY = 1  # count: copies (Treasures played together)
    BUY = 2
    GAIN = 3  # from the Supply to the discard pile
    GAIN_TO_HAND = 4
    GAIN_ONTO_DECK = 5
    TRASH = 6
    DISCARD = 7  # count: cards at once, the card is the one on top
    TOPDECK = 8
    DRAW = 9
    REVEAL = 10  # count: copies
    LOOK_AT = 11
    CHOOSE = 12  # picks a card from hand; it moves when choosing ends
    SET_ASIDE = 13
    REACT = 14  # reveals a Reaction
    DECLINE = 15  # does not reveal a Reaction in hand
    SHUFFLE = 16  # count: cards
    DISCARD_DECK = 17  # count: cards, the card is the one on top
    CLEAN_UP = 18  # count: cards discarded, the card is the one on top
    KEEP = 19  # does not set aside the card that Library asks about
    END = 20  # of the game; count: why, see `state.py`
    GAIN_FROM_TRASH = 21  # to the discard pile
    UNCOVER = 22  # the card is on top of the discard pile now, as the one above it has left; -1: the pile is empty


EVERYONE = 0xFF
NO_CARD = -1

TURN, PLAY, BUY, GAIN, GAIN_TO_HAND, GAIN_ONTO_DECK, TRASH, DISCARD, TOPDECK, DRAW, REVEAL, LOOK_AT = range(12)
CHOOSE, SET_ASIDE, REACT, DECLINE, SHUFFLE, DISCARD_DECK, CLEAN_UP, KEEP, END, GAIN_FROM_TRASH, UNCOVER = range(12, 23)

# No single step of the rules notes more than this: the largest shows a hand of all different cards.
ROOM = NUM_CARDS + 5


@primitive
def only(seat: Any) -> Any:
    """Return the set of seats that holds just this one."""
    return 1 << seat


@primitive
def note(game: Any, event: Any, player: Any, card: Any, count: Any, seen: Any, card_seen: Any) -> None:
    """Write an event down, with the seats that see it happen and those that see its card."""
    if game.recording:
        _write(game, int(event), int(player), int(card), int(count), int(seen), int(card_seen))


@rule
def _write(game: Any, event: Any, player: Any, card: Any, count: Any, seen: Any, card_seen: Any) -> None:
    at = int(game.log_size)
    if at < LOG_SIZE:
        game.log_event[at] = event
        game.log_player[at] = player
        game.log_card[at] = card
        game.log_count[at] = count
        game.log_seen[at] = seen
        game.log_card_seen[at] = card_seen
        game.log_size = at + 1


@primitive
def log_is_filling(game: Any) -> Any:
    """Return whether the log must be emptied before the rules go on."""
    return game.recording and game.log_size > LOG_SIZE - ROOM
