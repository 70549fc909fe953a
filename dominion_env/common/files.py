"""Texts and JSON as files hold them: one way to read each, whoever has written it, and one way to write JSON."""

import io
import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dominion_env.common.errors import DominionError
from dominion_env.common.foreign import foreign


def decoded(content: bytes) -> str:
    """Return a text in UTF-8, or in the encoding that its byte order mark says, with "\\n" at the end of each line.

    Raises:
        ValueError: it is in no such encoding.
    """
    return io.TextIOWrapper(io.BytesIO(content), json.detect_encoding(content)).read()


def read_text(path: Path) -> str:
    """Return the text of a file; see `decoded`.

    Raises:
        OSError: the file can't be read.
        ValueError: it is in no encoding of a text.
    """
    return decoded(path.read_bytes())


def parse_json(content: bytes | str) -> Any:
    """Return what a text holds as JSON; a byte order mark is passed over.

    Raises:
        ValueError: it is no JSON, or nested too deep.
    """
    text = decoded(content) if isinstance(content, bytes) else content.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def read_json(path: Path, what: str, kind: type[DominionError]) -> Any:
    """Return what a file holds as JSON.

    Args:
        path: path of the file.
        what: what is expected in it, in words: "a replay".
        kind: the error that is raised if it can't be read.

    Raises:
        DominionError: of that kind.
    """
    try:
        content = path.read_bytes()
        return parse_json(content)
    except OSError as error:
        raise kind(f"{path}: expected {what}, but it can't be read: {error.strerror or error}") from error
    except ValueError as error:
        got = foreign(content.decode(errors="replace")) or f"something else: {error}"
        raise kind(f"{path}: expected {what} as JSON, got {got}") from error


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


def to_json(value: Any, **form: Any) -> str:
    """Return a value as JSON that every parser takes; see `as_plain`. `form` are arguments of `json.dumps`."""
    return json.dumps(as_plain(value), allow_nan=False, **form)
