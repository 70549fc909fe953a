"""What everyone has seen of the cards in a player's hand and discard pile.

`known_hand` and `known_discard` count, for each card, the copies of which everybody knows that they are there. These
are lower bounds that a player with a perfect memory can derive. Of the other cards there, `lacking_hand` and
`lacking_discard` count those of which everybody knows that they are none of a set of cards (all Treasures were played, or
a card had to choose an Action and chose none), and those drawn before the last shuffle, which are none of the cards that
everybody saw come with it. Forgetting never depends on what is hidden, so a card that leaves unseen lowers every count, for
it might have been any of them. A card on top of a draw pile bears a mark that says who knows it (`marks.py`).
"""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.record import marks
from dominion_env.rules.record.card_sets import lowest, with_card, without_card, without_lowest
from dominion_env.rules.record.state import BEFORE_SHUFFLE, LACKED, MOST_LACKING, NUM_LACKED, REVEALED, SET_ASIDE
from dominion_env.tables.cards import NUM_CARDS

_card_in, _mark_of = primitive(marks.card_in), primitive(marks.mark_of)
_ANY_CARD = -1
_NO_TREASURE = BEFORE_SHUFFLE + 2  # the place of that set in `LACKED`
_IS_BEFORE = np.arange(NUM_LACKED) < BEFORE_SHUFFLE
# For each entry of `LACKED`, those that say at least as much, a bit each.
MORE = np.array(
    [
        sum(1 << i for i in range(NUM_LACKED) if LACKED[i] & lacked == lacked and _IS_BEFORE[i] >= before)
        for lacked, before in zip(LACKED, _IS_BEFORE, strict=True)
    ]
)


# `_WITH[which, i]` is the entry of `LACKED` that holds for a card of which all knew entry `i`, once its whole hand turns out to
# lack entry `which` too.
_WITH = np.array(
    [
        [
            next((i for i in range(NUM_LACKED) if LACKED[i] == lacked | more and _IS_BEFORE[i] == before), at)
            for at, (lacked, before) in enumerate(zip(LACKED, _IS_BEFORE, strict=True))
        ]
        for more in LACKED
    ]
)


@rule
def _of_which_nothing_is_known(game: Any, player: Any) -> Any:
    """Return the number of such cards in hand."""
    cards, some = int(game.hand_size[player]), int(game.lacking_hand_set[player])
    for card in range(NUM_CARDS):
        cards -= int(game.known_hand[player, card])
    while some:
        cards -= int(game.lacking_hand[player, lowest(some)])
        some = without_lowest(some)
    return cards


@primitive
def _hand_lacks(game: Any, player: Any, i: Any, cards: Any) -> None:
    """Know this of more cards in hand."""
    if cards > 0:
        game.lacking_hand[player, i] = min(MOST_LACKING, int(game.lacking_hand[player, i]) + cards)
        game.lacking_hand_set[player] = with_card(game.lacking_hand_set[player], i)


@rule
def _all_lack(game: Any, player: Any, which: Any) -> None:
    """Know of all cards in hand that they are none of the set `LACKED[which]`."""
    unseen, some = _of_which_nothing_is_known(game, player), int(game.lacking_hand_set[player])
    while some:
        i = lowest(some)
        cards = int(game.lacking_hand[player, i])
        game.lacking_hand[player, i] = 0
        game.lacking_hand_set[player] = without_card(game.lacking_hand_set[player], i)
        _hand_lacks(game, player, _WITH[which, i], cards)
        some = without_lowest(some)
    _hand_lacks(game, player, which, unseen)


@primitive
def all_treasures_are_played(game: Any, player: Any) -> None:
    """Know of all cards in hand that they are no Treasures."""
    _all_lack(game, player, _NO_TREASURE)


@rule
def none_is_in_hand(game: Any, player: Any, cards: Any) -> None:
    """Know of all cards in hand that they are none of `cards`, if that is one of the sets of `LACKED`."""
    for which in range(BEFORE_SHUFFLE, NUM_LACKED):
        if LACKED[which] == cards:
            _all_lack(game, player, which)


@rule
def _one_is_gone(game: Any, lacking: Any, sets: Any, player: Any, card: Any) -> None:
    """Know less of what unseen cards are not, as one of them has been seen to be this card or may be any.

    It might have been each that could be such a card. What is known of the others is least if most was known of it.
    """
    some, cards, gone = int(sets[player]), card, 0
    if card != _ANY_CARD and some:
        cards = 1 << int(card)
        if game.unshuffled[player, card] <= 0:
            some = some >> BEFORE_SHUFFLE << BEFORE_SHUFFLE
    while some:
        i = lowest(some)
        if cards & ~LACKED[i] != 0 and gone & MORE[i] == 0:
            gone = with_card(gone, i)
            lacking[player, i] -= 1
            if lacking[player, i] == 0:
                sets[player] = without_card(sets[player], i)
        some = without_lowest(some)


