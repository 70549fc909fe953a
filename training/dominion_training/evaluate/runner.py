"""Many games on all cores, in parts that are kept on disk: what was interrupted goes on where it was.

A part of a match ("task") is a range of its sets; which games are in which part depends on their numbers only, and parts
come out in order, so results don't depend on how many processes play. Other work goes the same way: see `Work`, `Part`.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

import dominion_agents
import dominion_env
from dominion_agents import Agent
from dominion_env.errors import DominionError, InvalidAgent, InvalidOption, ResultsMismatch
from dominion_training.evaluate.entrants import fingerprint, make_agent
from dominion_training.evaluate.games import Games, Player, Stopped, game_dtype, play_sets
from dominion_training.evaluate.match import lineup

SETS_PER_TASK = 500
SECONDS_DEAF = 0.2  # at most so long Ctrl-C is not heard while other processes play
FORMAT = 2


class Work(Protocol):
    """What a folder holds results of, such as a match."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Specifications of all who play."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """What all works of one folder have in common, for JSON."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """What tells it from the other works of a folder."""
        ...


class Part(Protocol):
    """A part of a work, which is played in one piece and by one process, to which it is sent."""

    @property
    def work(self) -> Work:
        """What it is a part of."""
        ...

    @property
    def start(self) -> int:
        """Number of the first set or game of the work that is in this part."""
        ...

    @property
    def stop(self) -> int:
        """Number of the first one after it."""
        ...

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Play it, here and now; raises `Stopped` between two decisions when `stopping()` is true."""
        ...

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """Whether an array that was kept can be what `play` returns."""
        ...


AnyPart = TypeVar("AnyPart", bound=Part)


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

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.first, self.second

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"players": self.num_players, "seed": self.seed, "options": dict(self.options)}

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.first, self.second, self.kingdom


