"""The versions on which the games of all nodes depend, so that a node that has others is named before it plays."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path

import numba
import numpy as np

import dominion_agents
import dominion_env
from dominion_env.compiled.jit import hash_of_sources
from dominion_training.play.entrants import CODE_AND_DATA


@cache
def versions_here() -> dict[str, str]:
    """Return what must be the same on all nodes, by names that an error shows.

    Python and Ray themselves are compared by Ray when a node joins.
    """
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "dominion_env": dominion_env.__version__,
        "the code of dominion_env": _code(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def differences(here: dict[str, str], there: dict[str, str]) -> str:
    """Return in words what differs between two machines, "" if nothing does."""
    return ", ".join(
        f"{name} {there.get(name)} there, {here.get(name)} here"
        for name in {**here, **there}
        if here.get(name) != there.get(name)
    )


def _code() -> str:
    """Return a hash of all code of this project, as a checkout may differ from what its version says."""
    agents, env = (Path(str(package.__file__)).parent for package in (dominion_agents, dominion_env))
    hashes = (hash_of_sources(folder, CODE_AND_DATA) for folder in (env, agents, Path(__file__).parents[2]))
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:8]
