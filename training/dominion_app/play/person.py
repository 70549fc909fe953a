"""Play Dominion against agents, in the terminal.

    dominion play                          # against Big Money
    dominion play big-money random --seed 7 --kingdom random-2e
    dominion play runs/first-game/model.safetensors --save game.json
    dominion play game.json                # go on with a saved game
    dominion play --position position.json

The key u takes an answer back. The game is played again from its address, so the same answer brings the same cards.
Leaving with q saves the game, and `dominion replay game.json` goes through it. A position is what `Game.to_dict` returns.
A trained model (.safetensors) holds no code. A model of stable-baselines3 (.zip) does, also one that a saved game names, and
needs --trust: load only files that you trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from dominion_app.play.table import GameTable, TableOptions, called, continued, make_agents, read_position, seated
from dominion_app.play.terminal import check_terminal, loading, run
from dominion_env.common.errors import InvalidOption
from dominion_env.players.registry import trusting


@dataclass(frozen=True)
class PlayOptions(TableOptions):
    """The opponents, your seat, and which game is played."""

    agents: tyro.conf.Positional[tuple[str, ...]] = ("big-money",)
    """Your opponents, by names of agents or model files (.safetensors, or .zip with --trust). A saved game (.json) goes on."""
    seat: int = 0
    """Your seat. The player who begins is drawn from the seed."""
    name: str = "Player"
    """Your name."""
    save: Path | None = None
    """File to which the game is saved. Without it, a new file in this folder."""
    position: Path | None = None
    """File with a position from which the game starts (.json). It decides players, kingdom and edition."""

    def table(self) -> GameTable:
        """Make the table with all players seated.

        Raises:
            DominionError: an option is wrong, or there is no such agent.
        """
        if len(self.agents) == 1 and self.agents[0].endswith(".json"):
            return continued(Path(self.agents[0]), self.seat)
        position = None if self.position is None else read_position(self.position)
        names = seated(self.agents, self.players if position is None else len(position["players"]), people=1)
        players = len(names) + 1
        if not 0 <= self.seat < players:
            raise InvalidOption(f"seat: expected 0 to {players - 1}, got {self.seat}")
        agents = make_agents(names)  # first, as the first game on a machine compiles the rules for a minute
        game = self.game(players) if position is None else self.game_from(position)
        seats = [seat for seat in range(players) if seat != self.seat]
        everybody = called(names)
        everybody.insert(self.seat, self.name)
        return GameTable(game, dict(zip(seats, agents, strict=True)), everybody, dict(zip(seats, names, strict=True)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(PlayOptions, args=arguments, description=__doc__, prog="dominion play")
    with loading(options.agents), trusting(options.trust):
        table = options.table()
    check_terminal("`dominion watch AGENT AGENT --plain` prints a game of agents as text")
    from dominion_app.play.screen import PlayApp  # needs the extra `play`

    seat = next(seat for seat in range(table.game.num_players) if seat not in table.agents)
    return run(PlayApp(table, seat, options.save))
