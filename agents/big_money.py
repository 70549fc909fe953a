"""Big Money: Province, Gold, Silver; the yardstick of two players' Dominion.

It buys the first that is legal of Province, Gold and Silver, else nothing. It never buys an Action, but it answers
every question that others' cards (and positions somebody set up) put to it. As none of its answers depends on more than
what is legal, the whole agent is one ranking of all actions: the legal action that stands highest is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.interface import Actions, Keys, Masks, Observations
from dominion_env import CARDS, DISCARD_DECK, NUM_ACTIONS, PASS, Card, Verb
from dominion_env.actions import action_of
from dominion_env.cards import ACTION, TREASURE

BUYS = (Card.PROVINCE, Card.GOLD, Card.SILVER)


def _preferences() -> Iterator[int]:
    """All that it would do rather than pass, then passing, then what it does only if it must; best first."""
    dearest_first = sorted(Card, key=lambda card: -CARDS[card].cost)
    cheapest_first = dearest_first[::-1]
    dead = [card for card in cheapest_first if not CARDS[card].types & (ACTION | TREASURE)]
    useful = [card for card in cheapest_first if card not in dead]

    yield action_of(Verb.REVEAL, Card.MOAT)
    # Actions first (their questions come before anything is bought), then all Treasures, then the purchase.
    for card in dearest_first:
        yield action_of(Verb.PLAY, card)
    for card in BUYS:
        yield action_of(Verb.BUY, card)
    # Gains are free: the dearest Treasure of those it may take, Provinces before all.
    yield action_of(Verb.GAIN, Card.PROVINCE)
    for card in (Card.GOLD, Card.SILVER):
        yield action_of(Verb.GAIN, card)
    yield action_of(Verb.TRASH, Card.CURSE)
    # Dead cards leave a hand (Cellar, Militia, Sentry), the dearest useful one goes onto the deck.
    for card in dead:
        yield action_of(Verb.DISCARD, card)
    for card in reversed(useful):
        yield action_of(Verb.TOPDECK, card)

    yield PASS

    for card in dearest_first:
        yield action_of(Verb.GAIN, card)
    for card in useful:
        yield action_of(Verb.DISCARD, card)
    yield action_of(Verb.TRASH, Card.ESTATE)
    for card in useful + dead:
        yield action_of(Verb.TRASH, card)
    for card in dead:
        yield action_of(Verb.TOPDECK, card)


def _ranks() -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """Rank of every action, int16 `(NUM_ACTIONS,)`, all above 0; what `_preferences` leaves out comes last."""
    order = list(dict.fromkeys([*_preferences(), DISCARD_DECK, *range(NUM_ACTIONS)]))
    ranks = np.empty(NUM_ACTIONS, dtype=np.int16)
    ranks[order] = np.arange(NUM_ACTIONS, 0, -1)
    return ranks


class BigMoney:
    """Buys Province, Gold or Silver, whatever comes first; plays all Treasures."""

    def __init__(self) -> None:
        self._ranks = _ranks()

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        actions: Actions = np.argmax(action_masks * self._ranks, axis=1)
        return actions
