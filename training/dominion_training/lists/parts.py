"""Games of many buy lists in parts, for other processes and machines: some lists and some sets of a step each.

How a step is cut does not depend on who plays it. What a list does in a set depends on these two and on the opponent there,
so that the outcomes of the parts, put together, are those of the step in one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_env.agent import searches
from dominion_training.executors.runner import Rounds
from dominion_training.executors.work import Part
from dominion_training.lists.field import Outcomes, play_field
from dominion_training.play import roster
from dominion_training.play.loop import Player

# Games of a part against an agent. A part of scripted lists takes 60 milliseconds however few its games are, and twice as
# much with 256. An agent that searches takes half a second and more for each game.
GAMES_OF_A_PART, GAMES_OF_A_SEARCHER = 512, 32
AT_ONCE = 32  # parts of a round that may be played at the same time

Cut = tuple[slice, slice]
"""The lists and the sets of a part."""


def cut(lists: int, sets: int, games_of_a_set: int, most: int) -> list[Cut]:
    """Return the parts of a step, none of more games than `most` unless a single set is.

    Args:
        lists: number of lists.
        sets: number of sets that each of them plays.
        games_of_a_set: number of games of a set.
        most: number of games of a part.
    """
    sets_at_once = min(sets, max(1, most // games_of_a_set))
    lists_at_once = max(1, most // (sets_at_once * games_of_a_set)) if sets_at_once == sets else 1
    return [
        (slice(first, min(first + lists_at_once, lists)), slice(start, min(start + sets_at_once, sets)))
        for first in range(0, lists, lists_at_once)
        for start in range(0, sets, sets_at_once)
    ]


def together(
    cuts: Sequence[Cut], outcomes: Sequence[Outcomes], lists: int, games: int, games_of_a_set: int
) -> Outcomes:
    """Return the outcomes of a step, float64 (2, lists, games), from those of its parts."""
    found = np.empty((2, lists, games))
    for (rows, sets), outcome in zip(cuts, outcomes, strict=True):
        found[:, rows, sets.start * games_of_a_set : sets.stop * games_of_a_set] = outcome
    return found


@dataclass(frozen=True)
class Field:
    """The games of many lists against one agent: a `Work`.

    Attributes:
        agent: specification of the agent.
        seed: seed of the addresses.
        num_players: number of seats; the agent has all but one.
        options: options of `GameBatch`.
    """

    agent: str
    seed: int
    num_players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return (self.agent,)

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"players": self.num_players, "seed": self.seed, "options": dict(self.options)}

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return "field", self.agent

    def like(self) -> list[Part]:
        """Return parts that make an executor ready for those to come."""
        return [FieldPart(self, (), 0, 0)] * AT_ONCE

    def play(
        self,
        strategies: Sequence[Strategy],
        sets: range,
        rounds: Rounds,
        stopping: Callable[[], bool] | None = None,
    ) -> Outcomes:
        """Let each list play the same sets, as `play_field` does.

        Raises:
            InvalidAgent: the agent raised an error, or its answer is not one legal action a row.
            DominionError: nothing can be played any more.
            Stopped: `stopping()` was true after a part.
        """
        most = GAMES_OF_A_SEARCHER if searches(roster.HERE.agent(self.agent)) else GAMES_OF_A_PART
        cuts = cut(len(strategies), len(sets), self.num_players, most)
        parts = [FieldPart(self, tuple(strategies[rows]), sets[which].start, sets[which].stop) for rows, which in cuts]
        games = len(sets) * self.num_players
        return together(cuts, rounds.play(parts, stopping), len(strategies), games, self.num_players)


@dataclass(frozen=True)
class FieldPart:
    """Some lists in the sets from `start` to before `stop`: a `Part`."""

    work: Field
    strategies: tuple[Strategy, ...]
    start: int
    stop: int

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return kept.shape == (2, len(self.strategies), (self.stop - self.start) * self.work.num_players)

    def play(self, stopping: Callable[[], bool] | None = None) -> Outcomes:
        """See `Part`."""
        work = self.work
        against = Player(work.agent, roster.HERE.agent(work.agent))
        sets = range(self.start, self.stop)
        return play_field(self.strategies, against, sets, work.seed, work.num_players, stopping, **work.options)
