"""What a player is asked, and which answers are legal.

A question is a few fields of the record: the player who is asked, the verbs that are offered for the cards of a zone,
which of these cards will do, and whether "no card" is an answer. `offer_answers` makes the legal actions from these
fields alone, so a position in the middle of an effect can be written down, loaded and asked again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.knowledge import none_is_in_hand
from dominion_env.rules.record.card_sets import how_many, lowest, with_card
from dominion_env.rules.record.costs import cost_of, costing_up_to
from dominion_env.rules.words import stack
from dominion_env.rules.zones import NONE, aside
from dominion_env.tables.actions import DISCARD_DECK, FIRST_CARD_ACTION, NUM_VERBS, PASS, Verb, action_of
from dominion_env.tables.cards import NUM_CARDS, TYPES, Type

# What a text returns to the engine. A question returns WAITING or UNASKED; a text that returns UNASKED is finished too.
FINISHED = 0  # the text is done
WAITING = 1  # a question is open, and the text goes on with the answer
AGAIN = 2  # the text goes on without an answer, after all that it has caused
UNASKED = 3  # no card would be an answer, so the question is not asked

NOTHING = -1  # instead of an action: nothing was asked

# The cards among which one is chosen: Actions of the hand in the Action phase; in the Buy phase Treasures of the hand
# and cards of the Supply; otherwise those of one zone. SUBJECT is the one card that the question is about.
NOWHERE, ACTIONS_TO_PLAY, TREASURES_AND_SUPPLY, HAND, SUPPLY, DISCARD_PILE, ASIDE, LOOT, SUBJECT, DECK = range(10)

# What is asked: a verb, or one of these.
ASK_ACTION, ASK_BUY, ASK_DISCARD_DECK = NUM_VERBS, NUM_VERBS + 1, NUM_VERBS + 2

PLAY, BUY, GAIN, TRASH, DISCARD, TOPDECK, REVEAL, SET_ASIDE = (int(verb) for verb in Verb)
NO_SEAT = -1
ACTION, TREASURE, VICTORY = int(Type.ACTION), int(Type.TREASURE), int(Type.VICTORY)

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

# Sets of cards.
_ACTIONS = sum(1 << card for card in range(NUM_CARDS) if TYPES[card] & ACTION)
_TREASURES = sum(1 << card for card in range(NUM_CARDS) if TYPES[card] & TREASURE)


@primitive
def has_type(card: Any, types: Any) -> Any:
    """Return whether there is a card and it is of one of these types."""
    return card != NONE and TYPES[card] & types != 0


@primitive
def names_a_card(action: Any) -> Any:
    """Return whether an answer is about a card: it is neither `NOTHING` nor `PASS` nor `DISCARD_DECK`."""
    return action >= FIRST_CARD_ACTION


@primitive
def card_of(action: Any) -> Any:
    """Return the card that an action names."""
    return (action - FIRST_CARD_ACTION) // NUM_VERBS


@primitive
def verb_of(action: Any) -> Any:
    """Return what an action does with its card."""
    return (action - FIRST_CARD_ACTION) % NUM_VERBS


action_for = primitive(action_of)


@rule
def offer(game: Any, plain: Any, cards: Any, verbs: Any, treasures: Any) -> None:
    """Set what is legal from now on.

    `plain` is the actions without a card, a bit each. The cards of the set `cards` may be used with all of `verbs` (a
    bit each), those of the set `treasures` be played.
    """
    does, plays = _BYTES[verbs], _BYTES[1 << PLAY]
    here, there = cards << 1, treasures << 1
    for word in range(NUM_CARDS + 1):  # no branches, and a whole number of vectors: it is done at every decision
        game.legal_words[word] = (does if here >> word & 1 else _NO_VERB) | (plays if there >> word & 1 else _NO_VERB)
    game.legal_words[0] = _PLAIN[plain]
    game.legal_set = here | there | (plain != 0)
    number = how_many(plain) + how_many(cards) * _NUMBER[verbs] + how_many(treasures)
    game.num_legal = number
    if number == 1:
        game.only_legal = lowest(plain)
        if cards:
            game.only_legal = action_for(_LOWEST[verbs], lowest(cards))
        elif treasures:
            game.only_legal = action_for(PLAY, lowest(treasures))


@primitive
def only_passing_is_legal(game: Any) -> None:
    """Offer nothing but passing, once the game is over."""
    offer(game, 1 << PASS, 0, 0, 0)


# Which cards will do is one number of four bytes: types, the highest cost, the only card, the card that will not do. A cost
# and a card are stored plus 1, and ANY asks for nothing special.
ANY = 0
_LIMIT_AT, _ONLY_AT, _BARRED_AT = 8, 16, 24
_BYTE = 255


@primitive
def up_to(cost: Any) -> Any:
    """Admit cards that cost no more than this only."""
    return (int(cost) + 1) << _LIMIT_AT


@primitive
def only_card(card: Any) -> Any:
    """Admit copies of this card only."""
    return (int(card) + 1) << _ONLY_AT


def joined_which(types: int, limit: int | None, only: int | None, barred: int | None) -> int:
    """Return as one number which cards will do; None asks for nothing. Python calls this, for a position."""
    parts = ((limit, _LIMIT_AT), (only, _ONLY_AT), (barred, _BARRED_AT))
    return types | sum(value + 1 << place for value, place in parts if value is not None)


def split_which(which: int) -> tuple[int, int | None, int | None, int | None]:
    """Return types, highest cost, only card and excepted card, as `joined_which` takes them."""

    def part(place: int) -> int | None:
        value = (which >> place & _BYTE) - 1
        return None if value < 0 else value

    return which & _BYTE, part(_LIMIT_AT), part(_ONLY_AT), part(_BARRED_AT)


def _sets(fits: Callable[[int, int], object]) -> NDArray[np.int64]:
    """Return for each value of one of the bytes of "which" the set of cards that it admits."""
    return np.array([sum(1 << card for card in range(NUM_CARDS) if fits(value, card)) for value in range(_BYTE + 1)])


_OF_TYPE = _sets(lambda types, card: types == 0 or TYPES[card] & types)
_NAMED = _sets(lambda named, card: named in (0, card + 1))
_NOT_BARRED = _sets(lambda barred, card: barred != card + 1)


@primitive
def that_will_do(game: Any, which: Any) -> Any:
    """Return the set of cards that are wanted."""
    limit = which >> _LIMIT_AT & _BYTE
    cards = _OF_TYPE[which & _BYTE] & _NAMED[which >> _ONLY_AT & _BYTE] & _NOT_BARRED[which >> _BARRED_AT & _BYTE]
    return cards & costing_up_to(game, limit - 1) if limit > 0 else cards


@primitive
def can_play_action(game: Any, player: Any) -> Any:
    """Return whether the player has an Action left and an Action card in hand."""
    return game.actions > 0 and int(game.hand_set[player]) & _ACTIONS != 0


@primitive
def cards_to_buy(game: Any) -> Any:
    """Return the set of cards that can be bought with what is left."""
    return int(game.supply_set) & costing_up_to(game, game.coins) if game.buys > 0 else 0


@primitive
def treasures_to_play(game: Any, player: Any) -> Any:
    """Return the set of Treasures in hand that can still be played."""
    return 0 if game.bought else int(game.hand_set[player]) & _TREASURES


@rule
def offer_answers(game: Any) -> None:
    """Make the legal actions from the fields of the open question."""
    player, zone = int(game.asked), int(game.candidates)
    plain, cards, verbs, treasures = 1 << PASS if game.optional else 0, 0, int(game.verbs), 0
    if zone == ACTIONS_TO_PLAY:
        verbs = 1 << PLAY
        if game.actions > 0:
            cards = int(game.hand_set[player]) & _ACTIONS
    elif zone == TREASURES_AND_SUPPLY:
        verbs = 1 << BUY
        cards, treasures = cards_to_buy(game), treasures_to_play(game, player)
    elif zone == DECK:
        plain |= 1 << DISCARD_DECK
    else:
        cards = cards_of(game, player, zone) & that_will_do(game, int(game.which))
    offer(game, plain, cards, verbs, treasures)


@rule
def cards_of(game: Any, player: Any, zone: Any) -> Any:
    """Return the set of cards in a zone from which one is chosen."""
    if zone == HAND:
        return int(game.hand_set[player])
    if zone == SUPPLY:
        return int(game.supply_set)
    if zone == SUBJECT:
        return 1 << int(game.subject)
    cards = 0
    if zone == DISCARD_PILE:
        for i in range(game.discard_size[player]):
            cards = with_card(cards, game.pile[player, i])
    elif zone == LOOT:
        for card in range(NUM_CARDS):
            if game.loot[card] > 0:
                cards = with_card(cards, card)
    elif zone == ASIDE:
        owner, among = stack.whose(game), stack.num_aside(game)
        for i in range(among):
            cards = with_card(cards, aside(game, owner, among, i))
    return cards


@rule
def open_question(
    game: Any, player: Any, kind: Any, verbs: Any, candidates: Any, which: Any, optional: Any, subject: Any, picks: Any,
    most: Any,
) -> Any:  # fmt: skip
    """Open a question, or return UNASKED if no card is a candidate: such a question is never asked."""
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
    game.min_left = 0 if optional else most
    game.max_left = most
    offer_answers(game)
    return WAITING if game.num_legal > optional else UNASKED


@primitive
def may_reveal(game: Any, player: Any, reaction: Any, attack: Any) -> Any:
    """Ask the player to reveal a Reaction against an Attack or to pass."""
    status = open_question(game, player, REVEAL, 1 << REVEAL, HAND, only_card(reaction), 1, int(attack), 0, 1)
    game.source = reaction
    return status


@primitive
def ask_phase(game: Any, player: Any, kind: Any, candidates: Any) -> Any:
    """Ask the player what to do next in this phase, which passing ends."""
    open_question(game, player, kind, 0, candidates, ANY, 1, NONE, 0, 1)
    return WAITING


# --- the questions of cards ------------------------------------------------------------------------------------------
# A card's question (`asking.question`) is a whole number, so that compiled code has it as a constant. These are its parts
# from the lowest bit on: the zone, the kind, the verbs (a bit each), whether passing is an answer, whether the attacker is
# asked about the victim, by how much a card may cost more than the one just trashed (plus 1; 0: it is about no such card),
# a number of picks and what it counts, and which cards will do.
_KIND_AT, _VERBS_AT, _MAY_AT, _ATTACKER_AT, _ABOVE_AT, _NUMBER_AT, _COUNTS_AT, _WHICH_AT = 4, 8, 16, 18, 19, 24, 30, 32
MUST, MAY, MAY_IN_SECOND_EDITION = range(3)
IN_ALL, DOWN_TO, EACH_EMPTY_PILE = range(3)  # what a number of picks counts: picks, cards that stay in hand, nothing


def kind_of(zone: int, verbs: int) -> int:
    """Return the kind of a card's question."""
    return ASK_DISCARD_DECK if zone == DECK else int(_LOWEST[verbs])


