"""What a scripted agent wants to buy: a list of rules, read from top to bottom.

A strategy is data. `notation.py` reads and writes it as text, `buying.py` carries it out, and `play.py` names the
heuristics for everything that is not a purchase.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from agents.play import Play
from dominion_env.cards import CARDS, NUM_BASE_CARDS, Card
from dominion_env.errors import InvalidStrategy

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


@dataclass(frozen=True)
class Term:
    """A quantity, perhaps multiplied or divided: "treasures / 11".

    Attributes:
        quantity: a name of `QUANTITIES`, the name of a card (copies owned) or "left(" card ")".
        times, over: whole numbers from 1; `over` divides exactly, nothing is rounded.
        plus: whether it is added; else subtracted.
    """

    quantity: str
    times: int = 1
    over: int = 1
    plus: bool = True

    def __str__(self) -> str:
        factor = f"{self.times} * " if self.times != 1 else ""
        return f"{factor}{self.quantity}" + (f" / {self.over}" if self.over != 1 else "")


@dataclass(frozen=True)
class Sum:
    """Terms and a whole number."""

    terms: tuple[Term, ...] = ()
    constant: int = 0

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
    """Two sums compared: "Smithy < treasures / 11"."""

    left: Sum
    comparison: str
    right: Sum

    def __str__(self) -> str:
        return f"{self.left} {self.comparison} {self.right}"


@dataclass(frozen=True)
class Rule:
    """A card, or one of `WILDCARDS`, and the conditions that must all hold."""

    card: str
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return self.card + (" if " + " and ".join(map(str, self.conditions)) if self.conditions else "")


@dataclass(frozen=True)
class Strategy:
    """A buy list: the first rule whose card can be bought and whose conditions hold decides; none: nothing is bought.

    After each purchase the list is read again from the top, with the coins that are left. Gains go by the same list.

    Attributes:
        rules: at least one.
        name: by which `agents.make` knows it; "" if it has none.
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
        if not self.rules:
            raise InvalidStrategy("a strategy needs at least one rule, such as: Province; Gold; Silver")
        if self.missing not in ("skip", "refuse"):
            raise InvalidStrategy(f"missing: 'skip' or 'refuse' is wanted, {self.missing!r} came")
        if not isinstance(self.guard, bool):
            raise InvalidStrategy(f"guard: True or False is wanted, {self.guard!r} came")
        if isinstance(self.players, bool) or self.players not in range(1, MOST_PLAYERS + 1):
            raise InvalidStrategy(f"players: a whole number from 1 to {MOST_PLAYERS} is wanted, {self.players!r} came")
        for what, text in (("name", self.name), ("source", self.source)):
            if set(text) & set(";#\n") or text != text.strip():
                raise InvalidStrategy(f"{what}: one line without ';' and '#' is wanted, {text!r} came")

    @staticmethod
    def parse(text: str, name: str = "") -> Strategy:
        """The strategy that a text describes, in either notation; see `agents.notation`."""
        from agents.notation import parse

        return parse(text, name)

    @staticmethod
    def read(path: str | Path) -> Strategy:
        """The strategy in a text file, named after the file if it does not name itself; see `agents.notation`."""
        from agents.notation import read

        return read(path)

    def but(self, **settings: Any) -> Strategy:
        """The same with other settings: `guard`, `missing`, `players`, and the decisions of `agents.play.WAYS`.

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
        """Settings, then rules, each as `agents.notation` reads it."""
        return [*(f"{key}: {value}" for key, value in self.settings.items()), *map(str, self.rules)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def one_line(self) -> str:
        """The same in one line."""
        return "; ".join(self.lines())

    def provincial(self) -> str:
        """The same in Provincial's notation, where that can say it; see `agents.notation`."""
        from agents.notation import provincial

        return provincial(self)


CARD_NAMES = {info.name.lower(): info.name for info in CARDS}