@rule
def _unknown_are_gone(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Know less of the unseen cards in hand, as of these copies some were not known to be there."""
    for _ in range(int(game.known_hand[player, card]), copies):
        _one_is_gone(game, game.lacking_hand, game.lacking_hand_set, player, card)


@primitive
def seen_in_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Know that this number of copies, which were shown to all, is in hand."""
    if game.lacking_hand_set[player] != 0:
        _unknown_are_gone(game, player, card, copies)
    if game.known_hand[player, card] < copies:
        game.known_hand[player, card] = copies


@primitive
def seen_entering_hand(game: Any, player: Any, card: Any) -> None:
    """Know one more copy in the hand, which all saw enter it."""
    game.known_hand[player, card] += 1


@primitive
def seen_leaving_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Know fewer copies in the hand, as all saw them leave it."""
    if game.lacking_hand_set[player] != 0:
        _unknown_are_gone(game, player, card, copies)
    game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - copies)


@rule
def unseen_leaving_hand(game: Any, player: Any, cards: Any) -> None:
    """Know less of the hand, as `cards` cards leave it face down."""
    if cards > 0:
        for card in range(NUM_CARDS):
            game.known_hand[player, card] = max(0, int(game.known_hand[player, card]) - cards)
    for _ in range(cards):
        _one_is_gone(game, game.lacking_hand, game.lacking_hand_set, player, _ANY_CARD)


@primitive
def seen_entering_discard(game: Any, player: Any, card: Any) -> None:
    """Know one more copy in the discard pile, which all saw enter it."""
    game.known_discard[player, card] += 1


@rule
def unseen_leaving_discard(game: Any, player: Any) -> None:
    """Know less of the discard pile, as a card leaves it face down."""
    for card in range(NUM_CARDS):
        if game.known_discard[player, card] > 0:
            game.known_discard[player, card] -= 1
    _one_is_gone(game, game.lacking_discard, game.lacking_discard_set, player, _ANY_CARD)


@primitive
def seen_leaving_discard(game: Any, player: Any, card: Any) -> None:
    """Know one copy less in the discard pile, as all saw it leave."""
    if game.known_discard[player, card] > 0:
        game.known_discard[player, card] -= 1
    else:
        _one_is_gone(game, game.lacking_discard, game.lacking_discard_set, player, card)


@primitive
def top_of_discard_is_seen(game: Any, player: Any, card: Any) -> None:
    """Know the card that lies on top of the discard pile now."""
    if game.known_discard[player, card] < 1:
        game.known_discard[player, card] = 1
        _one_is_gone(game, game.lacking_discard, game.lacking_discard_set, player, card)


@primitive
def hand_goes_to_discard(game: Any, player: Any, card: Any) -> None:
    """Know of the discard pile what was known of the hand, at Clean-up."""
    game.known_discard[player, card] += game.known_hand[player, card]
    game.known_hand[player, card] = 0


@rule
def unseen_hand_goes_to_discard(game: Any, player: Any) -> None:
    """Know of the unseen cards of the discard pile what was known of those in hand, at Clean-up."""
    some = int(game.lacking_hand_set[player])
    game.lacking_discard_set[player] |= some
    game.lacking_hand_set[player] = 0
    while some:
        i = lowest(some)
        cards = int(game.lacking_discard[player, i]) + int(game.lacking_hand[player, i])
        game.lacking_discard[player, i] = min(MOST_LACKING, cards)
        game.lacking_hand[player, i] = 0
        some = without_lowest(some)


@rule
def discard_is_shuffled(game: Any, player: Any) -> None:
    """Forget the discard pile, as nobody knows any more what lies where, but not that the hand was drawn before."""
    if game.hand_set[player] != 0:
        _hand_is_of_before(game, player)
    for card in range(NUM_CARDS):
        game.known_discard[player, card] = 0
    if game.lacking_discard_set[player] != 0:
        game.lacking_discard_set[player] = 0
        for i in range(NUM_LACKED):
            game.lacking_discard[player, i] = 0


@rule
def _hand_is_of_before(game: Any, player: Any) -> None:
    """Know of all unseen cards in hand that they are none of those that everybody sees come with a shuffle."""
    for card in range(NUM_CARDS):
        seen = int(game.known_discard[player, card]) + int(game.known_hand[player, card])
        game.unshuffled[player, card] = int(game.owned[player, card]) - seen
    for i in range(game.play_size[player]):
        game.unshuffled[player, game.table[player, i]] -= 1
    for i in range(game.table.shape[1] - int(game.aside_size[player]), game.table.shape[1]):
        entry = int(game.table[player, i])
        if _mark_of(entry) == SET_ASIDE or _mark_of(entry) == REVEALED:
            game.unshuffled[player, _card_in(entry)] -= 1
    unseen = _of_which_nothing_is_known(game, player)
    if game.lacking_hand_set[player] >> BEFORE_SHUFFLE != 0:
        for i in range(BEFORE_SHUFFLE, NUM_LACKED):
            _hand_lacks(game, player, i - BEFORE_SHUFFLE, int(game.lacking_hand[player, i]))
            game.lacking_hand[player, i] = 0
        game.lacking_hand_set[player] &= (1 << BEFORE_SHUFFLE) - 1
    _hand_lacks(game, player, BEFORE_SHUFFLE - 1, unseen)
