"""The table as a picture of boxes and labels, laid out once and then written as SVG or painted by Pillow.

The size of a picture depends only on the number of players and on whether everything is open. Cards that are too many
for their place are written smaller, and if that is not enough, the rest is counted as "+3 more".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from dominion_env.render.ending import ending, verdict
from dominion_env.render.log import counted
from dominion_env.render.view import CardGroup, Pile, PlayerView, View, card_in, gist, style_of
from dominion_env.tables.cards import Type

# --- shapes ----------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle with rounded corners; x, y is its upper left corner, all in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str = ""
    radius: float = 6

    @property
    def right(self) -> float:
        """x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """y of the lower edge."""
        return self.y + self.height

    def inside(self, margin: float) -> Box:
        """Return the box that is smaller by a margin on all sides."""
        return self._replace(
            x=self.x + margin, y=self.y + margin, width=self.width - 2 * margin, height=self.height - 2 * margin
        )


class TextLine(NamedTuple):
    """One line of text; x, y is the left end of its baseline, and `width` is its measured width."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    width: float

    @property
    def top(self) -> float:
        """y above the tallest letters."""
        return self.y - _ASCENT * self.size

    @property
    def bottom(self) -> float:
        """y below the deepest letters."""
        return self.y + _DESCENT * self.size


@dataclass
class Scene:
    """The shapes of a picture in the order in which they are drawn; `words` is its title for those who can't see it."""

    width: int
    height: int
    words: str
    shapes: list[Box | TextLine] = field(default_factory=list)

    def box(self, box: Box) -> None:
        """Draw a box."""
        self.shapes.append(box)

    def text(self, x: float, y: float, text: str, size: float, width: float, fill: str = "", align: float = 0) -> None:
        """Write a line of text, unless it is empty; a line wider than `width` gets smaller and at last shortened.

        Args:
            x, y: upper left corner of the place.
            align: 0 for the left of the place, 0.5 for its middle, 1 for its right.
        """
        if not text:
            return
        text, size = _fitted(text, size, width)
        used = measure(text, size)
        self.shapes.append(TextLine(x + align * (width - used), y + _ASCENT * size, text, size, fill or INK, used))


# --- fonts and colours -----------------------------------------------------------------------------------------------

_ASCENT, _DESCENT = 0.80, 0.25  # how far letters reach above and below the baseline, in font sizes
_SMALLEST = 9.0
INK = "#23211d"
FAINT = "#6d675c"
TABLE = "#e9e4d8"
PANEL = "#f8f5ee"
EDGE = "#cfc7b6"
HEAD = "#2f4858"
ASKED = "#c2571a"  # edge around the player who must decide
TURN = "#f6d9c3"  # sign of the player whose turn it is
EMPTY = "#dcd8ce"
CARD_COLOURS = {
    "action": "#fffdf6",
    "attack": "#eeb6a4",
    "reaction": "#a9cdea",
    "treasure": "#f3d772",
    "victory": "#aed69b",
    "curse": "#cdb0df",
    "unknown": "#8d99a6",
}


@lru_cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    """Return Pillow's own font, which is there wherever Pillow is."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return font


@lru_cache(maxsize=4096)
def measure(text: str, size: float) -> float:
    """Return the width of a text in pixels."""
    return _font(size).getlength(text)


@lru_cache(maxsize=4096)
def _fitted(text: str, size: float, width: float) -> tuple[str, float]:
    """Return the text and its size so that it fits: made smaller down to `_SMALLEST`, then shortened."""
    while measure(text, size) > width and size - 1 >= _SMALLEST:
        size -= 1
    if measure(text, size) <= width:
        return text, size
    while text and measure(text + "...", size) > width:
        text = text[:-1]
    return text + "...", size


def _wrapped(words: Iterable[str], size: float, width: float) -> list[str]:
    """Return the words in lines that are no wider than `width`; a single longer word stays whole."""
    lines: list[str] = []
    for word in words:
        if lines and measure(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# --- chips: small coloured boxes side by side ------------------------------------------------------------------------


class Chip(NamedTuple):
    """A card, an answer or a word; `style` is a key of `CARD_COLOURS`, or "" for plain text."""

    text: str
    style: str


def _chips_of(groups: Iterable[CardGroup]) -> list[Chip]:
    return [
        Chip(counted(group.copies, "card"), "unknown")
        if group.card is None
        else Chip(group.name if group.copies == 1 else f"{group.name} x{group.copies}", style_of(group.card))
        for group in groups
    ]


def _flow(scene: Scene, place: Box, chips: Sequence[Chip], size: float) -> None:
    """Draw chips from left to right in lines, as large as the place allows; if even small ones don't fit, count the rest."""
    sizes = [size, *(smaller for smaller in (16, 14, 12, 11, 10, 9) if smaller < size)]
    for size in sizes:
        if all(_places(place, chips, size)):
            break
    shown = list(chips)
    while shown:
        rest = len(chips) - len(shown)
        row = [*shown, Chip(f"+{rest} more", "")] if rest else shown
        places = _places(place, row, size)
        if all(places):
            break
        shown.pop()
    else:
        return
    for chip, box in zip(row, places, strict=True):
        assert box is not None
        if chip.style:
            scene.box(box)
        fill = "#ffffff" if chip.style == "unknown" else "" if chip.style else FAINT
        margin = _margin(size) if chip.style else 0
        scene.text(box.x + margin, box.y + (box.height - size) / 2, chip.text, size, box.width - 2 * margin, fill)


