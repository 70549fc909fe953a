"""Decisions while they are thought about: the plans that each player may follow, and what an action or a plan is worth.

In a playout the seat that is asked follows one plan, and every other seat the plan that its deck suggests, drawn by how
likely it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.beliefs import Beliefs, draw_places
from dominion_agents.searching.halving import IN_A_TRIAL, Tried, best_of, halve
from dominion_agents.searching.playing import playouts
from dominion_agents.searching.portfolio import Portfolio, kingdoms_of
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.players.situation import Situation
from dominion_env.rules.words.decisions import ASK_BUY

GATE = 1.0  # standard errors by which an action must be better than the plan's own
PLAN_GATE = 2.0  # standard errors by which a plan must be better than the one that is followed: a change is dear
FIRST_TURNS = 3  # turns after which a deck says which plan it follows
LEAD = 1.0  # worth of a large lead in points, in wins: few playouts tell more by their points than by their winners
LARGE_LEAD = 20.0
_PLANS, _ACTIONS = np.uint64(0), np.uint64(0x5851F42D4C957F2D)  # the two stages have worlds of their own


class Decisions:
    """Decisions that are thought about together; each comes to the same as it would alone.

    Args:
        portfolio: the plans that are considered.
        beliefs: how likely each of them is for each player.
        situation: the decisions, of which some are thought about.
        rows: their numbers, int64 (decisions,).
        choices: the actions that are considered in each of them, bool (decisions, NUM_ACTIONS).

    Attributes:
        situation, rows, choices: the same.
        plans: the numbers of the plans of each decision, int64 (decisions, most plans), those of its kingdom in front.
        cumulative: for each player the chance of a plan together with those before it, float64 (decisions, players, most
            plans).
    """

    def __init__(
        self,
        portfolio: Portfolio,
        beliefs: Beliefs,
        situation: Situation,
        rows: NDArray[np.int64],
        choices: NDArray[np.bool_],
    ) -> None:
        self._portfolio, self.situation, self.rows, self.choices = portfolio, situation, rows, choices
        games = situation.games
        self._players = games.num_players
        self._seats = situation.seats[rows].astype(np.int64)
        self._keys = situation.keys[rows]
        # The plans of each decision, of which it has `number`, and the chance of each for each player.
        self.plans = np.zeros((len(rows), portfolio.most), np.int64)
        self._number = np.zeros(len(rows), np.int64)
        chances = np.zeros((len(rows), self._players, portfolio.most))
        owned = games.state["owned"][rows, : self._players]
        kingdoms, which = kingdoms_of(games.state["piles"][rows])
        for number, kingdom in enumerate(kingdoms):
            mine, cards = np.flatnonzero(which == number), tuple(kingdom.tolist())
            plans = portfolio.numbers(cards, self._players)
            self._number[mine] = len(plans)
            self.plans[mine, : len(plans)] = plans
            here = beliefs.weights(owned[mine], games.turns[rows[mine]], cards)
            chances[mine[:, None, None], np.arange(self._players)[:, None], np.arange(len(plans))] = here
        self.cumulative = chances.cumsum(axis=2)

    def first_plan(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of the most promising plan of each decision's kingdom, and what it does, both int64."""
        return self._followed_from(np.zeros(len(self.rows), np.int64))

    def own_plan(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of the plan that each deciding player's own deck suggests, and what it does, both int64.

        In the first turns, in which a deck says little, it is the most promising plan of the kingdom.
        """
        decisions = np.arange(len(self.rows))
        likeliest = np.diff(self.cumulative[decisions, self._seats], axis=1, prepend=0.0).argmax(axis=1)
        turns = self.situation.games.turns[self.rows, self._seats]
        return self._followed_from(np.where(turns > FIRST_TURNS, likeliest, 0))

    def better_plan(
        self, plan: NDArray[np.int64], usual: NDArray[np.int64], budget: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return plans and what they do, as given, but at purchases a plan that clearly wins more from there, if there is one.

        Other decisions are left as they are: what a deck wants to become is decided when cards are bought.

        Args:
            plan: the number of the plan that each decision follows so far, int64.
            usual: what it does there, int64.
            budget: playouts for each purchase.
        """
        buying = np.flatnonzero(self.situation.games.state["kind"][self.rows] == ASK_BUY)
        at, place = np.nonzero(np.arange(self.plans.shape[1]) < self._number[buying, None])
        if not at.size:
            return plan, usual
        decision = buying[at]
        plans = self.plans[decision, place]
        actions = self._as_planned(decision, plans)
        followed = plans == plan[decision]
        tried = halve(
            at, budget, followed, lambda arm, trial: self._play(decision[arm], actions[arm], plans[arm], trial, _PLANS)
        )
        best = self._clearly_best(at, tried, followed, PLAN_GATE)
        plan, usual = plan.copy(), usual.copy()
        plan[buying], usual[buying] = plans[best], actions[best]
        return plan, usual

    def best_action(
        self, plan: NDArray[np.int64], usual: NDArray[np.int64], budget: int, gate: float = GATE
    ) -> NDArray[np.int64]:
        """Return the best choice of each decision if the plan is followed then, or the plan's own if none is clearly better.

        Args:
            plan: the number of a plan for each decision, int64.
            usual: what it does there, int64.
            budget: playouts for each decision.
            gate: standard errors by which another action must be better.
        """
        decision, actions = np.nonzero(self.choices)
        own = actions == self.considered(usual)[decision]
        tried = halve(
            decision,
            budget,
            own,
            lambda arm, trial: self._play(decision[arm], actions[arm], plan[decision[arm]], trial, _ACTIONS),
        )
        found: NDArray[np.int64] = actions[self._clearly_best(decision, tried, own, gate)]
        return found

    def considered(self, usual: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what a plan does in each decision, int64, or the first of the choices where that is none of them."""
        chosen = self.choices[np.arange(len(usual)), usual]
        found: NDArray[np.int64] = np.where(chosen, usual, self.choices.argmax(axis=1))
        return found

    @staticmethod
    def _clearly_best(
        decision: NDArray[np.int64], tried: Tried, kept: NDArray[np.bool_], gate: float
    ) -> NDArray[np.int64]:
        """Return the best arm of each decision if it beats the kept one by `gate` standard errors, else the kept one."""
        best = best_of(decision, np.where(tried.left, tried.means, -np.inf))
        found = np.flatnonzero(kept)
        for number, (arm, other) in enumerate(zip(best, found, strict=True)):
            if arm != other:
                better, error = tried.advantage(int(arm), int(other))
                if better > gate * error:
                    found[number] = arm
        return found

    def _followed_from(self, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the plan at a place of each decision's plans, and what it does."""
        decisions = np.arange(len(places))
        plans = self.plans[decisions, places]
        return plans, self._as_planned(decisions, plans)

    def _as_planned(self, decision: NDArray[np.int64], plans: NDArray[np.int64]) -> NDArray[np.int64]:
        situation, rows = self.situation, self.rows[decision]
        given = situation.observations[rows], situation.action_masks[rows], situation.keys[rows]
        return self._portfolio.agent.act_as(plans, *given)

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
        places = draw_places(seeds, self.cumulative[decision])
        followed = self.plans[decision[:, None], np.minimum(places, self._number[decision, None] - 1)]
        seats = self._seats[decision]
        followed[np.arange(len(decision)), seats] = plans
        shares, points = playouts(
            self.situation.games, self.rows[decision], actions, IN_A_TRIAL, self._portfolio.objects[followed], seeds
        )
        found: NDArray[np.float64] = worth(shares, points, seats).mean(axis=1)
        return found


def worth(shares: NDArray[Any], points: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what playouts are worth to one seat of each row: its share of the win, and something for its lead.

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
