"""Dealing again what a seat can't know, and giving games other luck: what search needs of the rules.

What a seat can't know of another: the cards in hand but for known copies; the cards on top of the deck that not all
know; the shuffled deck; of the discard pile all but its top and, from the top down, as many copies as are known. What a
seat can't know of its own: the cards on top of the deck that nobody knows, and the shuffled deck.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_env.cards import NUM_CARDS
from dominion_env.rules.jit import entry_point, primitive, rule
from dominion_env.rules.state import ALL, LOOKED_AT, MAX_CARDS, NOBODY
from dominion_env.rules.streams import REDEAL, address_key, derived, mix, scaled, start_streams
from dominion_env.rules.zones import card_in, mark_of, marked
from dominion_env.splitmix import GAMMA

_MOST_CARDS = max(MAX_CARDS.values())


def _make_give_streams(source_hash: str) -> Callable[..., Any]:
    def give_streams(games: Any) -> None:
        """Give each game the random streams of its address, from their start."""
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        for g in range(games.shape[0]):
            game = games[g]
            game.key = address_key(game.seed, game.index, game.episode)
            start_streams(game)

    return give_streams


give_streams = entry_point(_make_give_streams)


def _make_redeal(source_hash: str) -> Callable[..., Any]:
    def redeal(games: Any, me: Any) -> None:
        """Deal again what `me` can't know, in every game."""
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        hidden = np.zeros(_MOST_CARDS, np.int64)
        for g in range(games.shape[0]):
            game = games[g]
            stream = derived(game.key, REDEAL)
            for seat in range(game.num_players):
                cards = _collect(game, seat, seat == me, hidden)
                for i in range(cards - 1, 0, -1):
                    stream += GAMMA
                    j = scaled(mix(stream), i + 1)
                    hidden[i], hidden[j] = hidden[j], hidden[i]
                _put_back(game, seat, seat == me, hidden)

    return redeal


redeal = entry_point(_make_redeal)

# Two passes over the unknown places of a seat, in the same order: collect the cards that lie there, put other cards there.


@primitive
def _is_hidden(entry: Any, own: Any) -> Any:
    """Return whether this card on top of a deck is unknown."""
    return mark_of(entry) == NOBODY if own else mark_of(entry) != ALL


@rule
def _discard_is_hidden(game: Any, seat: Any, at: Any) -> Any:
    """Return whether the card at this place of an opponent's discard pile is unknown: not among the newest known copies."""
    card = int(game.pile[seat, at])
    newer = 0
    for i in range(at + 1, int(game.discard_size[seat])):
        newer += int(game.pile[seat, i]) == card
    return newer >= game.known_discard[seat, card]


@rule
def _collect(game: Any, seat: Any, own: Any, hidden: Any) -> Any:
    """Gather the cards that lie in unknown places and return how many; from zones without an order they are taken out."""
    cards = 0
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[seat]), end):
        if _is_hidden(game.pile[seat, i], own):
            hidden[cards] = card_in(game.pile[seat, i])
            cards += 1
    if not own:
        for card in range(NUM_CARDS):
            for _ in range(int(game.hand[seat, card]) - int(game.known_hand[seat, card])):
                hidden[cards] = card
                cards += 1
            game.hand[seat, card] = min(int(game.hand[seat, card]), int(game.known_hand[seat, card]))
        for i in range(int(game.discard_size[seat])):
            if _discard_is_hidden(game, seat, i):
                hidden[cards] = int(game.pile[seat, i])
                cards += 1
        for i in range(end - int(game.aside_size[seat]), end):
            if mark_of(game.table[seat, i]) == LOOKED_AT:
                hidden[cards] = card_in(game.table[seat, i])
                cards += 1
    for card in range(NUM_CARDS):
        for _ in range(int(game.bag[seat, card])):
            hidden[cards] = card
            cards += 1
        game.bag[seat, card] = 0
    return cards


@rule
def _put_back(game: Any, seat: Any, own: Any, hidden: Any) -> None:
    """Fill the unknown places from the shuffled cards; the cards that are left are the shuffled deck."""
    cards = 0
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[seat]), end):
        if _is_hidden(game.pile[seat, i], own):
            game.pile[seat, i] = marked(hidden[cards], mark_of(game.pile[seat, i]))
            cards += 1
    if not own:
        in_hand = 0
        for card in range(NUM_CARDS):
            in_hand += int(game.hand[seat, card])
        for _ in range(int(game.hand_size[seat]) - in_hand):
            game.hand[seat, hidden[cards]] += 1
            cards += 1
        # From the bottom up, as the cards above a place decide about it and must still be as they were.
        for i in range(int(game.discard_size[seat])):
            if _discard_is_hidden(game, seat, i):
                game.pile[seat, i] = hidden[cards]
                cards += 1
        for i in range(end - int(game.aside_size[seat]), end):
            if mark_of(game.table[seat, i]) == LOOKED_AT:
                game.table[seat, i] = marked(hidden[cards], LOOKED_AT)
                cards += 1
        game.hand_set[seat] = _set_of(game.hand[seat])
    for i in range(cards, cards + int(game.bag_size[seat])):
        game.bag[seat, hidden[i]] += 1
    game.bag_set[seat] = _set_of(game.bag[seat])


@primitive
def _set_of(counts: Any) -> Any:
    """Return the set of cards of which there is one, a bit each."""
    kinds = 0
    for card in range(NUM_CARDS):
        if counts[card] > 0:
            kinds |= 1 << card
    return kinds
