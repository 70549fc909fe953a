"""The verbs of the rulebook: draw, gain, trash, discard, topdeck, reveal, set aside, shuffle.

A card leaves one zone and enters another through a function of this file; nothing else adds or takes cards. Each verb
also keeps what everyone knows (`knowledge.py`) and notes the event (`events.py`).
"""

from typing import Any

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules import events, knowledge
from dominion_env.rules.events import EVERYONE, NO_CARD, note, only
from dominion_env.rules.record import marks
from dominion_env.rules.record.card_sets import how_many, lowest, with_card, without_card, without_lowest
from dominion_env.rules.record.state import ALL, CHOSEN, LOOKED_AT, NOBODY, NUM_PILES, OWNER, REVEALED, SET_ASIDE
from dominion_env.rules.record.streams import below
from dominion_env.tables.actions import Verb

NONE = -1  # there is no card

_TRASH, _DISCARD = int(Verb.TRASH), int(Verb.DISCARD)

# A card on top of a draw pile or beside the play area is stored with a mark.
card_in, mark_of, marked = primitive(marks.card_in), primitive(marks.mark_of), primitive(marks.marked)


# --- the draw pile ---------------------------------------------------------------------------------------------------


@primitive
def draw_pile_size(game: Any, player: Any) -> Any:
    """Return the number of cards in the draw pile, those in order on top and the shuffled ones below."""
    return int(game.top_size[player]) + int(game.bag_size[player])


