"""What a player is asked, and which answers are legal.

A question is a few fields of the record: who is asked, which verbs are offered for the cards of which zone, which of
these cards will do, whether "no card" is an answer. `offer_answers` makes the legal actions from these fields alone,
so a position in the middle of an effect can be written down, loaded and asked again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_env.actions import DISCARD_DECK, FIRST_CARD_ACTION, NUM_VERBS, PASS, Verb
from dominion_env.cards import COST, NUM_BASE_CARDS, NUM_CARDS, TREASURE, TYPES, Card, Type
from dominion_env.rules.jit import primitive, rule
from dominion_env.rules.state import NUM_PILES
from dominion_env.rules.zones import aside

# What a function of the rules answers to whoever runs it.
FINISHED, WAITING, AGAIN = 0, 1, 2  # done; a question is open; go on without a question

NOTHING = -1  # instead of an action: nothing was asked

# From where the candidates come.
NOWHERE, ACTION_PHASE, BUY_PHASE, HAND, SUPPLY, DISCARD_PILE, ASIDE, LOOT, SUBJECT, DECK = range(10)

# What is asked: a verb, or one of these.
ASK_ACTION, ASK_BUY, ASK_DISCARD_DECK = NUM_VERBS, NUM_VERBS + 1, NUM_VERBS + 2

PLAY, BUY, GAIN, TRASH, DISCARD, TOPDECK, REVEAL, SET_ASIDE = (int(verb) for verb in Verb)
ANY_CARD, NO_SEAT, ANY_COST = -1, -1, 127
TYPE_ACTION, TYPE_TREASURE, TYPE_VICTORY = int(Type.ACTION), int(Type.TREASURE), int(Type.VICTORY)

# For each set of verbs (a bit each): a byte per verb, how many there are, and the lowest.
_SETS = [[verb for verb in range(NUM_VERBS) if verbs >> verb & 1] for verbs in range(1 << NUM_VERBS)]
_BYTES = np.array([sum(1 << 8 * verb for verb in verbs) for verbs in _SETS], dtype=np.uint64)
_NUMBER = np.array([len(verbs) for verbs in _SETS], dtype=np.int64)
_LOWEST = np.array([verbs[0] if verbs else 0 for verbs in _SETS], dtype=np.int64)

_TREASURES = tuple(int(card) for card in range(NUM_CARDS) if TYPES[card] & TREASURE)
_COPPER, _SILVER, _GOLD = int(Card.COPPER), int(Card.SILVER), int(Card.GOLD)
assert _TREASURES == (_COPPER, _SILVER, _GOLD)


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


@primitive
def offer(game: Any, card: Any, verbs: Any) -> None:
    """These verbs (a bit each) are legal with that card."""
    game.legal_words[card + 1] |= _BYTES[verbs]
    game.num_legal += _NUMBER[verbs]
    game.only_legal = action_for(_LOWEST[verbs], card)


@primitive
def offer_plain(game: Any, action: Any) -> None:
    """`PASS` or `DISCARD_DECK` is legal."""
    game.legal[action] = 1
    game.num_legal += 1
    game.only_legal = action


@primitive
def nothing_is_legal(game: Any) -> None:
    """Start a new set of legal actions."""
    game.legal_words[:] = np.uint64(0)
    game.num_legal = 0


@primitive
def will_do(game: Any, card: Any) -> Any:
    """Whether the card is of the kind that the open question wants."""
    return (
        COST[card] <= game.limit
        and (game.wanted == 0 or TYPES[card] & game.wanted != 0)
        and (game.only == ANY_CARD or card == game.only)
        and card != game.barred
    )


@rule
def offer_answers(game: Any) -> None:
    """Make the legal actions from the fields of the open question."""
    nothing_is_legal(game)
    player = game.asked
    zone = game.candidates
    verbs = game.verbs
    if game.optional:
        offer_plain(game, PASS)
    if zone == ACTION_PHASE:
        if game.actions > 0:
            for card in range(NUM_BASE_CARDS, NUM_CARDS):
                if game.hand[player, card] > 0 and TYPES[card] & TYPE_ACTION:
                    offer(game, card, 1 << PLAY)
    elif zone == BUY_PHASE:
        if not game.bought:
            for card in _TREASURES:
                if game.hand[player, card] > 0:
                    offer(game, card, 1 << PLAY)
        if game.buys > 0:
            for pile in range(NUM_PILES):
                card = int(game.piles[pile])
                if game.supply[card] > 0 and COST[card] <= game.coins:
                    offer(game, card, 1 << BUY)
    elif zone == HAND:
        for card in range(NUM_CARDS):
            if game.hand[player, card] > 0 and will_do(game, card):
                offer(game, card, verbs)
    elif zone == SUPPLY:
        for pile in range(NUM_PILES):
            card = int(game.piles[pile])
            if game.supply[card] > 0 and will_do(game, card):
                offer(game, card, verbs)
    elif zone == SUBJECT:
        offer(game, int(game.subject), verbs)
    elif zone == LOOT:
        for card in _TREASURES:
            if game.loot[card] > 0:
                offer(game, card, verbs)
    elif zone == DECK:
        offer_plain(game, DISCARD_DECK)
    else:
        _offer_ordered(game, player, zone, verbs)


@rule
def _offer_ordered(game: Any, player: Any, zone: Any, verbs: Any) -> None:
    """Candidates of an ordered zone, where a card may lie twice."""
    if zone == DISCARD_PILE:
        for i in range(game.discard_size[player]):
            card = int(game.pile[player, i])
            if game.legal_words[card + 1] == 0:
                offer(game, card, verbs)
    elif zone == ASIDE:
        owner = player if game.target == NO_SEAT else game.target
        for i in range(game.among):
            card = aside(game, owner, game.among, i)
            if game.legal_words[card + 1] == 0 and will_do(game, card):
                offer(game, card, verbs)


@rule
def ask(
    game: Any,
    player: Any,
    kind: Any,
    verbs: Any,
    candidates: Any,
    optional: Any,
    wanted: Any,
    limit: Any,
    only: Any,
    barred: Any,
    subject: Any,
    target: Any,
    among: Any,
    picks: Any,
    least: Any,
    most: Any,
) -> Any:
    """Open a question; FINISHED if no card is a candidate: such a question is never asked."""
    game.asked = player
    game.kind = kind
    game.source = game.effect_card[game.stack_size - 1] if game.stack_size > 0 else -1
    game.verbs = verbs
    game.candidates = candidates
    game.optional = optional
    game.wanted = wanted
    game.limit = limit
    game.only = only
    game.barred = barred
    game.subject = subject
    game.target = target
    game.among = among
    game.picks = picks
    game.min_left = least
    game.max_left = most
    offer_answers(game)
    return WAITING if game.num_legal > optional else FINISHED


@primitive
def must_choose(
    game: Any,
    player: Any,
    verb: Any,
    candidates: Any,
    wanted: Any = 0,
    limit: Any = ANY_COST,
    barred: Any = ANY_CARD,
    subject: Any = ANY_CARD,
    target: Any = NO_SEAT,
    among: Any = 0,
    picks: Any = 0,
    left: Any = 1,
) -> Any:
    """The player must name one of the candidates; `left`: picks still to make, this one included."""
    return ask(
        game, player, verb, 1 << verb, candidates, 0, wanted, limit, ANY_CARD, barred, subject, target, among, picks,
        left, left,
    )  # fmt: skip


@primitive
def may_choose(
    game: Any,
    player: Any,
    verb: Any,
    candidates: Any,
    wanted: Any = 0,
    only: Any = ANY_CARD,
    subject: Any = ANY_CARD,
    picks: Any = 0,
    most: Any = 1,
) -> Any:
    """The player may name one of the candidates, or pass; `most`: picks still possible, this one included."""
    return ask(
        game, player, verb, 1 << verb, candidates, 1, wanted, ANY_COST, only, ANY_CARD, subject, NO_SEAT, 0, picks,
        0, most,
    )  # fmt: skip


@primitive
def choose_one(
    game: Any, player: Any, optional: Any, verb: Any, candidates: Any, wanted: Any = 0, only: Any = ANY_CARD
) -> Any:
    """One of the candidates; the wording of the edition says whether the player may pass."""
    least = 1 - optional
    return ask(
        game, player, verb, 1 << verb, candidates, optional, wanted, ANY_COST, only, ANY_CARD, ANY_CARD, NO_SEAT, 0, 0,
        least, 1,
    )  # fmt: skip


@primitive
def must_decide(
    game: Any, player: Any, verbs: Any, kind: Any, candidates: Any, subject: Any, target: Any, among: Any,
    picks: Any, left: Any,
) -> Any:  # fmt: skip
    """The player must do one of several things with one of the candidates (Spy, Sentry)."""
    return ask(
        game, player, kind, verbs, candidates, 0, 0, ANY_COST, ANY_CARD, ANY_CARD, subject, target, among, picks,
        left, left,
    )  # fmt: skip


@primitive
def may_discard_deck(game: Any, player: Any) -> Any:
    """Chancellor's question."""
    return ask(
        game, player, ASK_DISCARD_DECK, 0, DECK, 1, 0, ANY_COST, ANY_CARD, ANY_CARD, ANY_CARD, NO_SEAT, 0, 0,
        0, 1,
    )  # fmt: skip


@primitive
def ask_phase(game: Any, player: Any, kind: Any, candidates: Any) -> Any:
    """What next in this phase? Passing ends it."""
    ask(
        game, player, kind, 0, candidates, 1, 0, ANY_COST, ANY_CARD, ANY_CARD, ANY_CARD, NO_SEAT, 0, 0, 0, 1
    )  # fmt: skip
    return WAITING