def _margin(size: float) -> float:
    return 0.45 * size


def _places(place: Box, chips: Sequence[Chip], size: float) -> list[Box | None]:
    """Return the box of each chip, None where there is no room."""
    gap, height = 0.3 * size, 1.55 * size
    x, y = place.x, place.y
    boxes: list[Box | None] = []
    for text, style in chips:
        width = min(measure(text, size) + 1 + (2 * _margin(size) if style else 0), place.width)
        if x > place.x and x + width > place.right:
            x, y = place.x, y + height + gap
        fits = y + height <= place.bottom
        boxes.append(Box(x, y, width, height, CARD_COLOURS.get(style, ""), EDGE, 4) if fits else None)
        x += width + gap
    return boxes


# --- the table -------------------------------------------------------------------------------------------------------

_MARGIN = 12
_LEFT, _RIGHT = 776, 296  # widths of the two columns, the table and beside it question and log
_WIDTH = _LEFT + _RIGHT + 3 * _MARGIN
_HEAD = 44
_TILE, _GAP = 56, 7
_TRASH = 29  # makes all heights even, as encoders of films ask
_SUPPLY = 3 * _TILE + 2 * _GAP + _TRASH + _GAP + 2 * 8
# heights of a player's rows: hand, cards in play, all other cards
_OWN_ROWS, _OPEN_ROWS, _CLOSED_ROWS = (78, 50, 22), (48, 48, 22), (24, 48, 22)
_QUESTION = 218


def _panel_height(rows: Sequence[int]) -> int:
    return sum(rows) + 4 * (len(rows) - 1) + 16


def scene_of(view: View) -> Scene:
    """Lay out a view: on the left the Supply, the opponents in turn order and the viewer; on the right question and log."""
    players = list(view.players)
    if view.seat is not None:
        after = view.seat + 1
        players = [*players[after:], *players[:after]]
    rows = [_OPEN_ROWS if view.seat is None else _CLOSED_ROWS for _ in players]
    if view.seat is not None:
        rows[-1] = _OWN_ROWS
    heights = [_panel_height(part) for part in rows]
    body = _SUPPLY + sum(heights) + _MARGIN * len(heights)
    scene = Scene(_WIDTH, _HEAD + 2 * _MARGIN + body, view.heading)
    scene.box(Box(0, 0, scene.width, scene.height, TABLE, radius=0))
    _head(scene, view)
    y = float(_HEAD + _MARGIN)
    _supply(scene, view, Box(_MARGIN, y, _LEFT, _SUPPLY, PANEL, EDGE))
    right = Box(2 * _MARGIN + _LEFT, y, _RIGHT, _QUESTION, PANEL, EDGE)
    _question(scene, view, right)
    below = right.bottom + _MARGIN
    _log(scene, view, Box(right.x, below, _RIGHT, scene.height - _MARGIN - below, PANEL, EDGE))
    y += _SUPPLY + _MARGIN
    for player, part, height in zip(players, rows, heights, strict=True):
        _player(scene, view, player, Box(_MARGIN, y, _LEFT, height, PANEL, EDGE), part)
        y += height + _MARGIN
    return scene


def _head(scene: Scene, view: View) -> None:
    scene.box(Box(0, 0, scene.width, _HEAD, HEAD, radius=0))
    scene.text(_MARGIN, 12, view.heading, 20, 640, "#ffffff")
    x = scene.width - _MARGIN
    for words in (f"Coins {view.coins}", f"Buys {view.buys}", f"Actions {view.actions}"):
        x -= 120
        scene.box(Box(x, 8, 112, _HEAD - 16, "#ffffff", radius=14))
        scene.text(x + 8, 14, words, 16, 96, align=0.5)


