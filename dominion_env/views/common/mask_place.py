"""The place of the mask of legal actions in the Gymnasium views, as libraries look for it in different places and by
different names."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dominion_env.common.checks import one_of, shown
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.actions import NUM_ACTIONS

MaskIn: TypeAlias = Literal["info", "observation", "both"]


class MaskPlace:
    """Puts the mask into its place, and names both parts of an observation that holds it.

    Args:
        mask_in: "info", "observation" (observations are dictionaries) or "both".
        observation_keys: names of the observation and of the mask in such a dictionary.

    Raises:
        InvalidOption: there is no such place, or these are not two different names.
    """

    def __init__(self, mask_in: MaskIn, observation_keys: Sequence[str]) -> None:
        one_of("mask_in", mask_in, get_args(MaskIn))
        keys = tuple(observation_keys) if isinstance(observation_keys, Sequence) else ()
        names = not isinstance(observation_keys, str) and all(isinstance(key, str) for key in keys)
        if not names or len(keys) != 2 or keys[0] == keys[1]:
            raise InvalidOption(f"observation_keys: expected two different names, got {shown(observation_keys)}")
        self.in_info = mask_in != "observation"
        self.in_observation = mask_in != "info"
        self._observation, self._mask = keys

    def space(self, box: spaces.Box) -> spaces.Space[Any]:
        """Return the observation space, where `box` is that of observations without a mask."""
        if not self.in_observation:
            return box
        return spaces.Dict({self._observation: box, self._mask: spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)})

    def observation(self, observation: NDArray[Any], mask: NDArray[np.int8]) -> Any:
        """Return the observation, with its mask if that is its place."""
        return {self._observation: observation, self._mask: mask} if self.in_observation else observation

    def info(self, mask: NDArray[np.int8]) -> dict[str, Any]:
        """Return the beginning of an info, with the mask if that is its place."""
        return {"action_mask": mask} if self.in_info else {}
