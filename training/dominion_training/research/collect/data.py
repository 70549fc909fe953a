"""Data sets: games of a mix of agents, collected in parts into three Parquet tables, and read again.

The folder of a data set holds a folder for each table, with a file for each part; `data.json`, which is written when all
parts are there and says what each file must be; and what is needed to go on after an interruption (`executors/folder.py`).
"""

from __future__ import annotations

import hashlib
import io
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PolarsError
from safetensors import numpy as safetensors

from dominion_env.common.checks import LARGEST_WORD, flag, one_of, shown, whole_number
from dominion_env.common.errors import DominionError, InvalidOption, ResultsMismatch
from dominion_env.common.files import parse_json, to_json
from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.players.agent import searches
from dominion_env.tables.cards import BASE_SET, CARD_SET
from dominion_env.tables.kingdoms import resolve
from dominion_training.common.records import versions_of_games, write_atomically
from dominion_training.play import roster
from dominion_training.play.loop import Player
from dominion_training.research.collect.playing import play, strategy_in
from dominion_training.research.collect.schema import SCHEMA_VERSION, TABLES, schema_of
from dominion_training.research.collect.tables import Tables, tables_of

RECORD = "data.json"
METADATA = "dominion_env"  # the key in the metadata of each file
ROWS = "rows of each"  # the numbers of rows beside the files that travel
GAMES_PER_PART = {"strategies": 20_000, "others": 1_000, "searchers": 20}
MOST_GAMES = 1 << 32  # as numbers of games have 32 bits
SOME_KINGDOM = tuple(range(7, 17))  # any ten Kingdom cards

Seating = Literal["rotate", "draw"]

# Options of games that a collection may have; it sets all others of `GameBatch` itself.
OPTIONS = {"edition", "auto_treasures", "ask_forced", "first_player", "max_turns", "reward", "illegal", "observation"}

DIGEST = np.dtype([("table", "U8"), ("rows", "i8"), ("sha256", "U64")])