def _supply(scene: Scene, view: View, place: Box) -> None:
    scene.box(place)
    inner = place.inside(8)
    y = inner.y
    for piles in (view.base, view.kingdom[:5], view.kingdom[5:]):
        width = (inner.width - _GAP * (len(piles) - 1)) / len(piles)
        for number, pile in enumerate(piles):
            _tile(scene, pile, inner.x + number * (width + _GAP), y, width)
        y += _TILE + _GAP
    scene.text(inner.x, y + 7, "Trash", 13, 50, FAINT)
    _flow(scene, Box(inner.x + 54, y + 2, inner.width - 54, _TRASH - 2, ""), _chips_of(view.trash), 14)


def _tile(scene: Scene, pile: Pile, x: float, y: float, width: float) -> None:
    """Draw a pile with its name, number of copies, cost and effect in brief."""
    card, copies = pile
    scene.box(Box(x, y, width, _TILE, CARD_COLOURS[style_of(card)] if copies else EMPTY, EDGE))
    ink = INK if copies else FAINT
    scene.text(x + 7, y + 7, card.title, 15, width - 46, ink)
    scene.text(x + width - 38, y + 7, f"x{copies}", 15, 32, ink, align=1)
    scene.box(Box(x + 6, y + 30, 20, 20, "#ffffff", "#a98f2d", 10))
    scene.text(x + 8, y + 33, str(card.info.cost), 13, 16, align=0.5)
    special = [str(type_.name).capitalize() for type_ in (Type.ATTACK, Type.REACTION) if type_ in card.info.types]
    gives, room = [*gist(card), *special], width - 37
    lines = [" ".join(gives)]
    if measure(lines[0], 12) > room:
        lines = _wrapped(gives, 11, room)
    if any(measure(line, 11) > room for line in lines):
        lines = _wrapped(" ".join(gives).split(), 11, room)
    for number, line in enumerate(lines):
        scene.text(x + 31, y + 34 + 13 * number - 6 * (len(lines) - 1), line, 12 - len(lines[1:]), room, FAINT)


_NAME, _PILES = 128, 188  # widths of the left and right part of a player's panel


def _player(scene: Scene, view: View, player: PlayerView, place: Box, rows: Sequence[int]) -> None:
    asked, their_turn = player.seat == view.asked, player.seat == view.turn_player and not view.over
    scene.box(place._replace(line=ASKED if asked else EDGE))
    inner = place.inside(8)
    scene.text(inner.x, inner.y, player.name, 16, _NAME - 12)
    scene.text(inner.x, inner.y + 22, counted(player.points, "point"), 13, _NAME - 12, FAINT)
    turn = counted(player.turns, "turn") if view.over else f"turn {player.turns}"
    if their_turn:
        scene.box(Box(inner.x - 2, inner.y + 40, min(measure(turn, 13), _NAME - 12) + 14, 20, TURN, ASKED, 10))
    scene.text(inner.x + (5 if their_turn else 0), inner.y + 42, turn, 13, _NAME - 12, INK if their_turn else FAINT)
    fact = "must decide" if asked else "has won" if player.seat in view.winners else ""
    scene.text(inner.x, inner.y + 64, fact, 13, _NAME - 12, ASKED)
    x, width, own = inner.x + _NAME, inner.width - _NAME - _PILES, rows is _OWN_ROWS
    parts: tuple[tuple[str, list[Chip]], ...]
    if view.over:
        parts = (("Owned", _chips_of(player.owned)), ("", []), ("", []))
        rows = (sum(rows) + 8, 0, 0)
    else:
        aside = [chip for place, groups in player.aside.items() for chip in (Chip(place, ""), *_chips_of(groups))]
        parts = (("Hand", _chips_of(player.hand)), ("In play", _chips_of(player.in_play)), ("", aside))
    y = inner.y
    for (label, chips), height, size in zip(parts, rows, (20 if own else 15, 14, 13), strict=True):
        if label:
            scene.text(x, y + 5, label, 12, 44, FAINT)
        _flow(scene, Box(x + 48, y, width - 56, height, ""), chips, size)
        y += height + 4
    _piles(scene, player, Box(inner.right - _PILES, inner.y, _PILES, min(inner.height, 100), ""))


