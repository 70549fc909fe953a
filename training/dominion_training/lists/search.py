"""The search over buy lists: a round draws candidates, and lets more and more games choose among them.

In a round many lists play few games, the best quarter of them plays four times as many more, and so on, until a few are left.
They meet those that were best before, and the best of all stay. All lists of a step play the same sets, and each step plays
sets of its own. What draws and varies the lists, what plays the games, and the numbers in `Plan` are passed in, so that
climbs against one agent (`climbs`) and evolutions (`dominion_training.evolve`) search alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_training.lists.cutting import Outcomes

MARGIN = 0.02  # worth of being 20 points ahead, relative to a win: it ranks lists that win equally seldom
ALONE = np.ones(1)  # the weight of a single opponent

Weights = NDArray[np.float64]
"""How much each opponent counts, float64 (opponents,), together 1."""


@dataclass(frozen=True)
class Plan:
    """The numbers of a search.

    Attributes:
        drawn: lists that are new in a round without parents.
        changed: lists that are new in a round with parents.
        first_sets: sets of the first step of a round.
        left: lists that are left for the last step.
        staying: lists that stay from round to round.
        patience: rounds without a better list, after which a climb changes or ends.
        step: a list is better if it surely scores more by this.
        errors: standard errors that a score must surely surpass.
        fresh: share of the new lists of a round with parents that are drawn at random.
        crossed: share of them that cross two lists.
        parents_play_all: whether parents play every step, and not the last one alone.
        drops_alike: whether a list goes that did in all games of the first step as another one did.
    """

    drawn: int
    changed: int
    first_sets: int
    left: int
    staying: int
    patience: int
    step: float
    errors: float
    fresh: float
    crossed: float
    parents_play_all: bool = False
    drops_alike: bool = False

    def most_lists_in_sets(self, num_parents: int, has_parents: bool, care: int = 1) -> int:
        """Return how many times a list plays a set in a round, at most."""
        number, sets, found = self.changed if has_parents else self.drawn, care * self.first_sets, 0
        while number > self.left:
            found += (number + num_parents * self.parents_play_all) * sets
            number, sets = self.fewer(number), 4 * sets
        return found + (number + num_parents) * sets

    def fewer(self, number: int) -> int:
        """Return how many of the lists of a step play the next one."""
        return max(self.left, number // 4)


@dataclass(frozen=True)
class Candidate:
    """A list and its games in the search so far.

    Attributes:
        strategy: the list.
        games: number of its games against each opponent.
        won: sum of its shares of the win against each opponent.
        ahead: sum of its points ahead of the best other player.
        number: its number in the family of an evolution; None for a list that is in none.
    """

    strategy: Strategy
    games: tuple[int, ...] = (0,)
    won: tuple[float, ...] = (0.0,)
    ahead: float = 0.0
    number: int | None = None

    @property
    def score(self) -> float:
        """Mean share of the win."""
        return sum(self.won) / max(sum(self.games), 1)

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score against each opponent, drawn a little to the middle, float64 (opponents,)."""
        found: NDArray[np.float64] = (np.array(self.won) + 0.5) / (np.array(self.games) + 1)
        return found

    def fitness(self, weights: Weights = ALONE) -> float:
        """Return what a list is ranked by: its weighted score, and a little for its points."""
        return float(weights @ self.scores) + MARGIN * float(np.tanh(self.ahead / max(sum(self.games), 1) / 20))

    def surely(self, errors: float, weights: Weights = ALONE) -> float:
        """Return a weighted score that the list is likely to surpass; few games make it small."""
        scores, games = self.scores, np.array(self.games) + 1
        return float(weights @ scores) - errors * float(np.sqrt((weights**2 * scores * (1 - scores) / games).sum()))


@dataclass(frozen=True)
class Round:
    """What a round has come to.

    Attributes:
        ranked: the parents and the lists that played to the end, the surest one first, then by fitness.
        parents: the parents, in their order, with the games of the round.
        next_set: number of the set after those that were played.
        games: number of games.
    """

    ranked: list[Candidate]
    parents: list[Candidate]
    next_set: int
    games: int


Play = Callable[[list[Strategy], range], tuple[Outcomes, NDArray[np.int64]]]
"""Plays sets of games with each list; returns the outcomes, and the number of the opponent in each game."""


def play_round(
    new: Sequence[Strategy],
    parents: Sequence[Candidate],
    plan: Plan,
    play: Play,
    first_set: int,
    weights: Weights = ALONE,
    care: int = 1,
) -> Round:
    """Let games choose among new lists and those that were best before.

    Args:
        new: the new lists.
        parents: those that were best before.
        plan: the numbers of the search.
        play: plays the games of a step.
        first_set: number of the first set.
        weights: how much each opponent counts.
        care: number of times `plan.first_sets` that lists play first.
    """
    nothing = (0,) * len(weights), (0.0,) * len(weights)
    found, old = [Candidate(strategy, *nothing) for strategy in new], list(parents)
    sets, used, games = care * plan.first_sets, first_set, 0
    while True:
        meeting = old if plan.parents_play_all or len(found) <= plan.left else []
        playing = [*meeting, *found]
        outcomes, opponents = play([each.strategy for each in playing], range(used, used + sets))
        played = [
            _with_games(each, shares, ahead, opponents) for each, shares, ahead in zip(playing, *outcomes, strict=True)
        ]
        if plan.drops_alike and used == first_set:  # a change that makes no difference in any game is none
            firsts = _firsts(outcomes)
            played = [each for place, each in enumerate(played) if place < len(meeting) or place in firsts]
        old, found = played[: len(meeting)] or old, played[len(meeting) :]
        used, games = used + sets, games + outcomes[0].size
        if len(found) <= plan.left:
            break
        found.sort(key=lambda each: -each.fitness(weights))
        found, sets = found[: plan.fewer(len(found))], 4 * sets
    ranked = sorted(old + found, key=lambda each: -each.fitness(weights))
    surest = max(ranked, key=lambda each: each.surely(plan.errors, weights))
    return Round([surest, *(each for each in ranked if each is not surest)], old, used, games)


def distinct(number: int, new: Callable[[], Strategy], known: Iterable[Strategy]) -> list[Strategy]:
    """Return new lists, no two of them equal and none equal to one that is known.

    Args:
        number: number of lists.
        new: draws or varies one.
        known: lists that are not wanted.
    """
    taken, found = set(known), dict[Strategy, None]()
    while len(found) < number:
        if (strategy := new()) not in taken:
            found[strategy] = None
    return list(found)


def _firsts(outcomes: Outcomes) -> set[int]:
    """Return the places of the lists that did not do in all games as one before them did."""
    first: dict[bytes, int] = {}
    for place, rows in enumerate(zip(*outcomes, strict=True)):
        first.setdefault(b"".join(row.tobytes() for row in rows), place)
    return set(first.values())


def _with_games(
    candidate: Candidate, shares: NDArray[np.float64], ahead: NDArray[np.float64], opponents: NDArray[np.int64]
) -> Candidate:
    """Return the candidate with more games, each against one of its opponents."""
    number = len(candidate.games)
    games, won = np.bincount(opponents, minlength=number), np.bincount(opponents, shares, minlength=number)
    return replace(
        candidate,
        games=tuple((np.array(candidate.games) + games).tolist()),
        won=tuple((np.array(candidate.won) + won).tolist()),
        ahead=candidate.ahead + float(ahead.sum()),
    )
