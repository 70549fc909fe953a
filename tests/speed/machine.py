"""Facts about the machine that explain a figure."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "dominion_env",
    "numba",
    "numpy",
    "gymnasium",
    "pettingzoo",
    "stable_baselines3",
    "pyminion",
    "rlcard",
    "open_spiel",
)


def machine() -> dict[str, Any]:
    """Return the processor and how many there are, the load, and the versions of Python and the installed packages.

    The load is the number of jobs that wanted to run, averaged over the last minute, or None where it is not counted.
    """
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := _version(name)) is not None},
    }


def _processor() -> str:
    """Return the processor's name as Linux gives it, or else as Python does."""
    try:
        names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
