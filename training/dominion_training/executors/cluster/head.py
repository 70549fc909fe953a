"""The head of a cluster: where it is, whether it answers, and how many cores its nodes have."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

import ray
from ray import exceptions

from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_training.executors.executor import KEPT

SECONDS_BLIND = 2.0  # so often the head is asked
SILENCES = 3  # questions without an answer, one after the other, by which the head is lost
PATIENCE = 3.0  # seconds that it has for an answer
LONGEST_HOST = 253  # letters of a name


class Head:
    """The head of the cluster to which this process is connected. Ray would end the process when the head is gone.

    Args:
        address: HOST:PORT of the head.

    Attributes:
        cores: number of cores of all nodes, as Ray counted them a moment ago.
        is_there: whether the head has answered when it was asked last.
    """

    def __init__(self, address: str) -> None:
        self._place = place_of(address)
        self._next, self._silences = 0.0, 0
        self.cores, self.is_there = 1, True

    def look(self) -> None:
        """Ask the head, if that was not done a moment ago.

        Raises:
            DominionError: it is lost.
        """
        if time.monotonic() < self._next:
            return
        self.is_there = answers(self._place)
        self._silences = 0 if self.is_there else self._silences + 1
        if self._silences == SILENCES:
            raise DominionError(f"the head of the cluster at {':'.join(map(str, self._place))} is gone; {KEPT}")
        if self.is_there:
            with suppress(exceptions.RayError):
                self.cores = int(ray.cluster_resources().get("CPU", 0))
        self._next = time.monotonic() + SECONDS_BLIND


def place_of(address: str) -> tuple[str, int]:
    """Return host and port.

    Raises:
        InvalidOption: the address is not made of these.
    """
    host, _, port = address.rpartition(":")
    if not 0 < len(host) <= LONGEST_HOST or "/" in host or not port.isdecimal() or int(port[:6]) > 65_535:
        raise InvalidOption(f"cluster: expected auto or HOST:PORT of the head, got {shown(address)}")
    return host.strip("[]"), int(port)


def answers(place: tuple[str, int]) -> bool:
    """Return whether something listens at this host and port."""
    try:
        socket.create_connection(place, PATIENCE).close()
    except (OSError, UnicodeError):  # there is no such name, or it can be none
        return False
    return True
