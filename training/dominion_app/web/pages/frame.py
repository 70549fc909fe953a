"""What all pages share: their look, the bar at the top, pieces of HTML that are sent only when they change, and clicks.

A page is a few pieces of HTML with buttons in them. One listener hears all buttons of a page, so an answer costs one message
to the server, and one back with the pieces that have changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from nicegui import events, ui

from dominion_app.play.compiling import TOLD
from dominion_app.web.house.workers import Lane
from dominion_app.web.pages.markup import Content, join, tag

_THEME = (Path(__file__).parent / "theme.css").read_text(encoding="utf-8")
# Sends what the button that was clicked asks for, with the state that the page shows, and how it was clicked: 0 for a key.
_SEND = """(event) => {
  const button = event.target.closest("[data-do]");
  const state = document.querySelector("[data-state]")?.dataset.state ?? "";
  if (button && !button.disabled) emit([button.dataset.do.replace(/^\\|/, state + "|"), event.detail]);
}"""
# Clicks the button that names the key that was pressed: one beside the table first, then one of the question. What is asked
# for is so always what the page shows. Space and Enter press the button in focus without it, and keys scroll what has it.
_KEYS = """document.addEventListener("keydown", (event) => {
  const held = event.ctrlKey || event.altKey || event.metaKey || event.repeat;
  if (held || event.key === " " || event.target.closest("input, select, textarea")) return;
  if (event.target.closest("#log, #panel") && /^(Arrow|Home|End)/.test(event.key)) return;
  for (const place of ["#panel", "#question", "nav"]) {
    const found = document.querySelector(`${place} button:enabled[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    if (!found) continue;
    event.preventDefault();
    return found.click();
  }
});"""
_PLACES = ("New game", "/"), ("Puzzle", "/puzzle"), ("Compare", "/compare")
COMPILING = f"What this needs {TOLD} …"
_LONGEST = 200  # characters of what a button sends

Doing = Callable[[str, int], Awaitable[None]]


class Fragment:
    """A piece of HTML on a page, which is sent to the browser only when it changes.

    Args:
        name: the tag of the element that holds it.
        content: what it holds at first; a text that is no markup is escaped.
        attributes: attributes of that element; "_" becomes "-".
    """

    def __init__(self, name: str, content: str = "", **attributes: str) -> None:
        self._content = str(escape(content))
        # Nothing but markup that was made here gets into it, so it needs no cleaning in the browser.
        self.element = ui.html(self._content, sanitize=False, tag=name)
        for key, value in attributes.items():
            self.element.props[key.replace("_", "-")] = value

    @property
    def shown(self) -> bool:
        """Whether it holds anything."""
        return bool(self._content)

    def set(self, content: str) -> None:
        """Show something else; a text that is no markup is escaped."""
        written = str(escape(content))
        if written != self._content:
            self._content = written
            self.element.set_content(self._content)


class Note(Fragment):
    """A line that says what went wrong, or what goes on."""

    def __init__(self) -> None:
        super().__init__("div", id="note", role="status")

    def say(self, words: str) -> None:
        """Say something, "" for nothing."""
        self.set(words)


def unkept(trouble: str) -> str:
    """Return what a page says while games can't be written, "" if they can.

    Args:
        trouble: why they can't be, in words, "" if they can.
    """
    later = "Games go on in memory, and are written as soon as that can be done."
    return f"Games can't be written to their file now: {trouble}. {later}" if trouble else ""


def hear_compiling(lane: Lane, do: Callable[[], None]) -> None:
    """Call a function when a process that thinks for the page begins to compile, and when that is over."""
    lane.told.add(do)
    ui.context.client.on_delete(lambda: lane.told.discard(do))


def page_style(title: str) -> None:
    """Give the page its look and its title."""
    ui.add_css(_THEME)
    ui.page_title(f"{title} · Dominion")


def hear_keys() -> None:
    """Let each button of the page be pressed by the key that it names."""
    ui.add_body_html(f"<script>{_KEYS}</script>")


def bar(*content: Content) -> Markup:
    """Return what the bar at the top of a page holds, after the way home."""
    links = [tag("a", label, href=href) for label, href in _PLACES]
    return tag("div", tag("a", "Dominion", href="/", class_="home"), *links, *content, class_="bar")


def hearing(do: Doing) -> ui.element:
    """Return an element in which the buttons of a page stand, and that hears them.

    Args:
        do: function of what a button asks for, and the number of clicks, which is 0 if a key pressed it.
    """

    async def heard(event: events.GenericEventArguments) -> None:
        sent: Any = event.args
        if isinstance(sent, list) and len(sent) == 2 and isinstance(sent[0], str) and isinstance(sent[1], int):
            await do(sent[0][:_LONGEST], sent[1])

    return ui.element("div").on("click", heard, js_handler=_SEND)


def problem(words: str) -> None:
    """Show a page that says what is wrong with an address, and leads to the lobby."""
    page_style("Something is wrong")
    with ui.element("div").classes("page"):
        Fragment("nav", bar())
        Fragment("section", join([
            tag("h1", "This can't be shown"), tag("p", words, class_="wrong"),
            tag("p", tag("a", "Begin a new game in the lobby", href="/")),
        ]))  # fmt: skip
