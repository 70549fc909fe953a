"""The page that compares two agents or buy lists: the score as games come in, curves by turn, and how games end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from nicegui import background_tasks, ui

from dominion_app.web.guarding.limits import COMPARE_SECONDS, MOST_COMPARED, MOST_ROUNDS, MOST_TEXT
from dominion_app.web.house.house import House
from dominion_app.web.house.link import number_in
from dominion_app.web.house.players import allowed, short_names
from dominion_app.web.pages.chart import Curve, chart
from dominion_app.web.pages.frame import COMPILING, Fragment, Note, bar, hear_compiling, page_style
from dominion_app.web.pages.markup import join, tag, void
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.players.registry import registered_agents
from dominion_env.render.names import quoted
from dominion_env.tables.kingdoms import KINGDOMS, resolve

FIRST, SECOND = "Province\nGold\nSmithy if Smithy < 2\nSilver", "big-money"
_KEYS = ("first", "second", "kingdom", "players", "games", "seed")
_ENDINGS = {
    "Provinces": "ended as the Provinces ran out",
    "piles": "ended as enough other piles ran out",
    "truncated": f"stopped after {MOST_ROUNDS} rounds",
}
_UNITS = {"money": "coins of a turn", "points": "points", "deck size": "cards"}


@dataclass(frozen=True)
class Compared:
    """Two agents and the games that they play.

    Attributes:
        first, second: names of agents, or strategies as text; the second one has all seats but one.
        kingdom: a named kingdom, or ten cards with commas between them.
        players, games, seed: numbers of players and games, and the seed of the games' addresses.
    """

    first: str
    second: str
    kingdom: str = "first-game-2e"
    players: int = 2
    games: int = 1000
    seed: int = 0

    @staticmethod
    def read(query: Sequence[tuple[str, str]]) -> Compared | None:
        """Read the query of an address; None if it names no agents.

        Raises:
            DominionError: a value is wrong.
        """
        given = {key: value.strip() for key, value in query if value.strip()}
        unknown = [key for key in given if key not in _KEYS]
        if unknown:
            raise InvalidOption(f"link: expected only {', '.join(_KEYS)}, got {shown(unknown[0])}")
        if "first" not in given and "second" not in given:
            return None
        players = number_in("players", given, 2, 2, 6)
        games = number_in("games", given, 1000, players, MOST_COMPARED)
        kingdom = given.get("kingdom", "first-game-2e")
        resolve(kingdom)
        first, second = allowed(given.get("first", "")), allowed(given.get("second", ""))
        seed = number_in("seed", given, 0, 0, 2**63)
        return Compared(first, second, kingdom, players, games - games % players, seed)

    @property
    def job(self) -> dict[str, Any]:
        """What a process is asked."""
        return {
            "do": "compare", "first": self.first, "second": self.second, "kingdom": self.kingdom, "players": self.players,
            "games": self.games, "seed": self.seed,
        }  # fmt: skip

    @property
    def example(self) -> str:
        """The link of the first game, in which the first agent has the first seat."""
        pairs = [
            ("kingdom", self.kingdom),
            ("players", str(self.players)),
            ("seed", str(self.seed)),
            ("agent", self.first),
        ]
        return "/watch?" + urlencode([*pairs, *[("agent", self.second)] * (self.players - 1), ("seat", "watch")])


class ComparePage:
    """The page of a comparison for one browser, which begins at once if it is given.

    Args:
        house: the games, and the processes that play them.
        visitor, address: who looks, and from where.
        compared: what is compared; None for the form alone.
        wrong: what is wrong with the address in words, "" if nothing is.
    """

    def __init__(self, house: House, visitor: str, address: str, compared: Compared | None, wrong: str = "") -> None:
        self._house, self._visitor, self._address = house, visitor, address
        self._gone, self._running = False, False
        page_style("Compare")
        Fragment("nav", bar())
        with ui.element("div").classes("page"):
            Fragment("div", form(compared or Compared(FIRST, SECOND)))
            self._note = Note()
            self._result = Fragment("div", id="result", aria_live="polite")
        ui.context.client.on_delete(self._leave)
        hear_compiling(house.workers.studies, self._compiles)
        if wrong:
            self._note.say(wrong)
        elif compared is not None and not house.allows(visitor, address):
            self._note.say("That was too fast for this server. Go on in a moment.")
        elif compared is not None:
            self._running = True
            self._note.say("The games begin …")
            background_tasks.create(self._play(compared), name="comparison")

    def _compiles(self) -> None:
        if self._running and self._house.workers.studies.is_compiling:
            self._note.say(COMPILING)

    def _leave(self) -> None:
        self._gone = True

    async def _play(self, compared: Compared) -> None:
        try:
            found = self._house.study(
                self._visitor, self._address, compared.job, 2 * COMPARE_SECONDS, lambda: not self._gone
            )
            async with aclosing(found) as answers:
                async for answer in answers:
                    self._note.say(f"{answer['games']} of {answer['of']} games")
                    self._result.set(result(answer, compared))
        except DominionError as error:
            self._note.say(f"The games have stopped: {error}")
        self._running = False


def form(chosen: Compared) -> Markup:
    """Return the form of a comparison."""
    kingdoms = ["random-2e", "random", *KINGDOMS]
    text: dict[str, str | int] = {"maxlength": MOST_TEXT, "spellcheck": "false"}
    fields = [
        tag("label", "Kingdom", void("input", name="kingdom", list="kingdoms", value=chosen.kingdom)),
        tag("label", "Players", void("input", name="players", type="number", min=2, max=6, value=chosen.players)),
        tag("label", "Games", void("input", name="games", type="number", min=2, max=MOST_COMPARED, value=chosen.games)),
        tag("label", "Seed", void("input", name="seed", inputmode="numeric", value=chosen.seed)),
    ]
    return tag(
        "form",
        tag("h1", "Compare two buy lists or agents"),
        tag("p", "A name, or rules in their order, a line each. Every game is played from every seat with the same luck."),
        tag("div", [
            tag("label", "First", tag("textarea", chosen.first, name="first", **text)),
            tag("label", "Second (all other seats)", tag("textarea", chosen.second, name="second", **text)),
        ], class_="fields"),
        tag("div", fields, class_="fields"),
        tag("datalist", [void("option", value=name) for name in kingdoms], id="kingdoms"),
        tag("p", tag("button", "Play the games", type="submit", class_="main")),
        tag("details", tag("summary", "Names of agents"), tag("p", ", ".join(registered_agents()))),
        action="/compare", method="get",
    )  # fmt: skip


def result(answer: dict[str, Any], compared: Compared) -> Markup:
    """Return the result so far.

    Args:
        answer: an answer of `thinking.compare`.
        compared: what was compared.
    """
    names = [quoted(name) for name in short_names([compared.first, compared.second])]
    score = f"{answer['score']:.1%} [{answer['low']:.1%}, {answer['high']:.1%}]"
    shares = [
        ("wins", answer["wins"]), ("shared wins", answer["ties"]), ("losses", answer["losses"]),
        *((_ENDINGS[how], number) for how, number in answer["endings"].items()),
    ]  # fmt: skip
    rows = [
        tag("tr", tag("th", what, scope="row"), tag("td", str(number)), tag("td", _bar(number / answer["games"])))
        for what, number in shares
    ]
    seats = [
        tag(
            "tr",
            tag("th", f"as player {place + 1} in turn", scope="row"),
            tag("td", f"{share:.1%}"),
            tag("td", _bar(share)),
        )
        for place, share in enumerate(answer["score_by_position"])
    ]
    games, rounds, even = answer["games"], answer["rounds"], answer["even"]
    told = (
        f"The score is the share of the win, in {games} games of {rounds:.1f} rounds; between equals it is {even:.0%}. "
        "In brackets: the interval of 95%."
    )
    return join([
        tag(
            "section",
            tag("h2", f"{names[0]} scores {score} against {names[1]}"),
            tag("p", told),
            tag("table", rows),
            tag("h3", f"{names[0]} by the order of turns"),
            tag("table", seats),
            tag("p", tag("a", "Step through the first game", href=compared.example)),
        ),
        tag(
            "section",
            tag("h2", "Turn by turn"),
            tag("p", "Lines are means, and bands the middle half of the games.", class_="quiet"),
            tag("div", [_chart(kind, names, pair) for kind, pair in answer["curves"].items()], class_="curves"),
        ),
    ])  # fmt: skip


def _chart(kind: str, names: Sequence[str], pair: Sequence[dict[str, Any]]) -> Markup:
    curves = [Curve(f"{name} ({_UNITS[kind]})", **each) for name, each in zip(names, pair, strict=True)]
    return chart(f"{kind.capitalize()} by turn", "turn", curves)


def _bar(share: float) -> Markup:
    return tag("meter", f"{share:.0%}", min="0", max="1", value=f"{share:.4f}", aria_hidden="true")
