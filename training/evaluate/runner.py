"""Many games on all cores, in parts that are kept on disk: what was interrupted goes on where it was.

A part ("task") is a range of sets of one match; which games are in which part depends on their numbers only, and parts
come out in order, so results don't depend on how many processes play.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import platform
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import dominion_env
from agents import Agent
from dominion_env.errors import DominionError, InvalidOption, ResultsMismatch
from training.evaluate.entrants import fingerprint, make_agent
from training.evaluate.match import lineup
from training.evaluate.play import Games, Player, Stopped, game_dtype, play_sets

SETS_PER_TASK = 500
FORMAT = 1


@dataclass(frozen=True)
class Match:
    """Who meets whom, and under what rules.

    Attributes:
        first, second: specifications of agents (`entrants.make_agent`); the second has all seats but one.
        kingdom: a name, or ten card names with commas between.
        num_players: 2 to 6.
        seed: of the addresses.
        options: others of `GameBatch`.
    """

    first: str
    second: str
    kingdom: str = "first-game-2e"
    num_players: int = 2
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Task:
    """The sets from `start` to before `stop` of a match."""

    match: Match
    start: int
    stop: int

    def play(self, stopping: Any = None) -> Games:
        """Play them, here and now."""
        match = self.match
        first, second = (Player(spec, _agent(spec)) for spec in (match.first, match.second))
        players = lineup(first, second, match.num_players)
        sets, kingdom = range(self.start, self.stop), parse_kingdom(match.kingdom)
        return play_sets(players, sets, match.seed, stopping=stopping, kingdom=kingdom, **match.options)


def tasks_of(match: Match, num_sets: int) -> list[Task]:
    """A match of that many sets in parts."""
    return [Task(match, start, min(start + SETS_PER_TASK, num_sets)) for start in range(0, num_sets, SETS_PER_TASK)]


def parse_kingdom(text: str) -> str | list[str]:
    """A kingdom as a command line has it: a name, or card names with commas between."""
    return [card.strip() for card in text.split(",")] if "," in text else text


def sets_of(num_games: int, num_players: int) -> int:
    """How many sets that many games are.

    Raises:
        InvalidOption: they are no complete sets, or the number of players is none.
    """
    if not 2 <= num_players <= 6:
        raise InvalidOption(f"players={num_players}: 2 to 6 can play against each other")
    if num_games < num_players or num_games % num_players:
        raise InvalidOption(f"games={num_games}: give a multiple of {num_players}, each agent plays from every seat")
    return num_games // num_players


# --- kept parts ------------------------------------------------------------------------------------------------------


class Folder:
    """A folder of results: `settings.json` says what they are of, `parts/` holds the games.

    Args:
        path: made if it does not exist.
        matches: what is going to be played.

    Raises:
        ResultsMismatch: it holds results of another version, other settings or other agents under the same names.
    """

    def __init__(self, path: Path, matches: Sequence[Match]) -> None:
        self.path = path
        kept = path / "settings.json"
        settings = _settings(matches)
        if kept.exists():
            settings = self._continued(json.loads(kept.read_text()), settings)
        elif path.exists() and any(path.iterdir()):
            raise ResultsMismatch(f"{path} holds other things than results: choose another folder")
        (path / "parts").mkdir(parents=True, exist_ok=True)
        write_atomically(kept, json.dumps(settings, indent=2) + "\n")

    def _continued(self, kept: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
        agents: dict[str, Any] = {**kept["agents"], **ours["agents"]}
        differences = [
            f"{name} {kept.get(name)!r} there, {ours[name]!r} here"
            for name in ours
            if name != "agents" and kept.get(name) != ours[name]
        ]
        differences += [
            f"the code or model of agent {spec!r} has changed"
            for spec, found in kept["agents"].items()
            if agents[spec] != found
        ]
        if differences:
            raise ResultsMismatch(
                f"{self.path} holds results that can't be continued: {'; '.join(differences)}. "
                "Choose another folder, or remove it"
            )
        return {**ours, "agents": agents}

    def load(self, task: Task) -> Games | None:
        """The games of a part, if they are there and whole."""
        try:
            games: Games = np.load(self._file(task), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        wanted = (task.stop - task.start) * task.match.num_players
        return games if len(games) == wanted and games.dtype == game_dtype(task.match.num_players) else None

    def save(self, task: Task, games: Games) -> None:
        """Keep the games of a part: all of them or, if it is interrupted, none."""
        file = self._file(task)
        aside = file.with_suffix(f".{os.getpid()}.tmp")
        with aside.open("wb") as stream:
            np.save(stream, games, allow_pickle=False)
        aside.replace(file)

    def _file(self, task: Task) -> Path:
        match = task.match
        who = (match.first, match.second, match.kingdom)
        return self.path / "parts" / f"{slug(*who)}-{task.start}-{task.stop}.npy"


def default_folder(command: str, matches: Sequence[Match]) -> Path:
    """Where a command keeps its results if it is not told: the same command finds them again."""
    who = [[match.first, match.second, match.kingdom] for match in matches]
    key = json.dumps([_settings(matches), who], sort_keys=True)
    return Path("results") / f"{command}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"


def slug(*words: str) -> str:
    """A file name that can be read and belongs to these words alone."""
    readable = "_".join(re.sub(r"[^A-Za-z0-9]+", "-", word).strip("-")[-24:] for word in words)
    return f"{readable}_{hashlib.sha256(json.dumps(words).encode()).hexdigest()[:8]}"


def write_atomically(path: Path, text: str) -> None:
    """Write a file that is always whole."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    aside.write_text(text)
    aside.replace(path)


