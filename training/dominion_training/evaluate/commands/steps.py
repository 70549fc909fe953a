"""Steps that all commands take: play with a bar on the screen, write the record, show the tables."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dominion_env.common.errors import InvalidAgent
from dominion_training.common.folders import folder_for_work
from dominion_training.common.records import versions, write_json
from dominion_training.evaluate.commands.options import RunOptions, check_place
from dominion_training.evaluate.losses import Trial
from dominion_training.evaluate.matches import Match
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import SETTINGS, default_folder
from dominion_training.play import roster
from dominion_training.play.seeds import seed_of_run

Played = TypeVar("Played", Match, Trial)


@contextmanager
def results_of(
    command: str, run: RunOptions, matches: Sequence[Played]
) -> Iterator[tuple[Path, list[Played], Executor | int]]:
    """Hold the folder of a command's results until the end of the block.

    Args:
        command: name of the command.
        run: where the results are kept, their seed, and what plays.
        matches: what is played.

    Yields:
        The folder, the matches with the seed of the run, and what plays their parts.

    Raises:
        InvalidOption: the folder can't be made, another command works there, or an option of the run is wrong.
    """
    check_place("--json", run.json)
    path, executor = run.out or default_folder(command, matches, run.seed is None), run.executor()
    seed = seed_of_run(run.seed, path / SETTINGS)
    with folder_for_work(path, "results"):
        yield path, [replace(match, seed=seed) for match in matches], executor


@contextmanager
def playing(num_games: int, folder: Path, console: Console) -> Iterator[Callable[[int, str], None]]:
    """Show a bar while games are played, and say after Ctrl-C or an error where they are kept.

    Args:
        num_games: number of games in all.
        folder: folder of the results.
        console: the screen.

    Yields:
        A function that is called with the number of finished games and a note to show beside the bar.
    """
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    try:
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=num_games)
            yield lambda done, note: bar.update(task, completed=done, description=escape(note))
    except (KeyboardInterrupt, InvalidAgent) as error:
        stopped = "Interrupted." if isinstance(error, KeyboardInterrupt) else "Stopped."
        if any((folder / "parts").glob("*.npy")):
            kept = f"The games in {escape(str(folder))} are kept: the same command goes on from there."
        else:
            kept = "No games have been kept yet."
        console.print(f"{stopped} {kept}")
        raise


@contextmanager
def searching(doing: str, console: Console) -> Iterator[Callable[[str, float, str], None]]:
    """Show a bar while something is searched for.

    Args:
        doing: what is done, in words.
        console: the screen.

    Yields:
        A function that is called with what is done, the share of it that is over, and a note to show beside the bar.
    """
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(escape(doing), total=1.0, note="")
        yield lambda doing, share, note: bar.update(task, description=escape(doing), completed=share, note=escape(note))


def record_of(name: str, arguments: Sequence[str] | None, agents: Iterable[str]) -> dict[str, Any]:
    """Return the beginning of a record: the command as called, the versions in use, and the agents' fingerprints."""
    given = sys.argv[1:] if arguments is None else arguments
    return {
        "command": shlex.join(["dominion", name, *given]),
        "versions": versions(),
        "fingerprints": {spec: roster.HERE.made_of(spec) for spec in agents},
    }


def write_record(record: dict[str, Any], folder: Path, file: Path | None) -> None:
    """Write a record as `result.json` into the folder of the results, and to the file of `--json` if there is one."""
    write_json(folder / "result.json", record)
    if file is not None:
        write_json(file, record)
