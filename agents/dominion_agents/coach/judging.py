"""`judge`: the chance to win with each legal action of a decision, and the plan that it assumes.

What an action is worth depends on how its player goes on. So each action is tried with every plan of a portfolio behind it,
and counts as much as with the best of them, which the judgement names. It is found in two stages:

1. *Choosing.* All pairs of an action and a plan are tried by sequential halving, until each action has one plan left. Then
   the actions are compared, and those found that may be the best.
2. *Measuring.* All actions are played in fresh worlds, each with its plan, and those that may be the best in more of them.

Only the second stage is told. The best of several noisy means is too high, so worlds that have chosen a plan, or which actions
deserve more playouts, would make it seem better than it is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.coach.chances import Chance, Difference, chance_of, difference_of
from dominion_agents.coach.trials import Trials
from dominion_agents.searching.beliefs import Beliefs
from dominion_agents.searching.portfolio import Portfolio
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import shown, whole_number
from dominion_env.common.errors import IllegalAction, InvalidOption
from dominion_env.tables.actions import action_id, action_name
from dominion_env.views.game import Game

PLAYOUTS = 24_000
"""Playouts of a judgement, if no other number is given. With 17 legal actions they are enough for HALF_WIDTH."""

HALF_WIDTH = 0.03  # of the intervals of the actions that may be the best
MOST_ROUGH = 480  # worlds in which each action is measured
MOST_EXACT = 1100  # worlds in which the best actions are measured, more than HALF_WIDTH ever needs
MOST_CLOSE = 4  # actions that are measured exactly, unless one of the rest turns out to be better
LEAST = 2  # worlds in which an action is measured if there is no time at all
AT_ONCE, STEP = 2000, 256  # playouts and worlds of a call, after each of which the clock is looked at
CHOOSING, MEASURING, DUEL = range(3)  # stages, whose worlds have nothing in common
# Parts of the budget that are used when plans are chosen, and when all actions are measured.
_CHOSEN, _MEASURED = 1 / 2, 5 / 6


@dataclass(frozen=True)
class Judged:
    """An action, its chance to win, and the plan that is followed after it.

    Attributes:
        action: number of the action.
        chance: chance to win, with its interval.
        plan: the plan that wins most after this action, as far as the playouts could tell.
        number: number of the plan in the portfolio of the coach.
    """

    action: int
    chance: Chance
    plan: Strategy
    number: int = field(repr=False)

    @property
    def name(self) -> str:
        """The action in words."""
        return action_name(self.action)

    @property
    def plan_name(self) -> str:
        """The name of the plan, or the plan itself in a line if it has none."""
        return self.plan.name or self.plan.one_line()


@dataclass(frozen=True)
class Judgement:
    """What each legal action of a decision is worth.

    Attributes:
        seat: the seat that decides.
        actions: the legal actions, the best one first.
        playouts: number of playouts in all, those that chose the plans included.
    """

    seat: int
    actions: tuple[Judged, ...]
    playouts: int

    @property
    def best(self) -> Judged:
        """The action with the highest chance to win."""
        return self.actions[0]

    def of(self, action: str | int) -> Judged:
        """Return what an action is worth, which is given in words or as a number.

        Raises:
            IllegalAction: it was not legal.
        """
        number = action_id(action) if isinstance(action, str) else action
        for judged in self.actions:
            if judged.action == number:
                return judged
        legal = ", ".join(judged.name for judged in self.actions)
        raise IllegalAction(f"expected one of the actions that were judged, {legal}; got {shown(action)}")

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement as plain numbers, names and lists, for JSON."""
        return {
            "seat": self.seat,
            "playouts": self.playouts,
            "actions": [
                {
                    "action": each.name, "chance": each.chance.share, "low": each.chance.low, "high": each.chance.high,
                    "playouts": each.chance.playouts, "plan": each.plan_name, "rules": [*map(str, each.plan.rules)],
                }
                for each in self.actions
            ],
        }  # fmt: skip


