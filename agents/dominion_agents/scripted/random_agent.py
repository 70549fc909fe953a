"""The random agent: any legal action, all equally likely."""

from __future__ import annotations

import numpy as np

from dominion_agents.checks.arrays import check_keys
from dominion_env.common.splitmix import number_below
from dominion_env.players.agent import Actions, Keys, Masks, Observations


class RandomAgent:
    """Plays any legal action, each with the same probability, as `GameBatch.sample_actions` does."""

    fields: tuple[str, ...] = ()

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says: the upper half of a row's key picks one of its legal actions.

        Raises:
            InvalidOption: masks or keys have another shape or dtype.
        """
        rows = next((len(each) for each in (action_masks, keys) if isinstance(each, np.ndarray) and each.ndim), 0)
        check_keys(rows, action_masks, keys)
        running = np.cumsum(action_masks, axis=1, dtype=np.int64)
        chosen = number_below(keys, running[:, -1])
        actions: Actions = np.argmax(running > chosen[:, None], axis=1)
        return actions
