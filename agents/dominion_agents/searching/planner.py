"""`planner`: it tries which plan wins most from here, and then whether another action would be better than the plan's.

In a playout the seat that is asked follows one plan, and every other seat the plan that its deck suggests, drawn by how
likely it is. First each plan is tried from this decision on. Then each legal action is tried, with the best plan behind it.
An action that is not the plan's is taken only if it is better by more than chance would easily make it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.auto import Auto
from dominion_agents.searching.beliefs import Beliefs
from dominion_agents.searching.halving import IN_A_TRIAL, halve
from dominion_agents.searching.playing import playouts
from dominion_agents.searching.portfolio import Portfolio, kingdoms_of
from dominion_agents.strategy import Strategy
from dominion_env.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.checks import whole_number
from dominion_env.situation import Situation
from dominion_env.splitmix import GAMMA, splitmix

GATE = 1.0  # standard errors by which an action must be better than the plan's own
LEAD = 0.2  # worth of a large lead in points beside a win: playouts that win alike are told apart by it
LARGE_LEAD = 20.0
_ACTIONS = np.uint64(0x5851F42D4C957F2D)  # makes the worlds of the second stage others than those of the first


class Planner:
    """Chooses a plan by playouts, and then an action.

    Args:
        playouts: number of playouts of a decision, half for the plans and half for the actions.
        plans: strategies, their names or texts; none for those of the project.
        most_plans: number of plans that are considered in a kingdom.

    Raises:
        InvalidOption, InvalidStrategy: an argument is wrong; see `Portfolio`.
    """

    observation: ObservationName = "recall"

    def __init__(self, playouts: int = 600, plans: Sequence[Strategy | str] = (), most_plans: int = 6) -> None:
        self.playouts = whole_number("playouts", playouts, 2)
        self.portfolio = Portfolio(plans, most_plans)
        self._beliefs = Beliefs(self.portfolio)
        self._auto = Auto()

    @property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`."""
        return self.portfolio.agent.fields

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `auto` does: without games there is nothing to try."""
        return self._auto.act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose a legal action in each row; see `Searcher`."""
        found: NDArray[np.int64] = situation.action_masks.argmax(axis=1)
        open_ = np.flatnonzero(situation.action_masks.sum(axis=1) > 1)
        if open_.size:
            found[open_] = _Decisions(self, situation, open_).answers()
        return found