class Coach:
    """Judges decisions by playouts.

    Args:
        plans: strategies, their names or their texts, at least one of which needs no Kingdom card; none for those of the
            project.
        most_plans: number of plans that are considered in a kingdom.

    Raises:
        InvalidOption, InvalidStrategy: an argument is wrong; see `Portfolio`.
    """

    def __init__(self, plans: Sequence[Strategy | str] = (), most_plans: int = 6) -> None:
        self.portfolio = Portfolio(plans, most_plans)
        self._beliefs = Beliefs(self.portfolio)

    def judge(self, game: Game, playouts: int = PLAYOUTS, seconds: float | None = None, seed: int = 0) -> Judgement:
        """Judge the decision of the seat that is asked; see `judge`."""
        checked_budget(playouts, seconds)
        return self.judge_trials(self.trials(game, seed), playouts, seconds)

    def trials(self, game: Game, seed: int = 0) -> Trials:
        """Return the trials of a game's decision.

        Raises:
            GameOver, InvalidOption: there is nothing to judge; see `Trials`.
        """
        return Trials(game, self.portfolio, self._beliefs, whole_number("seed", seed, 0, 2**64 - 1))

    def judge_trials(self, trials: Trials, playouts: int = PLAYOUTS, seconds: float | None = None) -> Judgement:
        """Judge the decision that these trials begin with."""
        return Judging(trials, self.portfolio.plans, *checked_budget(playouts, seconds)).judgement()


def checked_budget(playouts: int, seconds: float | None) -> tuple[int, float | None]:
    """Return the budget of a judgement, which is checked.

    Raises:
        InvalidOption: there is no playout or no time in it.
    """
    number = whole_number("playouts", playouts, 1)
    if seconds is not None and not (isinstance(seconds, (int, float)) and seconds > 0):
        raise InvalidOption(f"seconds: expected a number above 0, got {shown(seconds)}")
    return number, seconds


def duel(trials: Trials, first: Judged, second: Judged, worlds: int, stage: int = DUEL) -> Difference:
    """Return by how much one action of a decision is better than another, each with its plan, in common worlds.

    Args:
        trials: the playouts of the decision.
        first, second: two actions that were judged.
        worlds: number of worlds.
        stage: stage of these worlds; those of a judgement are others.
    """
    actions, plans = np.array([first.action, second.action]), np.array([first.number, second.number])
    number, part = whole_number("worlds", worlds, 1), AT_ONCE // 2
    played = [trials.play(actions, plans, stage, at, min(at + part, number)) for at in range(0, number, part)]
    return difference_of(*np.concatenate(played, axis=1))


def judge(game: Game, playouts: int = PLAYOUTS, seconds: float | None = None, seed: int = 0) -> Judgement:
    """Judge the decision of the seat that is asked, by what that seat may know, with the plans of the project.

    Each chance to win comes from worlds that took no part in choosing its plan, and, for the best actions, in choosing them.
    What is assumed of the others is that each follows a plan of the portfolio, drawn by how likely their decks make it.

    Args:
        game: a game of two or more players that is not over, which stays as it is.
        playouts: number of playouts. Fewer are played if the intervals of the best actions are narrow enough, and more only
            if so few are given that not every action could be played with every plan.
        seconds: seconds after which the judgement ends with the playouts that it has; None waits for all of them. Then the
            same decision and seed give the same judgement.
        seed: 0 to 2**64 - 1; another seed judges in other worlds.

    Raises:
        GameOver: the game is over.
        InvalidOption: an argument is wrong, or a single player plays.
    """
    return the_coach().judge(game, playouts, seconds, seed)


@lru_cache(1)
def the_coach() -> Coach:
    """Return the coach with the plans of the project, which remembers how these play in each kingdom."""
    return Coach()


