"""Games of buy lists among themselves: whole games in one compiled loop, on several cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.searching.playing import playouts
from dominion_agents.strategies.strategy import Strategy
from dominion_env import GameBatch
from dominion_env.common.checks import whole_number
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.players.agent import shown_to
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KingdomLike, one_set
from dominion_training.executors.runner import Rounds, Stoppable
from dominion_training.executors.work import Part
from dominion_training.lists.cutting import AT_ONCE, Outcomes, cut, together
from dominion_training.lists.random_lists import SOUGHT

GAMES_AT_ONCE = 4096  # games of one call of the loop
MOST_WORKERS = 256
SEATS = 2
# A part of 2,048 games takes 50 to 90 CPU milliseconds, and sending it three. A call of fewer than four such parts is played
# here, as waiting for the last of them would take longer than they are worth.
GAMES_OF_A_PART, WORTH_SENDING = 2048, 8192


class Arena(Stoppable):
    """Plays buy lists against each other, two at a table, by the same luck for all.

    A set is a pair of games with swapped seats. What a list does in a set depends on the seed, the set's number and the two
    lists alone, neither on the other lists of a call nor on the number of workers.

    Args:
        kingdom: one set of ten cards.
        seed: seed of the addresses.
        workers: number of threads that play; the loop leaves Python to the others meanwhile.
        rounds: what else plays, if anything, the calls that are worth sending.

    Raises:
        InvalidKingdom, UnknownCard, InvalidOption: the kingdom is not one set of ten cards, or a number is out of range.
    """

    def __init__(self, kingdom: KingdomLike, seed: int, workers: int = 1, rounds: Rounds | None = None) -> None:
        self._kingdom = [Card(number) for number in one_set(kingdom, SOUGHT)]
        self._seed = seed
        self._workers = whole_number("workers", workers, 1, MOST_WORKERS)
        self._threads = ThreadPoolExecutor(self._workers) if self._workers > 1 else None
        self._rounds = rounds

    def stop(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)

    def play(self, strategies: Sequence[Strategy], opponents: Sequence[Strategy], sets: range) -> Outcomes:
        """Let each list play the same sets.

        Args:
            strategies: the lists.
            opponents: the list that all of them meet in each set, one a set.
            sets: numbers of the sets.

        Returns:
            Share of the win, and points ahead, float64 (2, lists, games); games 2 s and 2 s + 1 are those of a set.
        """
        if self._rounds is not None and SEATS * len(strategies) * len(sets) >= WORTH_SENDING:
            return self._sent(self._rounds, strategies, opponents, sets)
        start = _Start(self._kingdom, self._seed, sets)
        at_once = max(1, GAMES_AT_ONCE // (SEATS * len(sets)))
        if self._threads is not None:
            at_once = min(at_once, -(-len(strategies) // self._workers))
        parts = [strategies[first : first + at_once] for first in range(0, len(strategies), at_once)]
        run = map if self._threads is None or len(parts) == 1 else self._threads.map
        return np.concatenate(list(run(lambda part: start.play(part, opponents), parts)), axis=1)

    def _sent(
        self, rounds: Rounds, strategies: Sequence[Strategy], opponents: Sequence[Strategy], sets: range
    ) -> Outcomes:
        cuts = cut(len(strategies), len(sets), SEATS, GAMES_OF_A_PART)
        parts = [
            ArenaPart(
                ArenaWork(tuple(self._kingdom), self._seed),
                tuple(strategies[rows]),
                tuple(opponents[which]),
                sets[which].start,
                sets[which].stop,
            )
            for rows, which in cuts
        ]
        return together(cuts, rounds.play(parts), len(strategies), SEATS * len(sets), SEATS)


@dataclass(frozen=True)
class ArenaWork:
    """The games of lists among themselves: a `Work`. Lists are no agents that need to be made: they travel in the parts.

    Attributes:
        kingdom: the ten cards.
        seed: seed of the addresses.
    """

    kingdom: tuple[Card, ...]
    seed: int

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return ()

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"kingdom": [int(card) for card in self.kingdom], "seed": self.seed}

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return ("arena",)

    def like(self) -> list[Part]:
        """Return parts that make an executor ready for those to come."""
        return [ArenaPart(self, (), (), 0, 0)] * AT_ONCE


@dataclass(frozen=True)
class ArenaPart:
    """Some lists in the sets from `start` to before `stop`: a `Part`.

    Attributes:
        work: the kingdom and the seed.
        strategies: the lists.
        opponents: the list that they meet in each set.
        start, stop: the sets.
    """

    work: ArenaWork
    strategies: tuple[Strategy, ...]
    opponents: tuple[Strategy, ...]
    start: int
    stop: int

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return kept.shape == (2, len(self.strategies), SEATS * (self.stop - self.start))

    def play(self, stopping: Callable[[], bool] | None = None) -> Outcomes:
        """See `Part`; it is too short to be stopped."""
        with Arena(self.work.kingdom, self.work.seed) as arena:
            return arena.play(self.strategies, self.opponents, range(self.start, self.stop))


class _Start:
    """The first positions of some sets; both games of a set begin with the same one."""

    def __init__(self, kingdom: list[Card], seed: int, sets: range) -> None:
        self._sets = np.arange(sets.start, sets.stop)
        self._batch = GameBatch(
            len(sets), SEATS, seed=seed, index=self._sets, autoreset=False, kingdom=kingdom, auto_treasures=True
        )
        self._seed = seed
        self._first = self._batch.current_player.astype(np.int64)

    def play(self, strategies: Sequence[Strategy], opponents: Sequence[Strategy]) -> Outcomes:
        """Play all sets with each list; see `Arena.play`."""
        known = {id(each): each for each in (*strategies, *opponents)}
        numbers = {key: number for number, key in enumerate(known)}
        lists = np.empty(len(known), object)
        lists[:] = list(known.values())
        own = np.array([numbers[id(each)] for each in strategies])
        other = np.array([numbers[id(each)] for each in opponents])
        place = np.tile(np.repeat(np.arange(len(other)), SEATS), len(own))  # which set a game belongs to
        seat = np.tile(np.arange(SEATS), len(own) * len(other))  # of the list
        rows = np.arange(len(place))
        seated = np.empty((len(place), SEATS), np.int64)
        seated[rows, seat] = np.repeat(own, SEATS * len(other))
        seated[rows, 1 - seat] = other[place]
        agent = ScriptedAgent(*lists)
        observations = shown_to(agent, self._batch, np.arange(len(other)))
        actions = agent.act_as(
            seated[rows, self._first[place]], observations[place], self._batch.action_mask[place],
            self._batch.policy_keys()[place],
        )  # fmt: skip
        # The world of a set is dealt by its own number; the seat that begins keeps the hand that it has chosen with.
        seeds = _luck(self._seed, self._sets)[place]
        shares, points = playouts(self._batch, place, actions, 1, lists[seated], seeds)
        won = shares[rows, 0, seat].astype(np.float64)
        ahead = points[rows, 0, seat].astype(np.float64) - points[rows, 0, 1 - seat]
        return np.stack([won, ahead]).reshape(2, len(own), SEATS * len(other))


def _luck(seed: int, sets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a seed for the luck of each set, uint64."""
    found: NDArray[np.uint64] = splitmix(splitmix(np.array([seed], np.uint64)) + sets.astype(np.uint64) * GAMMA)
    return found
