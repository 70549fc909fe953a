"""What the three commands share: a terminal is needed for a screen, text goes anywhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dominion_env.errors import InvalidOption
from dominion_env.play.table import Table
from dominion_env.render import render

if TYPE_CHECKING:
    from textual.app import App


def check_terminal(instead: str) -> None:
    """Raise InvalidOption unless there is a terminal to draw on; the message says what to do instead."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InvalidOption(f"this is no terminal; {instead}")


def run(app: App[None]) -> int:
    """Run an app; returns the exit status."""
    app.run()
    return app.return_code or 0


def as_text(table: Table, seat: int | None) -> str:
    """What has happened up to here, and the table, as plain text."""
    players = ", ".join(f"player_{seat}: {name}" for seat, name in enumerate(table.names))
    log = table.game.log(seat, table.names)
    return f"{players}\n\n{log}\n\n{render(table.game, seat, 'text', table.names)}"
