"""Random buy lists for one kingdom, and small changes of a list: the material of the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dominion_agents.strategies.buy_list import MOST, WILDCARDS, Condition, Rule, Sum, Term
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.strategies.ways import OF_PROGRAMS, WAYS
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.tables.cards import CARDS, Card
from dominion_env.tables.kingdoms import CardLike, KingdomLike, one_set

SOUGHT = "lists are sought for these"  # why a search needs one set of ten cards
MOST_RULES = 30
CHEAP = 4  # a card of at most this cost can be bought in most turns, and so its pile can be emptied
FEW = {"Silver": 2, "Gold": 2, "treasures": 10}  # at most this number of these is in a list that builds with Actions
TREASURES = ("Copper", "Silver", "Gold")
VICTORIES = ("Estate", "Duchy", "Province")
MANY = 4  # copies of a card on which a deck may be built
LIMITS = (1, 1, 1, 2, 2, 3, 4, 6, 8, 10)  # copies of a card that a random list wants at most

# The decisions that a card asks for, and so the ways that matter where it is in the kingdom.
WAYS_OF = {
    "Chapel": "trash", "Cellar": "cellar", "Remodel": "remodel", "Mine": "mine", "Workshop": "gain", "Artisan": "gain",
    "Feast": "gain", "Harbinger": "topdeck", "Library": "library", "Chancellor": "chancellor", "Spy": "spy",
    "Militia": "discard", "Poacher": "discard", "Moat": "moat", "Sentry": "trash", "Throne Room": "actions",
    "Smithy": "actions", "Village": "actions",
}  # fmt: skip


Heart = tuple[str, str]  # titles of two Kingdom cards on which a deck is built


def is_engine(strategy: Strategy) -> bool:
    """Return whether a list lives on Actions: each rule for Silver or Gold wants few of that card, or few Treasures."""
    return all(
        any(
            each.comparison == "<" and not each.right.terms and each.right.constant <= FEW.get(str(each.left), 0)
            for each in rule.conditions
        )
        for rule in strategy.rules
        if rule.card in ("Silver", "Gold")
    )


def builds_on(strategy: Strategy, heart: Heart) -> bool:
    """Return whether a list lives on Actions, and wants many of two cards: at least MANY, or as many as it has of others."""
    return is_engine(strategy) and all(
        any(rule.card == card and all(_is_loose(each, card) for each in rule.conditions) for rule in strategy.rules)
        for card in heart
    )


def _is_loose(condition: Condition, card: str) -> bool:
    """Return whether a condition leaves room for many copies of a card."""
    limits = str(condition.left) == card and condition.comparison in ("<", "<=")
    return limits and (bool(condition.right.terms) or condition.right.constant >= MANY)


class RandomLists:
    """Buy lists for one kingdom, drawn and changed at random.

    Args:
        kingdom: one set of ten cards, as a name such as "first-game-2e" or as ten cards.

    Attributes:
        cards: titles of the ten Kingdom cards.

    Raises:
        InvalidKingdom, UnknownCard: there is no such kingdom, or it is not ten different Kingdom cards.
        InvalidOption: the kingdom is drawn by chance or several.
    """

    def __init__(self, kingdom: KingdomLike) -> None:
        numbers = one_set(kingdom, SOUGHT)
        self.cards = tuple(Card(number).title for number in numbers)
        self._all = (*TREASURES, *VICTORIES, *self.cards)
        self._cheap = tuple(card for card in (*self.cards, "Estate") if CARDS[Card.named(card)].cost <= CHEAP)
        self._decisions = sorted({WAYS_OF[card] for card in self.cards if card in WAYS_OF})
        here = set(numbers)
        self._published = [
            Strategy(each.rules, ways=each.ways, guard=each.guard)
            for each in STRATEGIES.values()
            if here.issuperset(each.kingdom_cards) and not any(rule.card in WILDCARDS for rule in each.rules)
        ]

    def heart_of(self, cards: Sequence[CardLike] | None) -> Heart | None:
        """Return two cards as the heart of a deck, in the order of the kingdom; None stays None.

        Raises:
            InvalidOption: they are not two different Kingdom cards of this kingdom.
        """
        if cards is None:
            return None
        try:
            wanted = {Card.named(card).title if isinstance(card, str) else Card(int(card)).title for card in cards}
        except (DominionError, ValueError):
            wanted = set()
        found = [card for card in self.cards if card in wanted]
        if len(found) != 2 or len(wanted) != len(cards):
            raise InvalidOption(f"heart: expected two of {', '.join(self.cards)}, got {shown(cards)}")
        return found[0], found[1]

    def is_published(self, strategy: Strategy) -> bool:
        """Return whether a list has the rules of a published one."""
        return any(strategy.rules == each.rules for each in self._published)

    def published(self, rng: np.random.Generator) -> Strategy:
        """Draw one of the published lists that need no other cards, mostly with a few changes."""
        strategy = self._published[rng.integers(len(self._published))]
        return self.changed(rng, strategy) if rng.random() < 0.8 else strategy

    def changed(self, rng: np.random.Generator, strategy: Strategy) -> Strategy:
        """Return the list with one change, and every second time with a further one, and so on."""
        found = strategy
        while found == strategy or rng.random() < 0.5:
            found = self._change(rng, found)
        return found

    def varied(self, rng: np.random.Generator, strategy: Strategy) -> Strategy:
        """Return the list with one change as `changed` makes it, or a coarser one of a limit or a whole rule, and so on."""
        found = strategy
        while found == strategy or rng.random() < 0.3:
            found = self._change(rng, found) if rng.random() < 0.5 else self._variation(rng, found)
        return found

    def crossed(self, rng: np.random.Generator, first: Strategy, second: Strategy) -> Strategy:
        """Return the beginning of one list and the end of another, with the ways and the guard of the first."""
        head, tail = rng.integers(1, len(first.rules) + 1), rng.integers(len(second.rules) + 1)
        return replace(first, rules=_without_repeats(first.rules[:head] + second.rules[tail:]))

    def money(self, rng: np.random.Generator) -> Strategy:
        """Draw a list that buys Provinces: greens, Gold and Silver, and up to four Kingdom cards between."""
        greens = [
            Rule("Province", (_compared("money", ">", int(rng.integers(8, 20))),) if rng.random() < 0.4 else ()),
            Rule("Duchy", (_late(rng, 7),)),
            Rule("Estate", (_late(rng, 4),)),
        ]
        others = [Rule("Gold"), Rule("Silver")]
        for card in _some(rng, self.cards, int(rng.integers(1, 5))):
            others.insert(int(rng.integers(len(others) + 1)), Rule(card, (_limit(rng, card),)))
        return Strategy((*greens, *others))

    def engine(self, rng: np.random.Generator) -> Strategy:
        """Draw a list that builds with Actions: three to eight Kingdom cards and few Treasures; see `is_engine`."""
        province = (_compared("coins", ">=", int(rng.integers(8, 17))),) if rng.random() < 0.5 else ()
        greens = [
            Rule("Province", (_compared("Province", ">", 0),)), Rule("Province", province),
            Rule("Duchy", (_late(rng, 7),)), Rule("Estate", (_late(rng, 4),)),
        ]  # fmt: skip
        others = [
            Rule(card, (_compared(few, "<", int(rng.integers(1, FEW[few] + 1))),))
            for card in ("Gold", "Silver")
            for few in (str(rng.choice((card, "treasures"))),)
        ]
        for card in _some(rng, self.cards, int(rng.integers(3, 9))):
            draw = rng.random()
            if draw < 0.25:
                conditions: tuple[Condition, ...] = ()
            elif draw < 0.75:
                conditions = (_limit(rng, card),)
            elif draw < 0.9:
                conditions = (Condition(Sum((Term(card),)), "<", Sum((Term("terminals"),))),)
            else:
                conditions = (_limit(rng, card), _compared("turn", "<=", int(rng.integers(2, 7))))
            others.insert(int(rng.integers(len(others) + 1)), Rule(card, conditions))
        return Strategy(_without_repeats((*greens, *others)))

    def heart(self, rng: np.random.Generator, heart: Heart) -> Strategy:
        """Draw a list that builds with Actions, of which two are wanted in number; see `builds_on`."""
        drawn = self.engine(rng)
        rules = [rule for rule in drawn.rules if rule.card not in heart]
        for card, other in (heart, heart[::-1]):
            draw = rng.random()
            if draw < 0.4:
                conditions: tuple[Condition, ...] = ()
            elif draw < 0.6:
                conditions = (_compared(card, "<", int(rng.integers(MANY, 10))),)
            else:
                quantity = other if draw < 0.8 else "terminals"
                conditions = (Condition(Sum((Term(card),)), "<=" if draw < 0.7 else "<", Sum((Term(quantity),))),)
            rules.insert(int(rng.integers(len(rules) + 1)), Rule(card, conditions))
        return replace(drawn, rules=_without_repeats(rules))

    def rush(self, rng: np.random.Generator) -> Strategy:
        """Draw a list that empties piles: two to four cheap cards without a limit, often without a Province."""
        rules = [Rule(card) for card in _some(rng, self._cheap, int(rng.integers(2, 5)))]
        for card in ("Estate", "Duchy", "Province"):
            if rng.random() < 0.6:
                rules.insert(0, Rule(card, (_late(rng, 12),) if rng.random() < 0.7 else ()))
        if rng.random() < 0.6:
            card = str(rng.choice(self._all))
            rules.insert(int(rng.integers(len(rules) + 1)), Rule(card, (_limit(rng, card),)))
        return Strategy(_without_repeats(rules), guard=bool(rng.random() < 0.5))

    def anything(self, rng: np.random.Generator) -> Strategy:
        """Draw three to nine rules."""
        return Strategy(_without_repeats([self._rule(rng) for _ in range(int(rng.integers(3, 10)))]))

    def _rule(self, rng: np.random.Generator) -> Rule:
        card = str(rng.choice(self._all))
        return Rule(card, tuple(self._condition(rng, card) for _ in range(int(rng.choice(3, p=(0.35, 0.5, 0.15))))))

    def _condition(self, rng: np.random.Generator, card: str) -> Condition:
        other = str(rng.choice(self._all))
        kinds: tuple[tuple[float, Callable[[], Condition]], ...] = (
            (0.35, lambda: _limit(rng, card)),
            (0.20, lambda: _late(rng, 13)),
            (0.10, lambda: _compared("turn", str(rng.choice(("<=", ">="))), int(rng.integers(2, 20)))),
            (0.10, lambda: _compared(other, str(rng.choice(("<", ">"))), int(rng.integers(1, 6)))),
            (0.05, lambda: _compared(f"left({other})", "<=", int(rng.integers(0, 7)))),
            (0.05, lambda: _compared("money", ">", int(rng.integers(6, 24)))),
            (0.05, lambda: _compared(str(rng.choice(("coins", "deck"))), ">=", int(rng.integers(3, 20)))),
            (0.05, lambda: _share(card, str(rng.choice(("treasures", "money", "deck"))), int(rng.integers(2, 16)))),
            (0.05, lambda: Condition(Sum((Term(card),)), "<=", Sum((Term(other),)))),
        )
        which = rng.choice(len(kinds), p=[chance for chance, _ in kinds])
        return kinds[which][1]()

    def _variation(self, rng: np.random.Generator, strategy: Strategy) -> Strategy:
        """Return the list with another limit for a card, a plain rule more, two rules swapped, or another way to play."""
        rules = list(strategy.rules)
        at = int(rng.integers(len(rules)))
        rule, draw = rules[at], rng.random()
        if draw < 0.4:
            others = tuple(each for each in rule.conditions if str(each.left) != rule.card)
            limit = (_limit(rng, rule.card),) if rng.random() < 0.65 else ()
            rules[at] = replace(rule, conditions=limit + others[:2])
        elif draw < 0.65:
            card = str(rng.choice(self.cards if rng.random() < 0.75 else self._all))
            new = Rule(card, (_limit(rng, card),) if rng.random() < 0.7 else ())
            rules.insert(int(rng.integers(len(rules) + 1)), new)
        elif draw < 0.85:
            other = int(rng.integers(len(rules)))
            rules[at], rules[other] = rules[other], rule
        elif self._decisions:
            decision = str(rng.choice(self._decisions))
            return strategy.but(**{decision: _way(rng, decision)})
        return replace(strategy, rules=_without_repeats(rules))

    def _change(self, rng: np.random.Generator, strategy: Strategy) -> Strategy:
        """Return the list with one change, or as it is if the change that was drawn can't be made."""
        rules = list(strategy.rules)
        at = int(rng.integers(len(rules)))
        rule = rules[at]
        draw = rng.random()
        if draw < 0.22:
            rules.insert(int(rng.integers(len(rules) + 1)), self._rule(rng))
        elif draw < 0.38:
            del rules[at]
        elif draw < 0.54:
            rules.insert(int(rng.integers(len(rules))), rules.pop(at))
        elif draw < 0.64:
            rules[at] = replace(rule, card=str(rng.choice(self._all)))
        elif draw < 0.74:
            rules[at] = replace(rule, conditions=(*rule.conditions, self._condition(rng, rule.card))[-3:])
        elif draw < 0.94:
            if rule.conditions:
                rules[at] = _conditions_changed(rng, rule)
        elif draw < 0.97 or not self._decisions:
            return replace(strategy, guard=not strategy.guard)
        else:
            decision = str(rng.choice(self._decisions))
            return strategy.but(**{decision: _way(rng, decision)})
        return replace(strategy, rules=_without_repeats(rules)) if rules else strategy


