"""An agent that may not gain a card of its own will, another one in each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Actions, Agent, AgentWrapper, Keys, Masks, Observations
from dominion_env.tables.actions import Verb, action_of
from dominion_env.tables.cards import Card


class Restricted(AgentWrapper):
    """Plays as another agent, which goes by the mask, but gains no card that it is forbidden, as long as it may choose.

    Args:
        agent: the agent.
        banned: number of the card that is forbidden in each row, int (rows,).
    """

    def __init__(self, agent: Agent, banned: NDArray[Any]) -> None:
        super().__init__(agent)
        self._agent, self._banned = agent, banned

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as the agent does where the mask lacks the card; see `Agent`.

        Raises:
            InvalidOption: the agent does not go by the mask.
        """
        masks, rows = action_masks.copy(), np.arange(len(keys))
        for verb in (Verb.BUY, Verb.GAIN):
            masks[rows, [action_of(verb, Card(card)) for card in self._banned.tolist()]] = False
        must = ~masks.any(axis=1)
        masks[must] = action_masks[must]
        actions = np.asarray(self._agent.act(observations, masks, keys))
        if not masks[rows, actions].all():
            raise InvalidOption("expected an answer among those that the mask allows, got one with the banned card")
        return actions
