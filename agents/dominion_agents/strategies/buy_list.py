"""A buy list in Python: rules, their conditions, and the quantities that conditions compare.

`Rule("Witch", (Condition(Sum((Term("Witch"),)), "<", Sum((), 2)),))` is the line "Witch if Witch < 2". `notation.py` reads and
writes the lines, and `buying.py` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

from dominion_agents.strategies.frozen import check_tuple, set_fields
from dominion_env.common.checks import flag, shown, whole_number
from dominion_env.common.errors import InvalidStrategy, UnknownCard
from dominion_env.tables.cards import CARDS, Card

# Quantities that a condition can compare, besides copies of a card, owned ("Gold") or left in the Supply ("left(Gold)").
QUANTITIES = {
    "provinces": "Provinces left in the Supply",
    "end": "gains until the game ends: Provinces left, or the three (five and six players: four) smallest piles together",
    "money": "coins on all cards I own: Treasures, and the + coins of Actions",
    "treasures": "Treasure cards I own",
    "deck": "cards I own",
    "terminals": "Actions I own that give no Action back (Throne Room not counted)",
    "cantrips": "Actions I own that give a card and an Action at least",
    "turn": "turns I have begun, this one included",
    "coins": "coins left to spend in this turn",
    "buys": "Buys left in this turn",
}

# Words that may stand in a rule instead of a card.
WILDCARDS = {
    "dearest": "the dearest card that can be had, never Copper or Curse; among equals any",
    "random": "any card that can be had but Curse, all equally likely",
}

COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")

CARD_NAMES = {info.name.lower(): info.name for info in CARDS}

MOST = 10_000  # the largest number in a strategy
# The most that a condition's factors may add up to once nothing is divided any more. Quantities are below 2 ** 31, so sums
# stay below 2 ** 62.
MOST_TOGETHER = 1_000_000_000
MOST_PLAYERS = 6


@dataclass(frozen=True)
class Term:
    """A quantity that may be multiplied and divided, such as "treasures / 11".

    Attributes:
        quantity: a name of `QUANTITIES`, the name of a card (copies owned) or "left(" card ")".
        times, over: whole numbers from 1 to `MOST`; `over` divides exactly, nothing is rounded.
        plus: True if the term is added, False if it is subtracted.

    Raises:
        InvalidStrategy: there is no such quantity, or a number is out of range.
    """

    quantity: str
    times: int = 1
    over: int = 1
    plus: bool = True

    def __post_init__(self) -> None:
        set_fields(
            self,
            quantity=_quantity(self.quantity),
            times=whole_number("times", self.times, 1, MOST, InvalidStrategy),
            over=whole_number("over", self.over, 1, MOST, InvalidStrategy),
            plus=flag("plus", self.plus, InvalidStrategy),
        )

    def __str__(self) -> str:
        factor = f"{self.times} * " if self.times != 1 else ""
        return f"{factor}{self.quantity}" + (f" / {self.over}" if self.over != 1 else "")


@dataclass(frozen=True)
class Sum:
    """Terms and a whole number, added up.

    Attributes:
        terms: any number of terms.
        constant: a whole number from -`MOST` to `MOST`.

    Raises:
        InvalidStrategy: `terms` is no tuple of `Term`, or the constant is out of range.
    """

    terms: tuple[Term, ...] = ()
    constant: int = 0

    def __post_init__(self) -> None:
        check_tuple("terms", self.terms, Term)
        set_fields(self, constant=whole_number("constant", self.constant, -MOST, MOST, InvalidStrategy))

    def __str__(self) -> str:
        text = ""
        for term in self.terms:
            sign = (" + " if term.plus else " - ") if text else ("" if term.plus else "-")
            text += f"{sign}{term}"
        if not text:
            return str(self.constant)
        if self.constant:
            text += f" {'+' if self.constant > 0 else '-'} {abs(self.constant)}"
        return text


@dataclass(frozen=True)
class Condition:
    """A comparison of two sums, such as "Smithy < treasures / 11".

    Raises:
        InvalidStrategy: a side is no `Sum`, the sign is not in `COMPARISONS`, or the numbers are too large together.
    """

    left: Sum
    comparison: str
    right: Sum

    def __post_init__(self) -> None:
        for side, given in (("left", self.left), ("right", self.right)):
            if not isinstance(given, Sum):
                raise InvalidStrategy(f"{side}: expected a Sum such as Sum((Term('Gold'),)), got {shown(given)}")
        if self.comparison not in COMPARISONS:
            raise InvalidStrategy(f"comparison: expected one of {', '.join(COMPARISONS)}, got {shown(self.comparison)}")
        terms = self.left.terms + self.right.terms
        whole = lcm(*(term.over for term in terms))
        if sum(term.times for term in terms) * whole > MOST_TOGETHER:
            raise InvalidStrategy(
                f"{self}: expected factors that added up, times the least common multiple of the divisors, come to at most "
                f"{MOST_TOGETHER}, got {sum(term.times for term in terms) * whole}"
            )

    def __str__(self) -> str:
        return f"{self.left} {self.comparison} {self.right}"


@dataclass(frozen=True)
class Rule:
    """A card, or one of `WILDCARDS`, and the conditions that must all hold.

    Raises:
        InvalidStrategy: there is no such card, or `conditions` is no tuple of `Condition`.
    """

    card: str
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if self.card not in tuple(WILDCARDS):
            set_fields(self, card=_card(self.card, f"a rule's card may also be {' or '.join(WILDCARDS)}"))
        check_tuple("conditions", self.conditions, Condition)

    def __str__(self) -> str:
        return self.card + (" if " + " and ".join(map(str, self.conditions)) if self.conditions else "")


def _card(given: Any, also: str) -> str:
    """Return the card's name as it is printed; `also` tells in the error what else would be possible."""
    try:
        return Card.named(given).title
    except UnknownCard as error:
        raise InvalidStrategy(f"{error} ({also})") from error


def _quantity(given: Any) -> str:
    """Return the quantity as a text writes it."""
    also = f"a quantity may also be left(Gold) or one of {', '.join(QUANTITIES)}"
    if isinstance(given, str):
        if given in QUANTITIES:
            return given
        if given.startswith("left(") and given.endswith(")"):
            return f"left({_card(given[5:-1], also)})"
    return _card(given, also)
