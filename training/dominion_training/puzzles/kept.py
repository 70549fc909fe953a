"""Answers of players that do not repeat themselves, such as models behind an API: kept at once, and never asked for again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dominion_env.common.errors import DominionError, ResultsMismatch
from dominion_env.common.files import to_json
from dominion_training.common.records import read_lines
from dominion_training.play.entrants import fingerprint
from dominion_training.puzzles.puzzle import Puzzle


class KeptAnswers:
    """The answers that a player has given, each a line of a file for all players.

    Args:
        path: path of the file, which need not be there yet; None to keep nothing.
        spec: specification of the player. Answers count for as long as its `fingerprint` is the same; without one none is kept.

    Raises:
        ResultsMismatch: the file holds other things.
    """

    def __init__(self, path: Path | None, spec: str) -> None:
        self._of = [spec, fingerprint(spec) if path is not None else None]
        self._path = path if self._of[1] is not None else None
        try:
            lines = read_lines(self._path) if self._path is not None else []
            self._found = {line["key"]: (str(line["answer"]), dict(line["used"])) for line in lines}
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsMismatch(f"{path}: expected kept answers, got other things: remove the file") from error

    def get(self, puzzle: Puzzle) -> tuple[str, dict[str, float]] | None:
        """Return the answer to a puzzle and what it took; None if none is kept."""
        return self._found.get(self._key(puzzle))

    def add(self, puzzle: Puzzle, answer: str, used: dict[str, float]) -> None:
        """Keep the answer to a puzzle, and what it took.

        Raises:
            DominionError: it can't be written.
        """
        if self._path is None:
            return
        line: dict[str, Any] = {"key": self._key(puzzle), "agent": self._of[0], "puzzle": puzzle.number}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(to_json(line | {"answer": answer, "used": used}) + "\n")
        except OSError as error:
            raise DominionError(f"{self._path} can't be written: {error.strerror or error}") from error

    def _key(self, puzzle: Puzzle) -> str:
        return hashlib.sha256(json.dumps([self._of, asdict(puzzle)]).encode()).hexdigest()[:16]
