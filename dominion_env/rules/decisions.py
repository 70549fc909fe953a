"""What a player is asked, and which answers are legal.

A question is a few fields of the record: who is asked, which verbs are offered for the cards of which zone, which of
these cards will do, whether "no card" is an answer. `offer_answers` makes the legal actions from these fields alone,
so a position in the middle of an effect can be written down, loaded and asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.actions import DISCARD_DECK, FIRST_CARD_ACTION, NUM_VERBS, PASS, Verb
from dominion_env.cards import COST, NUM_CARDS, TYPES, Card, Type
from dominion_env.rules import stack
from dominion_env.rules.card_sets import how_many, lowest
from dominion_env.rules.jit import primitive, rule
from dominion_env.rules.zones import NONE, aside

# What a function of the rules answers to whoever runs it.
FINISHED, WAITING, AGAIN = 0, 1, 2  # done; a question is open; go on without a question

NOTHING = -1  # instead of an action: nothing was asked

# From where the candidates come.
NOWHERE, ACTION_PHASE, BUY_PHASE, HAND, SUPPLY, DISCARD_PILE, ASIDE, LOOT, SUBJECT, DECK = range(10)

# What is asked: a verb, or one of these.
ASK_ACTION, ASK_BUY, ASK_DISCARD_DECK = NUM_VERBS, NUM_VERBS + 1, NUM_VERBS + 2

PLAY, BUY, GAIN, TRASH, DISCARD, TOPDECK, REVEAL, SET_ASIDE = (int(verb) for verb in Verb)
NO_SEAT = -1
TYPE_ACTION, TYPE_TREASURE, TYPE_VICTORY = int(Type.ACTION), int(Type.TREASURE), int(Type.VICTORY)

# For each set of verbs (a bit each): a byte per verb, how many there are, and the lowest. For each set of actions
# without a card: a byte per action.
_SETS = [[verb for verb in range(NUM_VERBS) if verbs >> verb & 1] for verbs in range(1 << NUM_VERBS)]
_BYTES = np.array([sum(1 << 8 * verb for verb in verbs) for verbs in _SETS], dtype=np.uint64)
_NO_VERB = np.uint64(0)
_PLAIN = np.array(
    [
        sum(
            1 << 8 * (action + NUM_VERBS - FIRST_CARD_ACTION)
            for action in range(FIRST_CARD_ACTION)
            if plain >> action & 1
        )
        for plain in range(1 << FIRST_CARD_ACTION)
    ],
    dtype=np.uint64,
)
_NUMBER = np.array([len(verbs) for verbs in _SETS], dtype=np.int64)
_LOWEST = np.array([verbs[0] if verbs else 0 for verbs in _SETS], dtype=np.int64)

# Kinds of cards as sets, a bit each.
_ACTIONS = sum(1 << card for card in range(NUM_CARDS) if TYPES[card] & Type.ACTION)
_TREASURES = sum(1 << card for card in range(NUM_CARDS) if TYPES[card] & Type.TREASURE)
HIGHEST_COST = int(COST.max())
_COSTING_UP_TO = np.array(
    [sum(1 << card for card in range(NUM_CARDS) if COST[card] <= cost) for cost in range(HIGHEST_COST + 1)]
)


@primitive
def card_of(action: Any) -> Any:
    """The card that an action names."""
    return (action - FIRST_CARD_ACTION) // NUM_VERBS


@primitive
def verb_of(action: Any) -> Any:
    """What an action does with its card."""
    return (action - FIRST_CARD_ACTION) % NUM_VERBS


@primitive
def action_for(verb: Any, card: Any) -> Any:
    """The action of doing this with that card."""
    return FIRST_CARD_ACTION + NUM_VERBS * card + verb


@rule
def offer(game: Any, plain: Any, kinds: Any, verbs: Any, treasures: Any) -> None:
    """What is legal from now on, all of it: two sets of cards and what may be done with each.

    `plain` is the actions without a card, a bit each; the cards of `kinds` may be used with all of `verbs` (a bit
    each), those of `treasures` be played.
    """
    does, plays = _BYTES[verbs], _BYTES[1 << PLAY]
    here, there = kinds << 1, treasures << 1
    for word in range(NUM_CARDS + 1):  # no branches, and a whole number of vectors: it is done at every decision
        game.legal_words[word] = (does if here >> word & 1 else _NO_VERB) | (plays if there >> word & 1 else _NO_VERB)
    game.legal_words[0] = _PLAIN[plain]
    game.legal_kinds = here | there | (plain != 0)
    number = how_many(plain) + how_many(kinds) * _NUMBER[verbs] + how_many(treasures)
    game.num_legal = number
    if number == 1:
        game.only_legal = lowest(plain)
        if kinds:
            game.only_legal = action_for(_LOWEST[verbs], lowest(kinds))
        elif treasures:
            game.only_legal = action_for(PLAY, lowest(treasures))


@primitive
def only_passing_is_legal(game: Any) -> None:
    """The game is over."""
    offer(game, 1 << PASS, 0, 0, 0)


# Which cards will do is one number, made with these and joined with `|`; ANY asks for nothing special.
ANY = 0
_LIMIT_AT, _ONLY_AT, _BARRED_AT = 8, 16, 24
_BYTE = 255


ONLY_MOAT = (int(Card.MOAT) + 1) << _ONLY_AT


@primitive
def of_type(types: Any) -> Any:
    """Cards of one of these types."""
    return int(types)


@primitive
def up_to(cost: Any) -> Any:
    """Cards that cost no more than this."""
    return (int(cost) + 1) << _LIMIT_AT


@primitive
def only_card(card: Any) -> Any:
    """Copies of this card."""
    return (int(card) + 1) << _ONLY_AT


@primitive
def except_card(card: Any) -> Any:
    """No copies of this card."""
    return (int(card) + 1) << _BARRED_AT


def _sets(fits: Callable[[int, int], object]) -> NDArray[np.int64]:
    """For each value of one of the bytes of "which", the cards that it admits."""
    return np.array([sum(1 << card for card in range(NUM_CARDS) if fits(value, card)) for value in range(_BYTE + 1)])


_OF_TYPE = _sets(lambda types, card: types == 0 or TYPES[card] & types)
_BELOW = _sets(lambda limit, card: limit == 0 or COST[card] < limit)
_NAMED = _sets(lambda named, card: named in (0, card + 1))
_NOT_BARRED = _sets(lambda barred, card: barred != card + 1)


@primitive
def that_will_do(which: Any) -> Any:
    """The kinds of cards that are wanted."""
    return (
        _OF_TYPE[which & _BYTE]
        & _BELOW[which >> _LIMIT_AT & _BYTE]
        & _NAMED[which >> _ONLY_AT & _BYTE]
        & _NOT_BARRED[which >> _BARRED_AT & _BYTE]
    )


@primitive
def can_play_action(game: Any, player: Any) -> Any:
    """Whether the player has an Action left and an Action card in hand."""
    return game.actions > 0 and int(game.hand_kinds[player]) & _ACTIONS != 0


@primitive
def kinds_to_buy(game: Any) -> Any:
    """The cards that can be bought with what is left, a bit each."""
    return int(game.supply_kinds) & _COSTING_UP_TO[min(int(game.coins), HIGHEST_COST)] if game.buys > 0 else 0


@primitive
def treasures_to_play(game: Any, player: Any) -> Any:
    """The Treasures in hand that can still be played, a bit each."""
    return 0 if game.bought else int(game.hand_kinds[player]) & _TREASURES


@rule
def offer_answers(game: Any) -> None:
    """Make the legal actions from the fields of the open question."""
    player, zone = int(game.asked), int(game.candidates)
    plain, kinds, verbs, treasures = 1 << PASS if game.optional else 0, 0, int(game.verbs), 0
    if zone == ACTION_PHASE:
        verbs = 1 << PLAY
        if game.actions > 0:
            kinds = int(game.hand_kinds[player]) & _ACTIONS
    elif zone == BUY_PHASE:
        verbs = 1 << BUY
        kinds, treasures = kinds_to_buy(game), treasures_to_play(game, player)
    elif zone == DECK:
        plain |= 1 << DISCARD_DECK
    else:
        kinds = candidate_kinds(game, player, zone) & that_will_do(int(game.which))
    offer(game, plain, kinds, verbs, treasures)


@rule
def candidate_kinds(game: Any, player: Any, zone: Any) -> Any:
    """The cards among which one is chosen, a bit each."""
    if zone == HAND:
        return int(game.hand_kinds[player])
    if zone == SUPPLY:
        return int(game.supply_kinds)
    if zone == SUBJECT:
        return 1 << int(game.subject)
    kinds = 0
    if zone == DISCARD_PILE:
        for i in range(game.discard_size[player]):
            kinds |= 1 << int(game.pile[player, i])
    elif zone == LOOT:
        for card in range(NUM_CARDS):
            if game.loot[card] > 0:
                kinds |= 1 << card
    elif zone == ASIDE:
        owner, among = stack.whose(game), stack.counted(game)
        for i in range(among):
            kinds |= 1 << aside(game, owner, among, i)
    return kinds


@rule
def ask(
    game: Any, player: Any, kind: Any, verbs: Any, candidates: Any, which: Any, optional: Any, subject: Any, picks: Any,
    least: Any, most: Any,
) -> Any:  # fmt: skip
    """Open a question; FINISHED if no card is a candidate: such a question is never asked."""
    game.asked = player
    game.kind = kind
    game.source = stack.whose_text(game)
    game.verbs = verbs
    game.candidates = candidates
    game.which = which
    game.optional = optional
    game.subject = subject
    game.target = NO_SEAT
    game.picks = picks
    game.min_left = least
    game.max_left = most
    offer_answers(game)
    return WAITING if game.num_legal > optional else FINISHED


@primitive
def must_choose(game: Any, player: Any, verb: Any, candidates: Any, which: Any) -> Any:
    """The player must name one of the candidates."""
    return ask(game, int(player), verb, 1 << verb, candidates, which, 0, NONE, 0, 1, 1)


@primitive
def may_choose(game: Any, player: Any, verb: Any, candidates: Any, which: Any) -> Any:
    """The player may name one of the candidates, or pass."""
    return ask(game, int(player), verb, 1 << verb, candidates, which, 1, NONE, 0, 0, 1)


@primitive
def choose_one(game: Any, player: Any, verb: Any, candidates: Any, which: Any) -> Any:
    """One of the candidates; in the second edition's wording the player may pass."""
    optional = int(game.edition) - 1
    return ask(game, int(player), verb, 1 << verb, candidates, which, optional, NONE, 0, 1 - optional, 1)