def _settings(matches: Sequence[Match]) -> dict[str, Any]:
    common = {json.dumps([m.num_players, m.seed, dict(m.options)], sort_keys=True) for m in matches}
    if len(common) != 1:
        raise InvalidOption("the matches of one folder have the same players, seed and options")
    specs = sorted({spec for match in matches for spec in (match.first, match.second)})
    return {
        "format": FORMAT,
        "dominion_env": dominion_env.__version__,
        "rules": dominion_env.RULES_VERSION,
        "players": matches[0].num_players,
        "seed": matches[0].seed,
        "options": dict(matches[0].options),
        "agents": {spec: fingerprint(spec) for spec in specs},
    }


def versions() -> dict[str, Any]:
    """What results may depend on, for the record."""
    found: dict[str, Any] = {"dominion_env": dominion_env.__version__, "rules": dominion_env.RULES_VERSION}
    for package in ("numpy", "numba", "scipy", "torch", "sb3-contrib"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found | {"python": platform.python_version(), "machine": platform.platform(), "cpus": os.cpu_count()}


def as_plain(value: Any) -> Any:
    """Dataclasses, arrays and numpy's numbers as JSON can hold them; what is no number becomes null."""
    if hasattr(value, "__dataclass_fields__"):
        return as_plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [as_plain(part) for part in value]
    if isinstance(value, np.generic):
        return as_plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


# --- playing them ----------------------------------------------------------------------------------------------------


def run_tasks(tasks: Sequence[Task], workers: int = 1, folder: Folder | None = None) -> Iterator[tuple[Task, Games]]:
    """Play parts, each as soon as a process is free, and hand them out in the order in which they were given.

    What is kept in the folder is not played again; what is played is kept there as soon as it is finished. Ctrl-C, an
    error, or leaving the iteration early stops the processes between two decisions.

    Args:
        tasks: the parts.
        workers: processes; 1: in this one. Start scripts that use more under `if __name__ == "__main__":`.
        folder: where parts are kept.

    Raises:
        InvalidAgent: an agent can't be made or failed, of the first part in order in which one did.
        InvalidOption: fewer than one worker.
        DominionError: a wrong option, or a process died.
    """
    if workers < 1:
        raise InvalidOption(f"workers={workers}: at least 1 is wanted")
    for spec in sorted({spec for task in tasks for spec in (task.match.first, task.match.second)}):
        _agent(spec)  # what can't be made is said before anything is played
    if min(workers, len(tasks)) > 1:
        yield from _run_in_processes(tasks, workers, folder)
        return
    for task in tasks:
        games = folder.load(task) if folder is not None else None
        if games is None:
            games = task.play()
            if folder is not None:
                folder.save(task, games)
        yield task, games


def _run_in_processes(tasks: Sequence[Task], workers: int, folder: Folder | None) -> Iterator[tuple[Task, Games]]:
    context = multiprocessing.get_context("spawn")  # a fork would copy numba's and torch's threads half
    stop = context.Event()
    pool = ProcessPoolExecutor(min(workers, len(tasks)), context, _start_worker, (stop,))
    waiting = iter(range(len(tasks)))
    running: dict[Future[Games], int] = {}
    finished: dict[int, Games | BaseException] = {}
    try:
        for number, task in enumerate(tasks):
            while number not in finished:
                # a few parts ahead, so that nobody waits and memory stays bounded
                while len(running) + len(finished) < 4 * workers and (following := next(waiting, None)) is not None:
                    kept = folder.load(tasks[following]) if folder is not None else None
                    if kept is not None:
                        finished[following] = kept
                    else:
                        running[pool.submit(_play_in_worker, tasks[following])] = following
                if number not in finished:
                    _collect(running, finished, tasks, folder)
            outcome = finished.pop(number)
            if isinstance(outcome, BrokenProcessPool):
                raise DominionError(
                    "a process that played games has died (out of memory, or killed); finished parts are kept, so the "
                    "same command goes on, with --workers 1 in this process"
                ) from outcome
            if isinstance(outcome, BaseException):
                raise outcome
            yield task, outcome
    finally:
        stop.set()
        done = [future for future in running if future.done()]
        pool.shutdown(wait=True, cancel_futures=True)
        for future in done:
            if folder is not None and not future.cancelled() and future.exception() is None:
                folder.save(tasks[running[future]], future.result())


def _collect(
    running: dict[Future[Games], int],
    finished: dict[int, Games | BaseException],
    tasks: Sequence[Task],
    folder: Folder | None,
) -> None:
    """Wait until something is finished, and keep it."""
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        number = running[future]
        error = future.exception()
        if error is None and folder is not None:
            folder.save(tasks[number], future.result())
        finished[number] = future.result() if error is None else error
        del running[future]


_stop: Any = None


def _start_worker(stop: Any) -> None:
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the process that was started


def _play_in_worker(task: Task) -> Games:
    for spec in (task.match.first, task.match.second):
        _agent(spec)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # there are as many processes as cores
    return task.play(_stop.is_set)


@cache
def _agent(spec: str) -> Agent:
    return make_agent(spec)


__all__ = [
    "Folder", "Match", "Stopped", "Task", "as_plain", "default_folder", "parse_kingdom", "run_tasks", "sets_of",
    "slug", "tasks_of", "versions", "write_atomically",
]  # fmt: skip
