"""Play Dominion against agents, in the terminal.

    dominion play                          # against Big Money
    dominion play big-money random --seed 7 --kingdom random-2e
    dominion play runs/first-game/model.zip --save game.json

The key u takes an answer back. The game is played again from its address, so the same answer brings the same cards.
`dominion replay game.json` goes through a saved game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from dominion_env.errors import InvalidOption
from dominion_env.play.table import GameOptions, Table, called, make_agents, seated
from dominion_env.play.terminal import check_terminal, run


@dataclass(frozen=True)
class PlayOptions(GameOptions):
    """The opponents, your seat, and which game is played."""

    agents: tyro.conf.Positional[tuple[str, ...]] = ("big-money",)
    """Your opponents, by names of agents or files of saved models (.zip)."""
    seat: int = 0
    """Your seat. The player who begins is drawn from the seed."""
    name: str = "Player"
    """Your name."""
    save: Path | None = None
    """File to which the key s saves the game. Without it, a new file in this folder."""

    def table(self) -> Table:
        """Make the table with all players seated.

        Raises:
            DominionError: an option is wrong, or there is no such agent.
        """
        names = seated(self.agents, self.players, people=1)
        players = len(names) + 1
        if not 0 <= self.seat < players:
            raise InvalidOption(f"seat: expected 0 to {players - 1}, got {self.seat}")
        game = self.game(players)
        seats = [seat for seat in range(players) if seat != self.seat]
        everybody = called(names)
        everybody.insert(self.seat, self.name)
        return Table(game, dict(zip(seats, make_agents(names), strict=True)), everybody)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(PlayOptions, args=arguments, description=__doc__, prog="dominion play")
    table = options.table()
    check_terminal("`dominion watch AGENT AGENT --plain` prints a game of agents as text")
    from dominion_env.play.screen import PlayApp  # needs the extra `play`

    return run(PlayApp(table, options.seat, options.save))
