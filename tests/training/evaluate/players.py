"""Small agents for tests and for the processes that play, which import them by name."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

from dominion_env import make_agent, observation_fields

MODULE = "tests.training.evaluate.players"  # by which other processes import it
LAZY = f"{MODULE}:lazy"
BIG_MONEY = make_agent("big-money")
TURNS = next(field for field in observation_fields(2) if field.name == "turns")


def lazy(observations, masks, keys):
    """Play as Big Money, but pass at every tenth decision."""
    idle = (keys >> np.uint64(40)) % np.uint64(10) == 0
    return np.where(idle, masks.argmax(axis=1), BIG_MONEY.act(observations, masks, keys))


class Lazy:
    """Like `lazy`, as a class."""

    def act(self, observations, masks, keys):
        """See `lazy`."""
        return lazy(observations, masks, keys)


def make_lazy():
    """Return an agent like `lazy`."""
    return Lazy()


INSTANCE = Lazy()
NUMBER = 17


def last_legal(observation, agent):
    """Return the last legal action: a PettingZoo policy that checks the agent's name."""
    assert agent in ("player_0", "player_1")
    assert observation["observation"].dtype == np.float32
    return int(np.flatnonzero(observation["action_mask"])[-1])


def two_needed(first, *, second=None):
    """Take one argument, as no agent does."""


class NeedsMore:
    """An agent that can't be made without an argument."""

    def __init__(self, strength):
        self.strength = strength


def explodes_late(observations, masks, keys):
    """Raise an error in a game that has reached turn 5 of its player."""
    if (observations[:, TURNS.start] / TURNS.scale >= 5).any():
        raise RuntimeError("out of ideas")
    return BIG_MONEY.act(observations, masks, keys)


def slow(observations, masks, keys):
    """Play as Big Money, after as many seconds as SLOW says, and touch the file ASKED."""
    if "ASKED" in os.environ:
        Path(os.environ["ASKED"]).touch()
    time.sleep(float(os.environ.get("SLOW", "0")))
    return BIG_MONEY.act(observations, masks, keys)


def dies(observations, masks, keys):
    """End the process."""
    os._exit(1)


def broken_factory():
    """Return something that can't act."""
    return 17


def raising_factory():
    """Raise an error."""
    raise OSError("no weights")


def leaving_factory():
    """Leave the program while the agent is made."""
    sys.exit("bye")


def leaves(observations, masks, keys):
    """Leave the program in the middle of a game."""
    sys.exit()
