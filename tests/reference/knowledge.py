"""The cards of each hand and discard pile that everyone has seen, kept beside the reference engine, whose rules never ask.

The engine reports each movement to one `Knowledge` object. Two counts a player:

* `hand`: cards in the hand (with the picks that wait in `chosen`) that everybody knows to be there;
* `discard`: cards in the discard pile that everybody has seen go there since the last shuffle.

Who knows a card lying in order on a deck, or in the revealed area, is a mark that travels with that card in the engine
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

NOBODY, OWNER, ALL = "nobody", "owner", "all"


def seen_by_owner_too(mark: str) -> str:
    """Return the mark of a card at which its owner alone has looked."""
    return ALL if mark == ALL else OWNER


class Knowledge:
    """`known_hand` and `known_discard` of every seat: a card that enters seen adds 1, one that leaves seen takes 1."""

    def __init__(self, num_players: int) -> None:
        self.hand: list[Counter[str]] = [Counter() for _ in range(num_players)]
        self.discard: list[Counter[str]] = [Counter() for _ in range(num_players)]

    # --- the hand ---

    def drew(self, player: int, card: str, mark: str) -> None:
        """Know a drawn card only if all knew that it lay on top (Bureaucrat's Silver, Spy's card)."""
        if mark == ALL:
            self.hand[player][card] += 1

    def into_hand_seen(self, player: int, card: str) -> None:
        """Mine, Artisan and Adventurer put a card into the hand before everybody's eyes."""
        self.hand[player][card] += 1

    def shown_in_hand(self, player: int, cards: dict[str, int]) -> None:
        """Raise the known number to at least the number shown."""
        for card, shown in cards.items():
            self.hand[player][card] = max(self.hand[player][card], shown)

    def left_hand_seen(self, player: int, card: str) -> None:
        """Played, trashed, revealed onto the deck, or discarded on top."""
        less(self.hand[player], card, 1)

    def left_hand_unseen(self, player: int, number: int) -> None:
        """Any of the known cards may have been among those that left."""
        less_of_each(self.hand[player], number)

    # --- the discard pile ---

    def onto_discard_seen(self, player: int, cards: Iterable[str]) -> None:
        """Gained, discarded singly, or discarded after a reveal."""
        for card in cards:
            self.discard[player][card] += 1

    def discarded_together(self, player: int, marked: Sequence[tuple[str, bool]]) -> None:
        """Several cards laid as one block: those known before, and the one that ends on top."""
        for place, (card, known) in enumerate(marked):
            if known or place == len(marked) - 1:
                self.discard[player][card] += 1

    def left_discard_seen(self, player: int, card: str, pile: Sequence[str]) -> None:
        """Vassal plays the card from the discard pile; the next card of the pile shows."""
        less(self.discard[player], card, 1)
        self.top_shows(player, pile)

    def left_discard_unseen(self, player: int, pile: Sequence[str]) -> None:
        """Harbinger takes a card that the others do not see; the top of what is left shows."""
        less_of_each(self.discard[player], 1)
        self.top_shows(player, pile)

    def top_shows(self, player: int, pile: Sequence[str]) -> None:
        """Count the visible top of a discard pile."""
        if pile:
            self.discard[player][pile[-1]] = max(self.discard[player][pile[-1]], 1)

    def shuffled(self, player: int) -> None:
        """Forget the discard pile, whose cards are somewhere in the deck now."""
        self.discard[player].clear()

    def cleaned_up(self, player: int, hand_in_order: Sequence[str], in_play: Sequence[str]) -> None:
        """Know where they are the known cards of the hand, those in play, and the card on top."""
        self.discard[player].update(self.hand[player])
        self.discard[player].update(in_play)
        if not in_play and hand_in_order and self.hand[player][hand_in_order[-1]] == 0:
            self.discard[player][hand_in_order[-1]] += 1
        self.hand[player].clear()


def less(counts: Counter[str], card: str, number: int) -> None:
    """Take `number` of the card, never below 0."""
    counts[card] = max(0, counts[card] - number)


def less_of_each(counts: Counter[str], number: int) -> None:
    """Take `number` of every card, never below 0."""
    for card in list(counts):
        less(counts, card, number)
