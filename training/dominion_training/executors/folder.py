"""The folder in which finished parts of games are kept, so that the same command goes on after an interruption."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.errors import DominionError, InvalidOption, ResultsMismatch
from dominion_env.common.files import parse_json
from dominion_env.players.agent import repeats_itself
from dominion_training.common.folders import LOCK, results_folder
from dominion_training.common.records import check_same, versions_of_games, write_atomically, write_json
from dominion_training.executors.work import Part, Work, agents_of
from dominion_training.play import roster
from dominion_training.play.entrants import fingerprint

FORMAT = 3
SETTINGS = "settings.json"
LOGGER = logging.getLogger("dominion_env")
RESULTS = (  # the files that commands write beside the parts
    "result.json", "games.parquet", "matrix.png", "kingdoms.png", "report.html",
    "ratings.svg", "ratings.pdf", "ratings.csv", "ratings.tex", "scores.csv", "scores.tex",
)  # fmt: skip

_SEAL = hashlib.sha256().digest_size  # bytes at the end of a kept part


class Folder:
    """A folder of results: `settings.json` says what was played, `parts/` holds the games.

    The settings hold the seed, which agents are not to know while they play: only the owner can read that file.

    The name of a part says what its agents were made of (`entrants.fingerprint`). When an agent has changed, the parts
    that it played are not found any more, and all others are. Parts of an agent without a fingerprint are never found.
    At its end each part has a checksum of its games, its name and the settings, so that a part is also not found if its
    content is that of another. Who writes to a folder holds it meanwhile (`folder_for_work`).

    Args:
        path: path of the folder, which is made if it does not exist.
        works: all works whose parts will be kept there.

    Raises:
        ResultsMismatch: it holds results of another version or other settings, or is no folder of results.
        InvalidOption: the folder can't be made, a folder has the name of a file of results, or an agent that does not
            repeat itself has no fingerprint.
        DominionError: an agent can't be made.
    """

    def __init__(self, path: Path, works: Sequence[Work]) -> None:
        self.path = path
        kept = path / SETTINGS
        ours = _settings(works)
        for spec in agents_of(works):
            roster.HERE.renew(spec)  # one that can't be made must not leave a folder
            if roster.HERE.made_of(spec) is None and not repeats_itself(roster.HERE.player(spec)):
                raise InvalidOption(
                    f"agent {spec}: expected one from a file, path/to/file.py:attribute, as it does not repeat itself and "
                    "its games are to be found again; got one that can't be told from others"
                )
        self._sealed_with = json.dumps(ours, sort_keys=True)
        settings = ours | {"agents": {spec: fingerprint(spec) for spec in agents_of(works)}}
        try:
            if kept.exists():
                settings = self._continued(kept, settings)
            elif path.exists() and not all(_is_left_over(each) for each in path.iterdir()):
                raise ResultsMismatch(f"{path} holds other things than results: choose another folder")
            for name in RESULTS:  # found out now, not after all games have been played
                if (path / name).is_dir():
                    raise InvalidOption(f"{path}: expected no folder with the name of a file of results, got {name}")
            (path / "parts").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidOption(f"{path} can't be a folder of results: {error}; choose another one") from error
        try:
            write_json(kept, settings, secret=True)
        except DominionError as error:
            raise InvalidOption(f"{path} can't be a folder of results: {error}") from error

    def _continued(self, file: Path, ours: dict[str, Any]) -> dict[str, Any]:
        try:
            kept = parse_json(file.read_bytes())
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or not isinstance(kept.get("agents"), dict):
            raise ResultsMismatch(
                f"{file} is damaged and does not say what its folder holds: choose another folder, or remove this one"
            )
        check_same(self.path, "results", kept, ours, {"agents"})
        return {**ours, "agents": {**kept["agents"], **ours["agents"]}}

    def load(self, part: Part) -> NDArray[Any] | None:
        """Return the games of a part; None if they are not there, are damaged, or may be those of other agents."""
        if None in _made_of(part):
            return None
        file = self._file(part)
        try:
            content = file.read_bytes()
        except OSError:
            return None
        body = content[:-_SEAL]
        if content[-_SEAL:] == self._seal(file, body):
            try:
                games: NDArray[Any] = np.load(io.BytesIO(body), allow_pickle=False)
            except (ValueError, EOFError):
                pass
            else:
                if part.is_whole(games):
                    return games
        LOGGER.warning("%s is damaged or holds other games than its name says: these games are played again", file)
        return None

    def save(self, part: Part, games: NDArray[Any]) -> None:
        """Keep the games of a part: all of them or, if saving is interrupted, none.

        Raises:
            DominionError: they can't be written, as the disk is full.
        """
        stream = io.BytesIO()
        np.save(stream, games, allow_pickle=False)
        file, body = self._file(part), stream.getvalue()
        write_atomically(file, body + self._seal(file, body))

    def _seal(self, file: Path, body: bytes) -> bytes:
        """Return the checksum of a part."""
        words = json.dumps([self._sealed_with, file.name]).encode()
        return hashlib.sha256(hashlib.sha256(words).digest() + body).digest()

    def _file(self, part: Part) -> Path:
        made_of = hashlib.sha256(json.dumps(_made_of(part)).encode()).hexdigest()[:8]
        return self.path / "parts" / f"{_slug(*part.work.words)}-{made_of}-{part.start}-{part.stop}.npy"


def default_folder(command: str, works: Sequence[Work], seed_is_drawn: bool = False) -> Path:
    """Return where a command keeps its results if no folder is named, so that the same command finds them again.

    Args:
        command: name of the command.
        works: what is played.
        seed_is_drawn: whether the seed is drawn for the run, and so is no part of what the command says.
    """
    settings = _settings(works) | ({"seed": None} if seed_is_drawn else {})
    return results_folder(command, [settings, agents_of(works), [work.words for work in works]])


def _slug(*words: str) -> str:
    """Return a file name that people can read and that belongs to these words alone."""
    readable = "_".join(re.sub(r"[^A-Za-z0-9]+", "-", word).strip("-")[-24:] for word in words)
    return f"{readable}_{hashlib.sha256(json.dumps(words).encode()).hexdigest()[:8]}"


def _settings(works: Sequence[Work]) -> dict[str, Any]:
    if len({json.dumps(work.settings, sort_keys=True) for work in works}) != 1:
        raise InvalidOption("matches of one folder: expected the same players, seed and options, got different ones")
    return {"format": FORMAT, **versions_of_games(), **works[0].settings}


def _is_left_over(path: Path) -> bool:
    """Whether this is what an interrupted first command leaves: a lock, settings written aside, and no part of any game."""
    if path.is_dir():
        return path.name == "parts" and not any(path.glob("*.npy"))
    return path.name == LOCK or re.fullmatch(r"settings\.json\.\d+\.tmp", path.name) is not None


def _made_of(part: Part) -> list[str | None]:
    return [roster.HERE.made_of(spec) for spec in part.work.agents]
