"""Games in SQLite: each visitor has their own, and a restart loses nothing."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from pathlib import Path

import pytest

from dominion_app.web.house import store as storing
from dominion_app.web.house.games import Kept
from dominion_app.web.house.store import Store
from dominion_env.common.errors import InvalidOption


def kept(*played: str) -> Kept:
    return Kept(played=played, answered=tuple(range(len(played))), step=len(played))


def test_a_game_is_there_after_a_restart_and_belongs_to_one_visitor(tmp_path: Path):
    store = Store(tmp_path / "games.sqlite")
    store.put("ann", "seed=1", kept("pass"))
    store.put("ann", "seed=1", kept("pass", "buy Silver"))
    store.put("bob", "seed=1", kept())
    secret = store.secret()
    store.close()
    again = Store(tmp_path / "games.sqlite")
    assert again.get("ann", "seed=1") == kept("pass", "buy Silver")
    assert again.get("bob", "seed=1") == kept()
    assert again.get("eve", "seed=1") is None
    assert again.secret() == secret
    assert len(secret) == 64


def test_nobody_but_the_owner_can_read_the_file_with_the_secret_of_the_cookies(tmp_path: Path):
    file = tmp_path / "games.sqlite"
    file.touch(0o644)  # as versions before this promise made it
    store = Store(file)
    store.put("ann", f"secret={store.secret()}", kept())
    modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("games.sqlite", "games.sqlite-shm", "games.sqlite-wal"), 0o600)
    store.close()


def test_the_latest_games_come_first_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(storing, "MOST_GAMES", 3)
    store = Store(":memory:")
    for number in range(5):
        store.put("ann", f"seed={number}", kept())
        store.put("bob", f"seed={number}", kept())
    store.tidy("ann")
    assert [each.link for each in store.latest("ann", 9)] == ["seed=4", "seed=3", "seed=2"]
    assert len(store.latest("bob", 9)) == 5
    monkeypatch.setattr(storing, "MOST_KEPT", 4)
    store.tidy("eve")
    assert len(store.latest("ann", 9)) + len(store.latest("bob", 9)) == 4


def test_texts_are_values_and_never_part_of_a_statement():
    store = Store(":memory:")
    store.put("ann'; drop table games; --", "seed=1\"'", kept())
    assert store.get("ann'; drop table games; --", "seed=1\"'") == kept()


def test_a_file_that_is_something_else_is_refused_in_words(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("no database, but a text that is long enough" * 100)
    with pytest.raises(InvalidOption, match=r"notes\.txt: expected a file for games"):
        Store(tmp_path / "notes.txt")
    with pytest.raises(InvalidOption, match="expected a file for games"):
        Store(tmp_path / "no" / "folder.sqlite")
    other = sqlite3.connect(tmp_path / "later.sqlite")
    other.execute("pragma user_version = 99")
    other.close()
    with pytest.raises(InvalidOption, match="expected games of form 3, got 99"):
        Store(tmp_path / "later.sqlite")


def test_games_of_an_earlier_form_are_still_there(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    store = Store(path)
    store.put("ann", "seed=1", kept("pass"))
    store.close()
    with sqlite3.connect(path) as base:
        base.execute("drop index by_place")
        base.execute("drop index by_place_of_all")
        base.execute("alter table games drop column outcome")
        base.execute("alter table games drop column place")
        base.execute("create index by_age on games (visitor, changed)")
        base.execute("insert into games values ('ann', 'seed=2', 1, '[]', '[]', 0, 9e9)")
        base.execute("pragma user_version = 1")
    base.close()
    again = Store(path)
    assert again.get("ann", "seed=1") == kept("pass")
    assert [each.link for each in again.latest("ann", 9)] == ["seed=2", "seed=1"]
    again.put("ann", "seed=1", Kept(outcome="Ann has won."))
    assert again.latest("ann", 9)[0].outcome == "Ann has won."


def test_a_clock_that_is_set_back_drops_no_new_game(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(storing, "MOST_GAMES", 3)
    store = Store(":memory:")
    for number in range(6):
        monkeypatch.setattr(storing.time, "time", lambda number=number: 1e9 - 1000.0 * number)
        store.put("ann", f"seed={number}", kept())
        store.tidy("ann")
    assert [each.link for each in store.latest("ann", 9)] == ["seed=5", "seed=4", "seed=3"]


def disk_full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("locked", "another program locks the file"),
        ("full", "no space left on device"),
        ("read-only", "the file is read-only"),
    ],
)
def test_games_go_on_in_memory_without_waiting_and_are_written_when_that_can_be_done(
    fault: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "games.sqlite"
    store = Store(path)
    store.put("ann", "seed=1", kept("pass"))
    other = sqlite3.connect(path, isolation_level=None)
    with monkeypatch.context() as patched:
        if fault == "locked":
            other.execute("begin exclusive")
        elif fault == "full":
            patched.setattr(store, "_write_all", disk_full)
        else:
            store._base.execute("pragma query_only = on")  # whoever runs the tests may write anywhere
        begun = time.monotonic()
        store.put("ann", "seed=1", kept("pass", "buy Silver"))
        store.put("ann", "seed=2", kept())
        store.tidy("ann")
        assert time.monotonic() - begun < 1.0, "every visitor would wait with it"
        assert store.trouble == words
        assert store.get("ann", "seed=1") == kept("pass", "buy Silver")
        assert store.get("bob", "seed=1") is None
        assert [each.link for each in store.latest("ann", 9)] == ["seed=2", "seed=1"]
        if fault == "locked":
            other.execute("rollback")
        store._base.execute("pragma query_only = off")
    store.write()
    assert store.trouble == ""
    found = other.execute("select link, played from games order by place").fetchall()
    assert found == [("seed=1", '["pass", "buy Silver"]'), ("seed=2", "[]")]
    other.close()
    store.close()


def test_what_is_in_memory_is_written_when_the_server_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = Store(tmp_path / "games.sqlite")
    with monkeypatch.context() as patched:
        patched.setattr(store, "_write_all", disk_full)
        store.put("ann", "seed=1", kept("pass"))
    store.close()
    assert Store(tmp_path / "games.sqlite").get("ann", "seed=1") == kept("pass")
