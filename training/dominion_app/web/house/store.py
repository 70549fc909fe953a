"""Games of visitors in SQLite, so that a restart of the server loses nothing.

While the file can't be written, games are kept in memory, and they are written when it can be. Nothing here waits, as all
visitors would wait with it.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dominion_app.web.guarding.limits import MOST_GAMES, MOST_KEPT, MOST_UNWRITTEN
from dominion_app.web.house.games import Kept
from dominion_env.common.errors import InvalidOption

LOGGER = logging.getLogger("dominion_env")
_OPENING = 5.0  # seconds for which another program may lock the file while the server starts
_FORM = 3  # of the tables; form 1 did not say how games have ended, and form 2 not in which order they were kept
_TABLES = """
create table if not exists games (
    visitor text not null, link text not null, rules integer not null, played text not null, answered text not null,
    step integer, changed real not null, outcome text not null default '', place integer not null default 0,
    primary key (visitor, link)
) without rowid;
create table if not exists settings (name text primary key, value text not null);
"""
# Games are in the order of `place`, which grows with each that is kept, as a clock may be set back.
_OF_EARLIER_FORMS = {
    1: "alter table games add column outcome text not null default '';",
    2: """
alter table games add column place integer not null default 0;
update games set place = (select count(*) from games as other where other.changed <= games.changed);
drop index if exists by_age;
drop index if exists by_age_of_all;
""",
}
_INDEXES = """
create index if not exists by_place on games (visitor, place);
create index if not exists by_place_of_all on games (place);
"""


class Latest(NamedTuple):
    """A game in a visitor's list.

    Attributes:
        link: its link.
        changed: when it was kept, in seconds as `time.time` gives them.
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

    Attributes:
        trouble: why games can't be written now in words, "" if they can.
    """

    def __init__(self, path: Path | str) -> None:
        if path != ":memory:":
            _keep_for_the_owner(Path(path))
        self.trouble = ""
        self._unwritten: dict[tuple[str, str], tuple[Kept, float]] = {}  # the game that was kept first comes first
        try:
            self._base = sqlite3.connect(path, timeout=_OPENING, isolation_level=None, check_same_thread=False)
            version = self._base.execute("pragma user_version").fetchone()[0]
            if version not in range(_FORM + 1):
                raise InvalidOption(f"{path}: expected games of form {_FORM}, got {version}")
            self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma synchronous = normal")
            changes = [_OF_EARLIER_FORMS[form] for form in range(version, _FORM) if version] or [_TABLES]
            self._base.executescript(
                f"begin immediate; {''.join(changes)} {_INDEXES} pragma user_version = {_FORM}; commit"
            )
            self._base.execute("insert or ignore into settings values ('secret', ?)", (secrets.token_hex(32),))
            self._secret: str = self._base.execute("select value from settings where name = 'secret'").fetchone()[0]
            self._base.execute("pragma busy_timeout = 0")
        except sqlite3.Error as error:
            raise InvalidOption(f"{path}: expected a file for games that can be written: {error}") from error

    def put(self, visitor: str, link: str, kept: Kept) -> None:
        """Keep a game as it is now, in memory if the file can't be written."""
        self._unwritten.pop((visitor, link), None)
        self._unwritten[visitor, link] = kept, time.time()
        while len(self._unwritten) > MOST_UNWRITTEN:
            del self._unwritten[next(iter(self._unwritten))]
        self.write()

    def write(self) -> None:
        """Write what is in memory, or say in `trouble` why that can't be done now."""
        if not self._unwritten:
            return
        try:
            self._write_all()
        except (sqlite3.Error, OSError) as error:
            if not self.trouble:
                LOGGER.warning("the games can't be written now, and go on in memory: %s", error)
            self.trouble = _in_words(error)
            with suppress(sqlite3.Error):
                self._base.rollback()
        else:
            self._unwritten.clear()
            self.trouble = ""

    def _write_all(self) -> None:
        """Write the games that are in memory, all or none."""
        self._base.execute("begin immediate")
        for (visitor, link), (kept, changed) in self._unwritten.items():
            played, answered = json.dumps(kept.played), json.dumps(kept.answered)
            self._base.execute(
                "insert or replace into games (visitor, link, rules, played, answered, step, changed, outcome, place) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, (select coalesce(max(place), 0) + 1 from games))",
                (visitor, link, kept.rules, played, answered, kept.step, changed, kept.outcome),
            )
        self._base.execute("commit")

    def get(self, visitor: str, link: str) -> Kept | None:
        """Return what is kept of a game, None if nothing is.

        Raises:
            InvalidOption: the file can't be read now.
        """
        if (visitor, link) in self._unwritten:
            return self._unwritten[visitor, link][0]
        try:
            row = self._base.execute(
                "select rules, played, answered, step, outcome from games where visitor = ? and link = ?",
                (visitor, link),
            ).fetchone()
        except sqlite3.Error as error:  # to begin the game anew would lose what is in the file
            raise InvalidOption(f"the games can't be read now: {_in_words(error)}. Try again in a moment") from error
        if row is None:
            return None
        return Kept(row[0], tuple(json.loads(row[1])), tuple(json.loads(row[2])), row[3], row[4])

    def latest(self, visitor: str, most: int) -> list[Latest]:
        """Return a visitor's games, the latest first; those in memory alone while the file can't be read."""
        found = [
            Latest(link, changed, kept.outcome)
            for (whose, link), (kept, changed) in reversed(self._unwritten.items())
            if whose == visitor
        ]
        here = {each.link for each in found}
        try:
            rows = self._base.execute(
                "select link, changed, outcome from games where visitor = ? order by place desc limit ?",
                (visitor, most),
            ).fetchall()
        except sqlite3.Error:
            rows = []
        return [*found, *(Latest(*row) for row in rows if row[0] not in here)][:most]

    def tidy(self, visitor: str) -> None:
        """Forget a visitor's oldest games, and the oldest of all, if there are too many; not while nothing can be written."""
        if self._unwritten:
            return
        try:
            self._forget_oldest(visitor)
        except (sqlite3.Error, OSError):  # the next game that is begun does it
            return

    def _forget_oldest(self, visitor: str) -> None:
        self._base.execute(
            "delete from games where visitor = ?1 and link in "
            "(select link from games where visitor = ?1 order by place desc limit -1 offset ?2)",
            (visitor, MOST_GAMES),
        )
        number = self._base.execute("select count(*) from games").fetchone()[0]
        if number > MOST_KEPT:
            self._base.execute(
                "delete from games where (visitor, link) in (select visitor, link from games order by place limit ?)",
                (number - MOST_KEPT,),
            )

    def secret(self) -> str:
        """Return the secret that signs the visitors' cookies, which is drawn once for the file."""
        return self._secret

    def close(self) -> None:
        """Write what is in memory, if that can be done now, and close the file."""
        self.write()
        if self._unwritten:
            LOGGER.warning("%d games could not be written: %s", len(self._unwritten), self.trouble)
        self._base.close()


def _in_words(error: Exception) -> str:
    """Return what is wrong with the file in words for visitors, whom its path is no concern of."""
    if isinstance(error, OSError):
        return (error.strerror or "an error of the disk").lower()
    words = {
        "locked": "another program locks the file",
        "full": "the disk is full",
        "readonly": "the file is read-only",
    }
    return next((told for word, told in words.items() if word in str(error)), str(error))
