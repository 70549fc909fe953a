"""Matches as works that an executor plays: a part is a range of the sets of a match.

Agents that search take a thousand times as long as others, so their games are dealt out in smaller parts. What an agent
has answered that does not repeat itself can't be asked again, so each of its sets is a part, which is kept at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from dominion_env.players.agent import repeats_itself, searches
from dominion_training.evaluate.match import lineup, sets_of
from dominion_training.executors.work import agents_of
from dominion_training.play import roster
from dominion_training.play.loop import Player
from dominion_training.play.recorded import check_limits, recorded_dtype, room_for_actions
from dominion_training.play.seeds import drawn_seed
from dominion_training.play.sets import Games, game_dtype, play_sets

SETS_PER_PART, SETS_OF_SEARCHERS = 500, 10


@dataclass(frozen=True)
class Meeting:
    """Two agents that meet, and where: what the works of two agents have in common.

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


@dataclass(frozen=True)
class Match(Meeting):
    """The games of two agents that meet: a `Work`.

    Attributes:
        limits: what an agent that does not repeat itself may use in a game; see `RecordedSeats`.
    """

    limits: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return super().settings | ({"limits": dict(self.limits)} if self.limits else {})

    def parts(self, num_games: int) -> list[MatchPart]:
        """Return that many games of this match in parts.

        Raises:
            InvalidOption: the games are no complete sets, or the number of players is not 2 to 6.
        """
        num_sets = sets_of(num_games, self.num_players)
        agents = [roster.HERE.player(spec) for spec in self.agents]
        each = SETS_OF_SEARCHERS if any(map(searches, agents)) else SETS_PER_PART
        if not all(map(repeats_itself, agents)):
            each = 1
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
        players, room = self.work.num_players, room_for_actions(kept)
        dtype = game_dtype(players)
        expected = dtype if room is None else recorded_dtype(dtype, players, room)
        return len(kept) == (self.stop - self.start) * players and kept.dtype == expected

    def play(self, stopping: Callable[[], bool] | None = None) -> Games:
        """See `Part`."""
        match = self.work
        first, second = (Player(spec, roster.HERE.player(spec)) for spec in match.agents)
        players = lineup(first, second, match.num_players)
        sets = range(self.start, self.stop)
        return play_sets(
            players, sets, match.seed, stopping=stopping, limits=match.limits, kingdom=match.kingdom, **match.options
        )


def check_limits_of(matches: Sequence[Match]) -> None:
    """Check the limits of matches, which are the same in all; see `check_limits`.

    Raises:
        InvalidOption: they are wrong, or no agent of any match is one to which they apply.
        DominionError: an agent can't be made.
    """
    check_limits(matches[0].limits, {spec: roster.HERE.player(spec) for spec in agents_of(matches)})
