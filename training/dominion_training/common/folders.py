"""Folders in which commands work: one command at a time in each, and none left behind by a command that fails."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import logging
import os
import platform
import shlex
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption

LOCK = "in-use.json"  # the file in a folder that says which command works there, while it does
LOGGER = logging.getLogger("dominion_env")

# The folders in which this process works, each with the number of blocks that are open. A process that is forked has no lock.
_ours: Counter[Path] = Counter()
os.register_at_fork(after_in_child=_ours.clear)


@contextmanager
def folder_for_work(path: Path | None, what: str, kept: str = "**/*.npy") -> Iterator[None]:
    """Make a folder in which no other command works until the end of the block.

    If the block fails in a new or empty folder before anything of lasting worth is there, nothing is left. Blocks of one
    process may be nested. The lock is one of the operating system, so it ends with the process, however that ends.

    Args:
        path: path of the folder, which may be there already; None for work without a folder.
        what: the work in words, "a search".
        kept: pattern of files in the folder, one of which must be there to keep what a block that fails has written; "*" keeps
            all.

    Raises:
        InvalidOption: the folder can't be made, or another command works there; nothing has been changed then.
    """
    if path is None:
        yield
        return
    here = path.resolve()
    try:
        made = [each for each in (path, *path.parents) if not each.exists()]
        path.mkdir(parents=True, exist_ok=True)
        lock = _lock(path, here)
    except OSError as error:
        raise InvalidOption(f"{path} can't hold {what}: {error.strerror or error}; choose another folder") from error
    is_new = not any(each.name != LOCK for each in path.iterdir())
    _ours[here] += 1
    try:
        yield
    except BaseException:
        if is_new and not any(path.glob(kept)):
            with suppress(OSError):
                _empty(path)
        raise
    finally:
        _ours[here] -= 1
        if lock is not None:
            with suppress(OSError):
                (path / LOCK).unlink()
            lock.close()
        with suppress(OSError):
            for each in made:
                each.rmdir()  # of those in which nothing is


def results_folder(command: str, depends_on: Any) -> Path:
    """Return where a command keeps its results if no folder is named: one place for all that they depend on, plain values."""
    key = json.dumps(depends_on, sort_keys=True)
    return Path("results") / f"{command}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"


def _lock(path: Path, here: Path) -> TextIO | None:
    """Return the file that locks a folder, whose resolved path is `here`; None if this process has locked it before.

    Raises:
        InvalidOption: another process has.
        OSError: the file can't be written.
    """
    if _ours[here]:
        return None
    while True:
        file = (path / LOCK).open("a+", encoding="utf-8")
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), (path / LOCK).stat()):
                break
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):  # a file system without locks
                LOGGER.warning("%s can't be locked (%s): let no other command work there", path, error.strerror)
                break
            who = _holder(file)
            file.close()
            raise InvalidOption(f"{path} is in use by {who}: wait for its end, or choose another folder") from None
        file.close()  # the command before has just removed it
    file.truncate(0)
    json.dump(
        {
            "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]), "process": os.getpid(),
            "machine": platform.node(), "since": time.strftime("%Y-%m-%d %H:%M:%S"),
        },
        file,
    )  # fmt: skip
    file.flush()
    return file


def _holder(file: TextIO) -> str:
    """Return in words who works in a folder."""
    try:
        file.seek(0)
        told: dict[str, Any] = json.load(file)
        return f"{shown(told['command'])} (process {told['process']} on {told['machine']}, since {told['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another command"


def _empty(path: Path) -> None:
    """Remove what is in a folder but its lock."""
    for each in path.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        elif each.name != LOCK:
            each.unlink(missing_ok=True)
