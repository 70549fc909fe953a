"""Two agents against each other, in pairs of games with the same luck and swapped seats.

Random streams belong to the seats, not to the agents: in the second game of a pair each agent gets the shuffles that
the other one had in the first. What is left of luck is told by the spread between pairs, so that the interval is
computed over pairs, not over games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from dominion_env import GameBatch

PAIRS_AT_ONCE = 1024


@dataclass(frozen=True)
class MatchResult:
    """What the first agent reached against the second.

    Attributes:
        wins, ties, losses: games of the first agent; a tie is a shared victory.
        truncated: games among the ties that were cut at the turn limit.
        pair_scores: per pair the mean of its two games' scores (1, 1/2 or 0 each), float64 (pairs,).
    """

    wins: int
    ties: int
    losses: int
    truncated: int
    pair_scores: NDArray[np.float64]

    @property
    def num_games(self) -> int:
        """Games played, two a pair."""
        return 2 * len(self.pair_scores)

    @property
    def score(self) -> float:
        """Wins and half the ties, as a share of all games."""
        return float(self.pair_scores.mean())

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the score: normal, over pairs, with one pair won and one lost added (in the manner of
        Agresti and Coull), without which a clean sweep would seem certain. Pairs that all came out even stay so."""
        pairs = self.pair_scores
        if np.all(pairs == 0.5):
            return 0.5, 0.5
        more = np.concatenate([pairs, [0.0, 1.0]])
        half = NormalDist().inv_cdf(0.5 + confidence / 2) * more.std(ddof=1) / math.sqrt(len(more))
        low, high = more.mean() - half, more.mean() + half
        return float(min(max(low, 0.0), self.score)), float(max(min(high, 1.0), self.score))

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.score:.1%} [{low:.1%}, {high:.1%}], n = {self.num_games}"


def play_match(first: Agent, second: Agent, num_games: int, seed: int = 0, **options: Any) -> MatchResult:
    """Let two agents play for two seats.

    Args:
        first, second: the agents; `MatchResult` speaks of the first.
        num_games: even; pair p is the address (seed, p, 0), played twice.
        seed: of the addresses.
        options: of `GameBatch`.

    Raises:
        ValueError: `num_games` is not even and positive.
        DominionError: a wrong option.
    """
    if num_games < 2 or num_games % 2:
        raise ValueError(f"num_games={num_games}: a match is played in pairs, give an even number from 2")
    num_pairs = num_games // 2
    pairs, wins, ties, losses, truncated = [], 0, 0, 0, 0
    for start in range(0, num_pairs, PAIRS_AT_ONCE):
        index = np.repeat(np.arange(start, min(start + PAIRS_AT_ONCE, num_pairs)), 2)
        first_seat = np.tile([0, 1], len(index) // 2)
        scores, cut = _play((first, second), first_seat, seed=seed, index=index, **options)
        pairs.append(scores.reshape(-1, 2).mean(axis=1))
        wins += int((scores == 1).sum())
        ties += int((scores == 0.5).sum())
        losses += int((scores == 0).sum())
        truncated += int(cut.sum())
    return MatchResult(wins, ties, losses, truncated, np.concatenate(pairs))


def _play(
    players: tuple[Agent, Agent], first_seat: NDArray[np.int64], **options: Any
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """One batch of games to their ends.

    Returns:
        The first agent's score in each, float64 (games,), and which were cut at the turn limit, bool (games,).
    """
    batch = GameBatch(len(first_seat), num_players=2, autoreset=False, **options)
    running = np.ones(len(first_seat), dtype=np.bool_)
    cut = np.zeros(len(first_seat), dtype=np.bool_)
    while running.any():
        observations, masks, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = np.zeros(len(first_seat), dtype=np.int64)  # of a finished game: PASS
        firsts_turn = batch.current_player == first_seat
        for agent, turn in zip(players, (firsts_turn, ~firsts_turn), strict=True):
            rows = np.flatnonzero(running & turn)
            if rows.size:
                actions[rows] = agent.act(observations[rows], masks[rows], keys[rows])
        _, terminated, truncated = batch.step(actions)
        cut |= truncated
        running &= ~(terminated | truncated)
    winners = batch.final.winners
    won = winners[np.arange(len(first_seat)), first_seat]
    scores = np.where(won, 1.0, 0.0)
    scores[cut | (winners.sum(axis=1) > 1)] = 0.5
    return scores, cut
