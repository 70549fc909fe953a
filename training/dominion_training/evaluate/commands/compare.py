"""The command `dominion compare A B`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_env.common.errors import InvalidOption
from dominion_env.players.registry import trusting
from dominion_training.evaluate.commands.options import (
    CONTEST,
    GAME,
    RUN,
    Contest,
    Game,
    Run,
    Trust,
    games_from_every_seat,
)
from dominion_training.evaluate.commands.steps import playing, record_of, results_of, write_record

if TYPE_CHECKING:
    from dominion_training.evaluate.matches import Match
    from dominion_training.evaluate.sequential import SequentialTest


@dataclass(frozen=True)
class CompareOptions:
    """Is one agent better than another, by how much, and how sure is that?

    Agents are registered names, models (model.safetensors), code of your own (module:attribute, file.py:attribute), or
    functions of a text to a text, such as language models (text:module:function).
    A model of stable-baselines3 (model.zip) needs --trust: load only files that you trust. Every game is played from every
    seat with the same luck. After an interruption, the same command goes on where it was.
    """

    first: Annotated[str, tyro.conf.Positional]
    """The agent whose score is shown."""
    second: Annotated[str, tyro.conf.Positional]
    """The agent it meets; from three players on, at all other seats."""
    games: int | None = None
    """Number of games, a multiple of the players [2000, or just below]; with --elo1 at most, with --each on each kingdom."""
    each: bool = False
    """Play the games of --games on each kingdom of a split, and show the score on each."""
    elo0: float | None = None
    """Sequential test: hypothesis that the first agent is at most this much better, in normalised Elo [0 with --elo1]."""
    elo1: float | None = None
    """Sequential test: hypothesis that it is at least this much better; one that is accepted ends the match."""
    alpha: float = 0.05
    """Sequential test: how often it may accept elo1 where elo0 holds."""
    beta: float = 0.05
    """Sequential test: how often it may accept elo0 where elo1 holds."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, test; or ten card names with commas between."""
    players: int = 2
    """Number of seats at the table, 2 to 6."""
    isolated: bool = False
    """Let each agent play in its own process, which never gets the games. Agents that search need these and are refused."""
    contest: Contest = CONTEST
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN

    @property
    def num_games(self) -> int:
        """Number of games of a match."""
        return games_from_every_seat(self.games, 2000, self.players)

    def test(self) -> SequentialTest | None:
        """Return the sequential test, if there is one.

        Raises:
            InvalidOption: half of it is missing, or its numbers make no sense.
        """
        from dominion_training.evaluate.sequential import SequentialTest

        if self.elo1 is None:
            if self.elo0 is not None:
                raise InvalidOption(f"--elo0 {self.elo0:g}: expected --elo1 too, for a sequential test")
            return None
        return SequentialTest(self.elo0 or 0.0, self.elo1, self.alpha, self.beta, self.players)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(CompareOptions, args=arguments, prog="dominion compare")
    with trusting(chosen.trust):
        return _run(chosen, arguments)


def _run(chosen: CompareOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_training.evaluate.compare import compare
    from dominion_training.evaluate.match import sets_of
    from dominion_training.evaluate.matches import Match
    from dominion_training.evaluate.reports import tables
    from dominion_training.evaluate.reports.parquet import write_games
    from dominion_training.evaluate.reports.remarks import remarks
    from dominion_training.executors.folder import Folder
    from dominion_training.play.entrants import ISOLATED

    run, test = chosen.run, chosen.test()
    specs = chosen.contest.named((chosen.first, chosen.second))
    first, second = (f"{ISOLATED if chosen.isolated else ''}{spec}" for spec in specs)
    options, limits = chosen.game.for_batch(), chosen.contest.limits()
    match = Match(first, second, chosen.kingdom, chosen.players, run.seed or 0, options, limits)
    sets_of(chosen.num_games, chosen.players)  # refuses a wrong number before it makes a folder
    if chosen.each:
        return _run_each(chosen, match, arguments)
    console = Console()
    with results_of("compare", run, [match]) as (path, (match,), executor):
        folder = Folder(path, [match])
        for sentence in (said := remarks(match)):
            console.print(escape(sentence))
        with playing(chosen.num_games, path, console) as advance:
            found = compare(
                match, chosen.num_games, executor, folder, test, lambda result: advance(result.num_games, str(result))
            )
        record = record_of("compare", arguments, match.agents) | found.summary()
        record["addresses"] = match.addresses(found.result.num_games)
        record["remarks"] = said
        write_record(record, path, run.json)
        write_games(path / "games.parquet", [(match, found.result.games)])
        console.print(tables.comparison(found))
        if (taken := tables.taken(found)) is not None:
            console.print(taken)
        console.print(f"Games and results: {escape(str(path))}")
        return 0


def _run_each(chosen: CompareOptions, match: Match, arguments: Sequence[str] | None) -> int:
    from dominion_training.common.records import write_atomically
    from dominion_training.evaluate import by_kingdom
    from dominion_training.evaluate.reports import tables
    from dominion_training.executors.folder import Folder

    if chosen.elo0 is not None or chosen.elo1 is not None:
        raise InvalidOption("--each: expected no sequential test beside it, got --elo0 or --elo1")
    run, console = chosen.run, Console()
    with results_of("compare", run, by_kingdom.matches_of(match)) as (path, matches, executor):
        folder = Folder(path, matches)
        with playing(chosen.num_games * len(matches), path, console) as advance:
            found = by_kingdom.compare_by_kingdom(
                matches, chosen.num_games, executor, folder, lambda games: advance(games, "")
            )
        record = record_of("compare", arguments, match.agents) | found.summary()
        record["addresses"] = matches[0].addresses(chosen.num_games) | {"kingdom": [each.kingdom for each in matches]}
        write_record(record, path, run.json)
        write_atomically(path / "kingdoms.png", by_kingdom.picture(found))
        console.print(tables.by_kingdom(found))
        if (taken := tables.taken(found)) is not None:
            console.print(taken)
        console.print(f"Picture and results: {escape(str(path))}")
        return 0
