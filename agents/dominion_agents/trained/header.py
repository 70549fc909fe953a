"""The description at the beginning of a model file, read without its arrays and without any package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dominion_env.common.errors import InvalidOption

FORMAT = "dominion_env model 1"
SUFFIX = ".safetensors"
MOST_BYTES = 64 << 20

LENGTH = 8  # bytes of the number that says how long the description is
_NUMBERS = ("F16", "F32")  # the kinds of numbers that arrays may hold


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a model file.

    Raises:
        InvalidOption: there is no such file, it can't be read, or it has more than `most` bytes.
    """
    try:
        file = Path(path)
        if not file.is_file():  # neither a folder nor a pipe, which would be waited for
            raise InvalidOption(f"{path}: there is no such file")
        size = file.stat().st_size
        if size > most:
            raise InvalidOption(f"{path}: expected a model of at most {most >> 20} MB, got {size:,} bytes")
        return file.read_bytes()
    except (OSError, ValueError) as error:  # a ValueError if the path holds a null character
        if isinstance(error, InvalidOption):
            raise
        raise InvalidOption(f"{path}: expected a model, got no file to read: {error}") from error


def description(content: bytes, name: str) -> dict[str, Any]:
    """Return what a model file says of its model.

    Args:
        content: the file, or as much of its beginning as holds the description.
        name: name of the file, for messages.

    Raises:
        InvalidOption: the file is damaged, of another kind, or says nothing of a model.
    """
    length = int.from_bytes(content[:LENGTH], "little")
    try:
        if len(content) < LENGTH + length:
            raise ValueError
        header = json.loads(content[LENGTH : LENGTH + length].decode())
        arrays = {key: value for key, value in header.items() if key != "__metadata__"}
        if not arrays or not all(array["dtype"] in _NUMBERS for array in arrays.values()):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidOption(
            f"{name}: expected a model ({SUFFIX}), got a file that is damaged or of another kind"
        ) from error
    kept = header.get("__metadata__")
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        raise InvalidOption(
            f"{name}: expected {FORMAT!r}, got a safetensors file without it: no model of this environment"
        )
    try:
        told = json.loads(kept["model"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidOption(f"{name}: expected a description of a model, got none that can be read") from error
    if not isinstance(told, dict):
        raise InvalidOption(f"{name}: expected a description of a model, got none that can be read")
    return told


def read_description(path: Path) -> dict[str, Any]:
    """Return what a model file says of its model; its arrays are not read.

    Raises:
        InvalidOption: as for `description`, or the file can't be read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(LENGTH)
            length = int.from_bytes(start, "little")
            return description(start + file.read(min(length, MOST_BYTES)), str(path))
    except OSError as error:
        raise InvalidOption(f"{path}: expected a model, got no file to read: {error.strerror or error}") from error
