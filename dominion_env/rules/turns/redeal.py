"""Dealing again what a seat can't know, and giving games other luck: what search needs of the rules.

What a seat can't know of another: the cards in hand but for known copies; the cards on top of the deck that not all
know; the shuffled deck; of the discard pile which cards it holds beside its top and the known copies, and in which order
they lie below the top. Of some of these all know what they are not, such as Treasures, or cards that were shuffled in later.
What a seat can't know of its own: the cards on top of the deck that nobody knows, and the shuffled deck.

A game is first emptied of all that, and only then dealt again. So a world depends on what the seat knows and on its
address alone, and two games that look the same to a seat have the same worlds, byte for byte.
"""

from typing import Any

from dominion_env.compiled.jit import entry_point, primitive, rule
from dominion_env.rules.knowledge import MORE
from dominion_env.rules.record import state
from dominion_env.rules.record.card_sets import lowest, with_card, without_lowest
from dominion_env.rules.record.streams import address_key, below, start_streams
from dominion_env.rules.sources import RULES_HASH
from dominion_env.rules.zones import NONE, card_in, into_bag, into_hand, mark_of, marked, out_of_bag, take_from_bag
from dominion_env.tables.cards import NUM_CARDS


@entry_point(RULES_HASH)
def give_streams(games: Any) -> None:
    """Give each game the random streams of its address, from their start."""
    for g in range(games.shape[0]):
        game = games[g]
        game.key = address_key(game.seed, game.index, game.episode)
        start_streams(game)


@entry_point(RULES_HASH)
def deal_worlds(games: Any, rows: Any, copies: Any, seeds: Any, numbers: Any, worlds: Any, places: Any) -> None:
    """Fill `worlds` with copies of the games in `rows`, dealt again for the seat that is asked there.

    Copy j of the r-th row has the address (seeds[r], numbers[r] + j, 0). `places` is a buffer, see `empty`.
    """
    for r in range(rows.shape[0]):
        first = r * copies
        worlds[first] = games[rows[r]]
        empty(worlds[first], places)
        for j in range(copies - 1, -1, -1):  # the first copy is the pattern of the others, and is dealt last
            if j > 0:
                worlds[first + j] = worlds[first]
            deal(worlds[first + j], seeds[r], numbers[r] + j, places)


# How many places of a seat wait for a card, in an array (MOST_SEATS, ZONES); how many of these are places of which all know
# something (`LACKED`), which these are, and how many cards can take each; and how many copies of each card were shuffled in too
# late to have been drawn before.
IN_HAND, IN_DISCARD, LACKING_HAND, LACKING_DISCARD, KINDS, FOR_LACKING = range(6)
TOO_LATE = FOR_LACKING + state.NUM_LACKED
ZONES = TOO_LATE + NUM_CARDS
MOST_SEATS = 6
_BEFORE_SHUFFLE = (1 << state.BEFORE_SHUFFLE) - 1  # as a set of kinds
_TRIES = 1000  # to deal such places; in games one is enough nearly always


@rule
def empty(game: Any, places: Any) -> None:
    """Take out of a game all that the seat that is asked can't know.

    Each player's unknown cards are shuffled into the deck, from which `deal` fills their places again. `places` is set to
    how many of these are in each hand and discard pile; those of the ordered cards show by their marks.
    """
    me = int(game.asked)
    for seat in range(game.num_players):
        places[seat, IN_HAND] = 0
        places[seat, IN_DISCARD] = 0
        _empty_deck(game, seat, seat == me)
        if seat != me:
            places[seat, IN_HAND] = _empty_hand(game, seat)
            places[seat, IN_DISCARD] = _empty_discard(game, seat)
            _empty_aside(game, seat)
            _count_for_lacking(game, seat, places)
    _wipe(game)


@rule
def deal(game: Any, seed: Any, index: Any, places: Any) -> None:
    """Give an emptied game the luck of the address (seed, index, 0), and fill its unknown places by that luck."""
    me = int(game.asked)
    game.seed = seed
    game.index = index
    game.key = address_key(game.seed, game.index, game.episode)
    start_streams(game)
    for seat in range(game.num_players):
        # Where not all cards can lie, cards are dealt first, so that all possible deals are equally likely.
        lacking_hand, lacking_discard = 0, 0
        if seat != me and places[seat, KINDS] != 0 and _deal_lacking(game, seat, places):
            lacking_hand, lacking_discard = int(places[seat, LACKING_HAND]), int(places[seat, LACKING_DISCARD])
        end = game.pile.shape[1]
        for i in range(end - int(game.top_size[seat]), end):
            if _is_hidden(game.pile[seat, i], seat == me):
                game.pile[seat, i] = marked(take_from_bag(game, seat), mark_of(game.pile[seat, i]))
        for _ in range(lacking_hand, places[seat, IN_HAND]):
            into_hand(game, seat, take_from_bag(game, seat))
        for i in range(lacking_discard, places[seat, IN_DISCARD]):
            game.pile[seat, i] = take_from_bag(game, seat)
        if seat != me:
            end = game.table.shape[1]
            for i in range(end - int(game.aside_size[seat]), end):
                if mark_of(game.table[seat, i]) == state.LOOKED_AT:
                    game.table[seat, i] = marked(take_from_bag(game, seat), state.LOOKED_AT)


