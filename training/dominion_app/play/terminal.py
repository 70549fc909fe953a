"""Output of the commands: a screen, which needs a terminal, or plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from dominion_app.play.table import GameTable
from dominion_env.common.errors import InvalidOption
from dominion_env.render import render

if TYPE_CHECKING:
    from textual.app import App


def check_terminal(instead: str) -> None:
    """Check that there is a terminal to draw on.

    Args:
        instead: hint for the message about the ways to go on without a terminal.

    Raises:
        InvalidOption: there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidOption(f"expected a terminal for input and output, got none; {instead}")


@contextmanager
def loading(names: Sequence[str]) -> Iterator[None]:
    """Show on a terminal that the game and these agents are being loaded, as a trained agent takes some seconds."""
    with Console(stderr=True).status(f"Loading the game and {escape(', '.join(names))} ..."):
        yield


def run(app: App[None]) -> int:
    """Run an app and return its exit status."""
    app.run()
    return app.return_code or 0


def as_text(table: GameTable, seat: int | None) -> str:
    """Return the log up to here and the table as plain text, as far as a seat may see them (None for everything)."""
    players = ", ".join(f"player_{seat}: {name}" for seat, name in enumerate(table.shown_names))
    log = table.game.log(seat, table.shown_names)
    return f"{players}\n\n{log}\n\n{render(table.game, seat, 'text', table.shown_names)}"
