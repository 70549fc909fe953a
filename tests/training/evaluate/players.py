"""Small agents for tests, also for worker processes, which import them by name."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

import dominion_agents
from dominion_env import observation_fields

BIG_MONEY = dominion_agents.make("big-money")
TURNS = next(field for field in observation_fields(2) if field.name == "turns")


def lazy(observations, masks, keys):
    """Big Money that buys nothing at every tenth decision."""
    idle = (keys >> np.uint64(40)) % np.uint64(10) == 0
    return np.where(idle, masks.argmax(axis=1), BIG_MONEY.act(observations, masks, keys))


class Lazy:
    """The same as a class."""

    def act(self, observations, masks, keys):
        """See `lazy`."""
        return lazy(observations, masks, keys)


def make_lazy():
    """The same from a function that makes it."""
    return Lazy()


INSTANCE = Lazy()
NUMBER = 17


def first_legal(observation, agent):
    """A PettingZoo policy; it looks at the agent's name."""
    assert agent in ("player_0", "player_1")
    assert observation["observation"].dtype == np.float32
    return int(np.flatnonzero(observation["action_mask"])[-1])


def two_needed(first, *, second=None):
    """No agent."""


class NeedsMore:
    """No agent without its argument."""

    def __init__(self, strength):
        self.strength = strength


def explodes_late(observations, masks, keys):
    """Raises in whatever game has reached turn 5 of its player."""
    if (observations[:, TURNS.start] * 32 >= 5).any():
        raise RuntimeError("out of ideas")
    return BIG_MONEY.act(observations, masks, keys)


def slow(observations, masks, keys):
    """Big Money that takes its time, where the environment says so, and tells that it has been asked."""
    if "ASKED" in os.environ:
        Path(os.environ["ASKED"]).touch()
    time.sleep(float(os.environ.get("SLOW", "0")))
    return BIG_MONEY.act(observations, masks, keys)


def dies(observations, masks, keys):
    """Takes its process with it."""
    os._exit(1)


def broken_factory():
    """Makes nothing that acts."""
    return 17


def raising_factory():
    """Makes nothing at all."""
    raise OSError("no weights")


def leaving_factory():
    """Wants to end the program."""
    sys.exit("bye")


def leaves(observations, masks, keys):
    """Wants to end the program in the middle of a game."""
    sys.exit()
