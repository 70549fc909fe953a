"""Strategies as text, a rule a line: reading them, with errors that point at the mistake.

Rules stand in the order in which they are read, one a line or separated by `;`, and `#` starts a comment:

```
name: my-witch           # settings: name, source, guard (on/off), missing (skip/refuse), players, a way of `ways.py`
trash: keep-6
Province if Gold > 0     # a card's name in a condition is the number of copies owned
Duchy if end <= 5
Witch if Witch < 2 and Witch < treasures / 5
Gold; Silver
```

Conditions compare sums of quantities (`QUANTITIES` in `buy_list.py`), each of which may be multiplied or divided by a
whole number; `left(Gardens)` is the number of cards left in a pile. Division is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, NoReturn

from dominion_agents.strategies.buy_list import (
    CARD_NAMES,
    COMPARISONS,
    MOST,
    MOST_PLAYERS,
    QUANTITIES,
    WILDCARDS,
    Condition,
    Rule,
    Sum,
    Term,
)
from dominion_agents.strategies.ways import WAYS
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidStrategy

SETTINGS = ("name", "source", "guard", "missing", "players", *WAYS)
_CHOICES: dict[str, tuple[str, ...]] = {
    "guard": ("on", "off"),
    "missing": ("skip", "refuse"),
    "players": tuple(str(number) for number in range(1, MOST_PLAYERS + 1)),
    **{decision: tuple(ways) for decision, ways in WAYS.items()},
}

_SETTING = re.compile(r"\s*([\w-]+)[ \t]*:[ \t]*(.*?)\s*$")
_JOINS = ("if", "and", "or")
_AROUND = 100  # characters of a line that an error shows on either side of a mistake
_TOKEN = re.compile(r"(?P<number>\d+)|(?P<word>[^\W\d_]+)|(?P<sign><=|>=|==|!=|[<>=+\-*/()])|(?P<other>\S)")


class Token(NamedTuple):
    """A word, number or sign, and the column where it begins, counted from 1."""

    kind: str
    text: str
    column: int

    @property
    def is_of_a_name(self) -> bool:
        """Whether this can be a part of a card's name."""
        return self.kind == "word" and self.text.lower() not in _JOINS


def parse(text: str) -> tuple[tuple[Rule, ...], dict[str, Any]]:
    """Read rules and settings.

    Args:
        text: rules and settings in any order.

    Returns:
        The rules, at least one, and the settings that the text gives: `name`, `source`, `guard` (bool), `missing`,
        `players` (int), and the decisions of `dominion_agents.strategies.ways.WAYS`.

    Raises:
        InvalidStrategy: the text has a mistake; the message gives its line and column and what would be right.
    """
    rules: list[Rule] = []
    settings: dict[str, Any] = {}
    for number, line, first, last in _entries(text):
        found = _SETTING.match(line[first:last])
        if found is None:
            rules.append(_Entry(line, number, first, last).rule())
            continue
        key = found[1].lower()
        key_at, value_at = ((line, number, first + found.start(group) + 1) for group in (1, 2))
        if key not in SETTINGS:
            fail(*key_at, f"{shown(found[1])} is no setting: {near(key, SETTINGS)}")
        if key in settings:
            fail(*key_at, f"{shown(key)} is set twice: keep one of the two")
        settings[key] = _value(key, found[2], value_at)
    if not rules:
        raise InvalidStrategy("a strategy: expected at least one rule, such as 'Province; Gold; Silver', got none")
    return tuple(rules), settings


def _value(key: str, text: str, at: tuple[str, int, int]) -> str | bool | int:
    """Return what a setting is set to."""
    choices = _CHOICES.get(key, ())
    if not text or (choices and text not in choices):
        given = shown(text) if text else "nothing"
        wanted = f"one of {', '.join(choices)}" if choices else "a text"
        fail(*at, f"{key}: expected {wanted}, got {given}")
    if key == "guard":
        return text == "on"
    return int(text) if key == "players" else text


