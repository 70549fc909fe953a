"""Records of results: plain values for JSON, files that are never half written, and the versions in use."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import dominion_env
from dominion_env.common.errors import DominionError, ResultsMismatch
from dominion_env.common.files import to_json
from dominion_env.core.observing.fields import OBSERVATION_VERSION
from dominion_env.tables.cards import BASE_SET, CARD_SET

PACKAGES = ("numpy", "numba", "scipy", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")


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


def write_atomically(path: Path, content: str | bytes, secret: bool = False) -> None:
    """Write a whole file, or nothing; see `put_in_place`.

    Args:
        path: path of the file.
        content: all of it.
        secret: whether only the owner may read it.

    Raises:
        DominionError: the file can't be written.
    """
    with (
        put_in_place(path) as aside,
        open(aside, "wb", opener=partial(os.open, mode=0o600) if secret else None) as stream,
    ):
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())  # else the new name could stand before an empty file when the machine goes down


def write_json(path: Path, value: Any, secret: bool = False) -> None:
    """Write a value as a JSON file; see `to_json` and `write_atomically`."""
    write_atomically(path, to_json(value, indent=2) + "\n", secret)


def read_lines(path: Path) -> list[Any]:
    """Return the values of a file with one in JSON on each line; none if there is no file.

    The last line of a program that was killed may be cut off. It goes, so that the next one can be added.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_atomically(path, whole)
    return [json.loads(line) for line in whole.splitlines()]


def told_command(words: Sequence[str]) -> str:
    """Return a command as a model's card tells it: without `--out`, and without folders that are this machine's own."""
    told: list[str] = []
    for before, word in zip(["", *words[:-1]], words, strict=True):
        if before != "--out" and word.partition("=")[0] != "--out":
            told.append(word)
    return shlex.join(without_places(told))


def without_places(value: Any) -> Any:
    """Return texts, alone or in lists and dictionaries, without the folders of absolute paths."""
    if isinstance(value, Mapping):
        return {key: without_places(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [without_places(part) for part in value]
    return re.sub(r"(^|[=,:])~?/(?:[^=,]*/)?", r"\1", value) if isinstance(value, str) else value


def versions_of_games() -> dict[str, Any]:
    """Return the versions on which each game depends: results of others can't be continued."""
    return {
        "dominion_env": dominion_env.__version__,
        "rules": dominion_env.RULES_VERSION,
        "observation": OBSERVATION_VERSION,
        **({} if CARD_SET == BASE_SET else {"cards": str(CARD_SET)}),
    }


def versions() -> dict[str, Any]:
    """Return the versions and the machine that results may depend on; None means a package that is not installed."""
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
