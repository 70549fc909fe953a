"""Games of visitors in SQLite, so that a restart of the server loses nothing."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dominion_env.errors import InvalidOption
from dominion_training.web.games import Kept
from dominion_training.web.limits import MOST_GAMES, MOST_KEPT

_FORM = 2  # of the tables; those of form 1 did not say how games have ended
_TABLES = """
create table if not exists games (
    visitor text not null, link text not null, rules integer not null, played text not null, answered text not null,
    step integer, changed real not null, outcome text not null default '', primary key (visitor, link)
) without rowid;
create index if not exists by_age on games (visitor, changed);
create index if not exists by_age_of_all on games (changed);
create table if not exists settings (name text primary key, value text not null);
"""


class Latest(NamedTuple):
    """A game in a visitor's list.

    Attributes:
        link: its link.
        changed: when it was kept, in seconds as `time.time` tells them.
        outcome: how it has ended in words, "" if it has not.
    """

    link: str
    changed: float
    outcome: str


def _keep_for_the_owner(path: Path) -> None:
    """Let nobody but the owner read the file, which holds the secret of the cookies; SQLite makes its others alike."""
    with suppress(OSError):  # SQLite will say what is wrong
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
        for each in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):  # those of an earlier version too
            if each.exists():
                each.chmod(0o600)


class Store:
    """Games by visitor and link.

    Args:
        path: file of the database, which is made if it is not there; ":memory:" keeps nothing.

    Raises:
        InvalidOption: the file can't be written, or is no database of this program.
    """

    def __init__(self, path: Path | str) -> None:
        if path != ":memory:":
            _keep_for_the_owner(Path(path))
        try:
            self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            version = self._base.execute("pragma user_version").fetchone()[0]
            if version not in (0, 1, _FORM):
                raise InvalidOption(f"{path}: expected games of form {_FORM}, got {version}")
            self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma synchronous = normal")
            self._base.executescript(_TABLES)
            if version == 1:
                self._base.execute("alter table games add column outcome text not null default ''")
            self._base.execute(f"pragma user_version = {_FORM}")
        except sqlite3.Error as error:
            raise InvalidOption(f"{path}: expected a file for games that can be written: {error}") from error

    def put(self, visitor: str, link: str, kept: Kept) -> None:
        """Keep a game as it is now."""
        played, answered = json.dumps(kept.played), json.dumps(kept.answered)
        self._base.execute(
            "insert or replace into games values (?, ?, ?, ?, ?, ?, ?, ?)",
            (visitor, link, kept.rules, played, answered, kept.step, time.time(), kept.outcome),
        )

    def get(self, visitor: str, link: str) -> Kept | None:
        """Return what is kept of a game, None if nothing is."""
        row = self._base.execute(
            "select rules, played, answered, step, outcome from games where visitor = ? and link = ?", (visitor, link)
        ).fetchone()
        if row is None:
            return None
        return Kept(row[0], tuple(json.loads(row[1])), tuple(json.loads(row[2])), row[3], row[4])

    def latest(self, visitor: str, most: int) -> list[Latest]:
        """Return a visitor's games, the latest first."""
        rows = self._base.execute(
            "select link, changed, outcome from games where visitor = ? order by changed desc limit ?", (visitor, most)
        )
        return [Latest(*row) for row in rows]

    def drop(self, visitor: str, link: str) -> None:
        """Forget a game."""
        self._base.execute("delete from games where visitor = ? and link = ?", (visitor, link))

    def tidy(self, visitor: str) -> None:
        """Forget a visitor's oldest games, and the oldest of all, if there are too many."""
        self._base.execute(
            "delete from games where visitor = ?1 and link in "
            "(select link from games where visitor = ?1 order by changed desc limit -1 offset ?2)",
            (visitor, MOST_GAMES),
        )
        number = self._base.execute("select count(*) from games").fetchone()[0]
        if number > MOST_KEPT:
            self._base.execute(
                "delete from games where (visitor, link) in (select visitor, link from games order by changed limit ?)",
                (number - MOST_KEPT,),
            )

    def secret(self) -> str:
        """Return the secret that signs the visitors' cookies, which is drawn once for the file."""
        self._base.execute("insert or ignore into settings values ('secret', ?)", (secrets.token_hex(32),))
        found: str = self._base.execute("select value from settings where name = 'secret'").fetchone()[0]
        return found

    def close(self) -> None:
        """Close the file."""
        self._base.close()
