"""Climbs: the search for the buy list that beats one opponent, with restarts.

The first round of a climb draws its lists at random, and the others change and cross the lists that have stayed. A climb that
has found nothing better for some rounds is over, and the next one starts.

A round follows from the state before it, so that a search can be saved after each round and go on later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from dominion_agents.strategies.strategy import Strategy
from dominion_training.lists.budget import Budget
from dominion_training.lists.cutting import Outcomes
from dominion_training.lists.random_lists import RandomLists
from dominion_training.lists.search import Candidate, Plan, distinct, play_round

PLAN = Plan(
    drawn=256, changed=64, first_sets=2, left=4, staying=6, patience=8, step=0.005, errors=2.0, fresh=0.05, crossed=0.2
)
STARTS = ("rush", "published", "money", "anything", "kept")  # what the climbs begin with, in turn
KEPT = 24  # lists that are kept from the climbs that are over
ENOUGH = 2000  # games after which a list that won all of them is as good as can be

Play = Callable[[list[Strategy], range], Outcomes]
"""Plays sets of games with each list against the opponent."""


@dataclass(frozen=True)
class ClimbState:
    """A search between two rounds.

    Attributes:
        games: number of games searched.
        sets: number of sets used, so that each step plays fresh ones.
        climb, round: numbers of the climb and of its next round.
        since: rounds since this climb found a better list.
        peak: score that the best list of this climb is likely to surpass.
        staying: the best lists of this climb.
        kept: the best lists of the climbs before.
    """

    games: int = 0
    sets: int = 0
    climb: int = 0
    round: int = 0
    since: int = 0
    peak: float = 0.0
    staying: tuple[Candidate, ...] = ()
    kept: tuple[Candidate, ...] = ()

    @property
    def best(self) -> Candidate | None:
        """The list that is most surely good; None before the first round."""
        return max((*self.staying, *self.kept), key=surely, default=None)

    @property
    def best_list(self) -> Strategy | None:
        """See `Saveable`."""
        return None if self.best is None else self.best.strategy

    @property
    def start(self) -> str:
        """What the climb begins with, one of `STARTS`."""
        return STARTS[self.climb % len(STARTS)]

    @property
    def parents(self) -> tuple[Candidate, ...]:
        """The lists that the next round begins with: none in the first round of most climbs."""
        return self.kept[: PLAN.staying] if self.round == 0 and self.start == "kept" else self.staying

    def games_ahead(self, num_players: int) -> int:
        """Return how many games the next round takes."""
        number = len(self.parents)
        return PLAN.most_lists_in_sets(number, number > 0) * num_players

    def is_over(self, num_players: int, budget: Budget, seconds: float = 0.0) -> bool:
        """Whether the budget is spent, but for the first round, or no other list can be told to be better than the best."""
        best = self.best
        is_perfect = best is not None and sum(best.won) == sum(best.games) >= ENOUGH
        return self.games > 0 and (is_perfect or budget.is_spent(self.games + self.games_ahead(num_players), seconds))

    def as_plain(self) -> dict[str, Any]:
        """See `Saveable`."""
        lists = {name: [*map(_as_plain, getattr(self, name))] for name in ("staying", "kept")}
        return vars(self) | lists

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """See `Saveable`."""
        return cls(**{**plain, **{name: tuple(map(_candidate, plain[name])) for name in ("staying", "kept")}})


def next_state(state: ClimbState, lists: RandomLists, seed: int, play: Play) -> ClimbState:
    """Return the state after one more round.

    Args:
        state: the state before.
        lists: draws and changes lists.
        seed: seed of the draws.
        play: plays the games.
    """

    def played(strategies: list[Strategy], sets: range) -> tuple[Outcomes, np.ndarray]:
        outcomes = play(strategies, sets)
        return outcomes, np.zeros(outcomes.shape[2], np.int64)

    after = play_round(new_lists(state, lists, seed), state.parents, PLAN, played, state.sets)
    surest = surely(after.ranked[0])
    state = replace(
        state,
        games=state.games + after.games,
        sets=after.next_set,
        round=state.round + 1,
        since=0 if surest > state.peak + PLAN.step else state.since + 1,
        peak=max(surest, state.peak),
        staying=tuple(after.ranked[: PLAN.staying]),
    )
    return state if state.since < PLAN.patience else _at_next_climb(state)


def new_lists(state: ClimbState, lists: RandomLists, seed: int) -> list[Strategy]:
    """Return the lists that are new in the next round."""
    rng, parents = np.random.default_rng([seed, state.climb, state.round]), state.parents
    draws = {"rush": lists.rush, "published": lists.published, "money": lists.money}

    def new() -> Strategy:
        chance = rng.random()
        if not parents or chance < PLAN.fresh:
            return draws.get(state.start, lists.anything)(rng)
        first, second = (parents[int(rng.integers(len(parents)))].strategy for _ in range(2))
        is_crossed = chance < PLAN.fresh + PLAN.crossed
        return lists.crossed(rng, first, second) if is_crossed else lists.changed(rng, first)

    return distinct(PLAN.changed if parents else PLAN.drawn, new, [each.strategy for each in parents])


def surely(candidate: Candidate) -> float:
    """Return a score that a list is likely to surpass."""
    return candidate.surely(PLAN.errors)


def _at_next_climb(state: ClimbState) -> ClimbState:
    """Return the state in which the next climb begins, with the best lists of this one kept."""
    latest = {each.strategy: each for each in (*state.kept, *state.staying[:2])}
    kept = tuple(sorted(latest.values(), key=surely, reverse=True)[:KEPT])
    return replace(state, climb=state.climb + 1, round=0, since=0, peak=0.0, staying=(), kept=kept)


def _as_plain(candidate: Candidate) -> dict[str, Any]:
    (games,), (won,) = candidate.games, candidate.won
    return {"strategy": candidate.strategy.one_line(), "games": games, "won": won, "ahead": candidate.ahead}


def _candidate(plain: Mapping[str, Any]) -> Candidate:
    return Candidate(Strategy.parse(plain["strategy"]), (plain["games"],), (plain["won"],), plain["ahead"])
