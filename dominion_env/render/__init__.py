"""A game as a player at the table sees it: text, coloured text, a picture.

One description of what a seat may see (`view.View`) feeds all of them; nothing hidden gets into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from dominion_env.errors import InvalidOption
from dominion_env.render import text
from dominion_env.render.view import View, view_of

if TYPE_CHECKING:
    from dominion_env.game import Game

__all__ = ["MODES", "View", "render", "view_of"]

Mode: TypeAlias = Literal["text", "ansi", "svg", "html", "rgb_array"]
MODES = ("text", "ansi", "svg", "html", "rgb_array")


@overload
def render(
    game: Game, seat: int | None, mode: Literal["text", "ansi", "svg", "html"], names: Sequence[str] | None = None
) -> str: ...


@overload
def render(
    game: Game, seat: int | None, mode: Literal["rgb_array"], names: Sequence[str] | None = None
) -> NDArray[np.uint8]: ...


@overload
def render(game: Game, seat: int | None, mode: str, names: Sequence[str] | None = None) -> Any: ...


def render(game: Game, seat: int | None, mode: str = "ansi", names: Sequence[str] | None = None) -> Any:
    """The table and what has just happened, from what one seat may see.

    Args:
        game: running or finished; it is not changed.
        seat: whose eyes; None shows everything, also what no player may see.
        mode: "text" (plain), "ansi" (coloured by escape codes), "svg", "html" (a fragment that holds the SVG), or
            "rgb_array".
        names: what the players are called, one each; None: "player_0" and so on.

    Returns:
        A str; for "rgb_array" uint8 (height, width, 3). A picture's size depends only on the number of players and on
        whether `seat` is None, so the frames of a game fit together.

    Raises:
        InvalidOption: there is no such seat or mode, or not one name a player.
    """
    if mode not in MODES:
        raise InvalidOption(f"mode: expected one of {', '.join(map(repr, MODES))}, got {mode!r}")
    view = view_of(game, seat, names)
    if mode == "text":
        return text.plain(text.table_lines(view))
    if mode == "ansi":
        return text.ansi(view)
    from dominion_env.render import picture  # Pillow takes longer to import than the game

    scene = picture.scene_of(view)
    if mode == "rgb_array":
        return picture.rgb_array(scene)
    svg = picture.svg(scene)
    return svg if mode == "svg" else picture.html(svg)
