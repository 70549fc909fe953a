"""The page of a puzzle: a position drawn as at the table, and once it is answered what each answer is worth.

The server keeps nothing: an answer is a form that is sent to the address of the puzzle.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import replace
from datetime import date
from typing import Any

from markupsafe import Markup
from nicegui import ui

from dominion_app.web.house.puzzle import PuzzleLink, kinds, seen_at
from dominion_app.web.pages import cards
from dominion_app.web.pages import table_parts as parts
from dominion_app.web.pages.frame import Fragment, bar, hear_keys, page_style
from dominion_app.web.pages.labels import label_of
from dominion_app.web.pages.markup import tag, void
from dominion_env.render.view import View
from dominion_training.puzzles import Puzzle, puzzles

# Sends the form with the answer of the button that was clicked.
_SEND = """(event) => {
  const button = event.target.closest("[data-do]"), form = document.querySelector("#answer");
  if (!button || !form) return;
  form.elements.answer.value = button.dataset.do.split("|")[2];
  form.submit();
}"""
_ONE_BY_ONE = "Only the first card counts here."
_MEASURED = (
    "The coach has measured these chances in the same 2,000 deals of what you can't see. Their intervals were not kept, but "
    "the best answer's lead over each other one has an interval of 95% above 0. What the coach has no plan for, it can't see."
)


class Tally:
    """Which puzzles a browser has solved and failed: the first answer to each counts.

    Args:
        kept: what the cookie of the browser holds.
    """

    def __init__(self, kept: MutableMapping[str, Any]) -> None:
        self._kept = kept

    @property
    def tried(self) -> int:
        """The puzzles that were answered; bit n is that of puzzle n."""
        return int(self._kept.get("solved", 0)) | int(self._kept.get("failed", 0))

    def add(self, number: int, solved: bool) -> None:
        """Count an answer, unless the puzzle was answered before."""
        if not self.tried >> number & 1:
            word = "solved" if solved else "failed"
            self._kept[word] = int(self._kept.get(word, 0)) | 1 << number

    def __str__(self) -> str:
        solved, failed = (int(self._kept.get(word, 0)).bit_count() for word in ("solved", "failed"))
        return f"In this browser: {solved} solved, {failed} not. The first answer to each puzzle counts."


class PuzzlePage:
    """A puzzle as one browser shows it.

    Args:
        link: which puzzle, and where it leads on.
        today: the day by UTC.
        tally: what the browser has solved.
        answer: what was answered; None if nothing was yet, so that nothing shows which is best.

    Raises:
        IllegalAction: the answer is none to this puzzle.
    """

    def __init__(self, link: PuzzleLink, today: date, tally: Tally, answer: str | None) -> None:
        puzzle, seen = puzzles()[link.number], seen_at(link.number)
        title, view = f"Puzzle of {link.day}" if link.day else f"Puzzle {link.number}", seen.view
        asked = parts.question(seen)
        if seen.most > 1:
            asked += tag("p", _ONE_BY_ONE, class_="quiet")
        if answer is not None:
            asked, seen = result(puzzle, answer, view, link), replace(seen, answers=())
            tally.add(link.number, answer == puzzle.best)
            title = f"{'Solved' if answer == puzzle.best else 'Not solved'}: {title}"
        page_style(title)
        hear_keys()
        with ui.element("div").on("click", js_handler=_SEND):
            Fragment("nav", bar())
            with ui.element("div").classes("table"):
                with ui.element("div").classes("board"):
                    Fragment("section", leading(link, today, title), id="puzzle", aria_label="Puzzle")
                    Fragment("div", parts.heading(seen), id="heading")
                    Fragment("div", asked, id="question", role="region", aria_label="Question")
                    Fragment("section", parts.own(seen), id="own", aria_label="Your cards")
                    Fragment("section", parts.supply(seen), id="supply", aria_label="Supply")
                    Fragment("section", parts.others(seen), id="others", aria_label="Players")
                with ui.element("div").classes("side"):
                    aside = tag("div", tag("p", str(tally)), parts.decks(view), texts(view))
                    Fragment("section", aside, id="log", aria_label="Decks and cards", tabindex="0")
            if answer is None:
                Fragment("form", void("input", type="hidden", name="answer"), id="answer", method="post")


def leading(link: PuzzleLink, today: date, title: str) -> Markup:
    """Return which puzzle it is, and the ways to others."""
    puzzle, links = puzzles()[link.number], [(words, each.query) for words, each in link.neighbours(today).items()]
    if link.day is not None:
        links.append((f"Puzzle {link.number}", f"number={link.number}"))
    choices = {"": "any kind", **{kind: f"{kind} ({number})" for kind, number in kinds().items()}}
    options = [tag("option", words, value=kind, selected=kind == link.kind) for kind, words in choices.items()]
    return tag(
        "form",
        tag("strong", f"{title} · {puzzle.kind}, {puzzle.stage}"),
        [tag("a", words, class_="button", href=f"/puzzle?{query}") for words, query in links],
        tag("select", options, name="kind", aria_label="Kind of question"),
        tag("button", "Another one", type="submit"),
        action="/puzzle", method="get",
    )  # fmt: skip


def texts(view: View) -> Markup:
    """Return the texts of the cards, which are shown when they are asked for."""
    return tag("details", tag("summary", "Cards"), cards.glossary(each.card for each in (*view.kingdom, *view.base)))


def result(puzzle: Puzzle, answer: str, view: View, link: PuzzleLink) -> Markup:
    """Return whether an answer was the best one, and what each is worth.

    Raises:
        IllegalAction: it is no answer to this puzzle.
    """
    loss = puzzle.loss(answer)
    best, given = (label_of(each, view.question) for each in (puzzle.best, answer))
    told = (
        f"Not the best: {given} costs {loss:.1%} of the win, and {best} is best" if loss else f"Solved: {best} is best"
    )
    rows = [tag("tr", [tag("th", each, scope="col") for each in ("answer", "chance to win", "as a bar")])]
    for action, chance in puzzle.chances.items():
        mark = {answer: " ← yours", puzzle.best: " ★ best"}.get(action, "")
        label = cards.in_colours(label_of(action, view.question))
        cells = tag("td", f"{chance:.1%}"), tag("td", parts.bar(chance))
        rows.append(tag("tr", tag("th", label, mark, scope="row"), *cells))
    again = tag("a", "Try again", href=f"/puzzle?{link.query}")
    return (
        tag("h2", cards.in_colours(told)) + tag("table", rows, class_="hints") + tag("p", _MEASURED, class_="quiet")
        + tag("p", again)
    )  # fmt: skip