def packed_question(
    zone: int,
    verbs: int,
    may: int,
    asks_attacker: bool,
    above_trashed: int | None,
    number: int,
    counts: int,
    which: int,
) -> int:
    """Return as one number what compiled code needs of a question. Python calls this, when a card's file is read."""
    above = 0 if above_trashed is None else above_trashed + 1
    parts = (
        (zone, 0), (kind_of(zone, verbs), _KIND_AT), (verbs, _VERBS_AT), (may, _MAY_AT), (int(asks_attacker), _ATTACKER_AT),
        (above, _ABOVE_AT), (number, _NUMBER_AT), (counts, _COUNTS_AT), (which, _WHICH_AT),
    )  # fmt: skip
    ends = [place for _, place in parts[1:]] + [63]
    assert all(0 <= value < 1 << end - place for (value, place), end in zip(parts, ends, strict=True)), parts
    return sum(value << place for value, place in parts)


@rule
def _ask(game: Any, player: Any, question: Any, which: Any, subject: Any, picks: Any, most: Any) -> Any:
    """Ask the question of a card's text that is about this player."""
    may, attacker_chooses = question >> _MAY_AT & 3, question >> _ATTACKER_AT & 1
    optional = int(game.edition) - 1 if may == MAY_IN_SECOND_EDITION else may
    asked = int(game.turn_player) if attacker_chooses else player
    kind, verbs = question >> _KIND_AT & 15, question >> _VERBS_AT & 255
    status = open_question(game, asked, kind, verbs, question & 15, which, optional, subject, picks, most)
    if attacker_chooses:
        game.target = player
    if status == UNASKED and may == MAY_IN_SECOND_EDITION and not optional:  # then all see that the hand has none
        none_is_in_hand(game, player, that_will_do(game, which))
    return status


