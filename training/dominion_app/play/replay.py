"""Go through a saved game of Dominion, forward and back, in the terminal or as text.

    dominion replay game.json              # from the start
    dominion replay game.json --step 120 --seat 0
    dominion replay game.json --plain      # all of it as text

Files come from `dominion play` and `dominion watch` (key s, and leaving `play`), or from `json.dump(game.replay(), file)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from dominion_app.play.table import load
from dominion_app.play.terminal import as_text, check_terminal, run
from dominion_env.common.errors import InvalidOption


@dataclass(frozen=True)
class ReplayOptions:
    """Which game is shown, and how."""

    file: tyro.conf.Positional[Path]
    """A saved game."""
    step: int | None = None
    """Number of decisions after which the game is shown first. By default the start, with --plain the end."""
    seat: int | None = None
    """Seat whose view is shown. Without it, all cards are shown."""
    plain: bool = False
    """Print the game up to that step as text, which needs no terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(ReplayOptions, args=arguments, description=__doc__, prog="dominion replay")
    table = load(options.file)
    table.game.check_seat(options.seat)
    if options.step is not None and not 0 <= options.step <= table.length:
        raise InvalidOption(f"step: expected 0 to {table.length}, got {options.step}")
    table.go_to((table.length if options.plain else 0) if options.step is None else options.step)
    if options.plain:
        print(as_text(table, options.seat))
        return 0
    check_terminal("--plain prints the game as text")
    from dominion_app.play.screen import WatchApp  # needs the extra `play`

    return run(WatchApp(table, options.seat))
