"""A game as a player at the table sees it, as text, coloured text or a picture.

All of them are made from one description of what a seat may see (`view.View`); nothing hidden gets into it.
"""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import one_of
from dominion_env.render import text
from dominion_env.render.view import ShownGame, View, view_of

__all__ = ["MODES", "ShownGame", "View", "render", "view_of"]

MODES = ("text", "ansi", "svg", "html", "rgb_array")


@overload
def render(
    game: ShownGame, seat: int | None, mode: Literal["text", "ansi", "svg", "html"], names: Sequence[str] | None = None
) -> str: ...


@overload
def render(
    game: ShownGame, seat: int | None, mode: Literal["rgb_array"], names: Sequence[str] | None = None
) -> NDArray[np.uint8]: ...


@overload
def render(game: ShownGame, seat: int | None, mode: str, names: Sequence[str] | None = None) -> Any: ...


def render(game: ShownGame, seat: int | None, mode: str = "ansi", names: Sequence[str] | None = None) -> Any:
    """Show the table and what has just happened, as far as one seat may see it.

    Args:
        game: a running or finished game; it is not changed.
        seat: seat that looks; None shows everything, also what no player may see.
        mode: "text" (plain), "ansi" (coloured by escape codes), "svg", "html" (a fragment that holds the SVG), or
            "rgb_array".
        names: names of the players, one each; None means "player_0" and so on.

    Returns:
        A str; for "rgb_array" uint8 (height, width, 3). The size of a picture depends only on the number of players and
        on whether `seat` is None, so the frames of a game fit together.

    Raises:
        InvalidOption: there is no such seat or mode, or not one name for each player.
    """
    one_of("mode", mode, MODES)
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
