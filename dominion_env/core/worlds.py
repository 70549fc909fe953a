"""Other worlds for search: copies of a game with other luck, and games in which what a seat can't know is dealt anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_env.cards import NUM_CARDS
from dominion_env.core.batch import GameBatch, _whole, _words
from dominion_env.errors import InvalidOption
from dominion_env.rules.jit import entry_point, primitive, rule
from dominion_env.rules.state import ALL, LOOKED_AT, MAX_CARDS, NOBODY
from dominion_env.rules.streams import GAMMA, address_key, derived, mix, scaled, start_streams
from dominion_env.rules.zones import card_in, mark_of, marked

_DEALING = np.uint64(401)  # the stream that deals anew; none of a game's own
_MOST_CARDS = max(MAX_CARDS.values())


def fork(batch: GameBatch, index: int, copies: int, seed: int) -> GameBatch:
    """A new batch of `copies` of game `index`; copy i has the random streams of the address (seed, i, episode).

    Raises:
        InvalidOption: no such game, or not at least one copy.
    """
    row = _whole("index", index, 0, batch.num_games - 1)
    number = _whole("copies", copies, 1, 1 << 31)
    kept = batch.__getstate__()
    kept["num_games"] = number
    rules = kept["_rules"]
    blank = rules[0]
    kept["_rules"] = (blank[row : row + 1].copy() if len(blank) > 1 else blank, *rules[1:])
    kept["_plan"] = kept["_plan"].copy()
    for key in ("_states", "_outcomes", "_finals"):
        kept[key] = np.repeat(kept[key][row : row + 1], number)
    kept["_events"] = np.zeros_like(kept["_events"])
    kept["_plan"]["events"] = 0
    kept["_noted"] = []
    kept["_index"] = np.arange(number)
    copy = object.__new__(GameBatch)
    copy.__setstate__(kept)
    _readdress(copy, seed)
    return copy


def determinize(batch: GameBatch, player: int, seed: int) -> GameBatch:
    """A copy of the batch, each game a world that `player` may be in, as likely as any other, with fresh luck.

    Cards that the player knows stay where they are. All others are dealt anew over the places unknown to the player;
    how many lie where and who knows which card is kept. What the others' play tells about their hands is not used.

    Raises:
        InvalidOption: no such seat, or it is not the seat to decide in every game.
    """
    seat = _whole("player", player, 0, batch.num_players - 1)
    if (batch.current_player != seat).any():
        row = int((batch.current_player != seat).argmax())
        raise InvalidOption(
            f"determinize: player_{seat} is to be asked in every game; in game {row} it is "
            f"player_{batch.current_player[row]}"
        )
    copy = batch.clone()
    _readdress(copy, seed)
    _deal_anew(copy._games, seat)
    return copy


def _readdress(batch: GameBatch, seed: int) -> None:
    """Row i goes on with the random streams of (seed, i, its episode)."""
    batch._index = np.arange(batch.num_games)
    batch._states["seed"] = _words("seed", seed, batch.num_games, np.uint64)
    batch._states["index"] = batch._index
    _start_anew(batch._games)


def _make_start_anew(source_hash: str) -> Callable[..., Any]:
    def start_anew(games: Any) -> None:
        """Give each game the random streams of its address."""
        source_hash  # noqa: B018
        for g in range(games.shape[0]):
            game = games[g]
            game.key = address_key(game.seed, game.index, game.episode)
            start_streams(game)

    return start_anew


_start_anew = entry_point(_make_start_anew)


def _make_deal_anew(source_hash: str) -> Callable[..., Any]:
    def deal_anew(games: Any, me: Any) -> None:
        """Deal what `me` can't know anew, in every game."""
        source_hash  # noqa: B018
        hidden = np.zeros(_MOST_CARDS, np.int64)
        for g in range(games.shape[0]):
            game = games[g]
            stream = derived(game.key, _DEALING)
            for seat in range(game.num_players):
                cards = _collect(game, seat, seat == me, hidden)
                for i in range(cards - 1, 0, -1):
                    stream += GAMMA
                    j = scaled(mix(stream), i + 1)
                    hidden[i], hidden[j] = hidden[j], hidden[i]
                _put_back(game, seat, seat == me, hidden)

    return deal_anew


_deal_anew = entry_point(_make_deal_anew)

# Two passes over the unknown places of a seat, in the same order: collect what lies there, put other cards there.
# Of the opponents: the hand but for its known copies, what not all know on top of the deck, the shuffled deck, and the
# discard pile but for its top and, from the top down, as many copies as are known. Of one's own: what nobody knows on
# top of the deck, and the shuffled deck.


@primitive
def _is_hidden(entry: Any, own: Any) -> Any:
    return mark_of(entry) == NOBODY if own else mark_of(entry) != ALL


@rule
def _discard_is_hidden(game: Any, seat: Any, at: Any) -> Any:
    """Whether the card at this place of an opponent's discard pile is unknown: not among the newest known copies."""
    card = int(game.pile[seat, at])
    newer = 0
    for i in range(at + 1, int(game.discard_size[seat])):
        newer += int(game.pile[seat, i]) == card
    return newer >= game.known_discard[seat, card]


@rule
def _collect(game: Any, seat: Any, own: Any, hidden: Any) -> Any:
    """Gather the cards that lie in unknown places; places with an order are marked by taking the card out."""
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
    """Fill the unknown places from the shuffled cards; what is left is the shuffled deck."""
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
        # From the bottom up, so that what decides about a place, the cards above it, is still as it was.
        for i in range(int(game.discard_size[seat])):
            if _discard_is_hidden(game, seat, i):
                game.pile[seat, i] = hidden[cards]
                cards += 1
        for i in range(end - int(game.aside_size[seat]), end):
            if mark_of(game.table[seat, i]) == LOOKED_AT:
                game.table[seat, i] = marked(hidden[cards], LOOKED_AT)
                cards += 1
        game.hand_set[seat] = _kinds(game.hand[seat])
    for i in range(cards, cards + int(game.bag_size[seat])):
        game.bag[seat, hidden[i]] += 1
    game.bag_set[seat] = _kinds(game.bag[seat])


@primitive
def _kinds(counts: Any) -> Any:
    kinds = 0
    for card in range(NUM_CARDS):
        if counts[card] > 0:
            kinds |= 1 << card
    return kinds
