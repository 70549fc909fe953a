"""What runs on a node of a cluster: a part is played there, by agents that have come as bytes."""

from __future__ import annotations

import errno
import pickle
import socket
import sys
from typing import Any

from numpy.typing import NDArray

from dominion_env.errors import DominionError
from dominion_training.evaluate import roster
from dominion_training.evaluate.cluster.versions import differences, versions_here
from dominion_training.evaluate.work import Part

KEPT = "finished parts are kept, so the same command goes on"


def play_part(part: bytes, agents: dict[str, tuple[str, Any]], versions: dict[str, str]) -> NDArray[Any]:
    """Play a part in this process of a node.

    Args:
        part: the part, pickled.
        agents: the agents that it needs by their specifications, a hash and the place of the bytes in Ray's store each.
            A node gets the bytes once, and a process unpacks them once.
        versions: `versions_here()` of the machine where the command was called.

    Raises:
        DominionError: this node has other versions, or too little memory or disk; or as the part's `play`.
    """
    if told := differences(versions, versions_here()):
        raise DominionError(
            f"node {socket.gethostname()} would play other games: {told}. Install the same on all nodes"
        )
    try:
        for spec, (digest, content) in agents.items():
            if spec not in roster.HERE or roster.HERE.made_of(spec) != digest:
                roster.HERE.take_in(spec, pickle.loads(_fetched(content)), digest)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)  # there are as many processes as cores
        unpacked: Part = pickle.loads(part)
        return unpacked.play()
    except MemoryError as error:
        raise DominionError(f"node {socket.gethostname()} has too little memory for {_name(part)}; {KEPT}") from error
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DominionError(f"node {socket.gethostname()} has no space left on its disk; {KEPT}") from error
    except ModuleNotFoundError as error:
        raise DominionError(
            f"node {socket.gethostname()} lacks the module {error.name}, which an agent needs. Install it on all nodes"
        ) from error


def _fetched(content: Any) -> bytes:
    import ray

    found: bytes = ray.get(content)
    return found


def _name(part: bytes) -> str:
    unpacked: Part = pickle.loads(part)
    return f"{' '.join(unpacked.work.words)} {unpacked.start} to {unpacked.stop}"
