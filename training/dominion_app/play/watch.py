"""Watch agents play Dominion, step by step, in the terminal or as text.

    dominion watch big-money random
    dominion watch big-money --players 4 --kingdom random-1e --seed 3
    dominion watch big-money random --plain | less

The key s saves the game; `dominion replay` goes through it again. A trained model (.safetensors)
holds no code. A model of stable-baselines3 (.zip) does, and needs --trust: load only files that you trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from dominion_app.play.table import GameTable, TableOptions, called, make_agents, seated
from dominion_app.play.terminal import as_text, check_terminal, loading, run
from dominion_env.players.registry import trusting


@dataclass(frozen=True)
class WatchOptions(TableOptions):
    """The players, which game is played, and how it is shown."""

    agents: tyro.conf.Positional[tuple[str, ...]] = ("big-money", "big-money")
    """The players, by names of agents or files of models (.safetensors, or .zip with --trust). One alone plays against itself."""
    seat: int | None = None
    """Seat whose view is shown. Without it, all cards are shown."""
    plain: bool = False
    """Print the whole game as text, which needs no terminal."""
    save: Path | None = None
    """File to which the key s saves the game, by default a new one in this folder. With --plain, the game is saved there."""

    def table(self) -> GameTable:
        """Make the table with all players seated.

        Raises:
            DominionError: an option is wrong, or there is no such agent.
        """
        alone = len(self.agents) == 1 and self.players is None
        names = seated(self.agents, 2 if alone else self.players, people=0)
        agents = make_agents(names)  # first, as the first game on a machine compiles the rules for a minute
        game = self.game(len(names))
        game.check_seat(self.seat)
        return GameTable(game, dict(enumerate(agents)), called(names), dict(enumerate(names)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(WatchOptions, args=arguments, description=__doc__, prog="dominion watch")
    with loading(options.agents), trusting(options.trust):
        table = options.table()
    if options.plain:
        table.to_end()
        if options.save is not None:
            table.save(options.save)  # before the text, as its reader may stop early
        print(as_text(table, options.seat))
        return 0
    check_terminal("--plain prints the game as text")
    from dominion_app.play.screen import WatchApp  # needs the extra `play`

    return run(WatchApp(table, options.seat, options.save))
