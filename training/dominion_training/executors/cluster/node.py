"""What runs on a node of a cluster: parts are played there, by agents that have come as bytes."""

from __future__ import annotations

import errno
import pickle
import socket
import time
from typing import Any

from numpy.typing import NDArray

from dominion_env.common.errors import DominionError
from dominion_training.common.children import compute_alone
from dominion_training.executors.cluster.versions import differences, versions_here
from dominion_training.executors.executor import KEPT
from dominion_training.executors.work import Part
from dominion_training.play import roster


def play_parts(
    parts: bytes, agents: dict[str, tuple[str, Any]], versions: dict[str, str], seconds: float
) -> tuple[list[NDArray[Any]], float]:
    """Play some parts in this process of a node, until one fails or the time is over.

    Args:
        parts: the parts, a pickled list.
        agents: the agents that they need by their specifications, a hash and the place of the bytes in Ray's store each.
            A node gets the bytes once, and a process unpacks them once.
        versions: `versions_here()` of the machine where the command was called.
        seconds: time after which no other part is begun.

    Returns:
        The games of the first parts, at least of one, and the seconds that they took.

    Raises:
        DominionError: this node has other versions, or too little memory or disk.
        Exception: what the `play` of the first part has raised.
    """
    here = f"node {socket.gethostname()}"
    if told := differences(versions, versions_here()):
        raise DominionError(f"{here} would play other games: {told}. Install the same on all nodes")
    found: list[NDArray[Any]] = []
    started = time.monotonic()
    try:
        for spec, (digest, content) in agents.items():
            if spec not in roster.HERE or roster.HERE.made_of(spec) != digest:
                roster.HERE.take_in(spec, pickle.loads(_fetched(content)), digest)
        compute_alone()
        unpacked: list[Part] = pickle.loads(parts)
        for part in unpacked:
            found.append(part.play())
            if time.monotonic() > started + seconds:
                break
    except Exception as error:
        if found:  # the part that failed comes again, as the first one
            return found, time.monotonic() - started
        if isinstance(error, MemoryError):
            raise DominionError(f"{here} has too little memory; {KEPT}") from error
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DominionError(f"{here} has no space left on its disk; {KEPT}") from error
        if isinstance(error, ModuleNotFoundError):
            raise DominionError(
                f"{here} lacks the module {error.name}, which an agent needs. Install it on all nodes"
            ) from error
        raise
    return found, time.monotonic() - started


def _fetched(content: Any) -> bytes:
    import ray

    found: bytes = ray.get(content)
    return found
