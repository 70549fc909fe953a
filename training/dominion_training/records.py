"""Records of results: plain values for JSON, files that are never half written, and the versions in use."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import dominion_env

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


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file aside and then move it into place, so that an interruption never leaves half of it."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    aside.write_bytes(content.encode() if isinstance(content, str) else content)
    aside.replace(path)


def write_json(path: Path, value: Any) -> None:
    """Write a value of plain numbers, texts, lists and dictionaries as a JSON file."""
    write_atomically(path, json.dumps(value, indent=2) + "\n")


def versions() -> dict[str, Any]:
    """Return the versions and the machine that results may depend on; None stands for a package that is not installed."""
    found: dict[str, Any] = {"dominion_env": dominion_env.__version__, "rules": dominion_env.RULES_VERSION}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found | {"python": platform.python_version(), "machine": platform.platform(), "cpus": os.cpu_count()}
