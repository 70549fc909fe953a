"""The search for the buy list that beats one agent: random lists, then changes of the best, and restarts.

The search goes in rounds. In a round many lists play few games, the best quarter of them plays four times as many more, and
so on; all lists of a step play the same games. The last few meet those that were best before, and the best of all stay. The
first round of a climb draws its lists at random, and the others change and cross the lists that have stayed. A climb that
has found nothing better for some rounds is over, and the next one starts.

A round follows from the state before it, so that a search can be kept after each round and go on later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_training.lists.drawing import Lists
from dominion_training.lists.field import Outcomes

DRAWN, CHANGED = 256, 64  # lists at the beginning of a climb's first round, and of its later ones
FEW_SETS = 2  # sets that each of them plays
LAST = 4  # lists that are left for the last step of a round
STAYING = 6  # lists that stay from round to round
PATIENCE = 8  # rounds of a climb without a better list, after which the next climb starts
STEP = 0.005  # a list is better if it surely scores so much more
KEPT = 24  # lists that are kept from the climbs that are over
STARTS = ("rush", "published", "money", "anything", "kept")  # what the climbs begin with, in turn
FRESH, CROSSED = 0.05, 0.2  # shares of a later round's lists that are drawn afresh, and that cross two others

MARGIN = 0.02  # worth of being 20 points ahead, relative to a win: it ranks lists that win equally seldom
ENOUGH = 2000  # games after which a list that won all of them is as good as can be

_surely, _fitness = attrgetter("surely"), attrgetter("fitness")

Play = Callable[[list[Strategy], range], Outcomes]
"""Plays sets of games with each list, as `play_field` does."""


@dataclass(frozen=True)
class Candidate:
    """A list and how it did in the games of the search so far.

    Attributes:
        strategy: the list.
        games: number of its games.
        won: sum of its shares of the win.
        ahead: sum of its points ahead of the best other player.
    """

    strategy: Strategy
    games: int = 0
    won: float = 0.0
    ahead: float = 0.0

    @property
    def score(self) -> float:
        """Mean share of the win."""
        return self.won / self.games if self.games else 0.0

    @property
    def fitness(self) -> float:
        """What a list is ranked by: its score, drawn a little to the middle, and a little for its points."""
        return (self.won + 0.5) / (self.games + 1) + MARGIN * float(np.tanh(self.ahead / max(self.games, 1) / 20))

    @property
    def surely(self) -> float:
        """A score that the list is likely to surpass; few games make it small."""
        share = (self.won + 0.5) / (self.games + 1)
        return share - 2 * float(np.sqrt(share * (1 - share) / (self.games + 1)))


@dataclass(frozen=True)
class State:
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
        return max((*self.staying, *self.kept), key=_surely, default=None)

    @property
    def is_perfect(self) -> bool:
        """Whether the best list has won enough games, and all of them, so that no other can be shown to be better."""
        return self.best is not None and self.best.won == self.best.games >= ENOUGH


def next_state(state: State, lists: Lists, seed: int, play: Play) -> State:
    """Return the state after one more round.

    Args:
        state: the state before.
        lists: draws and changes lists.
        seed: seed of the draws.
        play: plays the games.
    """
    rng = np.random.default_rng([seed, state.climb, state.round])
    parents, start = _parents(state), _start_of(state.climb)
    found = [Candidate(strategy) for strategy in _newcomers(start, parents, lists, rng)]
    sets, used, games = FEW_SETS, state.sets, state.games
    while True:
        last = len(found) <= LAST
        if last:
            found += parents
        outcomes = play([each.strategy for each in found], range(used, used + sets))
        found = sorted(map(_with_games, found, *outcomes), key=_fitness, reverse=True)
        used, games = used + sets, games + outcomes[0].size
        if last:
            break
        found, sets = found[: max(LAST, len(found) // 4)], 4 * sets
    surest = max(found, key=_surely)
    others = [each for each in found if each is not surest]
    is_better = surest.surely > state.peak + STEP
    after = replace(
        state,
        games=games,
        sets=used,
        round=state.round + 1,
        since=0 if is_better else state.since + 1,
        peak=max(surest.surely, state.peak),
        staying=(surest, *others[: STAYING - 1]),
    )
    return after if after.since < PATIENCE else _at_next_climb(after)


def games_of_round(state: State, num_players: int) -> int:
    """Return how many games the next round takes."""
    parents = len(_parents(state))
    number, sets, games = CHANGED if parents else DRAWN, FEW_SETS, 0
    while number > LAST:
        games, number, sets = games + number * sets, max(LAST, number // 4), 4 * sets
    return (games + (number + parents) * sets) * num_players


def _at_next_climb(state: State) -> State:
    """Return the state in which the next climb begins, with the best lists of this one kept."""
    latest = {each.strategy: each for each in (*state.kept, *state.staying[:2])}
    kept = tuple(sorted(latest.values(), key=_surely, reverse=True)[:KEPT])
    return replace(state, climb=state.climb + 1, round=0, since=0, peak=0.0, staying=(), kept=kept)


def _parents(state: State) -> tuple[Candidate, ...]:
    """Return the lists that the next round begins with: none in the first round of most climbs."""
    if state.round == 0 and _start_of(state.climb) == "kept":
        return state.kept[:STAYING]
    return state.staying


def _start_of(climb: int) -> str:
    """Return what a climb begins with, one of `STARTS`."""
    return STARTS[climb % len(STARTS)]


def _newcomers(start: str, parents: Sequence[Candidate], lists: Lists, rng: np.random.Generator) -> list[Strategy]:
    """Draw the lists that are new in a round, no two of them equal and none equal to a parent."""
    known = {each.strategy for each in parents}
    found: dict[Strategy, None] = {}
    while len(found) < (CHANGED if parents else DRAWN):
        new = _newcomer(start, parents, lists, rng)
        if new not in known:
            found[new] = None
    return list(found)


def _newcomer(start: str, parents: Sequence[Candidate], lists: Lists, rng: np.random.Generator) -> Strategy:
    draw = rng.random()
    if not parents or draw < FRESH:
        draws = {"rush": lists.rush, "published": lists.published, "money": lists.money}
        return draws.get(start, lists.anything)(rng)
    first, second = (parents[int(rng.integers(len(parents)))].strategy for _ in range(2))
    return lists.crossed(rng, first, second) if draw < FRESH + CROSSED else lists.changed(rng, first)


def _with_games(candidate: Candidate, shares: NDArray[np.float64], margins: NDArray[np.float64]) -> Candidate:
    """Return the candidate with more games."""
    return replace(
        candidate,
        games=candidate.games + len(shares),
        won=candidate.won + float(shares.sum()),
        ahead=candidate.ahead + float(margins.sum()),
    )
