"""Strategies as text: reading them, with errors that point at the mistake, and writing them.

**Rules**, from top to bottom, one a line or separated by `;`; `#` starts a comment:

```
name: my-witch           # settings: name, source, guard (on/off), missing (skip/refuse), players, a way of `dominion_agents.ways`
trash: keep-6
Province if Gold > 0     # a card's name in a condition is the number of copies owned
Duchy if end <= 5
Witch if Witch < 2 and Witch < treasures / 5
Gold; Silver
```

Conditions compare sums of quantities (`dominion_agents.strategy.QUANTITIES`), each of which may be multiplied or divided by a
whole number; `left(Gardens)` is what is left of a pile. Division is exact.

**Provincial's notation**, `e5-d5-p8 Witch1 Gold* Silver*`: Estate, Duchy and Province if at most so many Provinces are
left, then the left-most card that can be bought, each up to a number or (`*`) without end. Numbers count copies owned, the
start deck included. A card that comes again counts on: in `Witch1 Gold* Witch1` the second Witch is the one below Gold.

Source: github.com/techmatt/Provincial, `DominionDLL/BuyAgenda.cpp`, `BuyAgendaMenu::Buy`. There p is heeded in games with
Prosperity only, and in others a Province is bought whenever it can be; here p is heeded. With the 8 Provinces of its two
players, p8 comes to the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from dominion_agents.strategy import (
    CARD_NAMES,
    COMPARISONS,
    MOST,
    MOST_PLAYERS,
    QUANTITIES,
    WILDCARDS,
    Condition,
    Rule,
    Strategy,
    Sum,
    Term,
)
from dominion_agents.ways import WAYS, Play
from dominion_env.errors import InvalidStrategy

SETTINGS = ("name", "source", "guard", "missing", "players", *WAYS)
_CHOICES: dict[str, tuple[str, ...]] = {
    "guard": ("on", "off"),
    "missing": ("skip", "refuse"),
    "players": tuple(str(number) for number in range(1, MOST_PLAYERS + 1)),
    **{decision: tuple(ways) for decision, ways in WAYS.items()},
}

_PROVINCIAL = re.compile(r"\s*[edp]\d+-", re.IGNORECASE)
_THRESHOLDS = re.compile(r"e(\d+)-d(\d+)-p(\d+)", re.IGNORECASE)
_MENU_ITEM = re.compile(r"([^\W\d_]+)(\d+|\*)")
_SETTING = re.compile(r"\s*([\w-]+)[ \t]*:[ \t]*(.*?)\s*$")
_TOKEN = re.compile(r"(?P<number>\d+)|(?P<word>[^\W\d_]+)|(?P<sign><=|>=|==|!=|[<>=+\-*/()])|(?P<other>\S)")


class Token(NamedTuple):
    """A word, number or sign and where it stands, counted from 1."""

    kind: str
    text: str
    column: int


def read(path: str | Path) -> Strategy:
    """The strategy in a text file (UTF-8), named after the file if it does not name itself.

    Raises:
        InvalidStrategy: no such file, or not a strategy.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, TypeError, ValueError) as error:
        raise InvalidStrategy(f"{str(path)!r} can't be read as a strategy: {error}") from error
    name = " ".join(re.split(r"[;#\s]+", Path(path).stem)).strip()  # a name can't hold everything that a file name can
    try:
        return parse(text, name)
    except InvalidStrategy as error:
        raise InvalidStrategy(f"{path}, {error}", error.line, error.column) from error


def parse(text: str, name: str = "") -> Strategy:
    """The strategy that a text describes.

    Args:
        text: rules, or Provincial's notation.
        name: of the strategy, if the text gives none.

    Raises:
        InvalidStrategy: with line, column, a mark below the mistake and what would be right.
    """
    if not isinstance(text, str):
        raise InvalidStrategy(
            f"a strategy: expected a text such as 'Province; Gold; Silver', got {type(text).__name__}"
        )
    if is_provincial(text):
        return _parse_provincial(text, name)
    rules: list[Rule] = []
    settings: dict[str, Any] = {"name": name}
    ways: dict[str, str] = {}
    said: set[str] = set()
    for number, line, first, last in _entries(text):
        setting = _SETTING.match(line[first:last])
        if setting is None:
            rules.append(_Entry(line, number, first, last).rule())
            continue
        key, value = setting[1].lower(), setting[2]
        at = (line, number, first + setting.start(1) + 1)
        if key not in SETTINGS:
            _fail(*at, f"{setting[1]!r} is no setting: {_near(key, SETTINGS)}")
        if key in said:
            _fail(*at, f"{key!r} is set twice: keep one of the two")
        said.add(key)
        at = (line, number, first + setting.start(2) + 1)
        choices = _CHOICES.get(key, ())
        if not value or (choices and value not in choices):
            given = repr(value) if value else "nothing"
            wanted = f"one of {', '.join(choices)}" if choices else "a text"
            _fail(*at, f"{key}: expected {wanted}, got {given}")
        if key in WAYS:
            ways[key] = value
        else:
            settings[key] = {"guard": value == "on", "players": int(value) if key == "players" else 0}.get(key, value)
    if not rules:
        raise InvalidStrategy("a strategy needs at least one rule, such as: Province; Gold; Silver")
    return Strategy(tuple(rules), play=Play(**ways), **settings)