@dataclass(frozen=True)
class Task:
    """The sets from `start` to before `stop` of a match."""

    match: Match
    start: int
    stop: int

    @property
    def work(self) -> Match:
        """See `Part`."""
        return self.match

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        players = self.match.num_players
        return len(kept) == (self.stop - self.start) * players and kept.dtype == game_dtype(players)

    def play(self, stopping: Callable[[], bool] | None = None) -> Games:
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

    The name of a part says what its agents were made of (`entrants.fingerprint`): when one of them has changed, what it
    played is not found any more, and all else is. Parts of an agent that has no fingerprint are never found.

    Args:
        path: made if it does not exist.
        works: what is going to be played.

    Raises:
        ResultsMismatch: it holds results of another version or other settings, or is no folder of results.
        InvalidOption: the folder can't be made.
    """

    def __init__(self, path: Path, works: Sequence[Work]) -> None:
        self.path = path
        kept = path / "settings.json"
        settings = _settings(works) | {"agents": {spec: fingerprint(spec) for spec in _agents_of(works)}}
        try:
            if kept.exists():
                settings = self._continued(kept, settings)
            elif path.exists() and any(path.iterdir()):
                raise ResultsMismatch(f"{path} holds other things than results: choose another folder")
            (path / "parts").mkdir(parents=True, exist_ok=True)
            write_atomically(kept, json.dumps(settings, indent=2) + "\n")
        except OSError as error:
            raise InvalidOption(f"{path} can't be a folder of results: {error}; choose another one") from error

    def _continued(self, file: Path, ours: dict[str, Any]) -> dict[str, Any]:
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or not isinstance(kept.get("agents"), dict):
            raise ResultsMismatch(
                f"{file} is damaged, so nobody knows what its folder holds: choose another folder, or remove this one"
            )
        differences = [
            f"{name} {kept.get(name)!r} there, {ours.get(name)!r} here"
            for name in {**kept, **ours}
            if name != "agents" and kept.get(name) != ours.get(name)
        ]
        if differences:
            raise ResultsMismatch(
                f"{self.path} holds results that can't be continued: {'; '.join(differences)}. "
                "Choose another folder, or remove it"
            )
        return {**ours, "agents": {**kept["agents"], **ours["agents"]}}

    def load(self, part: Part) -> NDArray[Any] | None:
        """The games of a part, if they are there and whole, and its agents are known to be the same."""
        if None in _made_of(part):
            return None
        try:
            games: NDArray[Any] = np.load(self._file(part), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return games if part.is_whole(games) else None

    def save(self, part: Part, games: NDArray[Any]) -> None:
        """Keep the games of a part: all of them or, if it is interrupted, none."""
        file = self._file(part)
        aside = file.with_suffix(f".{os.getpid()}.tmp")
        with aside.open("wb") as stream:
            np.save(stream, games, allow_pickle=False)
        aside.replace(file)

    def _file(self, part: Part) -> Path:
        made_of = hashlib.sha256(json.dumps(_made_of(part)).encode()).hexdigest()[:8]
        return self.path / "parts" / f"{slug(*part.work.words)}-{made_of}-{part.start}-{part.stop}.npy"


def default_folder(command: str, works: Sequence[Work]) -> Path:
    """Where a command keeps its results if it is not told: the same command finds them again."""
    key = json.dumps([_settings(works), _agents_of(works), [work.words for work in works]], sort_keys=True)
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


def _settings(works: Sequence[Work]) -> dict[str, Any]:
    if len({json.dumps(work.settings, sort_keys=True) for work in works}) != 1:
        raise InvalidOption("the matches of one folder have the same players, seed and options")
    return {
        "format": FORMAT,
        "dominion_env": dominion_env.__version__,
        "rules": dominion_env.RULES_VERSION,
        **works[0].settings,
    }


def _agents_of(works: Iterable[Work]) -> list[str]:
    return sorted({spec for work in works for spec in work.agents})


def check_place(option: str, path: Path | None) -> None:
    """Whether a file can be written there, before anything is played for it.

    Raises:
        InvalidOption: it can't.
    """
    if path is None:
        return
    if path.is_dir():
        raise InvalidOption(f"{option} {path}: expected a file, got a folder")
    if not os.access(path.parent, os.W_OK):
        raise InvalidOption(f"{option} {path}: there is no folder {path.parent}, or no file may be written there")


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


def run_tasks(
    tasks: Sequence[AnyPart], workers: int = 1, folder: Folder | None = None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
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
        raise InvalidOption(f"workers: expected at least 1, got {workers}")
    for spec in _agents_of(task.work for task in tasks):
        _renew(spec)  # what can't be made is said before anything is played
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


def _run_in_processes(
    tasks: Sequence[AnyPart], workers: int, folder: Folder | None
) -> Iterator[tuple[AnyPart, NDArray[Any]]]:
    context = multiprocessing.get_context("spawn")  # a fork would copy numba's and torch's threads half
    stop = context.Event()
    made_of = {spec: _entrants[spec].made_of for spec in _agents_of(task.work for task in tasks)}
    pool = ProcessPoolExecutor(min(workers, len(tasks)), context, _start_worker, (stop, made_of))
    waiting = iter(range(len(tasks)))
    running: dict[Future[NDArray[Any]], int] = {}
    finished: dict[int, NDArray[Any] | BaseException] = {}
    try:
        for number, task in enumerate(tasks):
            while number not in finished:
                # a few parts ahead, so that nobody waits and memory stays bounded
                while len(running) + len(finished) < 4 * workers and (following := next(waiting, None)) is not None:
                    kept = folder.load(tasks[following]) if folder is not None else None
                    if kept is not None:
                        finished[following] = kept
                    else:
                        with _without_ctrl_c():  # a process that is started here must get as far as `_start_worker`
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
    running: dict[Future[NDArray[Any]], int],
    finished: dict[int, NDArray[Any] | BaseException],
    tasks: Sequence[Part],
    folder: Folder | None,
) -> None:
    """Wait until something is finished, and keep it."""
    finished_now: set[Future[NDArray[Any]]] = set()
    while not finished_now:
        # Not for ever: who takes over SIGINT in compiled code (polars does when it is imported) has Ctrl-C wait for that.
        finished_now = wait(running, SECONDS_DEAF, FIRST_COMPLETED).done
    for future in finished_now:
        number = running[future]
        error = future.exception()
        if error is None and folder is not None:
            folder.save(tasks[number], future.result())
        finished[number] = future.result() if error is None else error
        del running[future]


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Ctrl-C waits until the end of this; processes that are started here hear nothing of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stop: Any = None
_expected: dict[str, str | None] = {}


def _start_worker(stop: Any, expected: dict[str, str | None]) -> None:
    global _stop, _expected
    _stop, _expected = stop, expected
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the process that was started


def _play_in_worker(task: Part) -> NDArray[Any]:
    for spec in task.work.agents:
        if spec not in _entrants:
            _make_in_worker(spec)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # there are as many processes as cores
    return task.play(_stop.is_set)


def _make_in_worker(spec: str) -> None:
    try:
        _renew(spec)
    except InvalidOption as error:  # it could be made in the process that was started
        raise InvalidAgent(
            f"agent {spec}: it is registered in the process that was started, but not in those that it starts. Play with "
            "workers=1, or write the agent into a file and name it as path/to/file.py:attribute"
        ) from error
    if spec not in dominion_agents.names() and _entrants[spec].made_of != _expected[spec]:
        raise ResultsMismatch(f"agent {spec}: its code or model has changed since the games began; begin anew")


@dataclass(frozen=True)
class _Entrant:
    """An agent, and the fingerprint of what it was made from."""

    agent: Agent
    made_of: str | None


_entrants: dict[str, _Entrant] = {}  # who plays in this process


def _renew(spec: str) -> None:
    """Make the agent, unless what it is made of is known to be the same as before."""
    made_of = fingerprint(spec)
    if made_of is None or spec not in _entrants or _entrants[spec].made_of != made_of:
        _entrants[spec] = _Entrant(make_agent(spec), made_of)


def _agent(spec: str) -> Agent:
    if spec not in _entrants:
        _renew(spec)
    return _entrants[spec].agent


def _made_of(part: Part) -> list[str | None]:
    """The fingerprints of a part's agents: of those that play here, or would if they were made now."""
    return [_entrants[spec].made_of if spec in _entrants else fingerprint(spec) for spec in part.work.agents]


__all__ = [
    "Folder", "Match", "Part", "Stopped", "Task", "Work", "as_plain", "check_place", "default_folder", "parse_kingdom",
    "run_tasks", "sets_of", "slug", "tasks_of", "versions", "write_atomically",
]  # fmt: skip
