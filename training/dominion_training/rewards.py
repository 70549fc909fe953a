"""A reward from which beginners learn.

Against Big Money a player who acts at random loses every game by 50 points. The result is then always -1, and the
"margin" of the core, which is full at 30 points, always -1/2. Only the lead in points without a limit tells a bad game
from a worse one. In the end the result decides, so half the reward is the result.
"""

from __future__ import annotations

import numpy as np
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from dominion_env.views.sb3 import SB3VecEnv

POINTS_WORTH_A_WIN = 50.0


class LeadEnv(SB3VecEnv):
    """`SB3VecEnv` that pays half the result, and the lead over the best other seat / 50, at the end of a game."""

    def step_wait(self) -> VecEnvStepReturn:
        """See `SB3VecEnv`; `infos[i]["rewards"]` still holds the results."""
        observations, rewards, dones, infos = super().step_wait()
        for row in np.flatnonzero(dones):
            if infos[row]["TimeLimit.truncated"]:
                continue  # SB3 adds the value that the network expects from the rest of the game
            scores = infos[row]["scores"].tolist()
            mine = scores.pop(infos[row]["seat"])
            rewards[row] = rewards[row] / 2 + (mine - max(scores, default=mine)) / POINTS_WORTH_A_WIN
        return observations, rewards, dones, infos
