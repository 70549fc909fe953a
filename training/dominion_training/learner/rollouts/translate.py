"""Decisions of the environment, and what a teacher thinks of them, as a network's inputs, actions and probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.forward import look
from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.reading import GLANCE, as_game_action
from dominion_env.compiled.instructions import from_here, row_of
from dominion_env.compiled.jit import entry_point, records
from dominion_training.learner.rollouts.samples import SOURCES, legal_bits


@entry_point(SOURCES)
def _translate(
    values: Any, masks: Any, wanted: Any, readings: Any, glances: Any, inputs: Any, legal: Any, targets: Any
) -> Any:
    """Write a network's inputs, legal actions and wanted probabilities for observations, masks and probabilities."""
    reading, glance, numbers = readings[0], glances[0], from_here(inputs, 0)
    for i in range(values.shape[0]):
        look(glance, reading, row_of(values, i), row_of(masks, i), numbers, i * reading.inputs)
        legal_bits(glance, legal, i)
        for place in range(glance.num_legal):
            targets[i, glance.legal[place]] = wanted[i, as_game_action(glance, glance.legal[place])]


def translated(
    layout: Layout, observations: NDArray[np.float32], masks: NDArray[np.bool_], wanted: NDArray[np.float32]
) -> tuple[NDArray[np.int8], NDArray[np.uint8], NDArray[np.float32]]:
    """Return decisions as a network of this layout sees them.

    Args:
        layout: inputs and actions of the network.
        observations: float32 (n, observation_size), "recall".
        masks: bool (n, NUM_ACTIONS).
        wanted: a probability for each action of the environment, float32 (n, NUM_ACTIONS).

    Returns:
        Inputs, int8 (n, num_inputs); legal actions, uint8 (n, bytes), a bit each; and the probabilities of the network's
        actions, float32 (n, num_actions).
    """
    rows = len(observations)
    inputs = np.zeros((rows, layout.num_inputs), np.int8)
    legal = np.zeros((rows, -(-layout.num_actions // 8)), np.uint8)
    targets = np.zeros((rows, layout.num_actions), np.float32)
    glance = records(np.zeros(1, GLANCE))
    _translate(observations, masks, wanted, layout.reading(), glance, inputs.reshape(-1), legal, targets)
    return inputs, legal, targets
