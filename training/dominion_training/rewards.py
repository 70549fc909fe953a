"""`LeadEnv` of version 0.2, which is `SB3VecEnv` now."""

from __future__ import annotations

import warnings
from typing import Any

from dominion_env.views.sb3 import SB3VecEnv


class LeadEnv(SB3VecEnv):
    """`SB3VecEnv` with `reward="lead"`; it goes with the next version."""

    def __init__(self, num_envs: int, **options: Any) -> None:
        warnings.warn('LeadEnv is SB3VecEnv(..., reward="lead") now', DeprecationWarning, stacklevel=2)
        super().__init__(num_envs, **{"reward": "lead", **options})
