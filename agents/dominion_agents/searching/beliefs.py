"""Beliefs: which plan each player seems to follow, judged by the deck that everybody has seen grow.

A plan's decks are learned by playing it: the mean number of copies of each card after each number of turns. A deck is as likely
under a plan as independent Poisson numbers with these means make it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.portfolio import Portfolio
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.core.batch import GameBatch
from dominion_env.players.agent import shown_to
from dominion_env.tables.cards import NUM_CARDS, Card

GAMES, TURNS = 32, 30  # games of each plan, and turns after which a deck is taken to change no more
LEAST = 0.15  # copies of a card that any plan may have
DOUBT = 0.02  # chance that is left to all plans together, whatever was seen
SEED = 77  # of the games


def draw_places(words: NDArray[np.uint64], cumulative: NDArray[np.float64]) -> NDArray[np.int64]:
    """Draw a plan for each player, by its chance, and return their places, int64 (n, players).

    Args:
        words: a random word for each row, uint64 (n,).
        cumulative: the chance of a plan together with those before it, float64 (n or 1, players, plans).
    """
    found = np.empty((len(words), cumulative.shape[1]), np.int64)
    for player in range(cumulative.shape[1]):
        words = splitmix(words + GAMMA)
        drawn = (words >> np.uint64(11)) * 2.0**-53
        found[:, player] = (drawn[:, None] >= cumulative[:, player]).sum(axis=1)
    return found


class Beliefs:
    """How likely each plan of a portfolio is, for each player of each game.

    Args:
        portfolio: the plans.
    """

    def __init__(self, portfolio: Portfolio) -> None:
        self._portfolio = portfolio
        self._decks = lru_cache(256)(self._play)

    def weights(
        self, owned: NDArray[np.int8], turns: NDArray[np.int16], kingdom: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Return the chance of each plan that the portfolio considers in a kingdom, float64 (games, players, plans).

        Args:
            owned: cards of each player, (games, players, cards).
            turns: turns that each player has begun, (games, players).
            kingdom: the ten Kingdom cards of all these games.
        """
        games, players = turns.shape
        means = self._decks(kingdom, players)
        if len(means) == 1:
            return np.ones((games, players, 1))
        expected = means[:, np.clip(turns, 0, TURNS)] + LEAST  # (plans, games, players, cards)
        logs = (owned * np.log(expected) - expected).sum(-1)
        chances = np.exp(logs - logs.max(axis=0))
        chances /= chances.sum(axis=0)
        found: NDArray[np.float64] = np.moveaxis((1 - DOUBT) * chances + DOUBT / len(means), 0, -1)
        return found

    def _play(self, kingdom: tuple[int, ...], players: int) -> NDArray[np.float64]:
        """Return the mean deck of each plan at the beginning of each turn, float64 (plans, TURNS + 1, cards)."""
        numbers = self._portfolio.numbers(kingdom, players)
        plan = np.repeat(np.arange(len(numbers)), GAMES)
        batch = GameBatch(
            len(plan), players, seed=SEED, kingdom=[Card(card) for card in kingdom], auto_treasures=True,
            max_turns=TURNS, autoreset=False, index=np.tile(np.arange(GAMES), len(numbers)),
        )  # fmt: skip
        agent, seen = self._portfolio.agent, np.zeros((len(plan), batch.observation_size), np.float32)
        sums, counts = np.zeros((len(numbers), TURNS + 1, NUM_CARDS)), np.zeros((len(numbers), TURNS + 1))
        noted, running = np.zeros(len(plan), np.int64), np.ones(len(plan), np.bool_)
        while running.any():
            begun = batch.turns[:, 0].astype(np.int64)
            rows = np.flatnonzero(running & (begun > noted) & (begun <= TURNS))
            np.add.at(sums, (plan[rows], begun[rows]), batch.state["owned"][rows, 0])
            np.add.at(counts, (plan[rows], begun[rows]), 1)
            noted[rows] = begun[rows]
            shown_to(agent, batch, np.arange(len(plan)), seen)
            _, terminated, truncated = batch.step(
                agent.act_as(numbers[plan], seen, batch.action_mask, batch.policy_keys())
            )
            running &= ~(terminated | truncated)
        means = sums / np.maximum(counts, 1)[..., None]
        means[:, 0] = means[:, 1]
        for turn in range(2, TURNS + 1):  # after most games have ended, as it was before
            few = counts[:, turn] < GAMES / 4
            means[few, turn] = means[few, turn - 1]
        return means