@dataclass(frozen=True)
class Collection:
    """Games to be collected: a `Work` of one folder.

    Attributes:
        mix: specifications of agents (`entrants.make_entrant`).
        kingdom: a name, or ten card names with commas between.
        players: numbers of players; as many games are played with each.
        games: number of games with each number of players.
        seed: seed of the games' addresses.
        seating: "rotate", each game seats all agents, one place further than the game before; or "draw", each seat of each
            game draws one of the agents. A single agent takes all seats.
        events: whether gains, trashes and plays are recorded.
        options: other options of `GameBatch`.
    """

    mix: tuple[str, ...]
    kingdom: str = "first-game-2e"
    players: tuple[int, ...] = (2,)
    games: int = 1000
    seed: int = 0
    seating: Seating = "draw"
    events: bool = True
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def check(self) -> None:
        """Check what no agent is needed for.

        Raises:
            InvalidOption: something is wrong.
        """
        if not self.mix:
            raise InvalidOption("agents: expected at least one, got none")
        if len(set(self.mix)) < len(self.mix):
            raise InvalidOption(f"agents: expected each once, got {', '.join(self.mix)}")
        wrong = [count for count in self.players if not 1 <= count <= 6]
        if not self.players or wrong or len(set(self.players)) < len(self.players):
            raise InvalidOption(f"players: expected different numbers from 1 to 6, got {list(self.players)}")
        if not 1 <= self.games * len(self.players) <= MOST_GAMES:
            raise InvalidOption(f"games: expected 1 to {MOST_GAMES // len(self.players):,}, got {self.games:,}")
        if self.seating == "rotate" and any(count != len(self.mix) for count in self.players) and len(self.mix) > 1:
            raise InvalidOption(
                f"seating: expected as many agents as players to rotate, got {len(self.mix)} agents and "
                f"{', '.join(map(str, self.players))} players"
            )

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.mix

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {
            "schema": SCHEMA_VERSION, "mix": list(self.mix), "kingdom": self.kingdom, "players": list(self.players),
            "games": self.games, "seed": self.seed, "seating": self.seating, "events": self.events,
            "options": dict(self.options),
        }  # fmt: skip

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return ("data",)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that are written."""
        return tuple(name for name in TABLES if self.events or name != "events")

    def parts(self, folder: Path, command: str = "") -> list[CollectionPart]:
        """Return the parts of this collection, whose tables will be written into a folder.

        Args:
            folder: folder of the data set.
            command: the command that collects them, which each file names.
        """
        agents = [roster.HERE.agent(spec) for spec in self.mix]
        kind = "searchers" if any(map(searches, agents)) else "strategies"
        if kind == "strategies" and any(strategy_in(agent, SOME_KINGDOM, 2) is None for agent in agents):
            kind = "others"
        each = GAMES_PER_PART[kind]
        return [
            CollectionPart(self, first + start, first + min(start + each, self.games), count, folder, command)
            for first, count in zip(range(0, self.games * len(self.players), self.games), self.players, strict=True)
            for start in range(0, self.games, each)
        ]

    def seats(self, numbers: NDArray[Any], players: int) -> NDArray[np.int64]:
        """Return the number of the agent in each seat of the games of these numbers, int64 (games, players)."""
        return seated(len(self.mix), players, numbers, self.seed, self.seating)


def seated(agents: int, players: int, numbers: NDArray[Any], seed: int, seating: Seating) -> NDArray[np.int64]:
    """Return which agent has each seat, int64 (games, players); see `Collection`."""
    seats, games = np.arange(players), np.asarray(numbers, np.int64)[:, None]
    if seating == "rotate":
        return (seats - games) % agents
    with np.errstate(over="ignore"):
        words = splitmix(np.uint64(seed % (1 << 64)) + GAMMA * (games.astype(np.uint64) * np.uint64(8) + np.uint64(1)))
        words = splitmix(words + GAMMA * (seats.astype(np.uint64) + np.uint64(1)))
    drawn: NDArray[np.int64] = number_below(words, agents)
    return drawn


@dataclass(frozen=True)
class CollectionPart:
    """The games of a collection from `start` to before `stop`, all with the same number of players: a `WritingPart`.

    The process that plays them writes their tables. What it returns, and what the folder keeps, says what was written.
    """

    work: Collection
    start: int
    stop: int
    players: int
    folder: Path
    command: str = ""

    def file(self, table: str) -> Path:
        """Return the file of one of the tables."""
        return self.folder / table / f"{self.start:010}-{self.stop:010}.parquet"

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`; the files must be there as they were written."""
        if kept.dtype != DIGEST or kept["table"].tolist() != list(self.work.tables):
            return False
        return all(_sha256(self.file(str(each["table"]))) == each["sha256"] for each in kept)

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Part`; returns the dtype `DIGEST`, a row for each table."""
        return self.write(self.files(self.fingerprints, stopping))

    def away(self) -> CollectionPartAway:
        """See `WritingPart`."""
        return CollectionPartAway(self, self.fingerprints, pl.__version__)

    def brought(self, found: NDArray[Any]) -> NDArray[Any]:
        """See `WritingPart`."""
        return self.write(unpacked(found))

    @property
    def fingerprints(self) -> dict[str, str | None]:
        """Fingerprints of the agents, by their specifications."""
        return {spec: roster.HERE.made_of(spec) for spec in self.work.mix}

    def files(
        self, fingerprints: dict[str, str | None], stopping: Callable[[], bool] | None = None
    ) -> dict[str, tuple[int, bytes]]:
        """Play the games, and return the file of each table: its number of rows, and its content.

        Args:
            fingerprints: fingerprints of the agents where the command was called, which each file names.
            stopping: function that is called between two decisions and returns True to stop.
        """
        work, numbers = self.work, np.arange(self.start, self.stop)
        agents = [Player(spec, roster.HERE.agent(spec)) for spec in work.mix]
        played = play(
            agents, work.seats(numbers, self.players), numbers, self.players, work.seed, work.events, stopping=stopping,
            kingdom=work.kingdom, **work.options,
        )  # fmt: skip
        tables = tables_of(played, work.events)
        found = {}
        for name in work.tables:
            frame, content = tables.by_name(name), io.BytesIO()
            assert frame is not None
            metadata = to_json(self._metadata(name, fingerprints))
            frame.write_parquet(content, compression="zstd", metadata={METADATA: metadata})
            found[name] = len(frame), content.getvalue()
        return found

    def write(self, files: dict[str, tuple[int, bytes]]) -> NDArray[Any]:
        """Write the file of each table, and return what was written, of the dtype `DIGEST`.

        Raises:
            DominionError: a file can't be written.
        """
        digests = np.zeros(len(files), DIGEST)
        for row, (name, (rows, content)) in enumerate(files.items()):
            file = self.file(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, content)
            digests[row] = name, rows, hashlib.sha256(content).hexdigest()
        return digests

    def _metadata(self, table: str, fingerprints: dict[str, str | None]) -> dict[str, Any]:
        return {
            "table": table, "cards": str(CARD_SET), **versions_of_games(), **self.work.settings,
            "fingerprints": fingerprints,
            "columns": {column.name: column.meaning for column in TABLES[table]},
            "first": self.start, "last": self.stop - 1, "command": self.command,
        }  # fmt: skip


@dataclass(frozen=True)
class CollectionPartAway:
    """A part of a collection on a machine that does not reach the folder: a `Part`.

    Attributes:
        part: the part.
        fingerprints: fingerprints of the agents where the command was called.
        polars: version of Polars there, as another one may write the same tables as other bytes.
    """

    part: CollectionPart
    fingerprints: dict[str, str | None]
    polars: str

    @property
    def work(self) -> Collection:
        """See `Part`."""
        return self.part.work

    @property
    def start(self) -> int:
        """See `Part`."""
        return self.part.start

    @property
    def stop(self) -> int:
        """See `Part`."""
        return self.part.stop

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return list(unpacked(kept)) == list(self.work.tables)

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[np.uint8]:
        """See `Part`; returns the files of the tables, which `unpacked` takes apart.

        Raises:
            DominionError: this machine has another version of Polars.
        """
        if self.polars != pl.__version__:
            raise DominionError(
                f"node {socket.gethostname()} would write other files: polars {pl.__version__} there, {self.polars} here. "
                "Install the same on all nodes"
            )
        return packed(self.part.files(self.fingerprints, stopping))


def packed(files: dict[str, tuple[int, bytes]]) -> NDArray[np.uint8]:
    """Return the files of tables, each with its number of rows, as one array of bytes."""
    rows = np.array([rows for rows, _ in files.values()], np.int64)
    contents = {name: np.frombuffer(content, np.uint8) for name, (_, content) in files.items()}
    return np.frombuffer(safetensors.save({ROWS: rows, **contents}), np.uint8)


def unpacked(found: NDArray[np.uint8]) -> dict[str, tuple[int, bytes]]:
    """Return the files of tables that `packed` has packed."""
    arrays = safetensors.load(found.tobytes())
    names = [name for name in TABLES if name in arrays]  # in the order in which tables are written
    return {name: (int(rows), arrays[name].tobytes()) for name, rows in zip(names, arrays[ROWS], strict=True)}


def _sha256(file: Path) -> str | None:
    """Return the checksum of a file, None if it can't be read."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def record_of_data(
    work: Collection, written: Sequence[tuple[CollectionPart, NDArray[Any]]], made: dict[str, Any]
) -> dict[str, Any]:
    """Return what `data.json` says: how the data set was made, and what each of its files must be.

    Args:
        work: the collection.
        written: its parts, and what each returned when it was played.
        made: command, versions and fingerprints.
    """
    files = [
        {
            "table": str(each["table"]), "file": part.file(str(each["table"])).relative_to(part.folder).as_posix(),
            "players": part.players, "first": part.start, "games": part.stop - part.start, "rows": int(each["rows"]),
            "sha256": str(each["sha256"]),
        }
        for part, digests in written
        for each in digests
    ]  # fmt: skip
    described = {**made, "cards": str(CARD_SET), **versions_of_games(), **work.settings}
    return {**described, "tables": list(work.tables), "files": files}


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DataSet:
    """A finished data set on disk.

    Attributes:
        folder: its folder.
        record: what `data.json` says.
    """

    folder: Path
    record: dict[str, Any]

    @property
    def collection(self) -> Collection:
        """What was collected."""
        given = self.record
        return Collection(
            tuple(given["mix"]), given["kingdom"], tuple(given["players"]), given["games"], given["seed"],
            given["seating"], given["events"], given["options"],
        )  # fmt: skip

    def read(self, players: int | None = None, most: int | None = None) -> Tables:
        """Read the tables, after a check of the files that are read.

        Args:
            players: only games with this number of players; None for all.
            most: about the most games to read, in whole parts; None for all.

        Raises:
            ResultsMismatch: a file is missing, damaged or another one.
            InvalidOption: there are no such games.
        """
        files = [each for each in self.record["files"] if players in (None, each["players"])]
        kept: dict[str, list[pl.DataFrame]] = {name: [] for name in self.record["tables"]}
        games = 0
        for each in files:
            if each["table"] == "games":
                if most is not None and games and games + each["games"] > most:
                    break
                games += each["games"]
            kept[each["table"]].append(self._frame(each))
        if not games:
            raise InvalidOption(f"{self.folder}: expected games with {players} players, got none")
        frames = {name: pl.concat(each) for name, each in kept.items()}
        return Tables(
            frames["games"], frames["players"], frames.get("events"), tuple(self.record["mix"]), self.record["options"]
        )

    def _frame(self, each: dict[str, Any]) -> pl.DataFrame:
        file = self.folder / each["file"]
        found = _sha256(file)
        if found is None:
            raise ResultsMismatch(f"{file}: expected a file of the data set, got none; collect it again")
        if found != each["sha256"]:
            raise ResultsMismatch(f"{file} is damaged or another file than {RECORD} says; collect it again")
        try:
            frame = pl.read_parquet(file)
        except (PolarsError, OSError) as error:
            raise ResultsMismatch(f"{file} can't be read: {error}") from error
        if dict(frame.schema) != schema_of(each["table"]) or len(frame) != each["rows"]:
            raise ResultsMismatch(f"{file}: expected the columns of schema {SCHEMA_VERSION}, got {dict(frame.schema)}")
        return frame

    def part_of(self, game: int) -> dict[str, Any]:
        """Return the entry of the file of table "games" that holds a game.

        Raises:
            InvalidOption: there is no such game.
        """
        for each in self.record["files"]:
            if each["table"] == "games" and each["first"] <= game < each["first"] + each["games"]:
                found: dict[str, Any] = each
                return found
        last = self.record["games"] * len(self.record["players"]) - 1
        raise InvalidOption(f"game: expected 0 to {last}, got {game}")

    def read_part(self, part: dict[str, Any]) -> Tables:
        """Return the tables of the part that a file belongs to."""
        frames = {each["table"]: self._frame(each) for each in self.record["files"] if each["first"] == part["first"]}
        return Tables(frames["games"], frames["players"], frames.get("events"), tuple(self.record["mix"]))


def open_data(folder: Path) -> DataSet:
    """Return the data set in a folder.

    Raises:
        InvalidOption: there is none, or it is not finished.
        ResultsMismatch: it is damaged, or of another version.
    """
    file = folder / RECORD
    if not file.is_file():
        if (folder / "settings.json").is_file():
            raise InvalidOption(f"{folder}: expected a finished data set, got one that was interrupted; collect again")
        raise InvalidOption(f"{folder}: expected a data set of `dominion collect`, got no {RECORD}")
    try:
        record = parse_json(file.read_bytes())
        schema, cards = record["schema"], record.get("cards", str(BASE_SET))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ResultsMismatch(f"{file} is damaged: {error}; collect the data again") from error
    if schema != SCHEMA_VERSION:
        raise ResultsMismatch(f"{folder}: expected tables of schema {SCHEMA_VERSION}, got {shown(schema)}")
    if cards != str(CARD_SET):
        raise ResultsMismatch(f"{folder}: expected a data set of cards of {CARD_SET}, got one of {shown(cards)}")
    try:
        data = DataSet(folder, record)
        _check_record(data)
    except (DominionError, LookupError, TypeError, ValueError) as error:
        raise ResultsMismatch(f"{file} is damaged: {shown(error)}; collect the data again") from error
    return data


def _check_record(data: DataSet) -> None:
    """Check that a record is one that `record_of_data` can have made.

    Raises:
        DominionError, LookupError, TypeError: it is not.
    """
    record = data.record
    for name in ("mix", "players", "tables", "files"):
        _expect(name, isinstance(record[name], list), record[name])
    for name in ("kingdom", "seating", "command"):
        _expect(name, isinstance(record[name], str), record[name])
    _expect("mix", all(isinstance(each, str) for each in record["mix"]), record["mix"])
    for number in (*record["players"], record["games"]):
        whole_number("players and games", number, 1)
    whole_number("seed", record["seed"], -LARGEST_WORD, LARGEST_WORD)
    flag("events", record["events"])
    one_of("seating", record["seating"], get_args(Seating))
    made, options = record["fingerprints"], record["options"]
    _expect("fingerprints", isinstance(made, dict) and set(made) == set(record["mix"]), made)
    _expect("options", isinstance(options, dict) and set(options) <= OPTIONS, options)
    work = data.collection
    work.check()
    resolve(work.kingdom)
    _expect("tables", record["tables"] == list(work.tables), record["tables"])
    following = 0
    for place in range(0, len(record["files"]), len(work.tables)):
        following = _check_files(work, record["files"][place : place + len(work.tables)], following)
    _expect("files", following == work.games * len(work.players), f"files of {following} games")


def _check_files(work: Collection, files: Sequence[dict[str, Any]], start: int) -> int:
    """Check the entries of the files of a part whose first game has this number; return the number of the next part's."""
    stop = start + whole_number("games", files[0]["games"], 1, work.games)
    players = work.players[start // work.games] if start < work.games * len(work.players) else 0
    part = CollectionPart(work, start, stop, players, Path())
    _expect("files", len(files) == len(work.tables), files)
    for table, each in zip(work.tables, files, strict=True):
        own = {
            "table": table,
            "file": part.file(table).as_posix(),
            "players": players,
            "first": start,
            "games": stop - start,
        }
        whole_number("rows", each["rows"], 0, 1 << 62)
        _expect("files", {**each, **own} == each and isinstance(each["sha256"], str), each)
    return stop


def _expect(name: str, holds: bool, got: Any) -> None:
    if not holds:
        raise InvalidOption(f"{name}: expected what `dominion collect` writes, got {shown(got)}")
