"""`render()` of the views: the render modes, and whose view is shown."""

from typing import Any, Literal, TypeAlias

import gymnasium

from dominion_env.common.checks import seat_or, shown
from dominion_env.common.errors import InvalidOption
from dominion_env.render import ShownGame, render

RenderMode: TypeAlias = Literal["human", "ansi", "rgb_array", "svg", "html"]
RenderSeat: TypeAlias = int | Literal["all"] | None

RENDER_MODES: list[RenderMode] = ["human", "ansi", "rgb_array", "svg", "html"]


def records_from_the_start(mode: RenderMode | None) -> bool:
    """Return whether games are recorded before the first `render()`.

    They are not with "rgb_array", as libraries such as stable-baselines3 set it for everyone and seldom render.

    Raises:
        InvalidOption: there is no such mode.
    """
    return _checked(mode) not in (None, "rgb_array")


def _checked(mode: RenderMode | None) -> RenderMode | None:
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        raise InvalidOption(f"render_mode: expected {', '.join(map(repr, RENDER_MODES))} or None, got {shown(mode)}")
    return mode


class Renderer:
    """Makes the frames that `render()` of a view returns.

    Args:
        mode: "ansi", "svg", "html" (str), "rgb_array" (uint8 (height, width, 3)), "human" (prints the text, returns
            None), or None, in which nothing is rendered.
        seat: seat whose view is shown, "all" for everything, also what no player may see, or None for the seat that the
            environment is about.
        num_players: number of players in the game.

    Raises:
        InvalidOption: there is no such mode or seat.
    """

    def __init__(self, mode: RenderMode | None, seat: RenderSeat, num_players: int) -> None:
        self.mode = _checked(mode)
        self._seat: RenderSeat = seat_or("render_seat", seat, num_players, ("all", None))

    def frame(self, game: ShownGame, seat: int) -> Any:
        """Render a game and what has just happened in it.

        Args:
            game: the game to show.
            seat: seat whose view is shown, unless another was chosen for this renderer.

        Returns:
            A frame of the render mode; None if it was printed, or no mode is set.
        """
        if self.mode is None:
            gymnasium.logger.warn(f"render() without a render_mode shows nothing: choose one of {RENDER_MODES}")
            return None
        viewer = None if self._seat == "all" else seat if self._seat is None else int(self._seat)
        frame = render(game, viewer, "ansi" if self.mode == "human" else self.mode)
        if self.mode != "human":
            return frame
        print(frame)
        return None
