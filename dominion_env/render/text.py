"""The table as lines of text, plain or with the colours of the cards for a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dominion_env.render.ending import ending, standing, verdict
from dominion_env.render.log import counted
from dominion_env.render.view import CardGroup, Pile, PlayerView, View, style_of

if TYPE_CHECKING:
    from rich.text import Text

_LABEL = 10  # and a space
_WIDTH = 120  # columns of coloured text
_NEWEST = 10  # lines of the log for each player, about a round, below the coloured table

# How a terminal shows the styles of cards, and the parts of the text.
TERMINAL_STYLES = {
    "action": "bold",
    "attack": "bold red",
    "reaction": "bold cyan",
    "treasure": "yellow",
    "victory": "green",
    "curse": "magenta",
    "unknown": "dim",
    "label": "dim",
    "heading": "bold reverse",
    "question": "bold",
    "": "",
}


class Span(NamedTuple):
    """A piece of a line and its style, a key of `TERMINAL_STYLES`."""

    text: str
    style: str = ""


Line = list[Span]


def plain(lines: Iterable[Line]) -> str:
    """Return the lines as a string without colours."""
    return "\n".join("".join(span.text for span in line) for line in lines)


def rich_text(lines: Iterable[Line]) -> Text:
    """Return the lines with colours, for rich and textual."""
    from rich.text import Text

    text = Text()
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for span in line:
            text.append(span.text, TERMINAL_STYLES[span.style])
    return text


def ansi(view: View) -> str:
    """Return the table and the newest events as a string with escape codes for colours, 120 columns wide."""
    from rich.console import Console

    lines = table_lines(view)
    if view.events:
        lines += [[], *event_lines(view.events[-_NEWEST * len(view.players) :])]
    out = io.StringIO()
    # The string is the same everywhere, as nothing depends on the terminal or its variables.
    console = Console(
        file=out, force_terminal=True, color_system="standard", width=_WIDTH, no_color=False, highlight=False,
        legacy_windows=False,
    )  # fmt: skip
    console.print(rich_text(lines))
    return out.getvalue().rstrip("\n")


def table_lines(view: View) -> list[Line]:
    """Return the lines of the table: turn, Supply, trash, players, and the question with its answers."""
    return [*position_lines(view), *_end_or_question_lines(view)]


def position_lines(view: View) -> list[Line]:
    """Return the lines of the table without the question: turn, Supply, trash and players."""
    return [
        turn_line(view),
        _pile_line("Supply", view.base),
        _pile_line("Kingdom", view.kingdom[:5]),
        _pile_line("", view.kingdom[5:]),
        trash_line(view),
        *(line for player in view.players for line in player_lines(player)),
    ]


def turn_line(view: View) -> Line:
    """Return the line that says whose turn it is and what is left of it."""
    left = ", ".join((counted(view.actions, "action"), counted(view.buys, "buy"), counted(view.coins, "coin")))
    return [Span(view.heading, "heading"), Span(f": {left}")]


def trash_line(view: View) -> Line:
    """Return the line of the trash."""
    return [_label("Trash"), *_cards(view.trash)]


def _label(text: str) -> Span:
    return Span(f"{text:<{_LABEL}} ", "label")


def _pile_line(label: str, piles: Sequence[Pile]) -> Line:
    line = [_label(label)]
    for number, (card, copies) in enumerate(piles):
        line += [Span("  ")] if number else []
        line.append(Span(f"{card.title} ({card.info.cost}) x{copies}", style_of(card) if copies else "unknown"))
    return line


def _cards(groups: Sequence[CardGroup]) -> Iterator[Span]:
    """Yield the spans of "2 Copper, Silver", or "-" if there are no cards."""
    if not groups:
        yield Span("-")
    for number, group in enumerate(groups):
        if number:
            yield Span(", ")
        yield Span(group.name if group.copies == 1 else f"{group.copies} {group.name}", style_of(group.card))


def player_lines(player: PlayerView) -> Iterator[Line]:
    """Yield the line of a player's hand, deck and discard pile, and one of their other cards, if there are any."""
    known = [group for group in player.hand if group.card is not None]
    if player.open:
        hand = list(_cards(player.hand))
    else:
        hand = [Span(counted(player.hand_size, "card"))]
        if known:
            hand += [Span(", among them "), *_cards(known)]
    deck = counted(player.deck_size, "card")
    line = [_label(player.name), Span("hand: "), *hand, Span(f" | deck: {deck} | discard pile: ")]
    if player.discard_top is None:
        line.append(Span("empty"))
    else:
        top = Span(player.discard_top.title, style_of(player.discard_top))
        line += [Span(f"{counted(player.discard_size, 'card')}, "), top, Span(" on top")]
    yield line
    parts = {"in play": tuple(sorted(player.in_play))} if player.in_play else {}
    shown: Line = []
    for label, groups in (parts | player.aside).items():
        shown += [Span(" | ")] if shown else []
        shown += [Span(f"{label}: "), *_cards(groups)]
    if shown:
        yield [_label(""), *shown]


def _end_or_question_lines(view: View) -> Iterator[Line]:
    if view.over:
        yield from ending_lines(view)
        return
    yield [Span(view.question, "question")]
    if view.legal:
        yield [_label(""), Span(", ".join(view.legal))]


def ending_lines(view: View) -> Iterator[Line]:
    """Yield lines that explain the end: reason, winners, and the points, turns and cards of each player."""
    yield [Span(ending(view), "question")]
    yield [Span(verdict(view), "question")]
    for player in view.players:
        yield owned_line(player)


def owned_line(player: PlayerView) -> Line:
    """Return the line with the points and turns of a player and all cards that they own."""
    return [_label(player.name), Span(f"{standing(player)}: "), *_cards(player.owned)]


def event_lines(events: Sequence[str]) -> list[Line]:
    """Return lines of the log, with turns set apart from what happens in them."""
    return [[Span(line, "question")] if line.startswith("Turn ") else [Span(f"  {line}", "label")] for line in events]