def _way(rng: np.random.Generator, decision: str) -> str:
    return str(rng.choice([way for way in WAYS[decision] if way not in OF_PROGRAMS]))


def _compared(quantity: str, comparison: str, number: int) -> Condition:
    return Condition(Sum((Term(quantity),)), comparison, Sum((), number))


def _limit(rng: np.random.Generator, card: str) -> Condition:
    return _compared(card, "<", int(rng.choice(LIMITS)))


def _share(card: str, quantity: str, over: int) -> Condition:
    return Condition(Sum((Term(card),)), "<", Sum((Term(quantity, over=over),)))


def _late(rng: np.random.Generator, below: int) -> Condition:
    """Return a condition that holds from some time before the end on, such as "provinces <= 4"."""
    return _compared(str(rng.choice(("provinces", "end"))), "<=", int(rng.integers(1, below)))


def _some(rng: np.random.Generator, cards: Sequence[str], number: int) -> list[str]:
    return [str(card) for card in rng.permutation(cards)[:number]]


def _without_repeats(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the first rules that are allowed in a list, without those that stand there before."""
    return tuple(dict.fromkeys(rules))[:MOST_RULES]


def _conditions_changed(rng: np.random.Generator, rule: Rule) -> Rule:
    """Return the rule without one of its conditions, or with another number in it."""
    at = int(rng.integers(len(rule.conditions)))
    left, right = rule.conditions[:at], rule.conditions[at + 1 :]
    if rng.random() < 0.25:
        return replace(rule, conditions=left + right)
    return replace(rule, conditions=(*left, _with_another_number(rng, rule.conditions[at]), *right))


def _with_another_number(rng: np.random.Generator, condition: Condition) -> Condition:
    """Return the condition with its number one to three higher or lower."""
    step = int(rng.choice((-3, -2, -1, -1, 1, 1, 2, 3)))
    terms = condition.right.terms
    if terms and terms[0].over > 1:
        over = min(max(terms[0].over + step, 1), MOST)
        return replace(condition, right=replace(condition.right, terms=(replace(terms[0], over=over), *terms[1:])))
    constant = min(max(condition.right.constant + step, 0), MOST)
    return replace(condition, right=replace(condition.right, constant=constant))
