"""What a card is worth to a scripted agent at the moment: what is in its way, worth playing, or missed least.

The answers in `heuristics.py` rest on these judgements. `see` is what the agent sees (`sight.SIGHT`), and `lines` are the buy
lists, which say what it is after: a card that the list would buy now is never in the way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_agents.scripted.buying import SUPPOSED, gains_to_end, wanted, would_take
from dominion_agents.scripted.ranks import (
    ACTIONS,
    CHEAP,
    DEAD,
    DEAR,
    FIRST_OF_ALL,
    IS_ACTION,
    IS_DEAD,
    IS_TERMINAL,
    IS_TREASURE,
    PLAY_RANK,
    PROVINCIAL_RANK,
    STRONG_TERMINALS,
    TERMINALS,
    THRONE_RANK,
)
from dominion_agents.scripted.sight import NOTHING, offered
from dominion_agents.strategies.ways import number_of
from dominion_env.compiled.jit import layer, rule
from dominion_env.rules.record.card_sets import lowest, without_card
from dominion_env.rules.words.decisions import ASK_ACTION
from dominion_env.tables.cards import COST, PLUS_ACTIONS, PLUS_COINS, Card

_COPPER, _SILVER, _GOLD, _ESTATE, _PROVINCE, _CURSE = (
    int(card) for card in (Card.COPPER, Card.SILVER, Card.GOLD, Card.ESTATE, Card.PROVINCE, Card.CURSE)
)
_CELLAR, _CHAPEL, _FEAST, _LIBRARY, _MINE = (
    int(card) for card in (Card.CELLAR, Card.CHAPEL, Card.FEAST, Card.LIBRARY, Card.MINE)
)
_MONEYLENDER, _REMODEL, _THRONE_ROOM, _VILLAGE, _WORKSHOP = (
    int(card) for card in (Card.MONEYLENDER, Card.REMODEL, Card.THRONE_ROOM, Card.VILLAGE, Card.WORKSHOP)
)

_ACTIONS_PROVINCIAL, _DISCARD_PROVINCIAL = number_of("actions", "provincial"), number_of("discard", "provincial")
_DISCARD_USEFUL, _DISCARD_TREASURES = number_of("discard", "least-useful"), number_of("discard", "treasures-first")
_CELLAR_UNUSED, _CELLAR_CHEAP = number_of("cellar", "unused"), number_of("cellar", "cheap")
_TRASH_CAREFUL, _TRASH_COPPERS = number_of("trash", "careful"), number_of("trash", "coppers")
_TRASH_KEEP_6, _TRASH_KEEP_4 = number_of("trash", "keep-6"), number_of("trash", "keep-4")
_TRASH_SPARE_5, _TRASH_CURSES = number_of("trash", "spare-5"), number_of("trash", "curses")
_TRASH_PROVINCIAL, _TRASH_DOMINIATE = number_of("trash", "provincial"), number_of("trash", "dominiate")
_REMODEL_CAREFUL, _REMODEL_JUNK = number_of("remodel", "careful"), number_of("remodel", "junk")
_REMODEL_PROVINCIAL = number_of("remodel", "provincial")
_MINE_COPPER = number_of("mine", "copper-first")

ANY_NUMBER = 1 << 20
_START_PROVINCES = np.array([8, 8, 8, 12, 12, 15, 18])  # by number of players
_FULL_HAND = 7  # up to which Library draws
_END_IS_NEAR = 2  # gains until the end up to which an Estate is worth more than a thinner deck
_MIDDLE_OF_THE_GAME = 4  # the same for Dominiate's bots, which then trash Coppers first
_ENOUGH_TREASURES = 7  # coins on all Treasures from which Provincial trashes Coppers
_CHAPEL_PICKS = 4


# --- sets of cards ---------------------------------------------------------------------------------------------------


@rule
def highest_of(cards: Any, ranks: Any) -> Any:
    """Return the card of a set with the highest rank, the first of several, NOTHING of an empty set."""
    best = NOTHING
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if best == NOTHING or ranks[card] > ranks[best]:
            best = card
    return best


@rule
def lowest_of(cards: Any, ranks: Any) -> Any:
    """Return the card of a set with the lowest rank, the first of several, NOTHING of an empty set."""
    best = NOTHING
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if best == NOTHING or ranks[card] < ranks[best]:
            best = card
    return best


@rule
def _copies_in_hand(see: Any, cards: Any) -> Any:
    """Return how many cards in hand belong to a set."""
    number, left = 0, see.held & cards
    while left:
        number += see.hand[lowest(left)]
        left &= left - 1
    return number


@rule
def by_lot(see: Any, cards: Any) -> Any:
    """Return a card of a set, each copy in hand equally likely; NOTHING of an empty set, the first if no copy is in hand."""
    skipped = see.lot * _copies_in_hand(see, cards) >> 31
    left = cards & see.held
    while left:
        card = lowest(left)
        left &= left - 1
        skipped -= see.hand[card]
        if skipped < 0:
            return card
    return lowest(cards) if cards else NOTHING


@rule
def terminals_in_hand(see: Any) -> Any:
    """Return how many terminals are in hand, Throne Rooms not counted."""
    return _copies_in_hand(see, TERMINALS)


# --- money -----------------------------------------------------------------------------------------------------------


@rule
def _treasure_value(see: Any) -> Any:
    """Return the coins on all my Treasures that are not about to be trashed."""
    value = 0
    for card in range(_GOLD + 1):
        value += PLUS_COINS[card] * (see.owned[card] - see.chosen[card])
    return value


@rule
def coins_in_hand(see: Any) -> Any:
    """Return the coins that this turn will have if no further Action is played."""
    coins = int(see.coins)
    for card in range(_GOLD + 1):
        coins += PLUS_COINS[card] * see.hand[card]
    return coins


@rule
def _purchase(see: Any, lines: Any, coins: Any) -> Any:
    """Return what this turn would buy first with this number of coins, or NOTHING."""
    return wanted(see, lines, SUPPOSED, coins, coins)


@rule
def _purchase_suffers(see: Any, lines: Any) -> Any:
    """Return whether one coin less would buy something else this turn."""
    coins = coins_in_hand(see)
    return _purchase(see, lines, coins) != _purchase(see, lines, coins - 1)


@rule
def _province_suffers(see: Any, lines: Any) -> Any:
    """Return whether this turn buys a Province now, and would not with one coin less."""
    coins = coins_in_hand(see)
    return _purchase(see, lines, coins) == _PROVINCE and _purchase(see, lines, coins - 1) != _PROVINCE


# --- what to trash ---------------------------------------------------------------------------------------------------


@rule
def _least_value(see: Any) -> Any:
    """Return what the Treasures must be worth for a Copper to go: what is kept, and the Copper itself."""
    if see.trash_way == _TRASH_CURSES:
        return ANY_NUMBER
    if see.trash_way == _TRASH_COPPERS or see.trash_way == _TRASH_DOMINIATE:
        return 0
    return 5 if see.trash_way == _TRASH_KEEP_4 or see.trash_way == _TRASH_SPARE_5 else 7


@rule
def in_the_way(see: Any, lines: Any, card: Any) -> Any:
    """Return whether I am better off without a copy of this card."""
    if card == _CURSE:
        return True
    if card == _ESTATE and (see.trash_way == _TRASH_SPARE_5 or see.trash_way == _TRASH_DOMINIATE):
        return gains_to_end(see) > _END_IS_NEAR
    if card == _ESTATE:  # towards the end the buy list takes Estates for their point
        if see.trash_way == _TRASH_CURSES or would_take(see, lines, _ESTATE):
            return False
        return see.trash_way != _TRASH_CAREFUL or gains_to_end(see) > _END_IS_NEAR
    if card == _COPPER:  # it waters down the deck, but the first Golds must be paid for
        return _treasure_value(see) >= _least_value(see) and not would_take(see, lines, _COPPER)
    return False


@layer
def _chapel_choice_that_spares_five(see: Any, lines: Any) -> Any:
    """Choose Estates early on, later Coppers first, as Estates are points; five coins stay for a card that costs 5."""
    end = gains_to_end(see)
    if see.hand[_ESTATE] > 0 and end > 4:
        return _ESTATE
    if see.hand[_COPPER] > 0 and in_the_way(see, lines, _COPPER):
        buys = _purchase(see, lines, 5)
        if not (coins_in_hand(see) == 5 and buys != NOTHING and COST[buys] == 5):
            return _COPPER
    return _ESTATE if see.hand[_ESTATE] > 0 and end > 2 else NOTHING


@rule
def _dominiates_chapel_choice(see: Any) -> Any:
    """Choose as Dominiate's bots do.

    Where their list names no card in hand, they take the one of least cost and points, and of a Copper and no card the Copper.
    """
    end, money = gains_to_end(see), 0
    for card in range(see.cards):
        if IS_TREASURE[card] or PLUS_ACTIONS[card] > 0:
            money += PLUS_COINS[card] * (see.owned[card] - see.chosen[card])
    estate = see.hand[_ESTATE] > 0
    if estate and (end > _MIDDLE_OF_THE_GAME or (end > _END_IS_NEAR and not (see.hand[_COPPER] > 0 and money > 4))):
        return _ESTATE
    return _COPPER if see.hand[_COPPER] > 0 else NOTHING


@rule
def _provincials_chapel_choice(see: Any, lines: Any) -> Any:
    """Choose as Provincial does, which trashes the first four of these that it finds in its hand."""
    cards, value = 1 << _CURSE, 0
    for card in range(_GOLD + 1):
        value += PLUS_COINS[card] * see.owned[card]
    if value >= _ENOUGH_TREASURES:
        cards |= 1 << _COPPER
    if not would_take(see, lines, _ESTATE):
        cards |= 1 << _ESTATE
    if see.hand[_CHAPEL] - (see.kind == ASK_ACTION) > 0:  # the one that is played does not find itself
        cards |= 1 << _CHAPEL
    return by_lot(see, see.held & cards)


@layer
def _copper_is_needed_now(see: Any, lines: Any) -> Any:
    """Return whether a Copper should stay for this turn's purchase, as too few cards would go with it to make up for that.

    `keep-6` and `keep-4` ask so. A careful player gives no Province away for any number of cards.
    """
    careful = see.trash_way == _TRASH_CAREFUL
    if not careful and see.trash_way != _TRASH_KEEP_6 and see.trash_way != _TRASH_KEEP_4:
        return False
    going = see.chosen[_CURSE] + see.chosen[_ESTATE] + see.chosen[_COPPER]
    going += min(int(see.hand[_COPPER]), _treasure_value(see) - _least_value(see) + 1)
    enough = 4 if see.trash_way == _TRASH_KEEP_6 else 3
    if going >= enough:
        return careful and _province_suffers(see, lines)
    return _purchase_suffers(see, lines)


@rule
def chapel_choice(see: Any, lines: Any) -> Any:
    """Return the card in hand that Chapel should trash next, or NOTHING."""
    if see.trash_way == _TRASH_PROVINCIAL:
        return _provincials_chapel_choice(see, lines)
    if see.hand[_CURSE] > 0:
        return _CURSE
    if see.trash_way == _TRASH_SPARE_5:
        return _chapel_choice_that_spares_five(see, lines)
    if see.trash_way == _TRASH_DOMINIATE:
        return _dominiates_chapel_choice(see)
    if see.hand[_ESTATE] > 0 and in_the_way(see, lines, _ESTATE):
        return _ESTATE
    if see.hand[_COPPER] == 0 or not in_the_way(see, lines, _COPPER) or _copper_is_needed_now(see, lines):
        return NOTHING
    return _COPPER


@rule
def _is_spent_too_well(see: Any, lines: Any, card: Any, gain: Any) -> Any:
    """Return whether a careful player keeps this Treasure from Remodel: it buys as much as would be gained for it."""
    if see.remodel_way != _REMODEL_CAREFUL or not IS_TREASURE[card]:
        return False
    coins = coins_in_hand(see)
    buys = _purchase(see, lines, coins)
    return buys != NOTHING and COST[buys] >= COST[gain] and _purchase(see, lines, coins - PLUS_COINS[card]) != buys


@layer
def _cheapest_that_becomes_better(see: Any, lines: Any) -> Any:
    """Return the cheapest useful card for which Remodel would gain a dearer one from the list, or NOTHING."""
    best = NOTHING
    cards = see.held & ~DEAD
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        left = see.hand[card] - (card == _REMODEL and see.kind == ASK_ACTION)  # it can't trash itself
        if left > 0 and (best == NOTHING or COST[card] < COST[best]):
            gain = wanted(see, lines, SUPPOSED, see.coins, COST[card] + 2)
            if gain != NOTHING and COST[gain] > COST[card] and not _is_spent_too_well(see, lines, card, gain):
                best = card
    return best


@rule
def _provincials_remodel_choice(see: Any) -> Any:
    """Choose as Provincial does, whatever is gained for it."""
    useful = see.held & ~DEAD
    if see.supply[_PROVINCE] < _START_PROVINCES[see.players] and useful & DEAR:
        return by_lot(see, useful & DEAR)  # all of them cost 6
    if see.hand[_CURSE] > 0:
        return _CURSE
    if see.hand[_ESTATE] > 0:
        return _ESTATE
    if not useful:
        return highest_of(see.held, COST)
    cheapest, cards = COST[lowest_of(useful, COST)], 0
    while useful:
        card = lowest(useful)
        useful &= useful - 1
        cards |= (COST[card] == cheapest) << card
    return by_lot(see, cards)


@rule
def remodel_choice(see: Any, lines: Any) -> Any:
    """Return the card in hand that Remodel should trash, or NOTHING.

    Once the first Province is gone, a Gold becomes a Province without a purchase.
    """
    if see.remodel_way == _REMODEL_PROVINCIAL:
        return _provincials_remodel_choice(see)
    for_more = see.remodel_way != _REMODEL_JUNK
    begun = 0 < see.supply[_PROVINCE] < _START_PROVINCES[see.players]
    if for_more and begun and would_take(see, lines, _PROVINCE):
        dear = without_card(see.held & DEAR, _PROVINCE)
        if dear >> _GOLD & 1 and _is_spent_too_well(see, lines, _GOLD, _PROVINCE):
            dear = without_card(dear, _GOLD)
        if dear:
            return lowest(dear)  # Gold has the lowest number
    if see.hand[_CURSE] > 0:
        return _CURSE
    if see.hand[_ESTATE] > 0 and in_the_way(see, lines, _ESTATE):
        return _ESTATE
    return _cheapest_that_becomes_better(see, lines) if for_more else NOTHING


@rule
def mine_choice(see: Any) -> Any:
    """Return the Treasure in hand that Mine should trash, or NOTHING if none can become better."""
    silver = see.hand[_SILVER] > 0 and see.supply[_GOLD] > 0
    copper = see.hand[_COPPER] > 0 and see.supply[_SILVER] > 0
    if silver and not (copper and see.mine_way == _MINE_COPPER):
        return _SILVER
    return _COPPER if copper else NOTHING


# --- what is missed least --------------------------------------------------------------------------------------------


@rule
def _with_those_of_the_hand(see: Any, actions: Any) -> Any:
    """Return how many Actions these become, if there are any, by playing the cards in hand that give more than one."""
    cards = see.held & ACTIONS if actions > 0 else 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if PLUS_ACTIONS[card] > 1:
            actions += (PLUS_ACTIONS[card] - 1) * see.hand[card]
    return actions


@rule
def surplus_terminal(see: Any) -> Any:
    """Return the least of the terminals in hand if there are more than can be played, else NOTHING."""
    actions = _with_those_of_the_hand(see, see.actions if see.my_turn else 1)
    return lowest_of(see.held & TERMINALS, PLAY_RANK) if terminals_in_hand(see) > actions else NOTHING


@rule
def _bad_cards_in_hand(see: Any, lines: Any) -> Any:
    """Return how many Curses and unwanted Estates are in hand."""
    estates = see.hand[_ESTATE] if see.hand[_ESTATE] > 0 and in_the_way(see, lines, _ESTATE) else 0
    return see.hand[_CURSE] + estates


@rule
def _to_be_trashed(see: Any, lines: Any, card: Any, surplus: Any) -> Any:
    """Return whether Chapel or Remodel in hand should trash the copies of this Curse or Estate that are in hand."""
    if card != _CURSE and (card != _ESTATE or not in_the_way(see, lines, _ESTATE)):
        return False
    bad = _bad_cards_in_hand(see, lines)
    if see.hand[_CHAPEL] > 0 and surplus != _CHAPEL and bad <= _CHAPEL_PICKS:
        return True
    return see.hand[_REMODEL] > 0 and surplus != _REMODEL and bad == 1


@rule
def cellar_choices(see: Any, lines: Any) -> Any:
    """Return the cards in hand that Cellar should discard, a bit each."""
    if see.cellar_way != _CELLAR_UNUSED:
        return see.held & (DEAD | (CHEAP if see.cellar_way == _CELLAR_CHEAP else 0))
    surplus = surplus_terminal(see)
    choices = see.held & (DEAD | (1 << surplus if surplus != NOTHING else 0))
    for card in (_ESTATE, _CURSE):
        if choices >> card & 1 and _to_be_trashed(see, lines, card, surplus):
            choices = without_card(choices, card)
    if see.hand[_COPPER] > 0 and not _province_suffers(see, lines):
        choices |= 1 << _COPPER
    return choices


@rule
def _use_in_hand(see: Any, lines: Any, card: Any, surplus: Any) -> Any:
    """Return what a card is worth to the others in hand, on the scale of `_worth_keeping`; NOTHING if to none."""
    alone = _copies_in_hand(see, ACTIONS) == 1
    if card == _THRONE_ROOM and alone:
        return 1  # nothing to double
    if card == _VILLAGE and alone:
        return _value(_SILVER) - 1  # its Actions are of no use, and a new card gives less than two coins
    if _to_be_trashed(see, lines, card, surplus):
        pair = see.hand[_CHAPEL] == 0 or _bad_cards_in_hand(see, lines) > 1
        return _value(_SILVER) + 1 if pair else _value(_COPPER) + 1
    if card == _CHAPEL and surplus != card and _bad_cards_in_hand(see, lines) > 1:
        return _value(_GOLD) + 1
    if card == _COPPER and see.hand[_COPPER] == 1 and see.hand[_MONEYLENDER] > 0 and surplus != _MONEYLENDER:
        return _value(_SILVER) + 1
    if see.hand[_MINE] > 0 and surplus != _MINE and see.hand[card] == 1 and card == mine_choice(see):
        return _value(_GOLD) + 1
    return NOTHING


@rule
def _value(card: Any) -> Any:
    """Return the worth of a card by its price; at equal cost the Treasure goes before the Action."""
    return 2 + 2 * COST[card] + IS_ACTION[card]


@rule
def _worth_keeping(see: Any, lines: Any, card: Any, surplus: Any) -> Any:
    """Return how late a card is given up: dead cards first, then a terminal too many, then the cheapest."""
    if see.discard_way == _DISCARD_PROVINCIAL:
        return 3 + COST[card] if not IS_DEAD[card] and card != _COPPER else 2 * (card == _COPPER) + (card == _CURSE)
    if see.discard_way == _DISCARD_USEFUL and card != surplus:
        use = _use_in_hand(see, lines, card, surplus)
        if use != NOTHING:
            return use
    if IS_DEAD[card]:
        return 0
    if card == surplus:
        return 1
    value = _value(card)
    if see.discard_way == _DISCARD_TREASURES and not IS_TREASURE[card]:
        value += ANY_NUMBER
    return value


@rule
def to_give_up(see: Any, lines: Any, verb: Any) -> Any:
    """Return the card that is missed least, among those that the verb is legal for."""
    surplus = surplus_terminal(see)
    least, least_value, equals = NOTHING, ANY_NUMBER * 4, 0
    cards = offered(see, verb)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = _worth_keeping(see, lines, card, surplus)
        if value < least_value:
            least, least_value, equals = card, value, 0
        if value == least_value:
            equals |= 1 << card
    return by_lot(see, equals) if see.discard_way == _DISCARD_PROVINCIAL else least


# --- what to play ----------------------------------------------------------------------------------------------------


@rule
def worth_playing(see: Any, lines: Any, card: Any) -> Any:
    """Return whether this Action does me any good now; for Throne Room `throne_choice` tells."""
    if card == _CELLAR:
        return cellar_choices(see, lines) != 0
    if card == _CHAPEL:
        return chapel_choice(see, lines) != NOTHING
    if card == _REMODEL:  # it must trash something
        return see.remodel_way == _REMODEL_PROVINCIAL or remodel_choice(see, lines) != NOTHING
    if card == _MONEYLENDER:
        return see.hand[_COPPER] > 0
    if card == _MINE:
        return mine_choice(see) != NOTHING
    if card == _WORKSHOP:  # it must gain something
        return wanted(see, lines, SUPPOSED, see.coins, 4) != NOTHING
    if card == _FEAST:  # it is trashed itself, so another Feast would be no gain
        gain = wanted(see, lines, SUPPOSED, see.coins, 5)
        return gain != NOTHING and gain != _FEAST
    if card == _LIBRARY:
        return see.hand_size - (see.kind == ASK_ACTION) < _FULL_HAND
    return card != _THRONE_ROOM


@rule
def short_of_actions(see: Any) -> Any:
    """Return whether a good terminal in hand stays unplayed if Throne Room doubles another one.

    Then Throne Room is better spent on a card that gives Actions.
    """
    actions = see.actions - (see.kind == ASK_ACTION)  # that of Throne Room itself
    return _copies_in_hand(see, STRONG_TERMINALS) - 1 > _with_those_of_the_hand(see, actions)


@rule
def doubles_throne_room(see: Any, lines: Any) -> Any:
    """Return whether Throne Room should be played on another one: two other Actions are then doubled for one Action."""
    others = see.hand[_THRONE_ROOM] - (see.kind == ASK_ACTION)
    if others < 1:
        return False
    number = 0
    cards = without_card(see.held & ACTIONS, _THRONE_ROOM)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if worth_playing(see, lines, card):
            number += see.hand[card]
    return number > 1


@rule
def throne_choice(see: Any, lines: Any, only_terminals: Any) -> Any:
    """Return the Action in hand that should be played twice, or NOTHING."""
    if see.actions_way == _ACTIONS_PROVINCIAL:
        return highest_of(see.held & ACTIONS, PROVINCIAL_RANK)
    if doubles_throne_room(see, lines):
        return _THRONE_ROOM
    best, best_rank = NOTHING, 0
    # Without an Action left, a card that gives Actions lets the others in hand be played too.
    need_actions = (see.actions == 0 and _copies_in_hand(see, ACTIONS) > 1) or short_of_actions(see)
    cards = see.held & ACTIONS
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not (only_terminals and not IS_TERMINAL[card]):
            rank = THRONE_RANK[card] + (FIRST_OF_ALL if need_actions and not IS_TERMINAL[card] else 0)
            if rank > best_rank and worth_playing(see, lines, card):
                best, best_rank = card, rank
    return best
