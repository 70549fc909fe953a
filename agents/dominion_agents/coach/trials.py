"""Trials: the ways to go on from one decision, played in common worlds against the plans that the others seem to follow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.beliefs import Beliefs, draw_places
from dominion_agents.searching.playing import playouts
from dominion_agents.searching.portfolio import Portfolio, kingdoms_of
from dominion_env.common.errors import GameOver, InvalidOption
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.core.batch import GameBatch
from dominion_env.views.game import Game

_STAGE = np.uint64(0x5851F42D4C957F2D)  # makes the worlds of each stage others than those of the rest


class Trials:
    """One decision, and playouts that begin with it.

    World n of a stage is dealt and drawn from the seed, the stage and n alone: what its seat can't know, all luck to come,
    and the plans of the others, each by how likely its deck makes it. So all actions and plans are played in the same worlds,
    each world is independent of the others, and another stage has fresh worlds.

    Args:
        game: a game that is not over. Nothing that the seat to decide can't know is kept of it, and it may go on afterwards.
        portfolio: the plans.
        beliefs: how likely they are for the others.
        seed: 0 to 2**64 - 1.

    Raises:
        GameOver: there is nothing to decide.
        InvalidOption: a single player plays, who can't lose.
    """

    def __init__(self, game: Game, portfolio: Portfolio, beliefs: Beliefs, seed: int = 0) -> None:
        if game.is_over:
            raise GameOver("expected a decision to judge, got a game that is over")
        if game.num_players < 2:
            raise InvalidOption("expected a game of two or more players, got one of a single player, who can't lose")
        self.seat = game.current_player
        self.actions: NDArray[np.int64] = np.flatnonzero(game.action_mask)
        self.games: GameBatch = game.batch.worlds([0], 1, 0)
        self._portfolio, self._seed = portfolio, np.uint64(seed)
        kingdom = tuple(kingdoms_of(self.games.state["piles"])[0][0].tolist())
        self.plans: NDArray[np.int64] = portfolio.numbers(kingdom, game.num_players)
        owned = self.games.state["owned"][:, : game.num_players]
        self._cumulative = beliefs.weights(owned, self.games.turns, kingdom).cumsum(axis=2)

    def play(
        self, actions: NDArray[np.int64], plans: NDArray[np.int64], stage: int, begin: int, end: int
    ) -> NDArray[np.float32]:
        """Play some ways to go on in some worlds, and return the shares of the win, float32 (ways, end - begin).

        Args:
            actions: the first action of each way, int64 (ways,).
            plans: the number of the plan that follows it, int64 (ways,).
            stage: number of a stage.
            begin, end: the worlds begin, begin + 1, ... end - 1 of the stage.
        """
        seeds = self.seeds(stage, begin, end)
        ways, worlds = len(actions), len(seeds)
        followed = np.tile(self.followed(seeds), (ways, 1))
        followed[:, self.seat] = np.repeat(plans, worlds)
        shares, _ = playouts(
            self.games, np.zeros(ways * worlds, np.int64), np.repeat(actions, worlds), 1,
            self._portfolio.objects[followed], np.tile(seeds, ways),
        )  # fmt: skip
        return shares[:, 0, self.seat].reshape(ways, worlds)

    def seeds(self, stage: int, begin: int, end: int) -> NDArray[np.uint64]:
        """Return the seeds of some worlds, uint64 (end - begin,)."""
        numbers = np.arange(begin + 1, end + 1, dtype=np.uint64) * GAMMA
        found: NDArray[np.uint64] = splitmix(splitmix(self._seed + np.array([stage], np.uint64) * _STAGE) + numbers)
        return found

    def followed(self, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the plan of each player in the worlds of these seeds, drawn by its chance, int64 (worlds, players)."""
        places = draw_places(splitmix(~seeds), self._cumulative)
        return self.plans[np.minimum(places, len(self.plans) - 1)]