@primitive
def must_choose_several(game: Any, player: Any, verb: Any, candidates: Any, picks: Any, left: Any) -> Any:
    """The player must name the next of several; `picks` made, `left` to be made."""
    return ask(game, int(player), verb, 1 << verb, candidates, ANY, 0, NONE, picks, left, left)


@primitive
def may_choose_several(game: Any, player: Any, verb: Any, candidates: Any, picks: Any, most: Any) -> Any:
    """The player may name one more, or pass; `picks` made, at `most` so many to be made."""
    return ask(game, int(player), verb, 1 << verb, candidates, ANY, 1, NONE, picks, 0, most)


@primitive
def may_do(game: Any, player: Any, verb: Any, card: Any) -> Any:
    """The player may do this with this card, or pass."""
    return ask(game, int(player), verb, 1 << verb, SUBJECT, ANY, 1, int(card), 0, 0, 1)


@primitive
def must_do_one_of(game: Any, player: Any, verbs: Any, card: Any, picks: Any) -> Any:
    """The player must do one of several things with this card."""
    return ask(game, int(player), _LOWEST[verbs], verbs, SUBJECT, ANY, 0, int(card), picks, 1, 1)


@primitive
def must_sort(game: Any, player: Any, verbs: Any, cards: Any) -> Any:
    """The player must do one of several things with each of the cards beside the play area."""
    return ask(game, int(player), _LOWEST[verbs], verbs, ASIDE, ANY, 0, NONE, 0, cards, cards)


@primitive
def may_discard_deck(game: Any, player: Any) -> Any:
    """Chancellor's question."""
    return ask(game, int(player), ASK_DISCARD_DECK, 0, DECK, ANY, 1, NONE, 0, 0, 1)


@primitive
def ask_phase(game: Any, player: Any, kind: Any, candidates: Any) -> Any:
    """What next in this phase? Passing ends it."""
    ask(game, int(player), kind, 0, candidates, ANY, 1, NONE, 0, 0, 1)
    return WAITING
