"""Strategies as menus of the program Provincial: `e5-d5-p8 Witch1 Gold* Silver*`.

The form of Provincial's own files is read as well: `e5-d5-p8-council room@1|gold@99|silver@99`, where 99 means without end.
A name of two words may have a space, an underscore or a hyphen between them, or nothing.

Estate, Duchy and Province are bought if at most the given number of Provinces is left, then the left-most card that can be
bought, each up to a number or (`*`) without end. Numbers count copies owned, the start deck included. A card that comes
again counts on: in `Witch1 Gold* Witch1` the second Witch is the one below Gold.

Source: github.com/techmatt/Provincial, `DominionDLL/BuyAgenda.cpp`, `BuyAgendaMenu::Buy`. Provincial reads p in games with
Prosperity only, and buys a Province whenever it can in others; here p always counts. With the 8 Provinces of its two
players, p8 comes to the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dominion_agents.strategies.buy_list import CARD_NAMES, MOST, WILDCARDS, Condition, Rule, Sum, Term
from dominion_agents.strategies.notation import fail, near, number_of
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidStrategy

_BEGINNING = re.compile(r"\s*[edp]\d+-", re.IGNORECASE)
_THRESHOLDS = re.compile(r"e(\d+)-d(\d+)-p(\d+)", re.IGNORECASE)
_WORD = re.compile(r"[^\s|@*\d]+(?:[ \t]+[^\s|@*\d]+)*[^\s|]*|[^\s|]+")  # words that no number ends belong to one name
_ITEM = re.compile(r"([^\d@*]*[^\W\d_])(\d+|\*)")
_FILE_THRESHOLDS = re.compile(r"(e\d+-d\d+-p\d+)-", re.IGNORECASE)
_FILE_ITEM = re.compile(r"([^\d@*]*[^\W\d_])@(\d+)")
_FILE_WITHOUT_END = 99

_BETWEEN = re.compile(r"[\s_-]+")
_SQUEEZED = {title.replace(" ", "").lower(): title for title in CARD_NAMES.values()}  # "councilroom": "Council Room"


def is_menu(text: str) -> bool:
    """Return whether a text begins like a menu, after empty lines and comments."""
    lines = (line.split("#")[0] for line in text.splitlines())
    return _BEGINNING.match(next(filter(str.strip, lines), "")) is not None


def parse(text: str) -> tuple[Rule, ...]:
    """Read a menu.

    Args:
        text: thresholds and items, on one line or several; `is_menu` must hold.

    Returns:
        The rules that buy what the menu buys.

    Raises:
        InvalidStrategy: the text has a mistake; the message gives its line and column and what would be right.
    """
    words = [
        (found[0], (line, number, found.start() + 1))
        for number, line in enumerate(text.splitlines(), 1)
        for found in _WORD.finditer(_without_hyphen(line.split("#")[0]))
    ]
    rules = _thresholds(*words[0])
    most: dict[str, int | None] = {}  # copies of each card up to here; None: without end
    for word, at in words[1:]:
        card, number = _item(word, at)
        before = most.get(card, 0)
        if before is None:
            fail(*at, f"{shown(word)} would never be bought: {card}* stands before it")
        if number is None:
            most[card] = None
            rules.append(Rule(card))
            continue
        if number == 0 and "@" in word:
            continue  # Provincial's evolution leaves such items behind
        if not 1 <= number <= MOST - before:
            fail(*at, f"{shown(word)}: how many is a number from 1 to {MOST}, all of a card together, or *")
        most[card] = before + number
        rules.append(Rule(card, _fewer_than(card, before + number)))
    return tuple(rules)


def _without_hyphen(line: str) -> str:
    """Return the line with a space between thresholds and items, where a file of Provincial has a hyphen."""
    found = _FILE_THRESHOLDS.match(line.strip())
    if found is None:
        return line
    hyphen = line.index(found[1]) + len(found[1])
    return f"{line[:hyphen]} {line[hyphen + 1 :]}"


def _thresholds(word: str, at: tuple[str, int, int]) -> list[Rule]:
    """Return the rules for Province, Duchy and Estate."""
    found = _THRESHOLDS.fullmatch(word)
    if found is None:
        fail(*at, f"{shown(word)}: thresholds read like e2-d4-p8")
    estate, duchy, province = (number_of(digits) for digits in found.groups())
    if max(estate, duchy, province) > MOST:
        fail(*at, f"thresholds go up to {MOST}")
    return [
        Rule(card, _provinces_at_most(number))
        for card, number in (("Province", province), ("Duchy", duchy), ("Estate", estate))
    ]


def _item(word: str, at: tuple[str, int, int]) -> tuple[str, int | None]:
    """Return the card of an item and how many of it, None for "*"."""
    found = _ITEM.fullmatch(word) or _FILE_ITEM.fullmatch(word)
    if found is None:
        fail(*at, f"expected a card and how many, such as Witch1 or Gold*, got {shown(word)}")
    card = _SQUEEZED.get(_BETWEEN.sub("", found[1]).lower())
    if card is None:
        first = found[1].split()[0]
        if first != found[1] and first.lower() in _SQUEEZED:  # a card without a number, and the next item
            fail(*at, f"expected a card and how many, such as Witch1 or Gold*, got {shown(first)}")
        names = [title.replace(" ", "") for title in CARD_NAMES.values()]
        fail(*at, f"{shown(found[1])} is no card: {near(found[1], names)}")
    if found[2] == "*":
        return card, None
    number = number_of(found[2])
    return card, None if "@" in word and number >= _FILE_WITHOUT_END else number


def written(rules: Sequence[Rule]) -> str:
    """Write rules as a menu.

    Raises:
        InvalidStrategy: the notation can't say it; the message names the rule.
    """
    thresholds = []
    for card, rule in zip(("Province", "Duchy", "Estate"), rules, strict=False):
        at_most = rule.conditions[0].right.constant if rule.conditions else 0
        if rule != Rule(card, _provinces_at_most(at_most)) or at_most < 0:
            break
        thresholds.append(at_most)
    if len(thresholds) < 3:
        raise InvalidStrategy(
            "Provincial's notation: expected Province, Duchy and Estate first, each if provinces <= a number, got "
            + "; ".join(map(str, rules[:3]))
        )
    province, duchy, estate = thresholds
    items = [f"e{estate}-d{duchy}-p{province}"]
    most: dict[str, int | None] = {}
    for rule in rules[3:]:
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


def _provinces_at_most(number: int) -> tuple[Condition, ...]:
    return (Condition(Sum((Term("provinces"),)), "<=", Sum((), number)),)


def _fewer_than(card: str, number: int) -> tuple[Condition, ...]:
    return (Condition(Sum((Term(card),)), "<", Sum((), number)),)
