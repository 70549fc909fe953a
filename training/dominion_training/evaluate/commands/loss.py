"""The command `dominion loss AGENT ...`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.players.registry import trusting
from dominion_training.evaluate.commands.options import GAME, RUN, Game, Run, Trust, games_from_every_seat
from dominion_training.evaluate.commands.steps import playing, record_of, results_of, write_record


@dataclass(frozen=True)
class LossOptions:
    """What do an agent's decisions cost it?

    Each answer is compared with the best one that the coach of `dominion review` knows, as a share of the win, with what the
    seat may know at the time. Of two agents the command says how many games tell them apart, by their losses and by their
    scores. After an interruption, the same command goes on where it was.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """The agents whose decisions are judged."""
    opponent: str = "big-money"
    """The agent they meet; from three players on, at all other seats."""
    games: int | None = None
    """Number of games of each agent, a multiple of the players [40, or just below]."""
    playouts: int = 3000
    """Playouts that find the best answer; as many again measure what was lost."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, test; or ten card names with commas between."""
    players: int = 2
    """Number of seats at the table, 2 to 6."""
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(LossOptions, args=arguments, prog="dominion loss")
    with trusting(chosen.trust):
        return _run(chosen, arguments)


def _run(chosen: LossOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_env.common.errors import InvalidOption
    from dominion_training.evaluate.losses import Trial, judged, pairs
    from dominion_training.evaluate.reports import losses
    from dominion_training.executors.folder import Folder

    run, console = chosen.run, Console()
    num_games = games_from_every_seat(chosen.games, 40, chosen.players)
    if len(set(chosen.agents)) < len(chosen.agents) or not chosen.agents:
        raise InvalidOption(f"agents: expected at least one, each once, got {', '.join(chosen.agents) or 'none'}")
    trials = [
        Trial(agent, chosen.opponent, chosen.kingdom, chosen.players, run.seed or 0, chosen.game.for_batch(),
              chosen.playouts)
        for agent in chosen.agents
    ]  # fmt: skip
    trials[0].parts(num_games)  # refuses a wrong number before it makes a folder
    with results_of("loss", run, trials) as (path, trials, executor):
        folder = Folder(path, trials)
        with playing(num_games * len(trials), path, console) as advance:
            found = judged(trials, num_games, executor, folder, lambda games: advance(games, ""))
        record = record_of("loss", arguments, [*chosen.agents, chosen.opponent])
        record["agents"] = [each.summary() for each in found]
        record["pairs"] = pairs(found)
        write_record(record, path, run.json)
        for table in losses.tables(found, console.width):
            console.print(table)
        console.print(f"Results: {escape(str(path))}")
        return 0
