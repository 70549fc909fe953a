"""Agents in processes of their own, which are given observations, masks and keys alone; the games stay where they are.

An agent inside the process that plays could read the games, whatever it is handed. Here neither its code nor its module is
loaded there. What comes back is read as numbers or as text and never unpickled, so that it can run nothing either.

The other end is `isolated_process.py`. A message is its length, 8 bytes, and its content. The first one, and the answer to
it, are JSON. Each later one holds arrays as bytes: numbers of rows and columns, observations, masks and keys. Its answer is
a byte that says what follows: actions, or in words why there are none.
"""

from __future__ import annotations

import atexit
import struct
import subprocess
import sys
from contextlib import suppress
from typing import IO, Any

import numpy as np

from dominion_env.common.errors import InvalidAgent, InvalidKingdom
from dominion_env.common.files import parse_json, to_json
from dominion_env.players.agent import Actions, Keys, Masks, Observations
from dominion_env.players.registry import is_trusting
from dominion_training.play.loop import RaisedElsewhere

SHAPE = struct.Struct("<qq")
MOST_TEXT = 1 << 20  # bytes of an answer in words
ACTIONS, ERROR, KINGDOM = b"a", b"e", b"k"
_LENGTH = struct.Struct("<q")
_OTHER_END = "dominion_training.play.isolated_process"

_running: dict[str, IsolatedAgent] = {}


def isolated(spec: str) -> IsolatedAgent:
    """Return the agent of this specification in a process of its own, which lives as long as this one, or until `end_all`.

    Args:
        spec: a name of the agent; that process makes it.

    Raises:
        InvalidAgent: it can't be made there, or it searches and so needs the games.
    """
    if spec not in _running:
        _running[spec] = IsolatedAgent(spec)
    return _running[spec]


def end_all() -> None:
    """End the processes of all isolated agents; what plays with these agents later begins new ones."""
    while _running:
        _running.popitem()[1].end()


atexit.register(end_all)


class IsolatedAgent:
    """An agent in another process.

    Args:
        spec: what it is made from, by that process.

    Attributes:
        made_of: its fingerprint, as that process says.
        observation, fields, reproducible: see `Agent`.

    Raises:
        InvalidAgent: it can't be made there, or it searches and so needs the games.
    """

    def __init__(self, spec: str) -> None:
        self._spec = spec
        # A session of its own, as Ctrl-C is for the games. The end of this process closes the pipe, which ends the other one.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _OTHER_END],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        wanted = {"spec": spec, "path": sys.path, "trust": is_trusting()}
        try:
            said = parse_json(bytes(self._asked(MOST_TEXT, to_json(wanted).encode())))
        except RaisedElsewhere as error:
            said = {"error": f"agent {spec}: {error}"}
        if "error" in said:
            self.end()
            raise InvalidAgent(str(said["error"]))
        self.made_of: str | None = said["made_of"]
        self.observation: Any = said["observation"]
        self.fields: Any = said["fields"]
        self.reproducible: bool = said["reproducible"]

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says.

        Raises:
            InvalidKingdom: the agent can't play this kingdom.
            RaisedElsewhere: the agent raised an error, its answer is not an int for each row, or its process has ended.
        """
        rows, columns = observations.shape
        arrays = (np.ascontiguousarray(each).data.cast("B") for each in (observations, action_masks, keys))
        answer = self._asked(max(MOST_TEXT, 8 * rows), SHAPE.pack(rows, columns), *arrays)
        kind, content = answer[:1], answer[1:]
        if kind == KINGDOM:
            raise InvalidKingdom(content.decode(errors="replace"))
        if kind != ACTIONS or len(content) != 8 * rows:
            raise RaisedElsewhere(content.decode(errors="replace"))
        return np.frombuffer(content, np.int64)

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        with suppress(OSError):  # of what it was not sent any more
            self._process.communicate()

    def _asked(self, most: int, *parts: Any) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            send(self._process.stdin, *parts)
            return bytes(receive(self._process.stdout, 1 + most))
        except (OSError, EOFError) as error:
            raise RaisedElsewhere(
                "the process of the agent has ended, or does not keep to the form of answers"
            ) from error

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec!r})"


def send(stream: IO[bytes], *parts: Any) -> None:
    """Send a message that consists of these bytes."""
    stream.write(_LENGTH.pack(sum(map(len, parts))))
    for part in parts:
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes], most: int) -> bytearray:
    """Wait for a message and return its content.

    Raises:
        EOFError: the stream has ended, or the message is longer than `most` bytes.
    """
    header = stream.read(_LENGTH.size)
    length = _LENGTH.unpack(header)[0] if len(header) == _LENGTH.size else -1
    if not 0 <= length <= most:
        raise EOFError
    content = bytearray(length)
    if stream.readinto(content) < length:  # type: ignore[attr-defined]
        raise EOFError
    return content