class Judging:
    """One judgement while it is made.

    Args:
        trials: the playouts of the decision.
        strategies: the plans by their numbers.
        playouts: number of playouts, at most.
        seconds: seconds after which it ends; None for no limit.
    """

    def __init__(self, trials: Trials, strategies: Sequence[Strategy], playouts: int, seconds: float | None) -> None:
        self._trials, self._strategies = trials, strategies
        self._budget, self._seconds, self._begun = playouts, seconds, time.monotonic()
        self._done = 0

    def judgement(self) -> Judgement:
        """Play, and return what was found."""
        actions = self._trials.actions
        plans, close = self._choose()
        found = [*self._play_on(_nothing(actions), actions, plans, MEASURING, MOST_ROUGH, _MEASURED)]
        while close.size:
            so_far = np.array([found[way] for way in close])
            exact = self._play_on(so_far, actions[close], plans[close], MEASURING, MOST_EXACT, 1, HALF_WIDTH)
            for way, shares in zip(close, exact, strict=True):
                found[way] = shares
            ahead = np.argsort([-each.mean() for each in found], kind="stable")[:2]
            wide = [way for way in ahead if chance_of(found[way]).half_width > HALF_WIDTH]
            fewest = min((len(found[way]) for way in wide), default=0)  # those of a call begin with the same world
            behind = [way for way in wide if len(found[way]) == fewest and self._affordable(1, 2)]
            close = np.array(behind, np.int64)
        judged = [
            Judged(int(action), chance_of(shares), self._strategies[plan], int(plan))
            for action, shares, plan in zip(actions, found, plans, strict=True)
        ]
        judged.sort(key=lambda each: -each.chance.share)
        return Judgement(self._trials.seat, tuple(judged), self._done)

    def _choose(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the plan that wins most after each action, and the places of the actions that may be the best."""
        trials = self._trials
        number, choices = len(trials.actions), len(trials.plans)
        way, place = np.divmod(np.arange(number * choices), choices)
        found = _nothing(way)
        rounds = int(np.ceil(np.log2(choices))) + 1  # the last one compares the actions
        for left in range(rounds, 0, -1):
            if left < rounds:
                stay = _better(way, found.mean(axis=1), -(-len(way) // 2) if left > 1 else 0)
                way, place, found = way[stay], place[stay], found[stay]
            worlds = found.shape[1] + max(1, int(_CHOSEN * self._budget / (rounds * len(way))))
            found = self._play_on(found, trials.actions[way], trials.plans[place], CHOOSING, worlds, _CHOSEN)
        return trials.plans[place], _closest(found)

    def _play_on(
        self,
        found: NDArray[np.float32],
        actions: NDArray[np.int64],
        plans: NDArray[np.int64],
        stage: int,
        most: int,
        part: float,
        half_width: float = 0.0,
    ) -> NDArray[np.float32]:
        """Play some ways to go on in the next worlds of a stage.

        Args:
            found: shares of the win of each way in the worlds so far, (ways, worlds).
            actions, plans: action and number of the plan of each way, int64 (ways,).
            stage: number of the stage.
            most: number of worlds at which this ends.
            part: part of the budget that is used when this ends, but not before there are LEAST worlds.
            half_width: half the width of the widest interval of a way at which this ends.

        Returns:
            The shares of the win in all worlds, float32 (ways, worlds).
        """
        while (worlds := found.shape[1]) < most:
            more = min(self._affordable(part, len(actions)), most - worlds, max(1, AT_ONCE // len(actions)), STEP)
            narrow = worlds > 0 and max(chance_of(each).half_width for each in found) <= half_width
            if worlds >= LEAST and (more == 0 or narrow):
                break
            shares = self._trials.play(actions, plans, stage, worlds, worlds + max(1, more))
            self._done += shares.size
            found = np.concatenate([found, shares], axis=1)
        return found

    def _affordable(self, part: float, ways: int) -> int:
        """Return how many more worlds this number of arms can be played in before a part of the budget is used."""
        if self._seconds is not None and time.monotonic() - self._begun >= part * self._seconds:
            return 0
        return max(0, int(part * self._budget) - self._done) // ways


def _nothing(ways: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return an empty array for the shares of the win of this number of arms."""
    return np.zeros((len(ways), 0), np.float32)


def _better(way: NDArray[np.int64], means: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """Return the arms that stay, in rising order: the given number of the best, and the best one of each action.

    Args:
        way: the place of each arm's action, in rising order.
        means: what each arm has won on average.
        number: number of the best arms to keep.
    """
    order = np.argsort(-means, kind="stable")
    best_of_each = order[np.unique(way[order], return_index=True)[1]]
    return np.union1d(order[:number], best_of_each)


def _closest(shares: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return which actions may be the best two: these, and those that are not clearly worse, at most MOST_CLOSE.

    Args:
        shares: shares of the win in common worlds, (actions, worlds).
    """
    order = np.argsort(-shares.mean(axis=1), kind="stable")
    second = shares[order[min(1, len(order) - 1)]]
    close = [way for place, way in enumerate(order) if place < 2 or not difference_of(second, shares[way]).is_clear]
    return np.array(close[:MOST_CLOSE])
