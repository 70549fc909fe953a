"""The table in lines of text: plain, or with the colours of the cards for a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dominion_env.render.log import counted
from dominion_env.render.view import Pile, PlayerView, Stack, View, kind_of

if TYPE_CHECKING:
    from rich.text import Text

_LABEL = 10  # and a space
_WIDTH = 120  # columns of coloured text
_NEWEST = 10  # lines of the log below the coloured table, for each player: about a round

# How a terminal shows the kinds of cards, and the parts of the text.
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
    """A piece of a line: a kind of card, a part of `TERMINAL_STYLES`, or nothing special."""

    text: str
    style: str = ""


Line = list[Span]


def plain(lines: Iterable[Line]) -> str:
    """The lines without colours."""
    return "\n".join("".join(span.text for span in line) for line in lines)


def rich_text(lines: Iterable[Line]) -> Text:
    """The lines with colours, for rich and textual."""
    from rich.text import Text

    text = Text()
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for span in line:
            text.append(span.text, TERMINAL_STYLES[span.style])
    return text


def ansi(view: View) -> str:
    """The table and the newest events in colour, as a string with escape codes, 120 columns wide."""
    from rich.console import Console

    lines = table_lines(view)
    if view.events:
        lines += [[], *event_lines(view.events[-_NEWEST * len(view.players) :])]
    out = io.StringIO()
    # Nothing depends on the terminal or its variables: the same string everywhere.
    console = Console(
        file=out, force_terminal=True, color_system="standard", width=_WIDTH, no_color=False, highlight=False,
        legacy_windows=False,
    )  # fmt: skip
    console.print(rich_text(lines))
    return out.getvalue().rstrip("\n")


def table_lines(view: View) -> list[Line]:
    """The table: turn, Supply, trash, players, and the question with its answers."""
    return [
        turn_line(view),
        _pile_line("Supply", view.base),
        _pile_line("Kingdom", view.kingdom[:5]),
        _pile_line("", view.kingdom[5:]),
        trash_line(view),
        *(line for player in view.players for line in player_lines(player)),
        *_end_or_question_lines(view),
    ]


def turn_line(view: View) -> Line:
    """Whose turn it is and what is left of it."""
    left = ", ".join((counted(view.actions, "action"), counted(view.buys, "buy"), counted(view.coins, "coin")))
    return [Span(view.heading, "heading"), Span(f": {left}")]


def trash_line(view: View) -> Line:
    """What lies in the trash."""
    return [_label("Trash"), *_cards(view.trash)]


def _label(text: str) -> Span:
    return Span(f"{text:<{_LABEL}} ", "label")


def _pile_line(label: str, piles: Sequence[Pile]) -> Line:
    line = [_label(label)]
    for number, (card, copies) in enumerate(piles):
        line += [Span("  ")] if number else []
        line.append(Span(f"{card.title} ({card.info.cost}) x{copies}", kind_of(card) if copies else "unknown"))
    return line


def _cards(stacks: Sequence[Stack]) -> Iterator[Span]:
    """ "2 Copper, Silver": "-" for nothing."""
    if not stacks:
        yield Span("-")
    for number, stack in enumerate(stacks):
        if number:
            yield Span(", ")
        yield Span(stack.name if stack.copies == 1 else f"{stack.copies} {stack.name}", kind_of(stack.card))


def player_lines(player: PlayerView) -> Iterator[Line]:
    """A player: hand, deck and discard pile; then what else lies before him, if anything."""
    known = [stack for stack in player.hand if stack.card is not None]
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
        top = Span(player.discard_top.title, kind_of(player.discard_top))
        line += [Span(f"{counted(player.discard_size, 'card')}, "), top, Span(" on top")]
    yield line
    parts = {
        "in play": sorted(player.in_play),
        "set aside": player.set_aside,
        "revealed": player.revealed,
        "chosen": player.chosen,
        "on the deck": player.deck_top,
    }
    shown: Line = []
    for label, stacks in parts.items():
        if stacks:
            shown += [Span(" | ")] if shown else []
            shown += [Span(f"{label}: "), *_cards(stacks)]
    if shown:
        yield [_label(""), *shown]


def _end_or_question_lines(view: View) -> Iterator[Line]:
    if view.over:
        points = ", ".join(f"{player.name} {player.points}" for player in view.players)
        yield [Span(f"The game is over ({view.ended}). Points: {points}", "question")]
        return
    yield [Span(view.question, "question")]
    if view.legal:
        yield [_label(""), Span(", ".join(view.legal))]


def event_lines(events: Sequence[str]) -> list[Line]:
    """Lines of the log, turns set apart from what happens in them."""
    return [[Span(line, "question")] if line.startswith("Turn ") else [Span(f"  {line}", "label")] for line in events]
