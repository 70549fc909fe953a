"""A player that does not repeat itself, has only `decide`, and writes down when it is asked."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import numpy as np

from dominion_env import make_agent

MODULE = "tests.training.evaluate.moody"  # by which other processes import it
MOODY = f"{MODULE}:Moody"
BIG_MONEY = make_agent("big-money")


class Moody:
    """Plays as Big Money, but now and then passes, by a coin that nobody knows.

    It notes in the file MOODY where each game begins, and fails in the game of which FAILS_IN_GAME gives the number.
    """

    reproducible = False

    def __init__(self, passes=False):
        """`passes`: whether it always passes, so that its games are the same again after all."""
        self.used = {"tokens": 0, "cost": 0.0}
        self._passes = passes

    def decide(self, situation):
        """See `Searcher`."""
        actions = BIG_MONEY.act(situation.observations, situation.action_masks, situation.keys)
        for row in range(len(situation)):
            self.used["tokens"] += 7
            time.sleep(float(os.environ.get("MOODY_SECONDS", "0")))
            seat = situation.seats[row]
            if situation.games.turns[row, seat] == 1 and (situation.gains[row, seat] < 0).all():
                _note("begins")
            if "FAILS_IN_GAME" in os.environ:
                begun = Path(os.environ["MOODY"]).read_text().count("begins")
                if begun >= int(os.environ["FAILS_IN_GAME"]):
                    _note("failed")
                    raise ConnectionError("no network")
            if self._passes or random.SystemRandom().random() < 0.1:
                actions[row] = np.flatnonzero(situation.action_masks[row])[0]
        return actions


def _note(word):
    if "MOODY" in os.environ:
        with Path(os.environ["MOODY"]).open("a") as file:
            file.write(f"{word}\n")


def passes():
    """Return a player that always passes."""
    return Moody(passes=True)
