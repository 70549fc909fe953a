"""Co-evolution: climbs from random lists against a hall of fame, whose best lists join it.

A climb keeps a few lists. A generation is a round of the search (`play_round`), against opponents drawn from the hall. Those
of the hall that win most against the best list of the climb are drawn most. When nothing better comes, the generations play
more games, and in the end the climb is over. There are four kinds of climbs, in turn:

- "leader" goes on from the strongest lists of the hall,
- "enemy" begins with random lists of all kinds and meets the leader of the hall alone: what beats it joins the hall,
- "heart" begins with random lists that build their decks on two Kingdom cards, another pair each time, and on few Treasures,
  and none of its lists gives that up. Half an engine loses to money, so that it would never be finished if it had to compete
  with money while it is built,
- "island" begins with random lists of one kind and meets the whole hall. When it is an island's turn again, it goes on from
  its own lists.

A generation follows from the state before it, so that an evolution can be saved after each and go on later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_training.evolve.hall import Hall
from dominion_training.lists.arena import SEATS, Arena
from dominion_training.lists.cutting import Outcomes
from dominion_training.lists.random_lists import Heart, RandomLists, builds_on
from dominion_training.lists.search import ALONE, Candidate, Plan, Weights, distinct, play_round

PLAN = Plan(
    drawn=1024, changed=96, first_sets=4, left=6, staying=6, patience=3, step=0.002, errors=1.5, fresh=0.05, crossed=0.25,
    parents_play_all=True, drops_alike=True,
)  # fmt: skip
CARE = {"leader": 16, "enemy": 8, "island": 16, "heart": 4}  # the most that care is
HASTE = 6  # climbs after which the most careful generation may be twice as careful; the first ones are quick
ENOUGH = 0.95  # score at which a climb has nothing more to learn
ISLANDS = ("money", "rush")  # what they draw; the first climbs are theirs
CLIMBS = ("heart", "enemy", "leader", "heart", "island", "heart", "enemy", "leader")
FOUNDING = ("money", "engine", "rush", "engine")  # what the founders are drawn as, in turn
FOUNDERS = 8  # random lists that the hall begins with
ROOM = 24  # lists in the hall
JOINING_SETS = 256  # sets against each member of the hall that a list plays to join
GOLDEN = (5**0.5 - 1) / 2
DRAWS = ("rush", "anything", "engine", "money")  # what enemies begin with, all together
CANDIDATE = ("number", "games", "won", "ahead")  # what is saved of a candidate


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
class EvolutionState:
    """An evolution between two generations.

    Attributes:
        games: number of games played.
        sets: number of sets used, so that each step plays fresh ones.
        generation: number of the next generation.
        climb: number of the climb.
        since: generations since the climb found a better list.
        care: how many times the first sets of the plan its lists play first.
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
    staying: tuple[Candidate, ...] = ()
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
            return tuple(self.hall.members[place] for place in self.hall.by_strength()[: PLAN.staying])
        return self.islands[self.turn % len(ISLANDS)] if self.kind == "island" else ()

    @property
    def most_care(self) -> int:
        """The care with which the climb ends."""
        return min(2 << self.climb // HASTE, CARE[self.kind])

    @property
    def leader(self) -> int:
        """The number of the strongest list of the hall."""
        return self.hall.members[self.hall.leader]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the best lists of the climb."""
        return tuple(each.number for each in self.staying if each.number is not None)

    @property
    def best_list(self) -> Strategy | None:
        """See `Saveable`."""
        return self.family[self.leader].strategy if self.hall.members else None

    def as_plain(self) -> dict[str, Any]:
        """See `Saveable`."""
        return vars(self) | {
            "staying": [{name: getattr(each, name) for name in CANDIDATE} for each in self.staying],
            "hall": vars(self.hall) | {"scores": self.hall.scores.tolist()},
            "family": {
                str(number): vars(member) | {"strategy": member.strategy.one_line()}
                for number, member in self.family.items()
            },
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """See `Saveable`."""

        def member(values: dict[str, Any]) -> Member:
            own = {"strategy": Strategy.parse(values["strategy"]), "parents": tuple(values["parents"])}
            return Member(**{**values, **own})

        def candidate(number: int, games: list[int], won: list[float], ahead: float) -> Candidate:
            return Candidate(family[number].strategy, tuple(games), tuple(won), ahead, number)

        hall, members = plain["hall"], plain["hall"]["members"]
        scores = np.array(hall["scores"], np.float64).reshape(len(members), len(members))
        family = {int(number): member(values) for number, values in plain["family"].items()}
        own = {
            "staying": tuple(candidate(**values) for values in plain["staying"]),
            "opponents": tuple(plain["opponents"]),
            "hall": Hall(tuple(members), scores, tuple(hall["anchors"])),
            "islands": tuple(map(tuple, plain["islands"])),
            "family": family,
        }
        return cls(**{**plain, **own})

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

    def __init__(self, lists: RandomLists, arena: Arena, seed: int, heart: Heart | None = None) -> None:
        self._lists, self._arena, self._seed, self._heart = lists, arena, seed, heart

    def next_state(self, state: EvolutionState) -> EvolutionState:
        """Return the state after one more generation."""
        rng = np.random.default_rng([self._seed, state.generation])
        if not state.hall.members:
            state = self._founded(state, rng)
        if not state.opponents:
            state = self._begun(state)
        state = self._generation(state, rng)
        if state.since >= PLAN.patience and state.care < state.most_care:
            state = replace(state, care=2 * state.care, since=0)
        best = state.staying[0]
        if state.since >= PLAN.patience or best.surely(PLAN.errors, self._weights(state)) > ENOUGH:
            state = self._ended(state)
        return replace(state, generation=state.generation + 1)

    def games_ahead(self, state: EvolutionState) -> int:
        """Return the most games that the next generation takes, those by which a list joins the hall included."""
        has_parents, care = bool(state.staying or state.goes_on_from), state.care if state.opponents else 1
        joining = ROOM if state.hall.members else FOUNDERS**2
        return SEATS * (PLAN.most_lists_in_sets(PLAN.staying, has_parents, care) + JOINING_SETS * joining)

    def _founded(self, state: EvolutionState, rng: np.random.Generator) -> EvolutionState:
        """Return the state with a hall of random lists."""
        for place in range(FOUNDERS):
            draw = FOUNDING[place % len(FOUNDING)]
            state = self._joined(*self._born(state, Member(self._drawn(rng, draw), draw)))
        return state

    def _begun(self, state: EvolutionState) -> EvolutionState:
        """Return the state at the beginning of a climb, with its opponents and the lists that it goes on from."""
        opponents = (state.leader,) if state.kind == "enemy" else state.hall.members
        nothing = (0,) * len(opponents), (0.0,) * len(opponents)
        staying = tuple(
            Candidate(state.family[number].strategy, *nothing, number=number) for number in state.goes_on_from
        )
        return replace(state, opponents=opponents, staying=staying, care=1, since=0)

    def _generation(self, state: EvolutionState, rng: np.random.Generator) -> EvolutionState:
        """Return the state after a round against opponents that the weights spread evenly over the sets."""
        weights, opponents = self._weights(state), state.strategies(state.opponents)
        members = self._new_members(state, rng)

        def play(strategies: list[Strategy], sets: range) -> tuple[Outcomes, NDArray[np.int64]]:
            places = np.searchsorted(np.cumsum(weights), np.arange(sets.start, sets.stop) * GOLDEN % 1.0)
            met = np.minimum(places, len(weights) - 1)
            return self._arena.play(strategies, [opponents[place] for place in met], sets), np.repeat(met, SEATS)

        after = play_round(list(members), state.staying, PLAN, play, state.sets, weights, state.care)
        surest, *_ = after.ranked
        before = after.parents[0].surely(PLAN.errors, weights) if after.parents else 0.0
        is_better = surest.surely(PLAN.errors, weights) > before + PLAN.step
        state, staying = replace(state, sets=after.next_set, games=state.games + after.games), []
        for each in after.ranked[: PLAN.staying]:
            number = each.number
            if number is None:
                state, number = self._born(state, members[each.strategy])
            staying.append(replace(each, number=number))
        return replace(state, staying=tuple(staying), since=0 if is_better else state.since + 1)

    def _weights(self, state: EvolutionState) -> Weights:
        """Return how much each opponent counts, as the best list of a climb does against them."""
        if len(state.opponents) == 1:
            return ALONE
        if state.staying and sum(state.staying[0].games):
            return state.hall.weights_against(state.staying[0].scores)
        if state.kind == "leader":
            return state.hall.weights_against(state.hall.scores[state.hall.leader])
        return state.hall.weights_against(np.full(len(state.opponents), 0.5))

    def _ended(self, state: EvolutionState) -> EvolutionState:
        """Return the state after a climb, whose best list joins the hall if it has earned a place."""
        best, leader = state.numbers[0], state.leader
        is_new = state.family[best].strategy not in state.strategies(state.hall.members)
        if is_new and (state.kind != "enemy" or state.staying[0].scores[state.opponents.index(leader)] > 0.5):
            state = self._joined(state, best)
        islands = list(state.islands)
        if state.kind == "island":
            islands[state.turn % len(ISLANDS)] = state.numbers
        hall = replace(state.hall, anchors=tuple(island[0] for island in islands if island)).with_room(ROOM)
        state = replace(state, climb=state.climb + 1, staying=(), opponents=(), islands=tuple(islands), hall=hall)
        needed = [*state.hall.members, *(number for island in islands for number in island)]
        return replace(state, family=_with_ancestors(state.family, needed))

    def _joined(self, state: EvolutionState, number: int) -> EvolutionState:
        """Return the state with a list in the hall, which has played against all its members."""
        sets = range(state.sets, state.sets + JOINING_SETS)
        scores, games = [], state.games
        members = state.strategies(state.hall.members)
        if members:
            # The members play the list, and not the list them, as then all of them are lists of one call.
            shares, _ = self._arena.play(members, [state.family[number].strategy] * len(sets), sets)
            scores, games = (1 - shares.mean(axis=1)).tolist(), games + shares.size
        return replace(state, hall=state.hall.joined(number, scores), games=games, sets=sets.stop)

    def _born(self, state: EvolutionState, member: Member) -> tuple[EvolutionState, int]:
        number = state.born
        member = replace(member, generation=state.generation, games=state.games)
        return replace(state, born=number + 1, family=state.family | {number: member}), number

    def _new_members(self, state: EvolutionState, rng: np.random.Generator) -> dict[Strategy, Member]:
        """Return the lists that are new in a generation, and how each of them came to be."""
        found, heart, parents = dict[Strategy, Member](), self.heart(state), state.numbers

        def new() -> Strategy:
            member = self._new_member(state, parents, rng)
            while heart is not None and not builds_on(member.strategy, heart):
                member = self._new_member(state, parents, rng)
            return found.setdefault(member.strategy, member).strategy

        number = PLAN.changed if parents else PLAN.drawn
        return {strategy: found[strategy] for strategy in distinct(number, new, state.strategies(parents))}

    def _new_member(self, state: EvolutionState, parents: Sequence[int], rng: np.random.Generator) -> Member:
        draw = rng.random()
        if not parents or draw < PLAN.fresh:
            name = state.draw or DRAWS[int(rng.integers(len(DRAWS)))]
            return Member(self._drawn(rng, name, self.heart(state)), name)
        first = parents[int(rng.integers(len(parents), size=2).min())]  # the better ones more often
        strategy = state.family[first].strategy
        if draw < PLAN.fresh + PLAN.crossed:
            others = [*parents, *state.hall.members] if state.kind == "leader" else parents
            second = others[int(rng.integers(len(others)))]
            crossed = self._lists.crossed(rng, strategy, state.family[second].strategy)
            return Member(crossed, "crossed", (first, second))
        return Member(self._lists.varied(rng, strategy), "changed", (first,))

    def heart(self, state: EvolutionState) -> Heart | None:
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
