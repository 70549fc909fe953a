"""Co-evolution: climbs from random lists against a hall of fame, whose best lists join it.

A climb keeps a few lists. In a generation many changes of them play few games, the best quarter plays four times as many
more, and the last few meet those that were best before; all lists of a step play the same games, against opponents drawn
from the hall. Those of the hall that win most against the best list of the climb are drawn most. When nothing better comes,
the generations play more games, and in the end the climb is over. There are four kinds of climbs, in turn:

- "leader" goes on from the strongest lists of the hall,
- "enemy" begins with random lists of all kinds and meets the leader of the hall alone: what beats it joins the hall,
- "heart" begins with random lists that build their decks on two Kingdom cards, another pair each time, and on few Treasures,
  and none of its lists gives that up. Half an engine loses to money, so that it would never be finished if it had to compete
  with money while it is built,
- "island" begins with random lists of one kind and meets the whole hall. When it is an island's turn again, it goes on from
  its own lists.

A generation follows from the state before it, so that an evolution can be kept after each and go on later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_training.evolve.hall import Hall
from dominion_training.lists.arena import SEATS, Arena
from dominion_training.lists.drawing import Heart, Lists, builds_on

DRAWN, CHANGED = 1024, 96  # lists at the beginning of a random climb, and of each later generation
LEFT = 6  # lists that are left for the last step of a generation
STAYING = 6  # lists that stay from generation to generation
FEW_SETS = 4  # sets of the first step, if the generation is not a careful one
CARE = {"leader": 16, "enemy": 8, "island": 16, "heart": 4}  # sets are at most this many times FEW_SETS
HASTE = 6  # climbs after which the most careful generation may be twice as careful; the first ones are quick
PATIENCE = 3  # generations without a better list, after which care doubles
STEP = 0.002  # a list is better if it surely scores so much more
ENOUGH = 0.95  # score at which a climb has nothing more to learn
ISLANDS = ("money", "rush")  # what they draw; the first climbs are theirs
CLIMBS = ("heart", "enemy", "leader", "heart", "island", "heart", "enemy", "leader")
FOUNDING = ("money", "engine", "rush", "engine")  # what the founders are drawn as, in turn
FOUNDERS = 8  # random lists that the hall begins with
ROOM = 24  # lists in the hall
JOINING_SETS = 256  # sets against each member of the hall that a list plays to join
FRESH, CROSSED = 0.05, 0.25  # shares of a generation's lists that are drawn afresh, and that cross two others
MARGIN = 0.02  # worth of being 20 points ahead, relative to a win: it ranks lists that win equally seldom
GOLDEN = (5**0.5 - 1) / 2
DRAWS = ("rush", "anything", "engine", "money")  # what enemies begin with, all together


@dataclass(frozen=True)
class Member:
    """A list of the family.

    Attributes:
        strategy: the list.
        how: how it came to be: "changed", "crossed", or what it was drawn as, such as "rush".
        parents: numbers of the lists that it was made from.
        generation: number of the generation that it was made in.
        games: number of games played before.
    """

    strategy: Strategy
    how: str
    parents: tuple[int, ...] = ()
    generation: int = 0
    games: int = 0


@dataclass(frozen=True)
class Contender:
    """A list in a climb, and its games against each opponent of the climb.

    Attributes:
        number: its number in the family.
        games, won: number of games, and sum of the shares of the win, a number for each opponent.
        ahead: sum of the points ahead.
    """

    number: int
    games: tuple[int, ...]
    won: tuple[float, ...]
    ahead: float = 0.0

    @property
    def scores(self) -> NDArray[np.float64]:
        """Score against each opponent, drawn a little to the middle, float64 (opponents,)."""
        found: NDArray[np.float64] = (np.array(self.won) + 0.5) / (np.array(self.games) + 1)
        return found

    def fitness(self, weights: NDArray[np.float64]) -> float:
        """Return what a list is ranked by: its weighted score, and a little for its points."""
        return float(weights @ self.scores) + MARGIN * float(np.tanh(self.ahead / max(sum(self.games), 1) / 20))

    def surely(self, weights: NDArray[np.float64]) -> float:
        """Return a weighted score that the list is likely to surpass; few games make it small."""
        scores, games = self.scores, np.array(self.games) + 1
        return float(weights @ scores) - 1.5 * float(np.sqrt((weights**2 * scores * (1 - scores) / games).sum()))


@dataclass(frozen=True)
class State:
    """An evolution between two generations.

    Attributes:
        games: number of games played.
        sets: number of sets used, so that each step plays fresh ones.
        generation: number of the next generation.
        climb: number of the climb.
        since: generations since the climb found a better list.
        care: how many times `FEW_SETS` its lists play first.
        staying: the best lists of the climb, the best first.
        opponents: numbers of the lists that the climb meets; none before its first generation.
        hall: the hall of fame.
        islands: numbers of the lists with which each island goes on.
        family: all lists that have descendants or a place, by their numbers.
        born: number of lists that have ever been in the family.
    """

    games: int = 0
    sets: int = 0
    generation: int = 0
    climb: int = 0
    since: int = 0
    care: int = 1
    staying: tuple[Contender, ...] = ()
    opponents: tuple[int, ...] = ()
    hall: Hall = field(default_factory=lambda: Hall((), np.zeros((0, 0))))
    islands: tuple[tuple[int, ...], ...] = ((),) * len(ISLANDS)
    family: dict[int, Member] = field(default_factory=dict)
    born: int = 0

    @property
    def kind(self) -> str:
        """What the climb is; the first ones are those of the islands."""
        return CLIMBS[(self.climb - len(ISLANDS)) % len(CLIMBS)] if self.climb >= len(ISLANDS) else "island"

    @property
    def turn(self) -> int:
        """How many climbs of this kind have been before."""
        rounds, place = divmod(self.climb - len(ISLANDS), len(CLIMBS))
        if rounds < 0:
            return self.climb
        before = rounds * CLIMBS.count(self.kind) + CLIMBS[:place].count(self.kind)
        return before + (len(ISLANDS) if self.kind == "island" else 0)

    @property
    def draw(self) -> str:
        """What the climb draws at random; "" for lists of all kinds."""
        if self.kind == "island":
            return ISLANDS[self.turn % len(ISLANDS)]
        return "heart" if self.kind == "heart" else ""

    @property
    def goes_on_from(self) -> tuple[int, ...]:
        """The numbers of the lists that the climb begins with; none if it draws its first ones."""
        if self.kind == "leader":
            return tuple(self.hall.members[place] for place in self.hall.by_strength()[:STAYING])
        return self.islands[self.turn % len(ISLANDS)] if self.kind == "island" else ()

    @property
    def most_care(self) -> int:
        """The care with which the climb ends."""
        return min(2 << self.climb // HASTE, CARE[self.kind])

    @property
    def leader(self) -> int:
        """The number of the strongest list of the hall."""
        return self.hall.members[self.hall.leader]

    def strategies(self, numbers: Sequence[int]) -> list[Strategy]:
        """Return the lists with these numbers."""
        return [self.family[number].strategy for number in numbers]


class Evolution:
    """The rules by which one state follows another.

    Args:
        lists: draws and changes lists.
        arena: plays the games.
        seed: seed of the draws.
        heart: the two cards on which every climb with a heart builds; by default all pairs have their turn.
    """

    def __init__(self, lists: Lists, arena: Arena, seed: int, heart: Heart | None = None) -> None:
        self._lists, self._arena, self._seed, self._heart = lists, arena, seed, heart

    def next_state(self, state: State) -> State:
        """Return the state after one more generation."""
        rng = np.random.default_rng([self._seed, state.generation])
        if not state.hall.members:
            state = self._founded(state, rng)
        if not state.opponents:
            state = self._begun(state)
        state = self._generation(state, rng)
        if state.since >= PATIENCE and state.care < state.most_care:
            state = replace(state, care=2 * state.care, since=0)
        best = state.staying[0]
        if state.since >= PATIENCE or best.surely(self._weights(state)) > ENOUGH:
            state = self._ended(state)
        return replace(state, generation=state.generation + 1)

    def games_ahead(self, state: State) -> int:
        """Return the most games that the next generation takes, those by which a list joins the hall included."""
        number = CHANGED if state.staying or state.goes_on_from else DRAWN
        sets, games = FEW_SETS * (state.care if state.opponents else 1), 0
        while number > LEFT:
            games, number, sets = games + (number + STAYING) * sets, max(LEFT, number // 4), 4 * sets
        joining = ROOM if state.hall.members else FOUNDERS**2
        return SEATS * (games + (LEFT + STAYING) * sets + JOINING_SETS * joining)

    def _founded(self, state: State, rng: np.random.Generator) -> State:
        """Return the state with a hall of random lists."""
        for place in range(FOUNDERS):
            draw = FOUNDING[place % len(FOUNDING)]
            state = self._joined(*self._born(state, Member(self._drawn(rng, draw), draw)))
        return state

    def _begun(self, state: State) -> State:
        """Return the state at the beginning of a climb, with its opponents and the lists that it goes on from."""
        opponents = (state.leader,) if state.kind == "enemy" else state.hall.members
        nothing = (0,) * len(opponents)
        staying = tuple(Contender(number, nothing, (0.0,) * len(opponents)) for number in state.goes_on_from)
        return replace(state, opponents=opponents, staying=staying, care=1, since=0)

    def _generation(self, state: State, rng: np.random.Generator) -> State:
        weights = self._weights(state)
        nothing = Contender(0, (0,) * len(state.opponents), (0.0,) * len(state.opponents))
        newcomers = self._newcomers(state, rng)
        # Contenders bear their place in this list until it is known which of them stay.
        known = [*state.strategies([each.number for each in state.staying]), *(each.strategy for each in newcomers)]
        parents = [replace(each, number=place) for place, each in enumerate(state.staying)]
        found = [replace(nothing, number=len(parents) + place) for place in range(len(newcomers))]
        sets, step = FEW_SETS * state.care, 0
        while True:
            state, played, alike = self._played(state, known, parents + found, sets, weights)
            parents, found = played[: len(parents)], played[len(parents) :]
            if step == 0:  # a change that makes no difference in any game is none
                found = [each for place, each in enumerate(found, len(parents)) if alike[place] == place]
            if len(found) <= LEFT:
                break
            found.sort(key=lambda each: -each.fitness(weights))
            found, sets, step = found[: max(LEFT, len(found) // 4)], 4 * sets, step + 1
        found = sorted(parents + found, key=lambda each: -each.fitness(weights))
        surest = max(found, key=lambda each: each.surely(weights))
        order = [surest, *(each for each in found if each is not surest)][:STAYING]
        staying = []
        for each in order:
            if each.number < len(parents):
                number = state.staying[each.number].number
            else:
                state, number = self._born(state, newcomers[each.number - len(parents)])
            staying.append(replace(each, number=number))
        before = next((each.surely(weights) for each in found if each.number == 0 and parents), 0.0)
        is_better = surest.surely(weights) > before + STEP
        return replace(state, staying=tuple(staying), since=0 if is_better else state.since + 1)

    def _played(
        self,
        state: State,
        known: Sequence[Strategy],
        found: Sequence[Contender],
        sets: int,
        weights: NDArray[np.float64],
    ) -> tuple[State, list[Contender], list[int]]:
        """Let lists play as many sets more, against opponents that the weights spread evenly over them.

        Returns:
            The state, the lists with these games, and for each the place of the first one with the very same results.
        """
        numbers = np.arange(state.sets, state.sets + sets)
        which = np.minimum(np.searchsorted(np.cumsum(weights), numbers * GOLDEN % 1.0), len(weights) - 1)
        opponents = state.strategies(state.opponents)
        shares, ahead = self._arena.play(
            [known[each.number] for each in found],
            [opponents[place] for place in which],
            range(state.sets, state.sets + sets),
        )
        games = SEATS * np.bincount(which, minlength=len(weights))
        won = np.stack([
            np.bincount(np.repeat(which, SEATS), weights=row, minlength=len(weights)) for row in shares
        ])  # fmt: skip
        after = [
            replace(
                each,
                games=tuple((np.array(each.games) + games).tolist()),
                won=tuple((np.array(each.won) + more).tolist()),
                ahead=each.ahead + float(margin.sum()),
            )
            for each, more, margin in zip(found, won, ahead, strict=True)
        ]
        first: dict[bytes, int] = {}
        alike = [
            first.setdefault(won.tobytes() + by.tobytes(), place)
            for place, (won, by) in enumerate(zip(shares, ahead, strict=True))
        ]
        return replace(state, sets=state.sets + sets, games=state.games + shares.size), after, alike

    def _weights(self, state: State) -> NDArray[np.float64]:
        """Return how much each opponent counts, as the best list of a climb does against them."""
        if len(state.opponents) == 1:
            return np.ones(1)
        if state.staying and sum(state.staying[0].games):
            return state.hall.weights_against(state.staying[0].scores)
        if state.kind == "leader":
            return state.hall.weights_against(state.hall.scores[state.hall.leader])
        return state.hall.weights_against(np.full(len(state.opponents), 0.5))

    def _ended(self, state: State) -> State:
        """Return the state after a climb, whose best list joins the hall if it has earned a place."""
        best, leader = state.staying[0].number, state.leader
        is_new = state.family[best].strategy not in state.strategies(state.hall.members)
        if is_new and (state.kind != "enemy" or state.staying[0].scores[state.opponents.index(leader)] > 0.5):
            state = self._joined(state, best)
        islands = list(state.islands)
        if state.kind == "island":
            islands[state.turn % len(ISLANDS)] = tuple(each.number for each in state.staying)
        hall = replace(state.hall, anchors=tuple(island[0] for island in islands if island)).with_room(ROOM)
        state = replace(state, climb=state.climb + 1, staying=(), opponents=(), islands=tuple(islands), hall=hall)
        needed = [*state.hall.members, *(number for island in islands for number in island)]
        return replace(state, family=_with_ancestors(state.family, needed))

    def _joined(self, state: State, number: int) -> State:
        """Return the state with a list in the hall, which has played against all its members."""
        sets = range(state.sets, state.sets + JOINING_SETS)
        scores, games = [], state.games
        members = state.strategies(state.hall.members)
        if members:
            # The members play the list, and not the list them, as then all of them are lists of one call.
            shares, _ = self._arena.play(members, [state.family[number].strategy] * len(sets), sets)
            scores, games = (1 - shares.mean(axis=1)).tolist(), games + shares.size
        return replace(state, hall=state.hall.joined(number, scores), games=games, sets=sets.stop)

    def _born(self, state: State, member: Member) -> tuple[State, int]:
        number = state.born
        member = replace(member, generation=state.generation, games=state.games)
        return replace(state, born=number + 1, family=state.family | {number: member}), number

    def _newcomers(self, state: State, rng: np.random.Generator) -> list[Member]:
        """Draw the lists that are new in a generation, no two of them equal and none equal to one that stays."""
        parents = [each.number for each in state.staying]
        known, found = set(state.strategies(parents)), dict[Strategy, Member]()
        heart = self.heart(state)
        while len(found) < (CHANGED if parents else DRAWN):
            new = self._newcomer(state, parents, rng)
            if new.strategy not in known and (heart is None or builds_on(new.strategy, heart)):
                found.setdefault(new.strategy, new)
        return list(found.values())

    def _newcomer(self, state: State, parents: Sequence[int], rng: np.random.Generator) -> Member:
        draw = rng.random()
        if not parents or draw < FRESH:
            name = state.draw or DRAWS[int(rng.integers(len(DRAWS)))]
            return Member(self._drawn(rng, name, self.heart(state)), name)
        first = parents[int(rng.integers(len(parents), size=2).min())]  # the better ones more often
        strategy = state.family[first].strategy
        if draw < FRESH + CROSSED:
            others = [*parents, *state.hall.members] if state.kind == "leader" else parents
            second = others[int(rng.integers(len(others)))]
            crossed = self._lists.crossed(rng, strategy, state.family[second].strategy)
            return Member(crossed, "crossed", (first, second))
        return Member(self._lists.varied(rng, strategy), "changed", (first,))

    def heart(self, state: State) -> Heart | None:
        """Return the two cards on which all lists of a climb build, or None if it has no heart.

        Without a heart that was chosen all pairs have their turn, in a random order.
        """
        if state.kind != "heart":
            return None
        if self._heart is not None:
            return self._heart
        pairs = list(combinations(self._lists.cards, 2))
        order = np.random.default_rng([self._seed, len(pairs)]).permutation(len(pairs))
        return pairs[int(order[state.turn % len(pairs)])]

    def _drawn(self, rng: np.random.Generator, name: str, heart: Heart | None = None) -> Strategy:
        """Draw a random list; it is none of those published, not even by chance."""
        lists = self._lists
        draws: dict[str, Callable[[np.random.Generator], Strategy]] = {
            "engine": lists.engine, "money": lists.money, "anything": lists.anything, "rush": lists.rush,
        }  # fmt: skip
        draw = draws[name] if heart is None else partial(lists.heart, heart=heart)
        while self._lists.is_published(strategy := draw(rng)):
            pass
        return strategy


def _with_ancestors(family: dict[int, Member], numbers: Sequence[int]) -> dict[int, Member]:
    """Return the part of a family from which these lists descend, themselves included."""
    found, waiting = set(numbers), list(numbers)
    while waiting:
        new = set(family[waiting.pop()].parents) - found
        found |= new
        waiting += new
    return {number: family[number] for number in sorted(found)}
