"""Work that is played in parts: what a work and a part of it are, and matches as the main kind of work.

A part of a match is a range of its sets. Which games are in which part depends on their numbers alone, so results do not
depend on the number of processes that play. `trials.py` has the other kind of work.

Agents that search take a thousand times as long as others, so their games are dealt out in smaller parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from dominion_env.agent import searches
from dominion_training.evaluate.match import lineup, sets_of
from dominion_training.play import roster
from dominion_training.play.loop import Player
from dominion_training.play.seeds import drawn_seed
from dominion_training.play.sets import Games, game_dtype, play_sets

SETS_PER_PART, SETS_OF_SEARCHERS = 500, 10


class Work(Protocol):
    """Games whose results a folder can hold, such as those of a match."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Specifications of all agents that play."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that all works of one folder share, as plain values for JSON."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Words that tell this work from the others of its folder."""
        ...


class Part(Protocol):
    """A part of a work: one process, to which it is sent, plays it in one piece."""

    @property
    def work(self) -> Work:
        """The work that this is a part of."""
        ...

    @property
    def start(self) -> int:
        """Number of the first set or game of the work that is in this part."""
        ...

    @property
    def stop(self) -> int:
        """Number of the first set or game after this part."""
        ...

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Play this part in this process; raises `Stopped` between two decisions when `stopping()` is true."""
        ...

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """Whether an array that was kept has the form of what `play` returns."""
        ...


@runtime_checkable
class WritingPart(Part, Protocol):
    """A part whose `play` writes files. A machine that does not reach their folder plays it in two steps."""

    def away(self) -> Part:
        """Return a part that plays the same on another machine; what it returns holds the files."""
        ...

    def brought(self, found: NDArray[Any]) -> NDArray[Any]:
        """Write the files that the part played away has brought, and return what `play` would have returned.

        Raises:
            DominionError: a file can't be written.
        """
        ...


@dataclass(frozen=True)
class Match:
    """Two agents that meet, and the games they play.

    Attributes:
        first, second: specifications of agents (`entrants.make_entrant`); the second one has all seats but one.
        kingdom: a name, or ten card names with commas between.
        num_players: number of seats, 2 to 6.
        seed: seed of the games' addresses; 64 random bits by default, see `seeds`.
        options: other options of `GameBatch`.
    """

    first: str
    second: str
    kingdom: str = "first-game-2e"
    num_players: int = 2
    seed: int = field(default_factory=drawn_seed)
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.first, self.second

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"players": self.num_players, "seed": self.seed, "options": dict(self.options)}

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.first, self.second, self.kingdom

    def parts(self, num_games: int) -> list[MatchPart]:
        """Return that many games of this match in parts.

        Raises:
            InvalidOption: the games are no complete sets, or the number of players is not 2 to 6.
        """
        num_sets = sets_of(num_games, self.num_players)
        slow = any(searches(roster.HERE.agent(spec)) for spec in self.agents)
        each = SETS_OF_SEARCHERS if slow else SETS_PER_PART
        return [MatchPart(self, start, min(start + each, num_sets)) for start in range(0, num_sets, each)]

    def addresses(self, num_games: int) -> dict[str, Any]:
        """Return where the games of this match are found again: of each set one address, once for each rotation."""
        return {
            "seed": self.seed,
            "index": [0, sets_of(num_games, self.num_players) - 1],
            "episode": 0,
            "rotations": self.num_players,
            "kingdom": self.kingdom,
            "players": self.num_players,
            "options": dict(self.options),
        }


@dataclass(frozen=True)
class MatchPart:
    """The sets of a match from `start` to before `stop`: a `Part`."""

    work: Match
    start: int
    stop: int

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        players = self.work.num_players
        return len(kept) == (self.stop - self.start) * players and kept.dtype == game_dtype(players)

    def play(self, stopping: Callable[[], bool] | None = None) -> Games:
        """See `Part`."""
        match = self.work
        first, second = (Player(spec, roster.HERE.agent(spec)) for spec in match.agents)
        players = lineup(first, second, match.num_players)
        sets = range(self.start, self.stop)
        return play_sets(players, sets, match.seed, stopping=stopping, kingdom=match.kingdom, **match.options)


def agents_of(works: Iterable[Work]) -> list[str]:
    """Return the specifications of all agents of these works, each once, in alphabetical order."""
    return sorted({spec for work in works for spec in work.agents})
