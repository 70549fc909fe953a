"""Records of results: plain values for JSON, files that are never half written, and the versions in use."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import dominion_env
from dominion_env.errors import DominionError, InvalidOption, ResultsMismatch

PACKAGES = ("numpy", "numba", "scipy", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")


def as_plain(value: Any) -> Any:
    """Return dataclasses, arrays and NumPy scalars as JSON can hold them; NaN and infinities become null."""
    if is_dataclass(value) and not isinstance(value, type):
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


def make_folder(path: Path) -> list[Path]:
    """Make a folder with all folders above it; returns those that were not there, the innermost first.

    Raises:
        OSError: it can't be made.
    """
    made = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    return made


def take_back(made: Sequence[Path]) -> None:
    """Remove files and folders in this order, up to the first folder that holds something."""
    with suppress(OSError):
        for path in made:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)


@contextmanager
def folder_for_work(path: Path, kept: str, what: str) -> Iterator[None]:
    """Make a folder for the block, and remove it again if the block fails before the file that keeps its work is there.

    Args:
        path: path of the folder, which may be there already; then it stays.
        kept: name of that file.
        what: the work in words, "a search".

    Raises:
        InvalidOption: the folder can't be made.
    """
    try:
        made = make_folder(path)
    except OSError as error:
        raise InvalidOption(f"{path} can't hold {what}: {error.strerror or error}; choose another folder") from error
    try:
        yield
    except BaseException:
        if made and not (path / kept).exists():
            shutil.rmtree(path, ignore_errors=True)
            take_back(made[1:])
        raise


@contextmanager
def put_in_place(path: Path) -> Iterator[Path]:
    """Let a file be written aside, and then move it into place, so that an interruption never leaves half of it.

    Yields:
        The path to write to. If the block fails, nothing is left there, and the file in place stays as it was.

    Raises:
        DominionError: the file can't be written, as the disk is full or the folder is gone.
    """
    aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        yield aside
        aside.replace(path)
    except BaseException as error:
        with suppress(OSError):
            aside.unlink()
        if isinstance(error, OSError):
            raise DominionError(
                f"{path} can't be written: {error.strerror or error}. Files that were finished before are kept"
            ) from error
        raise


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a whole file, or nothing; see `put_in_place`.

    Raises:
        DominionError: the file can't be written.
    """
    with put_in_place(path) as aside, aside.open("wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())  # else the new name could stand before an empty file when the machine goes down


def write_json(path: Path, value: Any) -> None:
    """Write a value of plain numbers, texts, lists and dictionaries as a JSON file."""
    write_atomically(path, json.dumps(value, indent=2) + "\n")


def read_lines(path: Path) -> list[Any]:
    """Return the values of a file with one in JSON on each line; none if there is no file.

    The last line of a program that was killed may be cut off. It goes, so that the next one can be added.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_atomically(path, whole)
    return [json.loads(line) for line in whole.splitlines()]


def versions_of_games() -> dict[str, Any]:
    """Return the versions on which each game depends: results of others can't be continued."""
    return {
        "dominion_env": dominion_env.__version__,
        "rules": dominion_env.RULES_VERSION,
        "observation": dominion_env.OBSERVATION_VERSION,
    }


def versions() -> dict[str, Any]:
    """Return the versions and the machine that results may depend on; None stands for a package that is not installed."""
    found = versions_of_games()
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found | {"python": platform.python_version(), "machine": platform.platform(), "cpus": os.cpu_count()}


def check_same(
    place: Path, what: str, theirs: Mapping[str, Any], ours: Mapping[str, Any], may_differ: Collection[str] = ()
) -> None:
    """Check that what is kept is what is to go on.

    Args:
        place: where it is kept.
        what: what it is, in words: "an attack".
        theirs: what it depends on.
        ours: what that which is to go on depends on.
        may_differ: names of things that may differ.

    Raises:
        ResultsMismatch: something else differs.
    """
    differences = [
        f"{name} {theirs.get(name)!r} there, {ours.get(name)!r} here"
        for name in sorted({*theirs, *ours} - {*may_differ})
        if theirs.get(name) != ours.get(name)
    ]
    if differences:
        raise ResultsMismatch(
            f"{place} holds {what} that can't be continued: {'; '.join(differences)}. Choose another folder, or remove it"
        )
