"""The page of a review: the chance to win over the turns, and the dearest mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from markupsafe import Markup
from nicegui import background_tasks, ui

from dominion_agents.coach.losses import percent_of
from dominion_app.review.tables import INTERVALS
from dominion_app.web.guarding.limits import REVIEW_SECONDS
from dominion_app.web.house.house import House, Room
from dominion_app.web.pages import cards
from dominion_app.web.pages.chart import Curve, chart
from dominion_app.web.pages.frame import COMPILING, Fragment, Note, bar, hear_compiling, hearing, page_style
from dominion_app.web.pages.labels import label_of, relabelled
from dominion_app.web.pages.markup import join, tag
from dominion_env.common.errors import DominionError


class ReviewPage:
    """The review of a game for one browser; it begins when a player is chosen.

    Args:
        house: the games.
        room: the room of the game.
    """

    def __init__(self, house: House, room: Room) -> None:
        self.house, self.room = house, room
        self._running = False
        self._gone = False
        link = room.game.link
        page_style("Review")
        path = "/watch?" if link.watched else "/play?"
        ui.context.client.on_delete(self._leave)
        hear_compiling(house.workers.studies, self._compiles)
        buttons = [
            tag("button", f"Review {room.game.table.shown_names[seat]}", type="button", data_do=f"|review|{seat}")
            for seat in self._seats
        ]
        with hearing(self.do):
            Fragment("nav", bar(tag("a", "Back to the game", class_="button", href=path + link.query)))
            with ui.element("div").classes("page"):
                Fragment(
                    "section", tag("h1", "What have the decisions cost?") + tag("p", _EXPLAINED) + tag("p", buttons)
                )
                self.note = Note()
                self.result = Fragment("div", id="result")

    @property
    def _seats(self) -> Sequence[int]:
        """Seats whose decisions the visitor may know now: their own, and all of a game that is open."""
        game = self.room.game
        return range(game.game.num_players) if game.is_open or game.seat is None else [game.seat]

    def _compiles(self) -> None:
        if self._running and self.house.workers.studies.is_compiling:
            self.note.say(COMPILING)

    def _leave(self) -> None:
        self._gone = True

    async def do(self, value: str, clicks: int) -> None:
        """Review the decisions of the player whose button was pressed."""
        _, _, rest = value.partition("|")
        word, _, seat = rest.partition("|")
        if word != "review" or self._running or seat not in map(str, self._seats):
            return
        if not self.house.allows(self.room.visitor, self.room.address):
            self.note.say("That was too fast for this server. Go on in a moment.")
            return
        self._running = True
        waiting = self.house.workers.studies.waiting
        self.note.say(f"{waiting} others are before you …" if waiting else "The coach looks at the first decision …")
        background_tasks.create(self._review(int(seat)), name="review")

    async def _review(self, seat: int) -> None:
        job = {"do": "review", "game": self.room.game.replay(), "seat": seat}
        try:
            room = self.room
            found = self.house.study(room.visitor, room.address, job, REVIEW_SECONDS, lambda: not self._gone)
            async with aclosing(found) as answers:
                async for answer in answers:
                    if "review" in answer:
                        self.result.set(reviewed(answer["review"], self.room.game.table.shown_names[seat]))
                        self.note.say("")
                    else:
                        self.note.say(f"{answer['done']} of {answer['of']} decisions")
        except DominionError as error:
            self.note.say(f"There is no review: {error}")
        self._running = False


_EXPLAINED = (
    "The coach judges every decision by what the player could know then, and says how much the best action was better. "
    "A mistake is what the project's plans would do better; the order of Treasures is not judged."
)
_MARKED = "A number marks a dearest mistake, at the chance that was left after it."


def reviewed(review: dict[str, Any], name: str) -> Markup:
    """Return the curve of a review, its dearest mistakes in words, and all decisions.

    Args:
        review: what `Review.to_dict` returned, and "explained".
        name: name of the player.
    """
    decisions = review["decisions"]
    places = _places([each["turn"] for each in decisions])
    best = [each["actions"][0] for each in decisions]
    line = Curve(
        "chance to win with the best action (%), with its interval of 95%", places,
        *([100 * each[key] for each in best] for key in ("chance", "low", "high")),
    )  # fmt: skip
    steps = [each["step"] for each in decisions]
    marks = []
    for number, each in enumerate(review["dearest"], 1):
        row = steps.index(each["step"])
        played = next(one for one in decisions[row]["actions"] if one["action"] == decisions[row]["played"])
        marks.append((places[row], 100 * played["chance"], str(number)))
    heads = [tag("th", each, scope="col") for each in ("turn", "played", "best", "cost (% of the win)")]
    rows = [tag("tr", heads), *(_row(each) for each in decisions)]
    explained = [
        tag("li", [tag("p", cards.in_colours(relabelled(each, lines[0]))) for each in lines])
        for lines in review["explained"]
    ]
    title = f"Chance to win of {name}"
    return join([
        tag("section", chart(title, "turn", [line], marks, ends=(0, 100)), tag("p", _MARKED, class_="quiet")),
        tag("section", tag("h2", "The dearest mistakes"), tag("ol", explained, class_="explained")),
        tag("section", tag("h2", "Mean cost of a decision"), _losses(review["losses"]), tag("p", INTERVALS, class_="quiet")),
        tag("section", tag("h2", "All decisions"), tag("div", tag("table", rows), class_="wide")),
    ])  # fmt: skip


def _losses(losses: dict[str, Any]) -> Markup:
    heads = [tag("th", each, scope="col") for each in ("decisions", "mean cost (% of the win)", "number")]
    cells = [
        (name, percent_of(each["loss"], each["half_width"]), str(each["decisions"]))
        for name, each in {"all": losses, **losses["groups"]}.items()
    ]
    return tag("table", tag("tr", heads), [tag("tr", [tag("td", cell) for cell in row]) for row in cells])


def _row(each: dict[str, Any]) -> Markup:
    cost = each["cost"]
    told = "" if cost is None else "0"
    if each["mistake"]:
        told = f"{100 * cost['share']:.1f} [{100 * cost['low']:.1f}, {100 * cost['high']:.1f}]"
    turn = str(each["turn"]) if each["own_turn"] else f"({each['turn']})"
    played, better = (cards.in_colours(label_of(each[key], each["asked"])) for key in ("played", "better"))
    words = [turn, played, "" if cost is None else better]
    mark = " mistake" if each["mistake"] else ""
    return tag("tr", [tag("td", word) for word in words], tag("td", tag("strong", told, mark) if mark else told))


def _places(turns: list[int]) -> list[float]:
    """Return where decisions stand: those of a turn from its number on, evenly up to the next one."""
    return [turn + turns[:row].count(turn) / turns.count(turn) for row, turn in enumerate(turns)]
