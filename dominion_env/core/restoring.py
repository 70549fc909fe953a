"""Whether records of games that come from outside are ones that the rules can have left: compiled code trusts every number.

The games that run are written as positions and read again, so that what holds of a position holds of them. Of the last
finished games, which are only looked at, each number must be within its bounds.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.errors import DominionError, InvalidOption, InvalidPosition
from dominion_env.core.positions import Position, write
from dominion_env.rules.record.marks import card_in
from dominion_env.rules.record.state import ILLEGAL, MAX_EFFECTS
from dominion_env.rules.words.decisions import ASK_DISCARD_DECK, DECK
from dominion_env.rules.words.stack import EFFECTS
from dominion_env.tables.cards import NUM_CARDS, Card

_LAST_CARD = NUM_CARDS - 1
_ALL_CARDS = (1 << NUM_CARDS) - 1
# The lowest and the highest number of each field that is looked at; "seat" is the last seat, "room" a player's cards.
_BOUNDS: dict[str, tuple[int, int | str]] = {
    **dict.fromkeys(("legal", "answer_is_due", "optional", "silver_played", "bought", "over", "phase"), (0, 1)),
    **dict.fromkeys(("asked", "start_player", "turn_player"), (0, "seat")),
    **dict.fromkeys(("source", "subject"), (-1, _LAST_CARD)),
    **dict.fromkeys(("discard_size", "top_size", "play_size", "aside_size", "hand_size", "bag_size"), (0, "room")),
    **dict.fromkeys(("supply", "trash", "hand", "bag", "owned", "known_hand", "known_discard", "loot"), (0, 127)),
    **dict.fromkeys(("supply_set", "hand_set", "bag_set"), (0, _ALL_CARDS)),
    **dict.fromkeys(("actions", "buys", "coins", "merchants", "turns", "picks"), (0, (1 << 31) - 1)),
    "target": (-1, "seat"), "kind": (0, ASK_DISCARD_DECK), "candidates": (0, DECK), "ended": (0, ILLEGAL),
    "piles": (0, _LAST_CARD), "stack_size": (0, MAX_EFFECTS), "log_size": (0, 0), "edition": (0, 2),
}  # fmt: skip
# Whose unused parts hold what was there before; a game that goes on reads `only_legal` if there is no other one.
_NOT_ALL_READ = ("pile", "table", "stack", "streams", "only_legal", "legal_words")


def check_bounds(records: NDArray[Any], players: int) -> None:
    """Check that each number of these records can be looked at.

    Raises:
        InvalidOption: one is out of its bounds.
    """
    room = records["pile"].shape[2]
    words: dict[str, int] = {"seat": players - 1, "room": room}
    _check("num_players", records["num_players"], players, players)
    for name, (least, most) in _BOUNDS.items():
        _check(name, records[name], least, words[most] if isinstance(most, str) else most)
    for name, one, other in (("pile", "discard_size", "top_size"), ("table", "play_size", "aside_size")):
        _check(f"{one} + {other}", records[one] + records[other], 0, room)
        _check(name, records[name] & card_in(-1), 0, _LAST_CARD)
    frames = records["stack"]
    for name, last in (("effect", len(EFFECTS) - 1), ("card", _LAST_CARD), ("player", players - 1)):
        _check(f"stack.{name}", frames[name], 0, last)
    _check("stack.memory", frames["memory"], 0, room)


def _check(name: str, found: NDArray[Any], least: int, most: int) -> None:
    found = np.ascontiguousarray(found)  # numpy 2.0 crashes where it compares bytes that lie far apart
    wrong = (found < least) | (found > most)
    if wrong.any():
        row = int(np.argwhere(wrong)[0][0])
        raise InvalidOption(f"snapshot: {name} of game {row}: expected {least} to {most}, got {found[wrong].flat[0]}")


def as_positions(records: NDArray[Any]) -> list[Position]:
    """Return the positions of games.

    Raises:
        InvalidOption: there is none of a record.
    """
    try:
        return [write(record) for record in records]
    except (DominionError, ArithmeticError, LookupError, ValueError) as error:
        raise InvalidOption(f"snapshot: expected records of games, got one that is no position: {error}") from error


def check_alike(found: NDArray[Any], read: NDArray[Any], players: int) -> None:
    """Check that records are what reading their positions gives.

    Raises:
        InvalidOption: a number is another.
    """
    for name in found.dtype.names or ():
        if name not in _NOT_ALL_READ:
            _compare(name, found[name], read[name])
    _compare("streams", found["streams"][:, :players], read["streams"][:, :players])
    _compare("only_legal", *(np.where(found["num_legal"] == 1, each["only_legal"], 0) for each in (found, read)))
    places = np.arange(found["pile"].shape[2])
    for name, front, back in (("pile", "discard_size", "top_size"), ("table", "play_size", "aside_size")):
        used = places < found[front][:, :, None]
        used |= places >= len(places) - found[back][:, :, None]
        _compare(name, *(np.where(used, each[name], 0) for each in (found, read)))
    waiting = np.arange(MAX_EFFECTS) < found["stack_size"][:, None]
    for name in found["stack"].dtype.names or ():
        _compare(f"stack.{name}", *(np.where(waiting, each["stack"][name], 0) for each in (found, read)))


def _compare(name: str, found: NDArray[Any], read: NDArray[Any]) -> None:
    other = np.ascontiguousarray(found) != np.ascontiguousarray(read)
    if other.any():
        row = int(np.argwhere(other)[0][0])
        raise InvalidOption(
            f"snapshot: {name} of game {row}: expected {read[other].flat[0]}, as the rest of the game has it, got "
            f"{found[other].flat[0]}"
        )


def check_places(templates: NDArray[Any]) -> None:
    """Check that all cards in these records are among the piles, and so have a place in a "kingdom" observation.

    Raises:
        InvalidPosition: a card is owned or trashed that has no pile; the message names the record and the card.
    """
    for row, game in enumerate(templates):
        there = game["owned"].sum(axis=0) + game["trash"]
        there[game["piles"]] = 0
        if there.any():
            card = Card(int(there.argmax()))
            raise InvalidPosition(
                f'observation: "kingdom" shows the cards that have a pile, got {card.title} in position {row}'
            )
