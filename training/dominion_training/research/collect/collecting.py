"""The command `dominion collect`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.common.errors import InvalidOption
from dominion_env.players.registry import trusting
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.commands.options import GAME, RUN, Game, Run, Trust, check_place


@dataclass(frozen=True)
class CollectOptions:
    """Play agents at full speed, and keep the games as three Parquet tables: games, players and events.

    The page on data describes each column. After an interruption, the same command goes on where it was. Every game of a
    data set can be played again: `dominion collect --out FOLDER --again NUMBER` prints it and checks it against its row.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """The agents, named as for `dominion compare`."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, train; or ten card names with commas between."""
    players: tuple[int, ...] = (2,)
    """Numbers of players, 1 to 6."""
    games: int = 10_000
    """Number of games with each number of players."""
    seating: Annotated[str | None, tyro.conf.arg(metavar="{rotate,draw}")] = None
    """"rotate" moves all agents one seat a game; "draw" draws one for each seat [rotate for as many agents as players]."""
    events: bool = True
    """Record gains, trashes and plays."""
    again: int | None = None
    """Play this game of the data set in --out again, print it and check it; nothing is collected."""
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(CollectOptions, args=arguments, prog="dominion collect")
    with trusting(chosen.trust):
        return _again(chosen) if chosen.again is not None else _collect(chosen, arguments)


def _collect(chosen: CollectOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_training.common.records import write_json
    from dominion_training.evaluate.commands.steps import playing, record_of
    from dominion_training.executors.folder import default_folder
    from dominion_training.research.collect.data import Collection
    from dominion_training.research.collect.gathering import gather

    run = chosen.run
    fitting = all(count == len(chosen.agents) for count in chosen.players)
    seating = chosen.seating or ("rotate" if fitting else "draw")
    if seating not in ("rotate", "draw"):
        raise InvalidOption(f"--seating: expected rotate or draw, got {seating}")
    work = Collection(
        chosen.agents, chosen.kingdom, chosen.players, chosen.games, run.seed or 0, "rotate" if seating == "rotate" else "draw",
        chosen.events, chosen.game.for_batch(),
    )  # fmt: skip
    work.check()
    check_place("--json", run.json)
    path, console = run.out or default_folder("collect", [work]), Console()
    with folder_for_work(path, "results"):
        with playing(work.games * len(work.players), path, console) as advance:
            record = gather(
                work,
                path,
                run.executor(),
                lambda: record_of("collect", arguments, work.agents),
                lambda done: advance(done, ""),
            ).record
        if run.json is not None:
            write_json(run.json, record)
        for name in work.tables:
            files = [each for each in record["files"] if each["table"] == name]
            size = sum((path / each["file"]).stat().st_size for each in files)
            console.print(f"{name}: {sum(each['rows'] for each in files):,} rows, {size / 1e6:,.1f} MB")
        console.print(f"Data: {escape(str(path))}")
        return 0


def _again(chosen: CollectOptions) -> int:
    from dominion_training.research.collect.again import play_again
    from dominion_training.research.collect.data import open_data

    if chosen.run.out is None or chosen.again is None:
        raise InvalidOption("--again: expected the folder of the data set as --out, got none")
    print(play_again(open_data(chosen.run.out), chosen.again).text())
    print("\nAs its row says: the same cards, points, turns and events.")
    return 0