class _Decisions:
    """Decisions with more than one legal action, while they are thought about."""

    def __init__(self, planner: Planner, situation: Situation, rows: NDArray[np.int64]) -> None:
        self._planner, self._situation, self._rows = planner, situation, rows
        games, portfolio = situation.games, planner.portfolio
        self._players = games.num_players
        self._seats = situation.seats[rows].astype(np.int64)
        self._keys = situation.keys[rows]
        most = portfolio.most
        # The plans of each decision, of which it has `number`, and the chance of each for each player.
        self._plans = np.zeros((len(rows), most), np.int64)
        self._number = np.zeros(len(rows), np.int64)
        self._chances = np.zeros((len(rows), self._players, most))
        owned = games.state["owned"][rows, : self._players]
        kingdoms, which = kingdoms_of(games.state["piles"][rows])
        for number, kingdom in enumerate(kingdoms):
            mine, cards = np.flatnonzero(which == number), tuple(kingdom.tolist())
            plans = portfolio.numbers(cards, self._players)
            self._number[mine] = len(plans)
            self._plans[mine, : len(plans)] = plans
            chances = planner._beliefs.weights(owned[mine], games.turns[rows[mine]], cards)
            self._chances[mine[:, None, None], np.arange(self._players)[:, None], np.arange(len(plans))] = chances
        self._cumulative = self._chances.cumsum(axis=2)

    def answers(self) -> NDArray[np.int64]:
        """Return the action of each decision."""
        plan, usual = self._best_plan()
        return self._best_action(plan, usual)

    def _best_plan(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of the plan that wins most in each decision, and what it does there."""
        places = np.arange(self._plans.shape[1])
        decision, place = np.nonzero(places < self._number[:, None])
        plans = self._plans[decision, place]
        situation, rows = self._situation, self._rows[decision]
        given = situation.observations[rows], situation.action_masks[rows], situation.keys[rows]
        actions = self._planner.portfolio.agent.act_as(plans, *given)
        tried = halve(
            decision,
            self._planner.playouts // 2,
            np.zeros(len(plans), np.bool_),
            lambda arm, trial: self._play(decision[arm], actions[arm], plans[arm], trial, np.uint64(0)),
        )
        best = _first_best(decision, np.where(tried.left, tried.means, -np.inf))
        return plans[best], actions[best]

    def _best_action(self, plan: NDArray[np.int64], usual: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the best action of each decision if the plan is followed then, or the plan's own if none is clearly better."""
        decision, actions = np.nonzero(self._situation.action_masks[self._rows])
        own = actions == usual[decision]
        tried = halve(
            decision,
            self._planner.playouts // 2,
            own,
            lambda arm, trial: self._play(decision[arm], actions[arm], plan[decision[arm]], trial, _ACTIONS),
        )
        best = _first_best(decision, np.where(tried.left, tried.means, -np.inf))
        found = usual.copy()
        for number, (arm, other) in enumerate(zip(best, np.flatnonzero(own), strict=True)):
            better, error = tried.advantage(int(arm), int(other))
            if arm != other and better > GATE * error:
                found[number] = actions[arm]
        return found

    def _play(
        self,
        decision: NDArray[np.int64],
        actions: NDArray[np.int64],
        plans: NDArray[np.int64],
        trial: NDArray[np.int64],
        stage: np.uint64,
    ) -> NDArray[np.float64]:
        """Play trials, and return what each is worth to the seat that is asked, float64."""
        seeds = splitmix(self._keys[decision] ^ stage ^ splitmix((trial + 1).astype(np.uint64) * GAMMA))
        followed = self._draw_plans(decision, seeds)
        seats = self._seats[decision]
        followed[np.arange(len(decision)), seats] = plans
        shares, points = playouts(
            self._situation.games,
            self._rows[decision],
            actions,
            IN_A_TRIAL,
            self._planner.portfolio.objects[followed],
            seeds,
        )
        found: NDArray[np.float64] = worth(shares, points, seats).mean(axis=1)
        return found

    def _draw_plans(self, decision: NDArray[np.int64], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draw a plan for each player of each trial, by its chance."""
        followed = np.empty((len(decision), self._players), np.int64)
        word = seeds
        for player in range(self._players):
            word = splitmix(word + GAMMA)
            drawn = (word >> np.uint64(11)) * 2.0**-53
            place = (drawn[:, None] >= self._cumulative[decision, player]).sum(axis=1)
            place = np.minimum(place, self._number[decision] - 1)
            followed[:, player] = self._plans[decision, place]
        return followed


def worth(shares: NDArray[Any], points: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what playouts are worth to one seat of each row: its share of the win, and a little for its lead.

    Args:
        shares, points: as `playouts` returns them, (n, worlds, num_players).
        seats: a seat for each row, int64 (n,).
    """
    rows = np.arange(len(seats))
    own = points[rows, :, seats].astype(np.float64)
    others = points.astype(np.float64)
    others[rows, :, seats] = -np.inf
    lead = np.tanh((own - others.max(axis=2)) / LARGE_LEAD)
    found: NDArray[np.float64] = shares[rows, :, seats] + LEAD * lead
    return found


def _first_best(decision: NDArray[np.int64], means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the arm with the highest mean of each decision, the first one of equals."""
    order = np.lexsort((np.arange(len(means)), -means, decision))
    first = np.unique(decision, return_index=True)[1]
    found: NDArray[np.int64] = order[first]
    return found
