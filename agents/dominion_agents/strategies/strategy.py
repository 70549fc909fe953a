"""What a scripted agent wants to buy, and how it plays its cards.

A strategy is data: a buy list (`buy_list.py`), the ways of playing the cards (`ways.py`) and a few settings. A text says all of
it, in one of two notations (`notation.py`, `provincial.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from dominion_agents.strategies import notation, provincial
from dominion_agents.strategies.buy_list import MOST_PLAYERS, WILDCARDS, Rule
from dominion_agents.strategies.frozen import check_tuple, set_fields
from dominion_agents.strategies.ways import WAYS, Ways
from dominion_env.common.checks import flag, one_of, shown, whole_number
from dominion_env.common.errors import InvalidStrategy, printable
from dominion_env.common.files import read_text
from dominion_env.common.foreign import foreign
from dominion_env.tables.cards import NUM_BASE_CARDS, Card

_EXPECTED = "a buy list such as 'Province; Gold; Silver' or a menu of Provincial (docs/strategies.md)"


@dataclass(frozen=True)
class Strategy:
    """A buy list and the ways of playing the cards.

    At every purchase the list is read from the top; the first rule whose card can be bought and whose conditions hold
    decides, and if there is none, nothing is bought. After each purchase the list is read again, with the coins that are
    left. Gains go by the same list.

    Attributes:
        rules: at least one rule.
        name: the name of the strategy, "" if it has none.
        source: the place where it was published.
        ways: the ways of playing the cards.
        guard: True for a player who never buys or gains a card that ends the game in a loss (the last Province, or the
            last card of the last pile that may run out), but reads on below it. Geronimoo's and Dominiate's bots do so.
        missing: "skip" to pass over rules for cards outside the kingdom, "refuse" to raise `InvalidStrategy` in such a
            game.
        players: the most players that the strategy is meant for; an agent of several strategies, such as "auto", uses it
            up to there. With more players some lists never get to what ends a game.

    Raises:
        InvalidStrategy: one of these is something else.
    """

    rules: tuple[Rule, ...]
    name: str = ""
    source: str = ""
    ways: Ways = field(default_factory=Ways)
    guard: bool = False
    missing: Literal["skip", "refuse"] = "skip"
    players: int = MOST_PLAYERS

    def __post_init__(self) -> None:
        if isinstance(self.rules, str):
            raise InvalidStrategy(f"rules: expected a tuple of Rule, got a text: Strategy.parse({shown(self.rules)})")
        check_tuple("rules", self.rules, Rule)
        if not self.rules:
            raise InvalidStrategy("a strategy: expected at least one rule, such as 'Province; Gold; Silver', got none")
        one_of("missing", self.missing, ("skip", "refuse"), InvalidStrategy)
        set_fields(self, guard=flag("guard", self.guard, InvalidStrategy))
        if not isinstance(self.ways, Ways):
            raise InvalidStrategy(f"ways: expected Ways such as Ways(trash='keep-6'), got {shown(self.ways)}")
        set_fields(self, players=whole_number("players", self.players, 1, MOST_PLAYERS, InvalidStrategy))
        for what, text in (("name", self.name), ("source", self.source)):
            one_line = isinstance(text, str) and len(text.splitlines()) <= 1 and text == text.strip()
            if not one_line or set(text) & set(";#") or not text.isprintable():
                raise InvalidStrategy(f"{what}: expected one line without ';' and '#', got {shown(text)}")

    @staticmethod
    def parse(text: str, name: str = "") -> Strategy:
        """Read a strategy from a text in either notation; see `notation.py` and `provincial.py`.

        Args:
            text: rules and settings, or a menu of Provincial.
            name: the name of the strategy if the text gives none.

        Raises:
            InvalidStrategy: the text has a mistake; the message gives its line and column and what would be right.
        """
        if not isinstance(text, str):
            raise InvalidStrategy(
                f"a strategy: expected a text such as 'Province; Gold; Silver', got {type(text).__name__}"
            )
        try:
            return _parsed(text, name)
        except InvalidStrategy as error:
            if theirs := foreign(text):
                raise InvalidStrategy(f"expected {_EXPECTED}, got {theirs}") from error
            raise

    @staticmethod
    def read(path: str | Path) -> Strategy:
        """Read a strategy from a text file (UTF-8); it is named after the file if it does not name itself.

        Raises:
            InvalidStrategy: there is no such file, or it holds no strategy.
        """
        try:
            text = read_text(Path(path))
        except (OSError, TypeError, ValueError) as error:
            raise InvalidStrategy(f"{str(path)!r} can't be read as a strategy: {error}") from error
        # A file's name may contain signs that a strategy's name can't.
        name = printable(" ".join(re.split(r"[;#\s]+", Path(path).stem)).strip())
        try:
            return Strategy.parse(text, name)
        except InvalidStrategy as error:
            raise InvalidStrategy(f"{path}, {error}", error.line, error.column) from error

    def but(self, **settings: Any) -> Strategy:
        """Return the same strategy with other settings.

        Args:
            settings: `guard`, `missing`, `players`, and the decisions of `dominion_agents.strategies.ways.WAYS`.

        Raises:
            InvalidStrategy: there is no such setting or value.
        """
        own = {key: value for key, value in settings.items() if key in ("guard", "missing", "players")}
        ways = {key: value for key, value in settings.items() if key not in own}
        return replace(self, ways=self.ways.but(**ways), **own)

    @property
    def kingdom_cards(self) -> tuple[Card, ...]:
        """The Kingdom cards that the rules buy, in order of card number."""
        cards = {Card.named(rule.card) for rule in self.rules if rule.card not in WILDCARDS}
        return tuple(sorted(card for card in cards if card >= NUM_BASE_CARDS))

    @property
    def settings(self) -> dict[str, str]:
        """All settings that differ from the default, as a text writes them."""
        said = {"name": self.name, "source": self.source, **self.ways.changed}
        said["guard"] = "on" if self.guard else ""
        said["missing"] = self.missing if self.missing != "skip" else ""
        said["players"] = str(self.players) if self.players != MOST_PLAYERS else ""
        return {key: value for key, value in said.items() if value}

    def lines(self) -> list[str]:
        """Return settings, then rules, as `dominion_agents.strategies.notation` reads them."""
        return [*(f"{key}: {value}" for key, value in self.settings.items()), *map(str, self.rules)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def one_line(self) -> str:
        """Return settings and rules in one line."""
        return "; ".join(self.lines())

    def provincial(self) -> str:
        """Return the rules in Provincial's notation.

        Raises:
            InvalidStrategy: the notation can't say it; the message names the rule.
        """
        return provincial.written(self.rules)


def _parsed(text: str, name: str) -> Strategy:
    if provincial.is_menu(text):
        return Strategy(provincial.parse(text), name=name)
    rules, settings = notation.parse(text)
    ways = {decision: settings.pop(decision) for decision in WAYS if decision in settings}
    return Strategy(rules, ways=Ways(**ways), **{"name": name, **settings})


def read_named(text: str) -> dict[str, Strategy]:
    """Return the strategies of a text, by name.

    Args:
        text: strategies with blank lines between, each with its name.

    Raises:
        InvalidStrategy: a part of the text is no strategy.
        ValueError: two bear the same name.
    """
    found: dict[str, Strategy] = {}
    for part in text.split("\n\n"):
        if all(line.startswith("#") for line in part.split("\n") if line):
            continue
        strategy = Strategy.parse(part)
        if strategy.name in found:
            raise ValueError(f"expected each name once, got {strategy.name!r} twice")
        found[strategy.name] = strategy
    return found
