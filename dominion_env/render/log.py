"""Events in words, as far as one seat has seen them, or all of them."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from dominion_env.render.names import player_name
from dominion_env.rules.events import Event
from dominion_env.tables.cards import CARDS, Type

_MERGED = {Event.DRAW, Event.REVEAL, Event.LOOK_AT, Event.CHOOSE, Event.TRASH}
# Why the game has ended, by the word that a position has, in the order of the numbers that the event has.
ENDINGS = {
    "provinces": "the Provinces have run out",
    "piles": "piles have run out",
    "truncated": "the turn limit is reached",
    "illegal": "a player has answered with an illegal action",
}

# {who} is the player; {what} is a card or several, or "a card" where the seat can't see it.
_SENTENCES = {
    Event.PLAY: "{who} plays {what}",
    Event.BUY: "{who} buys {what}",
    Event.GAIN: "{who} gains {what}",
    Event.GAIN_TO_HAND: "{who} gains {what} to hand",
    Event.GAIN_ONTO_DECK: "{who} gains {what} onto the deck",
    Event.GAIN_FROM_TRASH: "{who} gains {what} from the trash",
    Event.TRASH: "{who} trashes {what}",
    Event.TOPDECK: "{who} puts {what} onto the deck",
    Event.DRAW: "{who} draws {what}",
    Event.REVEAL: "{who} reveals {what}",
    Event.LOOK_AT: "{who} looks at {what}",
    Event.CHOOSE: "{who} chooses {what}",
    Event.SET_ASIDE: "{who} sets aside {what}",
    Event.REACT: "{who} reveals {what} from hand and is unaffected",
    Event.DECLINE: "{who} does not reveal {what}",
    Event.KEEP: "{who} keeps {what}",
    Event.SHUFFLE: "{who} shuffles {cards}",
}


class Seen(NamedTuple):
    """An event as a seat has seen it; `card` is -1 if it could not see which."""

    event: Event
    player: int
    card: int
    copies: int


def seen_by(events: Iterable[Any], seat: int | None) -> list[Seen]:
    """Return the part of these events (`GameBatch.events`) that a seat has seen; all of them for None."""
    return [
        Seen(
            Event(int(row["event"])),
            int(row["player"]),
            int(row["card"]) if seat is None or row["card_seen"] >> seat & 1 else -1,
            int(row["count"]),
        )
        for row in events
        if seat is None or row["seen"] >> seat & 1
    ]


def counted(number: int, word: str) -> str:
    """Return a number with its word: "1 card", "2 cards"."""
    return f"{number} {word}" if abs(number) == 1 else f"{number} {word}s"


def cards_in_words(counts: dict[int, int]) -> str:
    """Return cards in words, such as "2 Copper, Silver and a card".

    Args:
        counts: number of copies of each card number; -1 for cards that can't be seen.
    """
    unseen = counts.get(-1, 0)
    parts = [
        CARDS[card].name if copies == 1 else f"{copies} {CARDS[card].name}"
        for card, copies in counts.items()
        if card >= 0 and copies
    ]
    if unseen:
        parts.append("a card" if unseen == 1 else f"{unseen} cards")
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentences(events: Iterable[Any], seat: int | None, names: Sequence[str] | None = None) -> list[str]:
    """Return the events in words, one line each; consecutive draws, reveals and the like by one player share a line.

    Treasures that are played one after the other share a line too, which gives the coins printed on them.

    Args:
        events: rows of `GameBatch.events`, oldest first.
        seat: seat whose knowledge is shown; None shows everything.
        names: names of the players, one each; None means "player_0" and so on.
    """
    lines = []
    for (event, player, _), run in groupby(seen_by(events, seat), _run_key):
        rows = list(run)
        if event == Event.CLEAN_UP:  # every turn ends with one
            continue
        counts: dict[int, int] = {}
        for row in rows:
            counts[row.card] = counts.get(row.card, 0) + row.copies
        lines.append(_sentence(event, player_name(player, names), rows[0], counts))
    return lines


def _run_key(seen: Seen) -> tuple[Event, int, object]:
    together = seen.event in _MERGED or (seen.event == Event.PLAY and _is_treasure(seen.card))
    return seen.event, seen.player, None if together else object()


def _is_treasure(card: int) -> bool:
    return bool(CARDS[card].types & Type.TREASURE)


def _sentence(event: Event, who: str, first: Seen, counts: dict[int, int]) -> str:
    top = CARDS[first.card].name if first.card >= 0 else "nothing"
    if event == Event.TURN:
        return f"Turn {first.copies} of {who}"
    if event == Event.END:
        return f"The game ends: {[*ENDINGS.values()][first.copies - 1]}"
    cards = counted(first.copies, "card")
    if event == Event.DISCARD and first.copies > 1:
        return f"{who} discards {cards}, {top} on top"
    if event == Event.DISCARD:
        return f"{who} discards {top}"
    if event == Event.DISCARD_DECK:
        return f"{who} puts the deck ({cards}) into the discard pile, {top} on top"
    if event == Event.UNCOVER and first.card < 0:
        return f"{who} empties the discard pile"
    if event == Event.UNCOVER:
        return f"{who} uncovers {top} in the discard pile"
    if event == Event.PLAY and _is_treasure(first.card):
        coins = sum(CARDS[card].coins * copies for card, copies in counts.items())
        return f"{who} plays {cards_in_words(counts)} for {counted(coins, 'coin')}"
    return _SENTENCES[event].format(who=who, what=cards_in_words(counts), cards=cards)


def log_text(events: Iterable[Any] | np.ndarray[Any, Any], seat: int | None, names: Sequence[str] | None = None) -> str:
    """Return the log of a game as text, one line for each event, with turns set apart; arguments as in `sentences`."""
    lines: list[str] = []
    for line in sentences(events, seat, names):
        turn = line.startswith("Turn ")
        lines.append(f"\n{line}" if turn and lines else line if turn else f"  {line}")
    return "\n".join(lines)
