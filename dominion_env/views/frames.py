"""How the views of single games render: one place that knows the modes and whose eyes are used."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np

from dominion_env.errors import InvalidOption
from dominion_env.game import Game

RenderMode: TypeAlias = Literal["human", "ansi", "rgb_array", "svg", "html"]
RenderSeat: TypeAlias = int | Literal["all"] | None

RENDER_MODES: list[RenderMode] = ["human", "ansi", "rgb_array", "svg", "html"]


def records_from_the_start(mode: RenderMode | None) -> bool:
    """Whether games are recorded before the first `render()`.

    Not for "rgb_array", which libraries such as stable-baselines3 set for everybody and seldom look at.
    """
    return mode not in (None, "rgb_array")


class Frames:
    """What `render()` of a view returns.

    Args:
        mode: "ansi", "svg", "html" (str), "rgb_array" (uint8 (height, width, 3)), "human" (prints the text, None), or
            None: nothing is rendered.
        seat: whose eyes: a seat, "all" for everything, also what no player may see, or None for the seat that the view
            is about.
        num_players: in the game.

    Raises:
        InvalidOption: no such mode or seat.
    """

    def __init__(self, mode: RenderMode | None, seat: RenderSeat, num_players: int) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise InvalidOption(f"render_mode={mode!r}: choose {', '.join(map(repr, RENDER_MODES))} or None")
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < num_players
        if not (whole or seat is None or (isinstance(seat, str) and seat == "all")):
            raise InvalidOption(f"render_seat={seat!r}: choose 0 to {num_players - 1}, 'all' or None")
        self.mode = mode
        self._seat = seat

    def frame(self, game: Game, seat: int) -> Any:
        """The game and what has just happened in it as the mode wants it, as `seat` sees it unless one was chosen."""
        from dominion_env.render import render  # brings what draws pictures with it

        if self.mode is None:
            gymnasium.logger.warn(f"render() without a render_mode shows nothing: choose one of {RENDER_MODES}")
            return None
        eyes = None if self._seat == "all" else seat if self._seat is None else int(self._seat)
        shown = render(game, eyes, "ansi" if self.mode == "human" else self.mode)
        if self.mode != "human":
            return shown
        print(shown)
        return None