def _entries(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Yield each part between line ends and semicolons: line number, line, and the part's first and last column."""
    for number, line in enumerate(text.splitlines(), 1):
        end = line.find("#") if "#" in line else len(line)
        first = 0
        for part in line[:end].split(";"):
            if part.strip():
                yield number, line, first, first + len(part)
            first += len(part) + 1


class _Entry:
    """One rule that is read token by token; the docstring of a method is the grammar of what it reads."""

    def __init__(self, line: str, number: int, first: int, last: int) -> None:
        self.line, self.number, self.last = line, number, last
        self.tokens = [
            Token(str(found.lastgroup), found[0], found.start() + 1) for found in _TOKEN.finditer(line, first, last)
        ]
        self.at = 0

    def rule(self) -> Rule:
        """card ["if" condition {"and" condition}]"""
        card = self.item()
        conditions: list[Condition] = []
        if self.next() is not None:
            self.read("if", "'if', ';' or a new line")
            conditions.append(self.condition())
            while self.next() is not None:
                if self.follows("or"):
                    self.fail("'or' is not known: write a second rule for the same card")
                self.read("and", "'and', ';' or a new line")
                conditions.append(self.condition())
        return Rule(card, tuple(conditions))

    def item(self) -> str:
        """card | wildcard"""
        token = self.next()
        if token is None or token.kind != "word":
            self.fail("a rule begins with a card")
        if token.text.lower() in WILDCARDS:
            self.at += 1
            return token.text.lower()
        card = self.card()
        if card is None:
            name = self.name()
            self.fail(f"{shown(name)} is no card: {near(name, [*CARD_NAMES.values(), *WILDCARDS])}")
        return card

    def card(self) -> str | None:
        """Read a card's name of two words or one; return None and read nothing if there is none."""
        words = [token.text.lower() if token.kind == "word" else "" for token in self.tokens[self.at : self.at + 2]]
        for size in (2, 1):
            name = CARD_NAMES.get(" ".join(words[:size]))
            if name is not None and len(words) >= size:
                self.at += size
                return name
        return None

    def name(self) -> str:
        """Return the words that come next, up to "if", "and" or "or", as the line has them; the next token if it is none."""
        if self.at == len(self.tokens):
            return ""
        end = self.at
        while end + 1 < len(self.tokens) and self.tokens[end].is_of_a_name and self.tokens[end + 1].is_of_a_name:
            end += 1
        return self.line[self.tokens[self.at].column - 1 : self.tokens[end].column - 1 + len(self.tokens[end].text)]

    def condition(self) -> Condition:
        """sum comparison sum"""
        first = self.next()
        left = self.sum()
        token = self.next()
        sign = "=" if token is not None and token.text == "==" else token.text if token is not None else ""
        if sign not in COMPARISONS:
            self.fail(f"expected a comparison here: {', '.join(COMPARISONS)}")
        self.at += 1
        right = self.sum()
        token = self.next()
        if token is not None and (token.text == "==" or token.text in COMPARISONS):
            self.fail("one comparison at a time: join two conditions with 'and'")
        try:
            return Condition(left, sign, right)
        except InvalidStrategy as error:  # numbers too large together
            self.fail(str(error), first)

    def sum(self) -> Sum:
        """["-"] part {("+" | "-") part}"""
        first = self.next()
        terms: list[Term] = []
        constant = 0
        plus = not self.follows("-")
        self.at += not plus
        while True:
            part = self.part(plus)
            if isinstance(part, Term):
                terms.append(part)
            else:
                constant += part
            if not (self.follows("+") or self.follows("-")):
                if abs(constant) > MOST:
                    self.fail(f"numbers go up to {MOST}, here they come to {abs(constant)}", first)
                return Sum(tuple(terms), constant)
            plus = self.follows("+")
            self.at += 1

    def part(self, plus: bool) -> Term | int:
        """number | [number "*"] quantity [("*" | "/") number]"""
        token = self.next()
        times, over = 1, 1
        if token is not None and token.kind == "number":
            times = self.whole(0)
            if not self.follows("*"):
                return times if plus else -times
            self.at += 1
            if times == 0:
                self.fail("nothing is multiplied by 0", token)
        quantity = self.quantity()
        if self.follows("*") or self.follows("/"):
            divides = self.follows("/")
            self.at += 1
            if divides:
                over = self.whole(1)
            else:
                times *= self.whole(1)
        if times > MOST:
            self.fail(f"numbers go up to {MOST}", token)
        return Term(quantity, times, over, plus)

    def quantity(self) -> str:
        """A name of `QUANTITIES`, a card, or "left(" card ")"."""
        token = self.next()
        if token is None or token.kind != "word":
            self.fail(f"expected a number, a card or one of {', '.join(QUANTITIES)}, left(...) here")
        word = token.text.lower()
        if word in QUANTITIES:
            self.at += 1
            return word
        if word == "left":
            self.at += 1
            self.read("(", "'('")
            card = self.card()
            if card is None:
                self.fail(f"expected a card in left(...): {near(self.name(), [*CARD_NAMES.values()])}")
            self.read(")", "')'")
            return f"left({card})"
        card = self.card()
        if card is None:
            names = [*CARD_NAMES.values(), *QUANTITIES]
            name = self.name()
            self.fail(f"{shown(name)} is no card and no quantity: {near(name, names)}")
        return card

    def whole(self, least: int) -> int:
        """number"""
        token = self.next()
        if token is None or token.kind != "number":
            self.fail("expected a whole number here")
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        if following is not None and following.text in (".", ","):
            self.fail("whole numbers only: multiply both sides instead", following)
        number = number_of(token.text)
        if not least <= number <= MOST:
            self.fail(f"expected a whole number from {least} to {MOST} here")
        self.at += 1
        return number

    def next(self) -> Token | None:
        """Return the token that is read next, None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def follows(self, text: str) -> bool:
        """Return whether this word or sign comes next."""
        token = self.next()
        return token is not None and token.text.lower() == text

    def read(self, text: str, wanted: str) -> None:
        """Read this word or sign."""
        if not self.follows(text):
            self.fail(f"expected {wanted} here")
        self.at += 1

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise an error that points at a token, else at the next one, else behind the last."""
        token = token or self.next()
        column = token.column if token else len(self.line[: self.last].rstrip()) + 1
        fail(self.line, self.number, column, message)


def fail(line: str, number: int, column: int, message: str) -> NoReturn:
    """Raise an error that shows the line, or the part of it around the column, and marks the column, counted from 1."""
    before, after = line[: column - 1].replace("\t", " "), line[column - 1 :].replace("\t", " ")
    if len(before) > _AROUND:
        before = "... " + before[-_AROUND:]
    if len(after) > _AROUND:
        after = after[:_AROUND] + " ..."
    raise InvalidStrategy(
        f"line {number}, column {column}: {message}\n  {before}{after}\n  {' ' * len(before)}^", number, column
    )


def number_of(digits: str) -> int:
    """Return the number, or one above `MOST` if there are more digits than an allowed number has."""
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= len(str(MOST)) else MOST + 1


def near(word: str, names: Sequence[str]) -> str:
    """Offer the names that are nearest to a word, else all of them."""
    by_lower = {name.lower(): name for name in names}
    offered = [by_lower[name] for name in get_close_matches(word[:_AROUND].lower(), by_lower, n=3)]
    return f"did you mean {' or '.join(offered)}?" if offered else f"there are {', '.join(names)}"