@primitive
def into_bag(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Shuffle copies of a card into the draw pile."""
    game.bag[player, card] += copies
    game.bag_size[player] += copies
    game.bag_set[player] = with_card(game.bag_set[player], card)


@rule
def shuffle(game: Any, player: Any) -> None:
    """Make the discard pile the draw pile: rulebook, "shuffle when a card is needed and there is none"."""
    cards, bag = int(game.discard_size[player]), int(game.bag_set[player])
    for i in range(cards):
        card = int(game.pile[player, i])
        game.bag[player, card] += 1
        bag = with_card(bag, card)
    game.bag_set[player] = bag
    game.bag_size[player] += cards
    game.discard_size[player] = 0
    knowledge.discard_is_shuffled(game, player)
    note(game, events.SHUFFLE, player, NO_CARD, cards, EVERYONE, 0)


@primitive
def out_of_bag(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Take copies of a card out of the shuffled part of the draw pile."""
    game.bag[player, card] -= copies
    game.bag_size[player] -= copies
    if game.bag[player, card] == 0:
        game.bag_set[player] = without_card(game.bag_set[player], card)


@rule
def take_from_bag(game: Any, player: Any) -> Any:
    """Take a card of the shuffled part of the draw pile, which must not be empty; each copy is equally likely."""
    left = below(game, player, int(game.bag_size[player]))
    cards, card = int(game.bag_set[player]), NONE
    while cards:  # to the end, for a processor can't guess where the search would stop
        candidate = lowest(cards)
        card = candidate if left >= 0 else card
        left -= int(game.bag[player, candidate])
        cards = without_lowest(cards)
    out_of_bag(game, player, card, 1)
    return card


@rule
def take_top(game: Any, player: Any) -> Any:
    """Take the top card of the draw pile, after shuffling if need be.

    Returns it with the mark that says who knew it, or NONE if there is no card.
    """
    size = int(game.top_size[player])
    if size > 0:
        game.top_size[player] = size - 1
        return int(game.pile[player, game.pile.shape[1] - size])
    if game.bag_size[player] == 0:
        if game.discard_size[player] == 0:
            return NONE
        shuffle(game, player)
    return marked(take_from_bag(game, player), NOBODY)


@rule
def put_on_deck(game: Any, player: Any, card: Any, known_to: Any) -> None:
    """Put a card on top of the draw pile."""
    size = int(game.top_size[player]) + 1
    game.pile[player, game.pile.shape[1] - size] = marked(card, known_to)
    game.top_size[player] = size
    note(game, events.TOPDECK, player, card, 1, EVERYONE, EVERYONE if known_to == ALL else only(player))


# --- hand ------------------------------------------------------------------------------------------------------------


@primitive
def into_hand(game: Any, player: Any, card: Any) -> None:
    """Add a card to the hand."""
    game.hand[player, card] += 1
    game.hand_size[player] += 1
    game.hand_set[player] = with_card(game.hand_set[player], card)


@primitive
def out_of_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Take copies of a card out of the hand."""
    game.hand[player, card] -= copies
    game.hand_size[player] -= copies
    if game.hand[player, card] == 0:
        game.hand_set[player] = without_card(game.hand_set[player], card)


@rule
def take_into_hand(game: Any, player: Any, card: Any, all_knew: Any) -> None:
    """Put a card taken from the deck into the hand; the others see that, and know the card if they knew it before."""
    into_hand(game, player, card)
    if all_knew:
        knowledge.seen_entering_hand(game, player, card)
    note(game, events.DRAW, player, card, 1, EVERYONE, EVERYONE if all_knew else only(player))


@rule
def draw(game: Any, player: Any) -> Any:
    """Draw a card. Returns whether there was one."""
    entry = take_top(game, player)
    if entry == NONE:
        return False
    take_into_hand(game, player, card_in(entry), mark_of(entry) == ALL)
    return True


@primitive
def draw_cards(game: Any, player: Any, cards: Any) -> None:
    """Draw `cards` cards, or as many as there are."""
    for _ in range(cards):
        if not draw(game, player):
            break


# --- discard pile ----------------------------------------------------------------------------------------------------


@primitive
def onto_discard(game: Any, player: Any, card: Any) -> None:
    """Put a card on top of the discard pile."""
    game.pile[player, game.discard_size[player]] = card
    game.discard_size[player] += 1


@primitive
def top_of_discard(game: Any, player: Any) -> Any:
    """Return the visible card of the discard pile, or NONE if it is empty."""
    size = int(game.discard_size[player])
    return int(game.pile[player, size - 1]) if size > 0 else NONE


@rule
def discard_top(game: Any, player: Any) -> Any:
    """Discard the top card of the deck and return it, or NONE if there is none (Vassal)."""
    entry = take_top(game, player)
    if entry == NONE:
        return NONE
    discard_seen(game, player, card_in(entry))
    return card_in(entry)


@rule
def discard_seen(game: Any, player: Any, card: Any) -> None:
    """Put a card that all see onto the discard pile."""
    onto_discard(game, player, card)
    knowledge.seen_entering_discard(game, player, card)
    note(game, events.DISCARD, player, card, 1, EVERYONE, EVERYONE)


@rule
def discard_deck(game: Any, player: Any) -> None:
    """Turn the draw pile over onto the discard pile as it lies, so that its bottom card ends on top (Chancellor)."""
    cards = draw_pile_size(game, player)
    bottom, all_knew = NONE, False
    while draw_pile_size(game, player) > 0:
        entry = take_top(game, player)
        bottom, all_knew = card_in(entry), mark_of(entry) == ALL
        onto_discard(game, player, bottom)
        if all_knew:
            knowledge.seen_entering_discard(game, player, bottom)
    if cards > 0 and not all_knew:
        knowledge.seen_entering_discard(game, player, bottom)
    note(game, events.DISCARD_DECK, player, bottom, cards, EVERYONE, EVERYONE)


@rule
def topdeck_from_discard(game: Any, player: Any, card: Any) -> None:
    """Put a card of the discard pile, unseen by the others, onto the deck; the rest keeps its order (Harbinger).

    What the others see is whether another kind of card lies on top of the discard pile now.
    """
    seen_before = top_of_discard(game, player)
    _take_from_discard(game, player, card)
    knowledge.unseen_leaving_discard(game, player)
    if game.discard_size[player] > 0:
        knowledge.top_of_discard_is_seen(game, player, top_of_discard(game, player))
    put_on_deck(game, player, card, OWNER)
    if top_of_discard(game, player) != seen_before:
        note(game, events.UNCOVER, player, top_of_discard(game, player), 1, EVERYONE, EVERYONE)


@rule
def put_into_play_from_discard(game: Any, player: Any, card: Any) -> None:
    """Put the card just discarded into play (Vassal)."""
    _take_from_discard(game, player, card)
    knowledge.seen_leaving_discard(game, player, card)
    if game.discard_size[player] > 0:
        knowledge.top_of_discard_is_seen(game, player, top_of_discard(game, player))
    into_play(game, player, card)


@rule
def _take_from_discard(game: Any, player: Any, card: Any) -> None:
    """Take the copy nearest the top out of the discard pile."""
    at = int(game.discard_size[player]) - 1
    while at > 0 and game.pile[player, at] != card:
        at -= 1
    game.discard_size[player] -= 1
    for i in range(at, int(game.discard_size[player])):
        game.pile[player, i] = game.pile[player, i + 1]


# --- play area -------------------------------------------------------------------------------------------------------


@primitive
def into_play(game: Any, player: Any, card: Any) -> None:
    """Lay a card in the play area."""
    game.table[player, game.play_size[player]] = card
    game.play_size[player] += 1


@rule
def play_from_hand(game: Any, player: Any, card: Any, copies: Any) -> None:
    """Move copies of a card from the hand to the play area."""
    out_of_hand(game, player, card, copies)
    knowledge.seen_leaving_hand(game, player, card, copies)
    for _ in range(copies):
        into_play(game, player, card)


@rule
def trash_from_play(game: Any, player: Any, card: Any) -> Any:
    """Trash the newest copy of a card in play. Returns whether there was one."""
    at = int(game.play_size[player]) - 1
    while at >= 0 and game.table[player, at] != card:
        at -= 1
    if at < 0:
        return False
    game.play_size[player] -= 1
    for i in range(at, int(game.play_size[player])):
        game.table[player, i] = game.table[player, i + 1]
    into_trash(game, player, card)
    return True


# --- Supply and trash ------------------------------------------------------------------------------------------------


@primitive
def out_of_supply(game: Any, player: Any, card: Any) -> None:
    """Take a card of the Supply, which becomes the player's."""
    game.supply[card] -= 1
    if game.supply[card] == 0:
        game.supply_set = without_card(game.supply_set, card)
    game.owned[player, card] += 1


@primitive
def into_trash(game: Any, player: Any, card: Any) -> None:
    """Trash a card of the player that has already left its zone."""
    game.owned[player, card] -= 1
    game.trash[card] += 1
    note(game, events.TRASH, player, card, 1, EVERYONE, EVERYONE)


@rule
def _gain(game: Any, player: Any, card: Any, event: Any) -> None:
    out_of_supply(game, player, card)
    onto_discard(game, player, card)
    knowledge.seen_entering_discard(game, player, card)
    note(game, event, player, card, 1, EVERYONE, EVERYONE)


@primitive
def lay_pile(game: Any, card: Any, copies: Any) -> None:
    """Lay out a pile of the Supply, before the game."""
    game.supply[card] = copies
    game.supply_set = with_card(game.supply_set, card)


@primitive
def pile_is_empty(game: Any, card: Any) -> Any:
    """Return whether a pile of the Supply has run out."""
    return game.supply[card] == 0


@primitive
def empty_piles(game: Any) -> Any:
    """Return how many of the 17 piles have run out."""
    return NUM_PILES - how_many(game.supply_set)


@primitive
def buy(game: Any, player: Any, card: Any) -> None:
    """Put a bought card onto the discard pile."""
    _gain(game, player, card, events.BUY)


@rule
def gain(game: Any, player: Any, card: Any) -> None:
    """Put a card of the Supply onto the discard pile, if there is one left."""
    if game.supply[card] > 0:
        _gain(game, player, card, events.GAIN)


@rule
def gain_to_hand(game: Any, player: Any, card: Any) -> None:
    """Put a card of the Supply into the hand, if there is one left; all see it."""
    if game.supply[card] > 0:
        out_of_supply(game, player, card)
        into_hand(game, player, card)
        knowledge.seen_entering_hand(game, player, card)
        note(game, events.GAIN_TO_HAND, player, card, 1, EVERYONE, EVERYONE)


@rule
def gain_onto_deck(game: Any, player: Any, card: Any) -> None:
    """Put a card of the Supply onto the deck, if there is one left; all see it."""
    if game.supply[card] > 0:
        out_of_supply(game, player, card)
        size = int(game.top_size[player]) + 1
        game.pile[player, game.pile.shape[1] - size] = marked(card, ALL)
        game.top_size[player] = size
        note(game, events.GAIN_ONTO_DECK, player, card, 1, EVERYONE, EVERYONE)


@rule
def gain_from_trash(game: Any, player: Any, card: Any) -> None:
    """Put a card of the trash onto the discard pile (Thief)."""
    game.trash[card] -= 1
    game.owned[player, card] += 1
    onto_discard(game, player, card)
    knowledge.seen_entering_discard(game, player, card)
    note(game, events.GAIN_FROM_TRASH, player, card, 1, EVERYONE, EVERYONE)


@rule
def trash_from_hand(game: Any, player: Any, card: Any) -> None:
    """Trash a card of the hand; all see it."""
    out_of_hand(game, player, card, 1)
    knowledge.seen_leaving_hand(game, player, card, 1)
    into_trash(game, player, card)


@rule
def show_hand(game: Any, player: Any) -> None:
    """Show the whole hand to all."""
    hand = int(game.hand_set[player])
    while hand:
        card = lowest(hand)
        copies = int(game.hand[player, card])
        knowledge.seen_in_hand(game, player, card, copies)
        note(game, events.REVEAL, player, card, copies, EVERYONE, EVERYONE)
        hand = without_lowest(hand)


@rule
def react_with(game: Any, player: Any, card: Any) -> None:
    """Reveal a Reaction from the hand, where it stays."""
    knowledge.seen_in_hand(game, player, card, 1)
    note(game, events.REACT, player, card, 1, EVERYONE, EVERYONE)


@rule
def topdeck_from_hand(game: Any, player: Any, card: Any, known_to: Any) -> None:
    """Put a card of the hand onto the deck, shown to all (Bureaucrat) or to nobody (Artisan)."""
    out_of_hand(game, player, card, 1)
    if known_to == ALL:
        knowledge.seen_leaving_hand(game, player, card, 1)
    else:
        knowledge.unseen_leaving_hand(game, player, 1)
    put_on_deck(game, player, card, known_to)


# --- beside the play area: chosen, set aside, revealed, looked at ----------------------------------------------------
# The newest card is first in the array; an effect only ever touches its own, the newest ones.


@primitive
def put_aside(game: Any, player: Any, card: Any, purpose: Any) -> None:
    """Lay a card beside the play area."""
    size = int(game.aside_size[player]) + 1
    game.table[player, game.table.shape[1] - size] = marked(card, purpose)
    game.aside_size[player] = size


@primitive
def aside(game: Any, player: Any, cards: Any, i: Any) -> Any:
    """Return the i-th of the newest `cards` cards beside the play area, counted from the oldest of them."""
    return card_in(game.table[player, game.table.shape[1] - int(game.aside_size[player]) + cards - 1 - i])


@primitive
def newest_aside(game: Any, player: Any) -> Any:
    """Return the card that was laid there last."""
    return aside(game, player, 1, 0)


@primitive
def clear_aside(game: Any, player: Any, cards: Any) -> None:
    """Take away the newest `cards` cards, which have found their places."""
    game.aside_size[player] -= cards


@rule
def reveal_top(game: Any, player: Any) -> Any:
    """Reveal the top card of the deck and return it, or NONE if there is none."""
    entry = take_top(game, player)
    if entry == NONE:
        return NONE
    put_aside(game, player, card_in(entry), REVEALED)
    note(game, events.REVEAL, player, card_in(entry), 1, EVERYONE, EVERYONE)
    return card_in(entry)


@rule
def look_at(game: Any, player: Any, entry: Any) -> None:
    """Let the owner look at a card taken from the deck; if all knew it they know it still."""
    put_aside(game, player, card_in(entry), REVEALED if mark_of(entry) == ALL else LOOKED_AT)


@rule
def look_at_top(game: Any, player: Any) -> Any:
    """Let the owner look at the top card of the deck, which all notice.

    Returns the card, or NONE if there is none.
    """
    entry = take_top(game, player)
    if entry == NONE:
        return NONE
    look_at(game, player, entry)
    note(game, events.LOOK_AT, player, card_in(entry), 1, EVERYONE, only(player))
    return card_in(entry)


@rule
def take_aside(game: Any, player: Any, card: Any) -> None:
    """Take the newest copy of a card beside the play area from there."""
    first = game.table.shape[1] - int(game.aside_size[player])
    at = first
    while at < game.table.shape[1] - 1 and card_in(game.table[player, at]) != card:
        at += 1
    for i in range(at, first, -1):
        game.table[player, i] = game.table[player, i - 1]
    game.aside_size[player] -= 1


@rule
def take_revealed_into_hand(game: Any, player: Any, card: Any) -> None:
    """Put a revealed card into the hand; all know it."""
    take_aside(game, player, card)
    take_into_hand(game, player, card, True)


@rule
def trash_revealed(game: Any, player: Any, card: Any) -> None:
    """Trash a revealed card."""
    take_aside(game, player, card)
    into_trash(game, player, card)


@rule
def topdeck_revealed(game: Any, player: Any, card: Any) -> None:
    """Put a revealed card back onto the deck; all know it."""
    take_aside(game, player, card)
    put_on_deck(game, player, card, ALL)


@rule
def discard_revealed(game: Any, player: Any, cards: Any) -> None:
    """Discard the newest `cards` cards, face up beside the play area, in the order in which they came there."""
    if cards == 0:
        return
    for i in range(cards):
        card = aside(game, player, cards, i)
        onto_discard(game, player, card)
        knowledge.seen_entering_discard(game, player, card)
    clear_aside(game, player, cards)
    note(game, events.DISCARD, player, top_of_discard(game, player), cards, EVERYONE, EVERYONE)


@rule
def place_looked_at(game: Any, player: Any, verb: Any, first: Any, second: Any) -> None:
    """Put cards that the player has looked at (NONE: no card) where the verb says, in this order (Sentry)."""
    discards = 0
    for card in (first, second):
        if card != NONE:
            take_aside(game, player, card)
            if verb == _TRASH:
                into_trash(game, player, card)
            elif verb == _DISCARD:
                onto_discard(game, player, card)
                discards += 1
            else:
                put_on_deck(game, player, card, OWNER)
    if discards > 0:
        several_were_discarded(game, player, discards)


@primitive
def several_were_discarded(game: Any, player: Any, cards: Any) -> None:
    """Let the others see how many cards were discarded at once, and the top one."""
    last = top_of_discard(game, player)
    knowledge.seen_entering_discard(game, player, last)
    note(game, events.DISCARD, player, last, cards, EVERYONE, EVERYONE)


@rule
def choose(game: Any, player: Any, card: Any) -> None:
    """Pick a card of the hand; for all others it still is a card in hand until choosing ends."""
    out_of_hand(game, player, card, 1)
    put_aside(game, player, card, CHOSEN)
    note(game, events.CHOOSE, player, card, 1, only(player), only(player))


@rule
def discard_chosen(game: Any, player: Any, cards: Any) -> None:
    """Discard the chosen cards at once, in the order of picking; the others see how many, and the top one."""
    if cards == 0:
        return
    for i in range(cards):
        onto_discard(game, player, aside(game, player, cards, i))
    clear_aside(game, player, cards)
    knowledge.unseen_leaving_hand(game, player, cards - 1)
    knowledge.seen_leaving_hand(game, player, top_of_discard(game, player), 1)
    several_were_discarded(game, player, cards)


@rule
def trash_chosen(game: Any, player: Any, cards: Any) -> None:
    """Trash the chosen cards, in the order of picking; all see them."""
    for i in range(cards):
        card = aside(game, player, cards, i)
        knowledge.seen_leaving_hand(game, player, card, 1)
        into_trash(game, player, card)
    clear_aside(game, player, cards)


@rule
def set_aside_newest(game: Any, player: Any) -> None:
    """Set the card just looked at aside, face up (Library)."""
    card = newest_aside(game, player)
    clear_aside(game, player, 1)
    put_aside(game, player, card, SET_ASIDE)
    note(game, events.SET_ASIDE, player, card, 1, EVERYONE, EVERYONE)


@rule
def keep_looked_at(game: Any, player: Any) -> None:
    """Put the card just looked at into the hand, like any card drawn (Library)."""
    card = newest_aside(game, player)
    all_knew = mark_of(game.table[player, game.table.shape[1] - int(game.aside_size[player])]) == REVEALED
    clear_aside(game, player, 1)
    note(game, events.KEEP, player, card, 1, only(player), only(player))
    take_into_hand(game, player, card, all_knew)


# --- Clean-up --------------------------------------------------------------------------------------------------------


@rule
def discard_hand_and_play_area(game: Any, player: Any) -> None:
    """Discard the hand in order of the cards' numbers, then the cards in play as they were played."""
    cards, at = int(game.hand_size[player]) + int(game.play_size[player]), int(game.discard_size[player])
    highest, highest_known = NONE, 0
    hand = int(game.hand_set[player])
    while hand:
        card = lowest(hand)
        highest, highest_known = card, int(game.known_hand[player, card])
        knowledge.hand_goes_to_discard(game, player, card)
        for _ in range(game.hand[player, card]):
            game.pile[player, at] = card
            at += 1
        game.hand[player, card] = 0
        hand = without_lowest(hand)
    game.hand_size[player] = 0
    game.hand_set[player] = 0
    in_play = int(game.play_size[player])
    for i in range(in_play):
        card = int(game.table[player, i])
        game.pile[player, at + i] = card
        knowledge.seen_entering_discard(game, player, card)
    game.discard_size[player] = at + in_play
    game.play_size[player] = 0
    if in_play == 0 and highest != NONE and highest_known == 0:
        knowledge.seen_entering_discard(game, player, highest)
        knowledge.seen_leaving_hand(game, player, highest, 1)
    knowledge.unseen_hand_goes_to_discard(game, player)
    note(game, events.CLEAN_UP, player, top_of_discard(game, player), cards, EVERYONE, EVERYONE)