@primitive
def ask(game: Any, player: Any, question: Any) -> Any:
    """Ask the player to name a card of the question's zone."""
    return _ask(game, int(player), question, question >> _WHICH_AT, NONE, 0, 1)


@primitive
def ask_several(game: Any, player: Any, question: Any, picks: Any, most: Any) -> Any:
    """Ask the player to name the next of several cards, after `picks` with at most `most` to go."""
    return _ask(game, int(player), question, question >> _WHICH_AT, NONE, picks, most)


@primitive
def ask_about(game: Any, player: Any, question: Any, card: Any) -> Any:
    """Ask the player what to do with this card."""
    return _ask(game, int(player), question, ANY, int(card), 0, 1)


@primitive
def ask_about_next(game: Any, player: Any, question: Any, card: Any, picks: Any) -> Any:
    """Ask the player what to do with this card, after `picks` other cards."""
    return _ask(game, int(player), question, ANY, int(card), picks, 1)


@primitive
def ask_to_gain_for(game: Any, player: Any, question: Any, trashed: Any) -> Any:
    """Ask the player to gain a card of the Supply for the one that they have trashed."""
    limit = cost_of(game, trashed) + (question >> _ABOVE_AT & 31) - 1
    return _ask(game, int(player), question, question >> _WHICH_AT | up_to(limit), int(trashed), 0, 1)


@primitive
def number_in(question: Any) -> Any:
    """Return the number of picks that a question says."""
    return question >> _NUMBER_AT & 63


@primitive
def counts_in(question: Any) -> Any:
    """Return what the number of picks of a question counts."""
    return question >> _COUNTS_AT & 3
