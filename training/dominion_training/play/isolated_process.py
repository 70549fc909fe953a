"""The process of one isolated agent: it makes the agent, and answers what `isolated.py` asks until that ends."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import numpy as np

from dominion_agents.own_code.adapters import FAILURES, PettingZooPolicy
from dominion_env.common.errors import InvalidKingdom, InvalidOption
from dominion_env.common.files import parse_json, to_json
from dominion_env.players.agent import repeats_itself, searches
from dominion_env.players.registry import trusting
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_training.common.children import compute_alone
from dominion_training.play.entrants import fingerprint, make_player
from dominion_training.play.isolated import ACTIONS, ERROR, KINGDOM, MOST_TEXT, SHAPE, receive, send


def _main() -> None:
    given, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the agent prints is no answer
    wanted = parse_json(bytes(receive(given, MOST_TEXT)))
    sys.path[:] = wanted["path"]
    try:
        with trusting(wanted["trust"]):
            agent, said = _made(wanted["spec"])
    except FAILURES as error:
        send(answers, to_json({"error": str(error)}).encode())
        return
    send(answers, to_json(said).encode())
    compute_alone()
    while True:
        try:
            message = receive(given, sys.maxsize)
        except EOFError:
            return  # whoever plays the games has ended
        send(answers, *_answer(agent, message))


def _made(spec: str) -> tuple[Any, dict[str, Any]]:
    agent = make_player(spec)
    if searches(agent) and not isinstance(agent, PettingZooPolicy):
        raise InvalidOption(
            f"agent {spec}: expected an agent that chooses from observations alone, got one that searches in worlds made from "
            "the games, which stay in another process"
        )
    fields = getattr(agent, "fields", None)
    return agent, {
        "made_of": fingerprint(spec),
        "observation": getattr(agent, "observation", None),
        "reproducible": repeats_itself(agent),
        "fields": fields if fields is None or isinstance(fields, str) else list(fields),
    }


def _answer(agent: Any, message: bytearray) -> tuple[bytes, bytes]:
    rows, columns = SHAPE.unpack_from(message)
    at = [SHAPE.size, SHAPE.size + 4 * rows * columns, SHAPE.size + rows * (4 * columns + NUM_ACTIONS)]
    observations = np.frombuffer(message, np.float32, rows * columns, at[0]).reshape(rows, columns)
    masks = np.frombuffer(message, np.bool_, rows * NUM_ACTIONS, at[1]).reshape(rows, NUM_ACTIONS)
    keys = np.frombuffer(bytes(message[at[2] :]), np.uint64)  # copied, as it may begin at any byte
    try:
        actions = np.asarray(agent.act(observations, masks, keys))
    except InvalidKingdom as error:
        return KINGDOM, str(error).encode()
    except FAILURES as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return ERROR, f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})".encode()[:MOST_TEXT]
    if actions.shape != (rows,) or actions.dtype.kind not in "iu":
        return ERROR, f"expected ints of shape ({rows},), got {actions.dtype} of shape {actions.shape}".encode()
    return ACTIONS, np.ascontiguousarray(actions, np.int64).tobytes()


if __name__ == "__main__":
    _main()