@rule
def _count_for_lacking(game: Any, seat: Any, places: Any) -> None:
    """Count the cards that can take the places of which all know something, if those come first of which they know more.

    Of a player who isn't asked but has picked cards, which only positions have, nothing is known.
    """
    kinds, in_hand, in_discard = int(game.lacking_hand_set[seat]) | int(game.lacking_discard_set[seat]), 0, 0
    left = kinds
    while left:
        in_hand += int(game.lacking_hand[seat, lowest(left)])
        in_discard += int(game.lacking_discard[seat, lowest(left)])
        left = without_lowest(left)
    if in_hand > places[seat, IN_HAND]:
        kinds = 0
    places[seat, KINDS] = kinds
    places[seat, LACKING_HAND], places[seat, LACKING_DISCARD] = in_hand, in_discard
    if kinds & _BEFORE_SHUFFLE != 0:
        for card in range(NUM_CARDS):
            before = max(0, int(game.unshuffled[seat, card]))
            places[seat, TOO_LATE + card] = max(0, int(game.bag[seat, card]) - before)
    left = kinds
    while left:
        i = lowest(left)
        number, more = _cards_for(game, seat, i, places), int(MORE[i]) & kinds & ((1 << i) - 1)
        while more:
            number -= int(game.lacking_hand[seat, lowest(more)]) + int(game.lacking_discard[seat, lowest(more)])
            more = without_lowest(more)
        places[seat, FOR_LACKING + i] = number
        left = without_lowest(left)


@primitive
def _copies_for(game: Any, seat: Any, card: Any, i: Any, places: Any) -> Any:
    """Return how many copies in the deck can be an unseen card of which all know `LACKED[i]`, if the card is none of those."""
    too_late = int(places[seat, TOO_LATE + card]) if i < state.BEFORE_SHUFFLE else 0
    return int(game.bag[seat, card]) - too_late


@rule
def _cards_for(game: Any, seat: Any, i: Any, places: Any) -> Any:
    """Return how many cards of the deck can be an unseen card of which all know `LACKED[i]`."""
    others, number = int(game.bag_set[seat]) & ~state.LACKED[i], 0
    while others:
        number += _copies_for(game, seat, lowest(others), i, places)
        others = without_lowest(others)
    return number


@rule
def _deal_lacking(game: Any, seat: Any, places: Any) -> Any:
    """Fill the places of which all know what they don't hold, and return whether that was done."""
    tries, dealt = 0, False
    while tries < _TRIES and not dealt:
        dealt = _try_to_deal_lacking(game, seat, places)
        tries += 1
    return dealt


@rule
def _try_to_deal_lacking(game: Any, seat: Any, places: Any) -> Any:
    """Fill these places, or return False and leave them empty.

    A deal has the same chance whatever cards it takes: each copy has a chance of 1 to the number that there can be at most.
    Where neither of two places has more cards than the other, there can be fewer, and the deal fails if no copy is hit.
    """
    in_discard, kinds = 0, int(places[seat, KINDS])
    while kinds:
        i = lowest(kinds)
        most, in_hand = int(places[seat, FOR_LACKING + i]), int(game.lacking_hand[seat, i])
        for place in range(in_hand + int(game.lacking_discard[seat, i])):
            card = _take_lacking(game, seat, i, most - place, places) if place < most else NONE
            if card == NONE:
                _empty_hand(game, seat)
                for at in range(in_discard):
                    into_bag(game, seat, game.pile[seat, at], 1)
                return False
            if place < in_hand:
                into_hand(game, seat, card)
            else:
                game.pile[seat, in_discard] = card
                in_discard += 1
        kinds = without_lowest(kinds)
    return True


@rule
def _take_lacking(game: Any, seat: Any, i: Any, most: Any, places: Any) -> Any:
    """Take a card of the deck that can be one of which all know `LACKED[i]`; each copy has a chance of 1 / `most`.

    Returns NONE if there are fewer copies than `most` and none has been hit.
    """
    left = below(game, seat, most)
    others, card = int(game.bag_set[seat]) & ~state.LACKED[i], NONE
    while others:  # to the end, as in `take_from_bag`
        candidate = lowest(others)
        card = candidate if left >= 0 else card
        left -= _copies_for(game, seat, candidate, i, places)
        others = without_lowest(others)
    if left >= 0:
        return NONE
    out_of_bag(game, seat, card, 1)
    return card


