"""The lobby: which game, which kingdom, who plays. It is a form whose answer is the link of the game."""

from __future__ import annotations

from urllib.parse import parse_qsl

from markupsafe import Markup
from nicegui import ui

from dominion_env.cards import KINGDOM_CARDS, Card
from dominion_env.kingdoms import KINGDOMS
from dominion_env.play.table import MOST_PLAYERS
from dominion_env.registry import registered_agents
from dominion_env.render.view import printed, style_of, types_of
from dominion_training.web.frame import Fragment, bar, page_style
from dominion_training.web.house import House
from dominion_training.web.limits import MOST_NAME, MOST_TEXT, MOST_UPLOAD
from dominion_training.web.link import GALLERY, OPPONENT
from dominion_training.web.markup import tag, void

_LATEST = 8  # games of the visitor that are listed
_RANDOM = {"random-2e": "random, second edition", "random-1e": "random, first edition", "random": "random, all cards"}


class LobbyPage:
    """The lobby as one browser shows it.

    Args:
        house: the games.
        visitor: who looks.
    """

    def __init__(self, house: House, visitor: str) -> None:
        page_style("New game")
        Fragment("nav", bar())
        with ui.element("div").classes("page"):
            Fragment("div", form())
            Fragment("section", tag("h2", "Your games") + games(house.store.links(visitor, _LATEST)))
            Fragment("div", opening())


_KINGDOMS = {GALLERY: "ten cards from the gallery", **_RANDOM, **{name: name for name in KINGDOMS}}
_SEATS = {**{str(seat): str(seat + 1) for seat in range(MOST_PLAYERS)}, "watch": "none, I watch"}
_TREASURES = {"ask": "I play them, or all by a key", "auto": "are played for me"}
_AGENTS = "One for each other seat, or one for all: a name, or a strategy such as Province; Gold; Silver."
_GALLERY = "They are played if the kingdom above is “ten cards from the gallery”."


def form() -> Markup:
    """Return the form of a new game."""
    game = [
        _select("kingdom", "Kingdom", _KINGDOMS, "first-game-2e"),
        _select("players", "Players", {str(number): str(number) for number in range(1, MOST_PLAYERS + 1)}, "2"),
        _select("seat", "Your seat", _SEATS, "0"),
        _input("seed", "Seed", inputmode="numeric", pattern="[0-9]*", maxlength=20, placeholder="drawn"),
        _input("name", "Your name", maxlength=MOST_NAME, placeholder="Player"),
        _select("treasures", "Treasures", _TREASURES, "ask"),
    ]
    agents = [
        _input(
            "agent",
            f"Agent {number}",
            list="agents",
            value=OPPONENT if number == 1 else "",
            maxlength=MOST_TEXT,
            placeholder=" ",
        )
        for number in range(1, MOST_PLAYERS + 1)
    ]
    return tag(
        "form",
        tag("h1", "A new game of Dominion"),
        tag("div", game, class_="fields"),
        tag(
            "fieldset",
            tag("legend", "Agents"),
            tag("p", _AGENTS, class_="quiet"),
            tag("div", agents, class_="fields agents"),
        ),
        tag("datalist", [void("option", value=name) for name in registered_agents()], id="agents"),
        tag("p", tag("button", "Play", type="submit", class_="main")),
        tag(
            "details",
            tag("summary", "Gallery: pick ten Kingdom cards"),
            tag("p", _GALLERY, class_="quiet"),
            gallery(),
        ),
        action="/play",
        method="get",
    )


def gallery() -> Markup:
    """Return all Kingdom cards, each with a box to tick, its cost, its types and its text."""
    shown = sorted(KINGDOM_CARDS, key=lambda card: (card.info.cost, card.title))
    return tag("div", [_in_gallery(card) for card in shown], class_="gallery")


def _in_gallery(card: Card) -> Markup:
    return tag(
        "label", void("input", type="checkbox", name="card", value=card.title), tag("span", card.title, class_="name"),
        tag("span", str(card.info.cost), class_="cost"), tag("span", types_of(card), class_="types"),
        tag("span", " ".join([*(f"{each}." for each in printed(card)), card.info.text]), class_="text"),
        class_=style_of(card),
    )  # fmt: skip


def opening() -> Markup:
    """Return the form that opens a saved game or a position."""
    return tag(
        "form",
        tag("h2", "Open a saved game or a position"),
        tag("p", f"What “Save” or `dominion play` has written, at most {MOST_UPLOAD // 1000} kB.", class_="quiet"),
        tag("div", [
            tag("label", "A file", void("input", type="file", name="file", accept=".json,application/json")),
            tag("label", "or its text", tag("textarea", name="text", maxlength=MOST_UPLOAD)),
        ], class_="fields"),
        tag("p", tag("button", "Open", type="submit")),
        action="/open", method="post", enctype="multipart/form-data",
    )  # fmt: skip


def games(links: list[str]) -> Markup:
    """Return the latest games of a visitor."""
    if not links:
        return tag("p", "Your games will be listed here.", class_="quiet")
    return tag(
        "ul",
        [
            tag("li", tag("a", told(link), href=f"/{'watch' if 'seat=watch' in link else 'play'}?{link}"))
            for link in links
        ],
    )


def told(link: str) -> str:
    """Return a link as a line of a list."""
    values = parse_qsl(link)
    if any(key == "replay" for key, _ in values):
        return "a saved game"
    first = dict(values)
    agents = ", ".join(value for key, value in values if key == "agent")
    return f"{first.get('kingdom')}, seed {first.get('seed')}, with {agents or 'nobody'}"[:120]


def _select(name: str, label: str, choices: dict[str, str], chosen: str) -> Markup:
    options = [tag("option", words, value=value, selected=value == chosen) for value, words in choices.items()]
    return tag("label", label, tag("select", options, name=name))


def _input(name: str, label: str, **attributes: str | int) -> Markup:
    return tag("label", label, void("input", name=name, **attributes))