def _piles(scene: Scene, player: PlayerView, place: Box) -> None:
    """Draw deck and discard pile side by side."""
    width = (place.width - 8) / 2
    top = player.discard_top
    for number, (label, size, card) in enumerate(
        (("Deck", player.deck_size, None), ("Discard", player.discard_size, top))
    ):
        box = Box(place.x + number * (width + 8), place.y, width, place.height, EMPTY, EDGE)
        if size:
            box = box._replace(fill=CARD_COLOURS[style_of(card)])
        ink = "#ffffff" if size and card is None else INK
        scene.box(box)
        scene.text(box.x + 6, box.y + 8, label, 12, width - 12, ink, align=0.5)
        name = "" if card is None else card.title
        scene.text(box.x + 6, box.y + 30, name, 16, width - 12, ink, align=0.5)
        words = counted(size, "card") if size else "empty"
        scene.text(box.x + 6, box.bottom - 26, words, 13, width - 12, ink, align=0.5)


def _question(scene: Scene, view: View, place: Box) -> None:
    """Draw the question and its answers, or how the game has ended."""
    scene.box(place)
    inner = place.inside(10)
    words = [ending(view), verdict(view)] if view.over else [view.question]
    lines = [line for sentence in words for line in _wrapped(sentence.split(), 15, inner.width)]
    most = 10 if view.over else 4
    for number, line in enumerate(lines[:most]):
        scene.text(inner.x, inner.y + 20 * number, line, 15, inner.width)
    y = inner.y + 20 * len(lines[:most]) + 8
    _flow(scene, inner._replace(y=y, height=inner.bottom - y), [_answer(words) for words in view.legal], 14)


def _answer(words: str) -> Chip:
    """Return an answer in the colour of its card."""
    card = card_in(words)
    return Chip(words, "action" if card is None else style_of(card))


def _log(scene: Scene, view: View, place: Box) -> None:
    """Draw as many of the newest events as there is room for, the newest at the bottom."""
    scene.box(place)
    inner = place.inside(10)
    size, height = 12, 16
    room = int(inner.height // height)
    lines: list[tuple[str, str]] = []
    for event in view.events:
        turn = event.startswith("Turn ")
        for number, part in enumerate(_wrapped(event.split(), size, inner.width - 20)):
            lines.append((part if turn else f"   {part}" if number == 0 else f"      {part}", INK if turn else FAINT))
    for number, (line, fill) in enumerate(lines[-room:] if room else []):
        scene.text(inner.x, inner.y + number * height, line, size, inner.width, fill)


# --- writing it out --------------------------------------------------------------------------------------------------


def svg(scene: Scene) -> str:
    """Write the picture as an SVG document; `textLength` keeps each text as wide as it was measured, in any font."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{scene.width}" height="{scene.height}"',
        f'viewBox="0 0 {scene.width} {scene.height}" role="img" font-family="Aileron, Helvetica, Arial, sans-serif">',
        f"<title>{escape(scene.words)}</title>",
    ]
    for shape in scene.shapes:
        if isinstance(shape, Box):
            line = f' stroke="{shape.line}" stroke-width="{_line_width(shape)}"' if shape.line else ""
            parts.append(
                f'<rect x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}" '
                f'rx="{shape.radius:g}" fill="{shape.fill}"{line}/>'
            )
        else:
            parts.append(
                f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:g}" fill="{shape.fill}" '
                f'textLength="{shape.width:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
                f"{escape(shape.text)}</text>"
            )
    return "\n".join([*parts, "</svg>"])


def html(drawing: str) -> str:
    """Return a piece of HTML that shows the SVG, never wider than the page."""
    return f'<div style="max-width: {_WIDTH}px; overflow-x: auto">{drawing}</div>'


def rgb_array(scene: Scene) -> NDArray[np.uint8]:
    """Paint the picture as pixels, uint8 (height, width, 3)."""
    image = Image.new("RGB", (scene.width, scene.height))
    draw = ImageDraw.Draw(image)
    for shape in scene.shapes:
        if isinstance(shape, Box):
            draw.rounded_rectangle(
                (shape.x, shape.y, shape.right - 1, shape.bottom - 1), shape.radius, shape.fill, shape.line or None,
                _line_width(shape),
            )  # fmt: skip
        else:
            draw.text((shape.x, shape.y), shape.text, shape.fill, _font(shape.size), anchor="ls")
    return np.asarray(image)


def _line_width(box: Box) -> int:
    return 3 if box.line == ASKED and box.fill == PANEL else 1