@primitive
def _is_hidden(entry: Any, own: Any) -> Any:
    """Return whether this card on top of a deck is unknown."""
    return mark_of(entry) == state.NOBODY if own else mark_of(entry) != state.ALL


@rule
def _empty_deck(game: Any, seat: Any, own: Any) -> None:
    """Shuffle the unknown cards on top of a deck into it; their places keep their marks."""
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[seat]), end):
        entry = int(game.pile[seat, i])
        if _is_hidden(entry, own):
            into_bag(game, seat, card_in(entry), 1)
            game.pile[seat, i] = marked(0, mark_of(entry))


@rule
def _empty_hand(game: Any, seat: Any) -> Any:
    """Shuffle the unknown cards in a hand into the deck, and return how many they are."""
    unknown, held = 0, 0
    for card in range(NUM_CARDS):
        copies = int(game.hand[seat, card])
        hidden = max(0, copies - int(game.known_hand[seat, card]))
        if hidden > 0:
            into_bag(game, seat, card, hidden)
            game.hand[seat, card] = copies - hidden
            unknown += hidden
        if copies > hidden:
            held = with_card(held, card)
    game.hand_size[seat] -= unknown
    game.hand_set[seat] = held
    return unknown


@rule
def _empty_discard(game: Any, seat: Any) -> Any:
    """Shuffle the unknown cards of a discard pile into the deck, and return how many they are.

    Their places lie below the known cards, which come to lie under the top in the order of their numbers.
    """
    at = int(game.discard_size[seat]) - 1
    if at < 0:
        return 0
    for card in range(NUM_CARDS):
        game.bag[seat, card] -= game.known_discard[seat, card]
    for i in range(at + 1):
        game.bag[seat, game.pile[seat, i]] += 1
    top, known = int(game.pile[seat, at]), 0
    for card in range(NUM_CARDS):
        for _ in range(int(game.known_discard[seat, card]) - int(card == top)):
            at -= 1
            game.pile[seat, at] = card
        known += int(game.known_discard[seat, card])
    game.bag_size[seat] += int(game.discard_size[seat]) - known
    cards = 0
    for card in range(NUM_CARDS):
        if game.bag[seat, card] > 0:
            cards = with_card(cards, card)
    game.bag_set[seat] = cards
    return at


@rule
def _empty_aside(game: Any, seat: Any) -> None:
    """Shuffle the cards that a player looks at alone into the deck; their places keep their marks."""
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[seat]), end):
        if mark_of(game.table[seat, i]) == state.LOOKED_AT:
            into_bag(game, seat, card_in(game.table[seat, i]), 1)
            game.table[seat, i] = marked(0, state.LOOKED_AT)


@rule
def _wipe(game: Any) -> None:
    """Remove the traces that the past has left in the record: what lay where nothing lies now, and was decided and noted."""
    game.episode = 0
    for seat in range(game.num_players):
        game.decisions[seat] = 0  # even their number tells who was asked in secret
        for i in range(int(game.discard_size[seat]), game.pile.shape[1] - int(game.top_size[seat])):
            game.pile[seat, i] = 0
        for i in range(int(game.play_size[seat]), game.table.shape[1] - int(game.aside_size[seat])):
            game.table[seat, i] = 0
    at = int(game.stack_size)
    while at < state.MAX_EFFECTS and (game.stack[at].effect != 0 or game.stack[at].card != 0):  # no effect is all zeros
        frame = game.stack[at]
        frame.effect = 0
        frame.card = 0
        frame.player = 0
        frame.step = 0
        frame.memory = 0
        at += 1
    if game.num_legal != 1:
        game.only_legal = 0
    if game.over:  # the last question was perhaps another seat's
        _wipe_question(game)
    if game.recording:
        _wipe_log(game)


@rule
def _wipe_question(game: Any) -> None:
    game.kind = 0
    game.source = 0
    game.subject = 0
    game.target = 0
    game.verbs = 0
    game.candidates = 0
    game.which = 0
    game.optional = 0
    game.picks = 0
    game.min_left = 0
    game.max_left = 0


@rule
def _wipe_log(game: Any) -> None:
    game.recording = 0
    game.log_size = 0
    for i in range(state.LOG_SIZE):
        game.log_count[i] = 0
        game.log_event[i] = 0
        game.log_player[i] = 0
        game.log_card[i] = 0
        game.log_seen[i] = 0
        game.log_card_seen[i] = 0
