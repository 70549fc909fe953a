"""The loop that plays games to their ends: it asks the players of a batch, each at once for all its games and seats.

Whoever plays games goes through its moments, and keeps what it wants to know of each. A learner's rollouts, the compiled
loops and a table with a person have loops of their own.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.own_code.adapters import FAILURES
from dominion_env import GameBatch
from dominion_env.common.errors import InvalidAgent, InvalidKingdom
from dominion_env.core.address import address_of
from dominion_env.players.agent import Agent, ask, gains_for, repeats_itself
from dominion_env.players.situation import Gains
from dominion_env.tables.actions import NUM_ACTIONS

_NOBODY = -1


class Player(NamedTuple):
    """An agent and its name in tables and errors."""

    name: str
    agent: Agent


class Stopped(Exception):
    """Raised between two decisions when `stopping()` is true."""


class RaisedElsewhere(Exception):
    """An error of an agent in another process; its text is what that process says of it."""


@dataclass(frozen=True)
class Moment:
    """A moment between two decisions of games that are played side by side.

    Attributes:
        batch: the games.
        games: the number of the game in each row, int64 (rows,).
        running: whether the game of a row goes on, bool (rows,).
        ended: the rows whose games have ended by the last decision, int64 (ended,).
        gains: what was gained so far, where an agent searches; None where nobody wants to know it.
    """

    batch: GameBatch
    games: NDArray[np.int64]
    running: NDArray[np.bool_]
    ended: NDArray[np.int64]
    gains: Gains | None

    def narrowed(self) -> Moment:
        """Return the same moment of the games that go on alone."""
        rows = np.flatnonzero(self.running)
        batch = self.batch.take(rows)
        gains = None if self.gains is None else self.gains.take(batch, rows)
        return Moment(batch, self.games[rows], np.ones(len(rows), np.bool_), np.zeros(0, np.int64), gains)

    def after(self, actions: NDArray[np.int64]) -> Moment:
        """Carry out an action in each row, and return the moment that follows."""
        self.batch.step(actions)
        if self.gains is not None:
            self.gains.update()
        running = self.batch.state["over"] == 0
        return Moment(self.batch, self.games, running, np.flatnonzero(self.running & ~running), self.gains)


class Seats:
    """Players in the seats of games.

    Args:
        players: the players.
        seating: the number of the player in each seat of each game, int (games, seats).
    """

    def __init__(self, players: Sequence[Player], seating: NDArray[np.integer]) -> None:
        self.players = players
        agents = [id(player.agent) for player in players]
        self._first = np.array([agents.index(agent) for agent in agents])  # an agent is asked once, whatever its seats
        self._seating = self._first[seating]
        self._shown: NDArray[np.float32] | None = None

    def actions(self, moment: Moment) -> NDArray[np.int64]:
        """Return an action for every row, 0 for those whose games have ended.

        Raises:
            InvalidAgent: as `answers`.
        """
        return self.answers(moment, moment.running)

    def answers(
        self,
        moment: Moment,
        among: NDArray[np.bool_],
        instead: Callable[[Player, NDArray[np.int64]], Player] = lambda player, rows: player,
    ) -> NDArray[np.int64]:
        """Return the actions of the players in some rows, and 0 in all others.

        Args:
            moment: the moment.
            among: the rows in which players are asked, bool (rows,).
            instead: function that returns who answers for a player in some rows.

        Raises:
            InvalidAgent: an agent raised an error, or its answer is not one legal action a row.
        """
        batch = moment.batch
        if self._shown is None:
            self._shown = np.zeros((batch.num_games, batch.observation_size), np.float32)
        actions, keys = np.zeros(batch.num_games, np.int64), batch.policy_keys()
        asked = np.where(among, self._seating[moment.games, batch.current_player], _NOBODY)
        for number in np.unique(self._first):
            if (rows := np.flatnonzero(asked == number)).size:
                player, shown = instead(self.players[number], rows), self._shown[: len(rows)]
                actions[rows] = answers(player, batch, rows, moment.gains, shown, keys)
        return actions


def play(
    batch: GameBatch, seats: Seats, stopping: Callable[[], bool] | None = None, narrowing: bool = False
) -> Iterator[Moment]:
    """Play the games of a batch to their ends.

    Args:
        batch: the games, which do not begin again by themselves.
        seats: who plays them.
        stopping: function that is called before every step and returns True to stop.
        narrowing: whether long games go on among themselves, as soon as most have ended. The batch of a moment is then
            another one, and `Moment.games` says which of its rows are which games.

    Yields:
        The moment before the first decision, and the one after each step.

    Raises:
        InvalidAgent: an agent raised an error, or its answer is not one legal action a row.
        Stopped: `stopping()` was true.
    """
    everyone, running = np.arange(batch.num_games), batch.state["over"] == 0
    gains = gains_for(batch, [player.agent for player in seats.players])
    moment = Moment(batch, everyone, running, np.zeros(0, np.int64), gains)
    yield moment
    while moment.running.any():
        if stopping is not None and stopping():
            raise Stopped
        if narrowing and 2 * moment.running.sum() < len(moment.running):
            moment = moment.narrowed()
        moment = moment.after(seats.actions(moment))
        yield moment


def answers(
    player: Player,
    batch: GameBatch,
    rows: NDArray[np.int64],
    gains: Gains | None = None,
    shown: NDArray[np.float32] | None = None,
    keys: NDArray[np.uint64] | None = None,
) -> NDArray[np.int64]:
    """Return the agent's actions in these games, int64 (rows,), after checking that they are legal.

    The arguments are those of `dominion_env.players.agent.ask`.

    Raises:
        InvalidAgent: the agent raised an error, or its answer is not one legal action a row.
    """
    masks = batch.action_mask[rows]
    try:
        answer = np.asarray(ask(player.agent, batch, rows, gains, shown, keys))
    except FAILURES as error:
        first, told = _failure(player, batch, rows, gains, error)
        raise InvalidAgent(told, _address(batch, first)) from error
    if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
        raise InvalidAgent(
            f"agent {player.name}: asked for {len(rows)} decisions, the first of them {_where(batch, int(rows[0]))}: "
            f"expected ints of shape ({len(rows)},), got {answer.dtype} of shape {answer.shape}",
            _address(batch, int(rows[0])),
        )
    inside = (answer >= 0) & (answer < NUM_ACTIONS)
    legal = inside & masks[np.arange(len(rows)), np.where(inside, answer, 0).astype(np.int64)]
    if not legal.all():
        wrong = int((~legal).argmax())
        told = batch.why_illegal(int(rows[wrong]), int(answer[wrong]))
        raise InvalidAgent(f"agent {player.name}: {told}", _address(batch, int(rows[wrong])))
    return answer.astype(np.int64)


def _failure(
    player: Player, batch: GameBatch, rows: NDArray[np.int64], gains: Gains | None, error: BaseException
) -> tuple[int, str]:
    """Find the decision at which the agent raises an error, by asking for one after the other; return its row, and words.

    An agent that does not repeat itself is not asked again.
    """
    first = 0
    for number in range(len(rows) if repeats_itself(player.agent) else 0):
        try:
            ask(player.agent, batch, rows[number : number + 1], gains)
        except FAILURES as alone:
            first, error = number, alone
            break
    frame = traceback.extract_tb(error.__traceback__)[-1]
    raised = f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"
    if isinstance(error, RaisedElsewhere):
        raised = str(error)
    row = int(rows[first])
    if isinstance(error, InvalidKingdom):  # the user's choice of a kingdom, and no fault of the agent
        return row, f"agent {player.name}: {str(error).removeprefix('row 0: ')} (in {batch.name_of(row)})"
    return row, f"agent {player.name}: raised {raised} when asked in {_where(batch, row)}"


def _where(batch: GameBatch, row: int) -> str:
    return f"{batch.name_of(row)}: {batch.question(row)}"


def _address(batch: GameBatch, row: int) -> tuple[int, int, int]:
    address = address_of(batch.state[row])
    return address["seed"], address["index"], address["episode"]
