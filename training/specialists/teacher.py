"""A teacher that joins the networks of this folder: `dominion train --teacher training/specialists/teacher.py:Teacher`.

It plays on each kingdom for which there is a specialist as that one does, and on all others as `any`. A clone of it learns the
probabilities of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents import make
from dominion_agents.sight import offsets
from dominion_agents.trained.agent import TrainedAgent
from dominion_env.agent import Actions, Agent, Keys, Masks, ObservationName, Observations
from dominion_env.cards import NUM_CARDS

FOLDER = Path(__file__).parent


class Teacher:
    """Plays as the specialists do on their kingdoms, and elsewhere as another network.

    Args:
        folder: folder of the specialists, one for a kingdom.
        elsewhere: name of the network that plays on other kingdoms.
    """

    observation: ObservationName = "recall"

    def __init__(self, folder: Path = FOLDER, elsewhere: str = "any") -> None:
        self.specialists = [TrainedAgent.load(path) for path in sorted(folder.glob("*.safetensors"))]
        self.elsewhere: Agent = make(elsewhere)

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`."""
        actions = np.empty(len(keys), np.int64)
        for agent, rows in self._parts(observations):
            actions[rows] = agent.act(observations[rows], action_masks[rows], keys[rows])
        return actions

    def evaluate(self, observations: Observations, action_masks: Masks) -> tuple[NDArray[Any], NDArray[Any]]:
        """See `TrainedAgent.evaluate`."""
        probabilities, expected = np.empty(action_masks.shape, np.float32), np.empty(len(observations), np.float32)
        for agent, rows in self._parts(observations):
            probabilities[rows], expected[rows] = agent.evaluate(observations[rows], action_masks[rows])
        return probabilities, expected

    def _parts(self, observations: Observations) -> Iterator[tuple[Any, NDArray[np.int64]]]:
        """Yield each network with the rows that it answers."""
        first = int(offsets(observations.shape[1])["in_game"][0])
        in_game = observations[:, first : first + NUM_CARDS] != 0
        is_left = np.ones(len(observations), bool)
        for agent in self.specialists:
            assert agent.kingdom is not None
            is_its = in_game[:, list(agent.kingdom)].all(axis=1)
            yield agent, np.flatnonzero(is_its)
            is_left &= ~is_its
        yield self.elsewhere, np.flatnonzero(is_left)