def is_provincial(text: str) -> bool:
    """Whether a text begins like Provincial's notation, after empty lines and comments."""
    lines = (line.split("#")[0] for line in text.splitlines())
    return _PROVINCIAL.match(next(filter(str.strip, lines), "")) is not None


def _entries(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Number and text of the line, and the part of it, of everything between line ends and semicolons."""
    for number, line in enumerate(text.splitlines(), 1):
        end = line.find("#") if "#" in line else len(line)
        first = 0
        for part in line[:end].split(";"):
            if part.strip():
                yield number, line, first, first + len(part)
            first += len(part) + 1


class _Entry:
    """One rule, read token by token."""

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
            self.word("if", "'if', ';' or a new line")
            conditions.append(self.condition())
            while self.next() is not None:
                if self.is_word("or"):
                    self.fail("'or' is not known: write a second rule for the same card")
                self.word("and", "'and', ';' or a new line")
                conditions.append(self.condition())
        return Rule(card, tuple(conditions))

    def item(self) -> str:
        """What a rule buys."""
        token = self.next()
        if token is None or token.kind != "word":
            self.fail("a rule begins with a card")
        if token.text.lower() in WILDCARDS:
            self.at += 1
            return token.text.lower()
        card = self.card()
        if card is None:
            self.fail(f"{token.text!r} is no card: {_near(token.text, [*CARD_NAMES.values(), *WILDCARDS])}")
        return card

    def card(self) -> str | None:
        """A card's name of two words or one; None, and nothing is read, if there is none."""
        words = [token.text.lower() if token.kind == "word" else "" for token in self.tokens[self.at : self.at + 2]]
        for size in (2, 1):
            name = CARD_NAMES.get(" ".join(words[:size]))
            if name is not None and len(words) >= size:
                self.at += size
                return name
        return None

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
        plus = not self.is_sign("-")
        self.at += not plus
        while True:
            part = self.part(plus)
            if isinstance(part, Term):
                terms.append(part)
            else:
                constant += part
            if not (self.is_sign("+") or self.is_sign("-")):
                if abs(constant) > MOST:
                    self.fail(f"numbers go up to {MOST}, here they come to {abs(constant)}", first)
                return Sum(tuple(terms), constant)
            plus = self.is_sign("+")
            self.at += 1

    def part(self, plus: bool) -> Term | int:
        """number | [number "*"] quantity [("*" | "/") number]"""
        token = self.next()
        times, over = 1, 1
        if token is not None and token.kind == "number":
            times = self.whole(0)
            if not self.is_sign("*"):
                return times if plus else -times
            self.at += 1
            if times == 0:
                self.fail("nothing is multiplied by 0", token)
        quantity = self.quantity()
        if self.is_sign("*") or self.is_sign("/"):
            divides = self.is_sign("/")
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
            self.sign("(")
            card = self.card()
            if card is None:
                found = self.next()
                self.fail(f"expected a card in left(...): {_near(found.text if found else '', [*CARD_NAMES.values()])}")
            self.sign(")")
            return f"left({card})"
        card = self.card()
        if card is None:
            names = [*CARD_NAMES.values(), *QUANTITIES]
            self.fail(f"{token.text!r} is no card and no quantity: {_near(token.text, names)}")
        return card

    def whole(self, least: int) -> int:
        """A whole number."""
        token = self.next()
        if token is None or token.kind != "number":
            self.fail("expected a whole number here")
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        if following is not None and following.text in (".", ","):
            self.fail("whole numbers only: multiply both sides instead", following)
        number = _number(token.text)
        if not least <= number <= MOST:
            self.fail(f"expected a whole number from {least} to {MOST} here")
        self.at += 1
        return number

    def next(self) -> Token | None:
        """The token to be read next."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def is_sign(self, sign: str) -> bool:
        """Whether this sign comes next."""
        token = self.next()
        return token is not None and token.text == sign

    def is_word(self, word: str) -> bool:
        """Whether this word comes next."""
        token = self.next()
        return token is not None and token.text.lower() == word

    def word(self, word: str, wanted: str) -> None:
        """Read this word."""
        if not self.is_word(word):
            self.fail(f"expected {wanted} here")
        self.at += 1

    def sign(self, sign: str) -> None:
        """Read this sign."""
        if not self.is_sign(sign):
            self.fail(f"expected {sign!r} here")
        self.at += 1

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Point at a token, at the next one, or behind the last."""
        token = token or self.next()
        column = token.column if token else len(self.line[: self.last].rstrip()) + 1
        _fail(self.line, self.number, column, message)


def _fail(line: str, number: int, column: int, message: str) -> NoReturn:
    shown = line.replace("\t", " ")
    raise InvalidStrategy(
        f"line {number}, column {column}: {message}\n  {shown}\n  {' ' * (column - 1)}^", number, column
    )


def _number(digits: str) -> int:
    """The number; some number above `MOST` if it is too long to be one that is allowed."""
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= len(str(MOST)) else MOST + 1


def _near(word: str, names: Sequence[str]) -> str:
    """The names that a word may have been meant for."""
    by_lower = {name.lower(): name for name in names}
    near = [by_lower[name] for name in get_close_matches(word.lower(), by_lower, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"


# --- Provincial's notation -------------------------------------------------------------------------------------------


def _provinces_at_most(number: int) -> tuple[Condition, ...]:
    return (Condition(Sum((Term("provinces"),)), "<=", Sum((), number)),)


def _fewer_than(card: str, number: int) -> tuple[Condition, ...]:
    return (Condition(Sum((Term(card),)), "<", Sum((), number)),)


def _parse_provincial(text: str, name: str) -> Strategy:
    squeezed = {title.replace(" ", "").lower(): title for title in CARD_NAMES.values()}
    words = [
        (number, line, found)
        for number, line in enumerate(text.splitlines(), 1)
        for found in re.finditer(r"\S+", line.split("#")[0])
    ]
    number, line, found = words[0]
    thresholds = _THRESHOLDS.fullmatch(found[0])
    if thresholds is None:
        _fail(line, number, found.start() + 1, f"{found[0]!r}: thresholds read like e2-d4-p8")
    estate, duchy, province = (_number(digits) for digits in thresholds.groups())
    if max(estate, duchy, province) > MOST:
        _fail(line, number, found.start() + 1, f"thresholds go up to {MOST}")
    rules = [
        Rule(card, _provinces_at_most(at_most))
        for card, at_most in (("Province", province), ("Duchy", duchy), ("Estate", estate))
    ]
    most: dict[str, int | None] = {}
    for number, line, found in words[1:]:
        at = (line, number, found.start() + 1)
        item = _MENU_ITEM.fullmatch(found[0])
        if item is None:
            _fail(*at, f"expected a card and how many, such as Witch1 or Gold*, got {found[0]!r}")
        card = squeezed.get(item[1].lower())
        if card is None:
            near = _near(item[1], [title.replace(" ", "") for title in CARD_NAMES.values()])
            _fail(*at, f"{item[1]!r} is no card: {near}")
        before = most.get(card, 0)
        if before is None:
            _fail(*at, f"{found[0]!r} would never be bought: {item[1]}* stands before it")
        if item[2] == "*":
            most[card] = None
            rules.append(Rule(card))
            continue
        number_of_copies = _number(item[2])
        if not 1 <= number_of_copies <= MOST - before:
            _fail(*at, f"{found[0]!r}: how many is a number from 1 to {MOST}, all of a card together, or *")
        most[card] = before + number_of_copies
        rules.append(Rule(card, _fewer_than(card, before + number_of_copies)))
    return Strategy(tuple(rules), name=name)


def provincial(strategy: Strategy) -> str:
    """A strategy in Provincial's notation; name, source and heuristics are left out.

    Raises:
        InvalidStrategy: the notation can't say it; the message names the rule.
    """
    thresholds = []
    for card, rule in zip(("Province", "Duchy", "Estate"), strategy.rules, strict=False):
        at_most = rule.conditions[0].right.constant if rule.conditions else 0
        if rule != Rule(card, _provinces_at_most(at_most)) or at_most < 0:
            break
        thresholds.append(at_most)
    if len(thresholds) < 3:
        raise InvalidStrategy(
            "Provincial's notation begins with Province, Duchy and Estate, each if provinces <= a number; "
            f"this strategy with: {'; '.join(map(str, strategy.rules[:3]))}"
        )
    province, duchy, estate = thresholds
    items = [f"e{estate}-d{duchy}-p{province}"]
    most: dict[str, int | None] = {}
    for rule in strategy.rules[3:]:
        before = most.get(rule.card, 0)
        number = rule.conditions[0].right.constant if rule.conditions else None
        if rule.card in WILDCARDS or before is None or (number is not None and number <= before):
            known = False
        else:
            known = rule == Rule(rule.card, _fewer_than(rule.card, number) if number is not None else ())
        if not known:
            raise InvalidStrategy(f"Provincial's notation can't say: {rule}")
        most[rule.card] = number
        items.append(rule.card.replace(" ", "") + ("*" if number is None else str(number - int(before or 0))))
    return " ".join(items)
