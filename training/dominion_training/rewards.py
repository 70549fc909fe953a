"""What a beginner learns from.

Against Big Money a player who acts at random loses every game by 50 points: the result is always -1, and the "margin"
of the core, full at 30 points, is always -1/2. What tells a bad game from a worse one is the lead in points without a
limit; what decides in the end is the result.
"""

from __future__ import annotations

import numpy as np
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from dominion_env.views.sb3 import SB3VecEnv

POINTS_WORTH_A_WIN = 50.0


class LeadEnv(SB3VecEnv):
    """`SB3VecEnv` that pays half the result, and the lead over the best other seat / 50, at the end of a game."""

    def step_wait(self) -> VecEnvStepReturn:
        """As in `SB3VecEnv`, with other rewards; `infos[i]["rewards"]` still has the results."""
        observations, rewards, dones, infos = super().step_wait()
        for row in np.flatnonzero(dones):
            if infos[row]["TimeLimit.truncated"]:
                continue  # SB3 adds what the value network expects of the rest
            scores = infos[row]["scores"].tolist()
            mine = scores.pop(infos[row]["seat"])
            rewards[row] = rewards[row] / 2 + (mine - max(scores, default=mine)) / POINTS_WORTH_A_WIN
        return observations, rewards, dones, infos
