"""On a tiny game the learner learns, and the scheme of well-known tutorials doesn't, with the same number of samples.

These tutorials wrap a game for several players as if it were one for a single player. The learner is shown what the
*next* player sees, and is paid what the *last* player gets. So the value of the next decision stands for one's own future
even if it is the opponent's, and nobody but the player who makes the last move ever hears of the end. Such a learner wants
the player who ends the game to have won, whoever that is. As nobody ends a game that they lose if they can help it, it
sees nothing to improve: letting one's turn end without a purchase costs nothing when the opponent's good position counts as
one's own. Its values can't tell who is ahead, either.

The game has one Province and three Duchies. Coins must be saved up by buying Treasures, and a turn wasted is a step behind
in the race for the last point.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.model import NetworkName
from dominion_env import GameBatch, make_agent
from dominion_env.players.agent import Agent, shown_to
from dominion_training.learner.optimiser.fused import fused_ppo_loss
from dominion_training.learner.optimiser.networks import new_network
from dominion_training.learner.optimiser.update import LossWeights, Updater, batches
from dominion_training.learner.rollouts.shard import Shard

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

TINY: dict[str, Any] = {"start": {"supply": {"Province": 1, "Duchy": 3}}, "auto_treasures": True, "max_turns": 60}
GAMES, ROLLOUT, SAMPLES, SEED = 128, 8192, 250_000, 0


class LikeTheTutorials:
    """A batch of games that looks like one for a single player, in the way of PettingZoo's wrapper for learners.

    Each decision is "player 0"'s, whoever makes it. At the end player 0 gets the result of the seat that moved last.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch
        self._last_to_move = np.zeros(batch.num_games, np.int64)
        self.final = self
        self.current_player = np.zeros(batch.num_games, np.int8)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def step(self, actions: NDArray[np.int64]) -> Any:
        self._last_to_move = self._batch.current_player.astype(np.int64)
        return self._batch.step(actions)

    @property
    def turns(self) -> NDArray[np.int16]:
        """Turns of both seats, so that lambda counts once for each turn, whosever it is."""
        return np.repeat(self._batch.turns.sum(axis=1, dtype=np.int16)[:, None], 2, axis=1)

    @property
    def winners(self) -> NDArray[np.bool_]:
        return self._from_the_last_to_move(self._batch.final.winners)

    @property
    def scores(self) -> NDArray[np.int32]:
        return self._from_the_last_to_move(self._batch.final.scores)

    @property
    def rounds(self) -> NDArray[np.int32]:
        return self._batch.final.rounds

    def _from_the_last_to_move(self, by_seat: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(by_seat, np.stack([self._last_to_move, 1 - self._last_to_move], axis=1), axis=1)


class Trained(NamedTuple):
    """An agent that draws from the probabilities it has learned, and how much of the results its values explained."""

    agent: TrainedAgent
    explained: float


@cache
def trained(like_the_tutorials: bool, kind: NetworkName = "plain") -> Trained:
    """Train from nothing by self-play; all but the scheme and the kind of network is the same."""
    torch.manual_seed(SEED)
    network = new_network(kind, layout("kingdom", 2), (64, 64), card_units=16)
    batch: Any = GameBatch(GAMES, seed=SEED, **TINY)
    shard = Shard(network.layout, LikeTheTutorials(batch) if like_the_tutorials else batch, [], ROLLOUT, SEED)
    updater, rng = Updater(network, 1, 1, 1e-3), np.random.default_rng(SEED)
    learned, explained = 0, []
    while learned < SAMPLES:
        shard.play(network.exported())
        data, said = batches([shard.samples], gae_lambda=0.95, lead_weight=0.0)
        updater.run(data, fused_ppo_loss, LossWeights(clip=0.2, entropy=0.02), 2, 1024, rng, 1e-3)
        learned += len(data[0].actions)
        explained.append(said)
    return Trained(TrainedAgent(network.model(), deterministic=False), float(np.mean(explained[-10:])))


def score(agent: Agent, opponent: Agent, games: int = 400) -> float:
    """Return an agent's mean share of the win, with the seats and the luck equal for both."""
    batch = GameBatch(games, seed=99, index=np.repeat(np.arange(games // 2), 2), autoreset=False, **TINY)
    first = np.arange(games) % 2  # the agent's seat
    shares, running = np.zeros(games), np.ones(games, np.bool_)
    while running.any():
        actions, keys = np.zeros(games, np.int64), batch.policy_keys()
        for player, own in ((agent, batch.current_player == first), (opponent, batch.current_player != first)):
            rows = np.flatnonzero(running & own)
            if rows.size:
                actions[rows] = player.act(shown_to(player, batch, rows), batch.action_mask[rows], keys[rows])
        rows = np.flatnonzero(running)
        _, terminated, truncated = batch.step(actions[rows], rows=rows)
        for row in np.flatnonzero(running & (terminated | truncated)):
            won = batch.final.winners[row] | truncated[row]
            shares[row] = won[first[row]] / won.sum()
            running[row] = False
    return float(shares.mean())


def test_the_learner_learns_the_tiny_game() -> None:
    ours = trained(like_the_tutorials=False)
    assert score(ours.agent, make_agent("random")) > 0.95
    assert score(ours.agent, make_agent("greedy")) > 0.6
    assert ours.explained > 0.05


def test_a_network_with_card_vectors_learns_it_too() -> None:
    ours = trained(like_the_tutorials=False, kind="cards")
    assert score(ours.agent, make_agent("random")) > 0.95
    assert score(ours.agent, make_agent("greedy")) > 0.6
    assert ours.explained > 0.05


def test_the_scheme_of_the_tutorials_does_not() -> None:
    wrong = trained(like_the_tutorials=True)
    assert score(wrong.agent, make_agent("greedy")) < 0.15
    assert wrong.explained < 0.02


def test_the_learner_beats_the_scheme_of_the_tutorials() -> None:
    assert score(trained(like_the_tutorials=False).agent, trained(like_the_tutorials=True).agent) > 0.9
