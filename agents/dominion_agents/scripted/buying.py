"""Buying by a list: strategies as numbers, and the compiled code that reads them.

A strategy becomes a little program, a row of numbers in lines of three:

- RULE, card, after: the rule for a card, and the place where the next rule begins.
- TERM, quantity, factor: adds a quantity, multiplied by the factor, to a sum.
- TEST, comparison, constant: adds the constant to the sum, and passes to the next rule unless the sum compares so with 0.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted.sight import NOTHING, can
from dominion_agents.strategies.buy_list import COMPARISONS, QUANTITIES, WILDCARDS, Condition
from dominion_agents.strategies.strategy import Strategy
from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.record.card_sets import how_many, lowest
from dominion_env.rules.record.state import PILES_TO_END
from dominion_env.tables.actions import Verb
from dominion_env.tables.cards import COST, NUM_CARDS, PLUS_ACTIONS, PLUS_CARDS, PLUS_COINS, POINTS, TYPES, Card, Type

RULE, TERM, TEST = range(3)
LINE = 3  # numbers
LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL = range(len(COMPARISONS))

# Quantities are numbered: copies owned of each card, then cards left in each pile, then these.
_LEFT, _OTHER = NUM_CARDS, 2 * NUM_CARDS
MONEY, TREASURES, DECK, TERMINALS, CANTRIPS, END, TURN, COINS, BUYS = range(_OTHER, _OTHER + 9)
_NUMBERS = {
    "provinces": _LEFT + int(Card.PROVINCE), "end": END, "money": MONEY, "treasures": TREASURES, "deck": DECK,
    "terminals": TERMINALS, "cantrips": CANTRIPS, "turn": TURN, "coins": COINS, "buys": BUYS,
}  # fmt: skip
assert set(_NUMBERS) == set(QUANTITIES)

# What one copy of each card adds to MONEY, TREASURES, DECK, TERMINALS and CANTRIPS.
_ACTION = TYPES & int(Type.ACTION) != 0
_WEIGHTS = np.array(
    [
        PLUS_COINS,
        TYPES & int(Type.TREASURE) != 0,
        np.ones(NUM_CARDS),
        _ACTION & (PLUS_ACTIONS == 0) & (np.arange(NUM_CARDS) != Card.THRONE_ROOM),
        _ACTION & (PLUS_ACTIONS > 0) & (PLUS_CARDS > 0),
    ],
    dtype=np.int64,
)

DEAREST, ANY_CARD = -2, -3
assert list(WILDCARDS) == ["dearest", "random"]

SUPPOSED = -1  # instead of a verb: what would be taken if it cost no more than the limit
NO_LIMIT = 1 << 20

_BUY, _GAIN = int(Verb.BUY), int(Verb.GAIN)
_COPPER, _PROVINCE, _CURSE, _GARDENS = (int(c) for c in (Card.COPPER, Card.PROVINCE, Card.CURSE, Card.GARDENS))


def program(strategy: Strategy) -> NDArray[np.int64]:
    """Return the lines of a strategy, int64 (numbers,); its first line begins at 0.

    No sum overflows, as `Condition` has refused numbers that are too large together.
    """
    lines: list[tuple[int, int, int]] = []
    for each in strategy.rules:
        tests = [line for condition in each.conditions for line in _lines(condition)]
        wild = {"dearest": DEAREST, "random": ANY_CARD}.get(each.card)
        card = int(Card.named(each.card)) if wild is None else wild
        lines.append((RULE, card, LINE * (len(lines) + 1 + len(tests))))
        lines += tests
    return np.array(lines, dtype=np.int64).ravel()


def _lines(condition: Condition) -> list[tuple[int, int, int]]:
    """Return the lines that compare left - right with 0, multiplied until nothing is divided any more."""
    whole = lcm(*(term.over for side in (condition.left, condition.right) for term in side.terms))
    lines, constant = [], 0
    for side, sign in ((condition.left, 1), (condition.right, -1)):
        for term in side.terms:
            factor = sign * (1 if term.plus else -1) * term.times * whole // term.over
            lines.append((TERM, _number(term.quantity), factor))
        constant += sign * side.constant * whole
    return [*lines, (TEST, COMPARISONS.index(condition.comparison), constant)]


def _number(quantity: str) -> int:
    if quantity.startswith("left("):
        return _LEFT + int(Card.named(quantity[5:-1]))
    return _NUMBERS[quantity] if quantity in _NUMBERS else int(Card.named(quantity))


@rule
def piles_to_end(see: Any) -> Any:
    """Return how many empty piles end the game."""
    return PILES_TO_END[see.players]


@rule
def gains_to_end(see: Any) -> Any:
    """Return how many gains are left until the Provinces, or the three (four) smallest of the 17 piles, are gone."""
    first, second, third, fourth = NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT  # sizes of the smallest piles that are left
    for card in range(see.cards):
        size = int(see.supply[card])
        if 0 < size < fourth:
            fourth = size
            if fourth < third:
                third, fourth = fourth, third
            if third < second:
                second, third = third, second
            if second < first:
                first, second = second, first
    missing = piles_to_end(see) - int(see.empty_piles)
    total = 0
    if missing > 0:
        total += first
    if missing > 1:
        total += second
    if missing > 2:
        total += third
    if missing > 3:
        total += fourth
    return min(total, int(see.supply[_PROVINCE]))


@rule
def _weighed(see: Any, weights: Any) -> Any:
    """Return the sum of a row of weights over the cards that I own."""
    total = 0
    for card in range(see.cards):
        total += _WEIGHTS[weights, card] * int(see.owned[card])
    return total


@primitive
def quantity(see: Any, which: Any, coins: Any) -> Any:
    """Return a quantity of a condition, as if `coins` were left to spend."""
    if which < _LEFT:
        return int(see.owned[which])
    if which < _OTHER:
        return int(see.supply[which - _LEFT])
    if which == COINS:
        return coins
    if which == BUYS:
        return int(see.buys)
    if which == TURN:
        return int(see.turn)
    if which == END:
        return gains_to_end(see)
    return _weighed(see, which - MONEY)


@primitive
def compares(total: Any, comparison: Any) -> Any:
    """Return whether a number compares so with 0."""
    if comparison == LESS:
        return total < 0
    if comparison == AT_MOST:
        return total <= 0
    if comparison == MORE:
        return total > 0
    if comparison == AT_LEAST:
        return total >= 0
    if comparison == EQUAL:
        return total == 0
    return total != 0


@primitive
def holds(see: Any, lines: Any, line: Any, coins: Any) -> Any:
    """Return whether all conditions of the rule at this line hold."""
    after = lines[line + 2]
    total = 0
    for at in range(line + LINE, after, LINE):
        if lines[at] == TERM:
            total += lines[at + 2] * quantity(see, lines[at + 1], coins)
        else:
            if not compares(total + lines[at + 2], lines[at + 1]):
                return False
            total = 0
    return True


@rule
def may_end(see: Any) -> Any:
    """Return whether taking one card can end the game, so that points matter to the guard."""
    return see.supply[_PROVINCE] <= 1 or see.empty_piles + 1 >= piles_to_end(see)


@rule
def loses(see: Any, card: Any) -> Any:
    """Return whether taking this card ends the game in a loss."""
    last = see.supply[card] == 1
    if not last or (card != _PROVINCE and see.empty_piles + 1 < piles_to_end(see)):
        return False
    deck, gardens = 0, int(see.owned[_GARDENS])
    for each in range(see.cards):
        deck += int(see.owned[each])
    points = see.points + POINTS[card] + gardens * ((deck + 1) // 10 - deck // 10)
    if card == _GARDENS:
        points += (deck + 1) // 10
    return points < see.best_points or (points == see.best_points and see.turn > see.best_turns)


@primitive
def _can_have(see: Any, verb: Any, card: Any, limit: Any) -> Any:
    """Return whether this card may be taken, by a verb or, with SUPPOSED, if it costs no more than the limit."""
    if verb >= 0:
        possible = can(see, verb, card)
    else:
        possible = see.supply[card] > 0 and COST[card] <= limit
    return possible and not (see.guard and loses(see, card))


@rule
def any_of(see: Any, cards: Any) -> Any:
    """Return a card of a set, all equally likely; NOTHING of an empty set."""
    for _ in range(see.lot * how_many(cards) >> 31):
        cards &= cards - 1
    return lowest(cards) if cards else NOTHING


@rule
def _wild(see: Any, which: Any, verb: Any, limit: Any) -> Any:
    """Return a card for a wildcard: any of the dearest, or any at all."""
    highest, cards = -1, 0  # the best so far: their cost, and which they are, a bit each
    for card in range(see.cards):
        if card != _CURSE and (which == ANY_CARD or card != _COPPER) and _can_have(see, verb, card, limit):
            value = COST[card] if which == DEAREST else 0
            if value > highest:
                highest, cards = value, 0
            if value == highest:
                cards |= 1 << card
    return any_of(see, cards)


@rule
def wanted(see: Any, lines: Any, verb: Any, coins: Any, limit: Any) -> Any:
    """Return the card of the first rule that can be carried out, or NOTHING.

    Conditions take `coins` for the coins that are left. With the verb SUPPOSED a card can be had if its pile is not empty
    and it costs no more than `limit`.
    """
    line = int(see.first_line)
    while line < see.last_line:
        card = lines[line + 1]
        if card < 0:
            if holds(see, lines, line, coins):
                card = _wild(see, card, verb, limit)
                if card != NOTHING:
                    return card
        elif _can_have(see, verb, card, limit) and holds(see, lines, line, coins):
            return card
        line = lines[line + 2]
    return NOTHING


@rule
def would_take(see: Any, lines: Any, card: Any) -> Any:
    """Return whether some rule for this card holds now, whatever the card costs."""
    line = int(see.first_line)
    while line < see.last_line:
        if lines[line + 1] == card and holds(see, lines, line, see.coins):
            return True
        line = lines[line + 2]
    return False
