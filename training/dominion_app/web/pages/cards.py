"""Cards as HTML: a pile, a card of the hand, a name in its colour, and the page that explains the cards.

What does not change is kept, as a table has some hundred of these pieces and is written after every answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from dominion_app.web.pages.markup import Content, join, tag
from dominion_env.render.view import CardGroup, Pile, gist, style_of, types_of
from dominion_env.tables.cards import CARDS, Card
from dominion_env.text.rules import card_line

_NAMES = re.compile(r"\b(" + "|".join(sorted((re.escape(info.name) for info in CARDS), key=len, reverse=True)) + r")\b")


@lru_cache(256)
def name_of(card: Card | None) -> Markup:
    """Return the name of a card in the colour of its type."""
    return tag("span", "?" if card is None else card.title, class_=f"card {style_of(card)}")


def groups(cards: Sequence[CardGroup]) -> Markup:
    """Return "2 Copper, Silver", or "none" if there are no cards."""
    if not cards:
        return tag("span", "none", class_="quiet")
    return join((join([f"{group.copies} " if group.copies > 1 else "", name_of(group.card)]) for group in cards), ", ")


@lru_cache(10_000)  # most lines of a log have been written for the answer before, too
def in_colours(text: str) -> Markup:
    """Return a text in which the names of cards have their colours."""
    parts: list[Content] = []
    for number, part in enumerate(_NAMES.split(text)):
        parts.append(name_of(Card.named(part)) if number % 2 else part)
    return join(parts)


@lru_cache(256)
def face(card: Card) -> Markup:
    """Return what stands on a card beside its name: its cost, its types, and what it does in brief."""
    cost = tag("span", str(card.info.cost), class_="cost", title="cost")
    types = tag("span", types_of(card), class_="types")
    return join([cost, types, tag("span", ", ".join(gist(card)), class_="gist")])


def pile(each: Pile, answer: str, value: str) -> Markup:
    """Return a pile of the Supply, which is a button if it can be answered with.

    Args:
        each: the pile.
        answer: the answer in words, "" for none.
        value: what the button sends.
    """
    style = f"pile {style_of(each.card)}{'' if each.copies else ' empty'}"
    left = tag("span", str(each.copies), class_="left", title="left")
    parts = [tag("span", each.card.title, class_="name"), left, face(each.card)]
    if not answer:
        return tag("div", parts, class_=style, title=card_line(each.card))
    label = f"{answer}, costs {each.card.info.cost}, {each.copies} left"
    return tag(
        "button", parts, type="button", class_=style, data_do=value, aria_label=label, title=card_line(each.card)
    )


def held(card: Card, value: str, label: str, chosen: bool = False) -> Markup:
    """Return a card of the hand, which is a button if it can be answered with.

    Args:
        card: the card.
        value: what the button sends, "" for none.
        label: what the button does, in words.
        chosen: whether the card is picked.
    """
    style = f"held {style_of(card)}{' chosen' if chosen else ''}"
    parts = [tag("span", card.title, class_="name"), face(card)]
    if not value:
        return tag("div", parts, class_=style, title=card_line(card))
    pressed = "true" if chosen else None
    return tag(
        "button", parts, type="button", class_=style, data_do=value, aria_label=label, aria_pressed=pressed,
        title=card_line(card),
    )  # fmt: skip


def glossary(cards: Iterable[Card]) -> Markup:
    """Return the cards with their whole texts, as a list."""
    return tag("dl", [tag("dt", name_of(card)) + tag("dd", card_line(card)) for card in cards], class_="glossary")
