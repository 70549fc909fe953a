"""What a scripted agent wants to buy: a list of rules, read from top to bottom.

A strategy is data. `notation.py` reads and writes it as text, `buying.py` carries it out, and `play.py` names the
heuristics for everything that is not a purchase.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from math import lcm
from pathlib import Path
from typing import Any, Literal

from dominion_agents.ways import Play
from dominion_env.cards import CARDS, NUM_BASE_CARDS, Card
from dominion_env.checks import flag, whole_number
from dominion_env.errors import InvalidStrategy, UnknownCard

# What a condition can ask about, besides the number of copies owned of a card ("Gold") and left of one ("left(Gold)").
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

# Instead of a card a rule may say:
WILDCARDS = {
    "dearest": "the dearest card that can be had, never Copper or Curse; among equals any",
    "random": "any card that can be had but Curse, all equally likely",
}

COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")

MOST_PLAYERS = 6
MOST = 10_000  # that a number in a strategy may be
# What a condition's factors may come to together once nothing is divided any more: quantities are below 2 ** 31, so its
# sums stay below 2 ** 62.
MOST_TOGETHER = 1_000_000_000


@dataclass(frozen=True)
class Term:
    """A quantity, perhaps multiplied or divided: "treasures / 11".

    Attributes:
        quantity: a name of `QUANTITIES`, the name of a card (copies owned) or "left(" card ")".
        times, over: whole numbers from 1 to `MOST`; `over` divides exactly, nothing is rounded.
        plus: whether it is added; else subtracted.

    Raises:
        InvalidStrategy: no such quantity or number.
    """

    quantity: str
    times: int = 1
    over: int = 1
    plus: bool = True

    def __post_init__(self) -> None:
        _set(self, quantity=_quantity(self.quantity))
        _set(self, times=_whole("times", self.times, 1, MOST), over=_whole("over", self.over, 1, MOST))
        _set(self, plus=flag("plus", self.plus, InvalidStrategy))

    def __str__(self) -> str:
        factor = f"{self.times} * " if self.times != 1 else ""
        return f"{factor}{self.quantity}" + (f" / {self.over}" if self.over != 1 else "")


@dataclass(frozen=True)
class Sum:
    """Terms and a whole number, at most `MOST` above or below 0.

    Raises:
        InvalidStrategy: something else.
    """

    terms: tuple[Term, ...] = ()
    constant: int = 0

    def __post_init__(self) -> None:
        _check_tuple("terms", self.terms, Term)
        _set(self, constant=_whole("constant", self.constant, -MOST, MOST))

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
    """Two sums compared: "Smithy < treasures / 11".

    Raises:
        InvalidStrategy: no sums, another sign than those of `COMPARISONS`, or numbers that are too large together.
    """

    left: Sum
    comparison: str
    right: Sum

    def __post_init__(self) -> None:
        for side, given in (("left", self.left), ("right", self.right)):
            if not isinstance(given, Sum):
                raise InvalidStrategy(f"{side}: expected a Sum such as Sum((Term('Gold'),)), got {given!r}")
        if self.comparison not in COMPARISONS:
            raise InvalidStrategy(f"comparison: expected one of {', '.join(COMPARISONS)}, got {self.comparison!r}")
        terms = self.left.terms + self.right.terms
        whole = lcm(*(term.over for term in terms))
        if sum(term.times for term in terms) * whole > MOST_TOGETHER:
            raise InvalidStrategy(
                f"{self}: its factors added up, times the least common multiple of what it divides by, may come to "
                f"{MOST_TOGETHER}, they come to {sum(term.times for term in terms) * whole}"
            )

    def __str__(self) -> str:
        return f"{self.left} {self.comparison} {self.right}"


@dataclass(frozen=True)
class Rule:
    """A card, or one of `WILDCARDS`, and the conditions that must all hold.

    Raises:
        InvalidStrategy: no such card, or something else than conditions.
    """

    card: str
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if self.card not in tuple(WILDCARDS):
            _set(self, card=_card(self.card, f"a rule's card may also be {' or '.join(WILDCARDS)}"))
        _check_tuple("conditions", self.conditions, Condition)

    def __str__(self) -> str:
        return self.card + (" if " + " and ".join(map(str, self.conditions)) if self.conditions else "")


@dataclass(frozen=True)
class Strategy:
    """A buy list: the first rule whose card can be bought and whose conditions hold decides; none: nothing is bought.

    After each purchase the list is read again from the top, with the coins that are left. Gains go by the same list.

    Attributes:
        rules: at least one.
        name: by which `dominion_agents.make` knows it; "" if it has none.
        source: where it was published.
        play: heuristics for everything else.
        guard: never buy or gain a card that ends the game in a loss (the last Province, or the last card of the last
            pile that may run out); the list is read on below it. Geronimoo's and Dominiate's bots have it.
        missing: "skip": a rule for a card outside the kingdom is never carried out; "refuse": `act` raises
            `InvalidStrategy` in such a game.
        players: for how many at most it is meant: an agent of several strategies, such as "auto", uses it up to there. With
            more players some lists never get to what ends a game.
    """

    rules: tuple[Rule, ...]
    name: str = ""
    source: str = ""
    play: Play = field(default_factory=Play)
    guard: bool = False
    missing: Literal["skip", "refuse"] = "skip"
    players: int = MOST_PLAYERS

    def __post_init__(self) -> None:
        if isinstance(self.rules, str):
            raise InvalidStrategy(f"rules: expected a tuple of Rule, got a text: Strategy.parse({self.rules!r})")
        _check_tuple("rules", self.rules, Rule)
        if not self.rules:
            raise InvalidStrategy("a strategy needs at least one rule, such as: Province; Gold; Silver")
        if self.missing not in ("skip", "refuse"):
            raise InvalidStrategy(f"missing: expected 'skip' or 'refuse', got {self.missing!r}")
        _set(self, guard=flag("guard", self.guard, InvalidStrategy))
        if not isinstance(self.play, Play):
            raise InvalidStrategy(f"play: expected a Play such as Play(trash='keep-6'), got {self.play!r}")
        _set(self, players=_whole("players", self.players, 1, MOST_PLAYERS))
        for what, text in (("name", self.name), ("source", self.source)):
            one_line = isinstance(text, str) and len(text.splitlines()) <= 1 and text == text.strip()
            if not one_line or set(text) & set(";#"):
                raise InvalidStrategy(f"{what}: expected one line without ';' and '#', got {text!r}")

    @staticmethod
    def parse(text: str, name: str = "") -> Strategy:
        """The strategy that a text describes, in either notation; see `dominion_agents.notation`."""
        from dominion_agents.notation import parse

        return parse(text, name)

    @staticmethod
    def read(path: str | Path) -> Strategy:
        """The strategy in a text file, named after the file if it does not name itself; see `dominion_agents.notation`."""
        from dominion_agents.notation import read

        return read(path)

    def but(self, **settings: Any) -> Strategy:
        """The same with other settings: `guard`, `missing`, `players`, and the decisions of `dominion_agents.ways.WAYS`.

        Raises:
            InvalidStrategy: there is no such setting or value.
        """
        own = {key: value for key, value in settings.items() if key in ("guard", "missing", "players")}
        ways = {key: value for key, value in settings.items() if key not in own}
        return replace(self, play=self.play.but(**ways), **own)

    @property
    def kingdom_cards(self) -> tuple[Card, ...]:
        """The Kingdom cards that its rules buy, in order of card number."""
        cards = {Card.named(rule.card) for rule in self.rules if rule.card not in WILDCARDS}
        return tuple(sorted(card for card in cards if card >= NUM_BASE_CARDS))

    @property
    def settings(self) -> dict[str, str]:
        """Everything but the rules that is not as it is by itself."""
        said = {"name": self.name, "source": self.source, **self.play.changed}
        said["guard"] = "on" if self.guard else ""
        said["missing"] = self.missing if self.missing != "skip" else ""
        said["players"] = str(self.players) if self.players != MOST_PLAYERS else ""
        return {key: value for key, value in said.items() if value}

    def lines(self) -> list[str]:
        """Settings, then rules, each as `dominion_agents.notation` reads it."""
        return [*(f"{key}: {value}" for key, value in self.settings.items()), *map(str, self.rules)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def one_line(self) -> str:
        """The same in one line."""
        return "; ".join(self.lines())

    def provincial(self) -> str:
        """The same in Provincial's notation, where that can say it; see `dominion_agents.notation`."""
        from dominion_agents.notation import provincial

        return provincial(self)


CARD_NAMES = {info.name.lower(): info.name for info in CARDS}


def _set(record: Any, **values: Any) -> None:
    """What was given, as it is written: "gold" as "Gold", a numpy number as an int."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


_whole = partial(whole_number, error=InvalidStrategy)


def _check_tuple(what: str, given: Any, kind: type) -> None:
    if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
        raise InvalidStrategy(f"{what}: expected a tuple of {kind.__name__}, got {given!r}")


def _card(given: Any, also: str) -> str:
    try:
        return Card.named(given).title
    except UnknownCard as error:
        raise InvalidStrategy(f"{error} ({also})") from error


def _quantity(given: Any) -> str:
    also = f"a quantity may also be left(Gold) or one of {', '.join(QUANTITIES)}"
    if isinstance(given, str):
        if given in QUANTITIES:
            return given
        if given.startswith("left(") and given.endswith(")"):
            return f"left({_card(given[5:-1], also)})"
    return _card(given, also)
