"""Earlier versions of the network that it plays against (the setting `snapshots`), and which versions become one."""

from __future__ import annotations

import numpy as np

from dominion_agents.trained.agent import TrainedAgent
from dominion_env.players.agent import Agent
from dominion_training.evaluate.match import play_match
from dominion_training.evaluate.sequential import SequentialTest, Verdict
from dominion_training.learner.options.settings import Settings

BETTER_BY = 30.0  # normalised Elo over the newest earlier version that a promotion asks for
MOST_GAMES, GAMES_A_LOOK = 1_600, 400
PATIENCE = 3  # the last of this number of candidates in a row joins in any case, so that opponents don't grow stale
PROMOTION_SEED = 500_000_000  # far from the seeds of training


def is_promoted(candidate: TrainedAgent, before: Agent | None, refused: int, settings: Settings, number: int) -> bool:
    """Return whether a version of the network joins the ones that it meets.

    A sequential test decides whether it is better than the newest of them.

    Args:
        candidate: the network as it is now.
        before: the newest earlier version; None if there is none.
        refused: number of candidates that were refused since one was promoted.
        settings: settings of the run.
        number: number of the candidate, by which its games are drawn.
    """
    if before is None or refused + 1 >= PATIENCE:
        return True
    return verdict(candidate, before, settings, number) == "accept"


def verdict(candidate: Agent, before: Agent, settings: Settings, number: int) -> Verdict:
    """Return what the sequential test says of a candidate against an earlier version, after at most `MOST_GAMES`."""
    players = settings.players
    test = SequentialTest(0.0, BETTER_BY, players=players)
    games = GAMES_A_LOOK - GAMES_A_LOOK % players
    scores: list[np.ndarray] = []
    for look in range(MOST_GAMES // GAMES_A_LOOK):
        seed = PROMOTION_SEED + settings.seed + 1000 * number + look
        result = play_match(candidate, before, games, seed, players, kingdom=settings.kingdom[0], auto_treasures=True)
        scores.append(result.set_scores)
        said, _ = test.first_verdict(np.concatenate(scores), sum(map(len, scores[:-1])))
        if said != "undecided":
            return said
    return "undecided"
