"""How strong a searching agent is with how many playouts.

    python -m dominion_training.evaluate.commands.budgets planner --against double-witch any --kingdom size-distortion-2e
    python -m dominion_training.evaluate.commands.budgets planner --against auto-2 --kingdom test --budgets 30 300 3000

The agent plays with each budget against each opponent, and a picture shows the scores with their 95% intervals. The time of
a decision is that of one core in some games of the match, without decisions that have one legal action. Interrupted, the same
command goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from dominion_training.evaluate.commands.options import Run, RunOptions
from dominion_training.evaluate.commands.steps import playing

BUDGETS = (10, 30, 100, 300, 1000, 3000, 10_000)


@dataclass(frozen=True)
class BudgetOptions:
    """The agent, its budgets, and whom it meets."""

    agent: Annotated[str, tyro.conf.Positional]
    """A searching agent that takes its playouts behind a colon: planner, search, ismcts, puct."""
    against: tuple[str, ...]
    """Its opponents; from three players on, at all other seats."""
    budgets: tuple[int, ...] = BUDGETS
    """Numbers of playouts of a decision."""
    games: int = 100
    """Number of games with each budget against each opponent, a multiple of the number of players."""
    kingdom: str = "first-game-2e"
    """A name, such as size-distortion-2e, random, test; or ten card names with commas between."""
    players: int = 2
    """Number of seats at the table, 2 to 6."""
    run: Run = field(default_factory=RunOptions)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(BudgetOptions, args=arguments, description=__doc__, prog="budgets")
    # These need the extra `research`, and `--help` does not.
    from dominion_training.evaluate.budgets import Point, as_csv, milliseconds_of, picture, table
    from dominion_training.evaluate.compare import compare
    from dominion_training.evaluate.folder import Folder, default_folder
    from dominion_training.evaluate.match import sets_of
    from dominion_training.evaluate.work import Match
    from dominion_training.records import write_atomically

    sets_of(chosen.games, chosen.players)
    works = [
        (Match(f"{chosen.agent}:{budget}", opponent, chosen.kingdom, chosen.players, chosen.run.seed, {"auto_treasures": True}),
         budget)
        for opponent in chosen.against for budget in chosen.budgets
    ]  # fmt: skip
    matches, console = [match for match, _ in works], Console()
    folder = Folder(chosen.run.out or default_folder("budgets", matches), matches)
    points: list[Point] = []
    with playing(chosen.games * len(works), folder.path, console) as advance:
        for match, budget in works:
            done = chosen.games * len(points)
            note = f"{match.first} against {match.second}"
            found = compare(
                match, chosen.games, chosen.run.executor(), folder,
                progress=lambda result, done=done, note=note: advance(done + result.num_games, note),  # type: ignore[misc]
            )  # fmt: skip
            points.append(Point(match, budget, found.result, milliseconds_of(match)))
            write_atomically(folder.path / "budgets.csv", as_csv(points))
    write_atomically(folder.path / "budgets.png", picture(chosen.agent, chosen.kingdom, points))
    console.print(table(points))
    console.print(f"Picture and figures: {escape(str(folder.path))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
