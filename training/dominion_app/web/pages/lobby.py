"""The lobby: which game, which kingdom, who plays. It is a form whose answer is the link of the game."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from urllib.parse import parse_qsl

from markupsafe import Markup
from nicegui import ui

from dominion_app.play.table import MOST_PLAYERS
from dominion_app.web.guarding.limits import MOST_NAME, MOST_TEXT, MOST_UPLOAD
from dominion_app.web.house.house import House
from dominion_app.web.house.link import GALLERY, INSTEAD, OPPONENT
from dominion_app.web.house.players import groups_of_agents
from dominion_app.web.house.store import Latest
from dominion_app.web.pages.frame import Fragment, bar, page_style, unkept
from dominion_app.web.pages.markup import tag, void
from dominion_env.render.view import printed, style_of, types_of
from dominion_env.tables.cards import KINGDOM_CARDS, Card
from dominion_env.tables.kingdoms import KINGDOMS

_LATEST = 8  # games of the visitor that are listed
_RANDOM = {"random-2e": "random, second edition", "random-1e": "random, first edition", "random": "random, all cards"}


class LobbyPage:
    """The lobby as one browser shows it.

    Args:
        house: the games.
        visitor: who looks.
        chosen: names and values of the form as they were chosen before.
        wrong: what is wrong with them in words, "" if nothing is.
    """

    def __init__(self, house: House, visitor: str, chosen: Sequence[tuple[str, str]] = (), wrong: str = "") -> None:
        page_style("Something is wrong" if wrong else "New game")
        Fragment("nav", bar())
        with ui.element("div").classes("page"):
            if wrong:
                Fragment("section", tag("h2", "This can't be shown") + tag("p", wrong, class_="wrong"), role="alert")
            Fragment("div", unkept(house.store.trouble), id="unkept", role="status")
            Fragment("div", form(chosen))
            Fragment("section", tag("h2", tag("a", "Puzzle of the day", href="/puzzle")) + tag("p", _PUZZLE))
            Fragment("section", tag("h2", "Your games") + games(house.store.latest(visitor, _LATEST)))
            Fragment("div", opening())


_USUAL = "first-game-2e"
_KINGDOMS = {
    "": _USUAL,
    GALLERY: "cards ticked below",
    **_RANDOM,
    **{name: name for name in KINGDOMS if name != _USUAL},
}
_PLAYERS = {str(number): str(number) for number in range(1, MOST_PLAYERS + 1)}
_SEATS = {**{str(seat): str(seat + 1) for seat in range(MOST_PLAYERS)}, "watch": "none, I watch"}
_TREASURES = {"ask": "I play them", "auto": "played for me"}
_AGENTS = (
    "One for each other seat, or one for all. The field below a list takes a name with a budget, such as planner:600, or a "
    "strategy, such as Province; Gold; Silver."
)
_SAME = "as agent 1"  # what a list says that names nobody
_GALLERY = "Ten cards that are ticked here are played, if no other kingdom is chosen above."
_PUZZLE = "A position with one answer that is best beyond doubt, the same for everybody today."
_WHO_BEGINS = "Who begins is drawn; the seats tell the order of turns."


def form(chosen: Sequence[tuple[str, str]] = ()) -> Markup:
    """Return the form of a new game.

    Args:
        chosen: names and values as they were chosen before; `agent` and `card` may come several times.
    """
    one, agents_chosen = dict(chosen), _agents_in(chosen) or [OPPONENT]
    ticked = {card.strip() for key, value in chosen if key == "card" for card in value.split(",")}
    kingdom = one.get("kingdom", "")
    kingdoms = _KINGDOMS if kingdom in (*_KINGDOMS, _USUAL) else {kingdom: kingdom, **_KINGDOMS}
    game = [
        _select("kingdom", "Kingdom", kingdoms, "" if kingdom == _USUAL else kingdom),
        _select("players", "Players", _PLAYERS, one.get("players", "2")),
        _select("seat", "Your seat", _SEATS, one.get("seat", "0")),
        _input(
            "seed", "Seed", inputmode="numeric", pattern="[0-9]*", maxlength=20, placeholder="drawn", value=one.get("seed", "")
        ),
        _input("name", "Your name", maxlength=MOST_NAME, placeholder="Player", value=one.get("name", "")),
        _select("treasures", "Treasures", _TREASURES, one.get("treasures", "ask")),
    ]  # fmt: skip
    agents = [
        _agent(number, agents_chosen[number - 1] if number <= len(agents_chosen) else "")
        for number in range(1, MOST_PLAYERS + 1)
    ]
    return tag(
        "form",
        tag("h1", "A new game of Dominion"),
        tag("div", game, class_="fields"),
        tag("p", _WHO_BEGINS, class_="quiet"),
        tag(
            "fieldset",
            tag("legend", "Agents"),
            tag("p", _AGENTS, class_="quiet"),
            tag("div", agents, class_="fields agents"),
        ),
        tag("p", tag("button", "Play", type="submit", class_="main")),
        tag(
            "details",
            tag("summary", "Gallery: pick ten Kingdom cards"),
            tag("p", _GALLERY, class_="quiet"),
            gallery(ticked),
            tag("p", tag("span", "", class_="ticked"), class_="tally"),
            open=bool(ticked),
        ),
        action="/play",
        method="get",
    )


def _agents_in(chosen: Sequence[tuple[str, str]]) -> list[str]:
    """Return the agents of the form as they were chosen before, those of the fields in their places."""
    found = list[str]()
    for key, value in chosen:
        if key == "agent":
            found.append(value)
        elif key == INSTEAD and value.strip() and found:
            found[-1] = value
    return found


def _agent(number: int, chosen: str) -> Markup:
    """Return the list of names for a seat, and the field for what is in no list."""
    groups = groups_of_agents()
    listed = not chosen or any(chosen in names for names in groups.values())
    options = [
        tag("optgroup", [tag("option", name, value=name, selected=name == chosen) for name in names], label=group)
        for group, names in groups.items()
    ]
    nobody = [tag("option", _SAME, value="", selected=not chosen)] if number > 1 or not listed else []
    field = void(
        "input", name=INSTEAD, value="" if listed else chosen, maxlength=MOST_TEXT, placeholder="or another",
        aria_label=f"Another agent {number}, with a budget, or a strategy",
    )  # fmt: skip
    return tag("div", tag("label", f"Agent {number}", tag("select", nobody, options, name="agent")), field)


def gallery(ticked: Collection[str] = ()) -> Markup:
    """Return all Kingdom cards, each with a box to tick, its cost, its types and its text."""
    shown = sorted(KINGDOM_CARDS, key=lambda card: (card.info.cost, card.title))
    return tag("div", [_in_gallery(card, card.title in ticked) for card in shown], class_="gallery")


def _in_gallery(card: Card, ticked: bool) -> Markup:
    box = void("input", type="checkbox", name="card", value=card.title, checked=ticked)
    return tag(
        "label", box, tag("span", card.title, class_="name"),
        tag("span", str(card.info.cost), class_="cost"), tag("span", types_of(card), class_="types"),
        tag("span", " ".join([*(f"{each}." for each in printed(card)), card.info.text]), class_="text"),
        class_=style_of(card),
    )  # fmt: skip


def opening() -> Markup:
    """Return the form that opens a saved game or a position."""
    return tag(
        "form",
        tag("h2", "Open a saved game or a position"),
        tag("p", f"What “Save” or “dominion play” has written, at most {MOST_UPLOAD // 1000} kB.", class_="quiet"),
        tag("div", [
            tag("label", "A file", void("input", type="file", name="file", accept=".json,application/json")),
            tag("label", "or its text", tag("textarea", name="text", maxlength=MOST_UPLOAD)),
        ], class_="fields"),
        tag("p", tag("button", "Open", type="submit")),
        action="/open", method="post", enctype="multipart/form-data",
    )  # fmt: skip


def games(latest: Sequence[Latest]) -> Markup:
    """Return the latest games of a visitor, each with the day of its last answer, and how it ended."""
    if not latest:
        return tag("p", "Your games will be listed here.", class_="quiet")
    return tag("ul", [tag("li", tag("a", told(each.link), href=_path(each.link)), _state(each)) for each in latest])


def _path(link: str) -> str:
    return f"/{'watch' if 'seat=watch' in link else 'play'}?{link}"


def _state(each: Latest) -> str:
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.changed))
    return f" ({day}, {each.outcome or 'not over yet'})"


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
