"""The table in the browser: what needs no browser. `tests/browser` drives one."""

from __future__ import annotations

from dominion_app.web.house.games import VisitorGame
from dominion_app.web.house.link import Link
from dominion_app.web.house.players import made

CARDS = "Bureaucrat,Cellar,Chapel,Library,Militia,Moat,Poacher,Sentry,Thief,Throne Room"


def link_of(**values: object) -> Link:
    """Return the link of a game, at a fixed seed if none is given."""
    return Link.read([(key, str(value)) for key, value in {"seed": 3, **values}.items()])


def game_of(**values: object) -> VisitorGame:
    """Return a new game of a visitor, with agents that answer at once."""
    link = link_of(**values)
    return VisitorGame(link, {seat: made(name) for seat, name in enumerate(link.agents) if name is not None})
