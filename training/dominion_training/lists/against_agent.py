"""Many buy lists against one agent in the same games, in one batch, so that the agent is asked for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents import ScriptedAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_env import GameBatch
from dominion_env.players.agent import gains_for, searches, shown_to
from dominion_training.executors.runner import Rounds
from dominion_training.executors.work import Part
from dominion_training.lists.cutting import AT_ONCE, Outcomes, cut, together
from dominion_training.play import roster
from dominion_training.play.loop import Player, Stopped, answers

GAMES_AT_ONCE = 2048
# Games of a part. A part of scripted lists takes 60 milliseconds however few its games are, and twice as much with 256. An
# agent that searches takes half a second and more for each game.
GAMES_OF_A_PART, GAMES_OF_A_SEARCHER = 512, 32


def play_against(
    strategies: Sequence[Strategy],
    against: Player,
    sets: range,
    seed: int,
    num_players: int = 2,
    stopping: Callable[[], bool] | None = None,
    **options: Any,
) -> Outcomes:
    """Let each list play the same sets of games against the agent, which has all seats but one.

    Args:
        strategies: the lists.
        against: the agent and its name.
        sets: numbers of the sets; set s has the address (seed, s, 0), and as many games as there are seats.
        seed: seed of the addresses.
        num_players: number of seats.
        stopping: function that is called before every step and returns True to stop.
        options: options of `GameBatch`.

    Raises:
        InvalidAgent: the agent raised an error, or its answer is not one legal action a row.
        DominionError: an option is wrong.
        Stopped: `stopping()` was true.
    """
    each = len(sets) * num_players
    at_once = max(1, GAMES_AT_ONCE // each)
    parts = [
        _play(strategies[start : start + at_once], against, sets, seed, num_players, stopping, options)
        for start in range(0, len(strategies), at_once)
    ]
    return np.concatenate(parts, axis=1)


def _play(
    strategies: Sequence[Strategy],
    against: Player,
    sets: range,
    seed: int,
    num_players: int,
    stopping: Callable[[], bool] | None,
    options: dict[str, Any],
) -> Outcomes:
    each = len(sets) * num_players
    rotation = np.tile(np.arange(num_players), len(strategies) * len(sets))  # the seat of the list in each game
    lists = np.repeat(np.arange(len(strategies)), each)
    index = np.tile(np.repeat(np.arange(sets.start, sets.stop), num_players), len(strategies))
    batch = GameBatch(len(index), num_players, seed=seed, index=index, autoreset=False, **options)
    outcomes = np.zeros((2, len(index)))
    place, running = np.arange(len(index)), np.ones(len(index), np.bool_)
    buyers, gains = ScriptedAgent(*strategies), gains_for(batch, [against.agent])
    while running.any():
        if stopping is not None and stopping():
            raise Stopped
        if 2 * running.sum() < len(running):  # the long games go on among themselves
            rows = np.flatnonzero(running)
            batch, place, running = batch.take(rows), place[rows], np.ones(len(rows), np.bool_)
            gains = None if gains is None else gains.take(batch, rows)
        actions = np.zeros(batch.num_games, np.int64)
        theirs = batch.current_player == rotation[place]
        if (rows := np.flatnonzero(running & theirs)).size:
            masks, keys = batch.action_mask[rows], batch.policy_keys()[rows]
            actions[rows] = buyers.act_as(lists[place[rows]], shown_to(buyers, batch, rows), masks, keys)
        if (rows := np.flatnonzero(running & ~theirs)).size:
            actions[rows] = answers(against, batch, rows, gains)
        _, terminated, truncated = batch.step(actions)
        if gains is not None:
            gains.update()
        if (rows := np.flatnonzero(running & (terminated | truncated))).size:
            running[rows] = False
            outcomes[:, place[rows]] = _outcomes(batch, rows, rotation[place[rows]], truncated[rows])
    return outcomes.reshape(2, len(strategies), each)


def _outcomes(
    batch: GameBatch, rows: NDArray[np.int64], seats: NDArray[np.int64], truncated: NDArray[np.bool_]
) -> NDArray[np.float64]:
    final, among = batch.final, np.arange(len(rows))
    winners = np.where(truncated[:, None], True, final.winners[rows])
    points = final.scores[rows].astype(np.float64)
    others = points.copy()
    others[among, seats] = -np.inf
    return np.stack([winners[among, seats] / winners.sum(axis=1), points[among, seats] - others.max(axis=1)])


@dataclass(frozen=True)
class AgentGames:
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
        return [AgentGamesPart(self, (), 0, 0)] * AT_ONCE

    def play(
        self, strategies: Sequence[Strategy], sets: range, rounds: Rounds, stopping: Callable[[], bool] | None = None
    ) -> Outcomes:
        """Let each list play the same sets, as `play_against` does.

        Raises:
            InvalidAgent: the agent raised an error, or its answer is not one legal action a row.
            DominionError: nothing can be played any more.
            Stopped: `stopping()` was true after a part.
        """
        most = GAMES_OF_A_SEARCHER if searches(roster.HERE.agent(self.agent)) else GAMES_OF_A_PART
        cuts = cut(len(strategies), len(sets), self.num_players, most)
        parts = [
            AgentGamesPart(self, tuple(strategies[rows]), sets[which].start, sets[which].stop) for rows, which in cuts
        ]
        games = len(sets) * self.num_players
        return together(cuts, rounds.play(parts, stopping), len(strategies), games, self.num_players)


@dataclass(frozen=True)
class AgentGamesPart:
    """Some lists in the sets from `start` to before `stop`: a `Part`."""

    work: AgentGames
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
        return play_against(self.strategies, against, sets, work.seed, work.num_players, stopping, **work.options)
