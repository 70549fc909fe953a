"""Games whose answers are kept, as a player in them does not repeat itself: a model behind an API, or a budget in time.

Such a player is asked one decision after the other, so that what an answer takes is known of each game. The actions of all
seats are kept, so the games can be played again from their address without anybody being asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidAgent, InvalidOption
from dominion_env.players.agent import Agent, GivesUp, repeats_itself
from dominion_training.play.loop import Moment, Player, Seats

NO_ACTION = -1  # behind the last action of a game
WRONG = ("unreadable", "not_legal", "several", "empty")  # kinds of wrong answers in words
LIMITS = ("seconds", "tokens", "cost")
COUNTED = ("tokens", "cost", "failed", "answers", *WRONG, "fallbacks")  # what an agent may count in `used`

# What a seat has taken in a game, if its player does not repeat itself.
SPENT = np.dtype(
    [
        ("decisions", "i4"),  # number of decisions it was asked for
        ("seconds", "f8"),
        *((name, "f8") for name in COUNTED),
        ("over_limit", "i4"),  # 1 if it has lost the game by a limit
        ("gave_up", "i4"),  # 1 if it has given the game up
    ]
)


def are_recorded(players: Sequence[Player]) -> bool:
    """Return whether the answers of games between these players are kept."""
    return not all(repeats_itself(player.agent) for player in players)


def recorded_dtype(games: np.dtype[Any], players: int, longest: int) -> np.dtype[Any]:
    """Return the dtype of finished games with their answers.

    Args:
        games: dtype of the games without them.
        players: number of seats.
        longest: number of actions for which there is room.
    """
    return np.dtype([*games.descr, ("actions", "i2", (longest,)), ("spent", SPENT, (players,))])


def room_for_actions(games: NDArray[Any]) -> int | None:
    """Return for how many actions these games have room; None if no answers are kept with them."""
    names = games.dtype.names or ()
    return games["actions"].shape[1] if games.ndim == 1 and "actions" in names and games["actions"].ndim == 2 else None


def together(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the games of several parts as one array; all or none of the parts hold answers."""
    longest = max((room_for_actions(part) or 0 for part in parts), default=0)
    if not longest:
        return np.concatenate(parts)
    fields = [(each[0], each[1], (longest,)) if each[0] == "actions" else each for each in parts[0].dtype.descr]
    games, done = np.zeros(sum(map(len, parts)), fields), 0
    games["actions"] = NO_ACTION
    for part in parts:
        rows = games[done : done + len(part)]
        for name in part.dtype.names or ():
            (rows[name][:, : part[name].shape[1]] if name == "actions" else rows[name])[...] = part[name]
        done += len(part)
    return games


class RecordedSeats(Seats):
    """Players in the seats of games whose answers are kept. A game ends by an illegal action where a player has lost it so.

    Args:
        players, seating: as for `Seats`.
        limits: what a player may use in one game, by names of `LIMITS`. With the answer that goes beyond one, it has lost.
    """

    def __init__(self, players: Sequence[Player], seating: NDArray[np.integer], limits: Mapping[str, float]) -> None:
        super().__init__(players, seating)
        self._limits = limits
        self._actions: list[list[int]] = [[] for _ in seating]
        self._spent: NDArray[Any] = np.zeros(seating.shape, SPENT)
        self._repeats = np.array([repeats_itself(player.agent) for player in players])

    def actions(self, moment: Moment) -> NDArray[np.int64]:
        """See `Seats.actions`."""
        alone = moment.running & ~self._repeats[self._seating[moment.games, moment.batch.current_player]]
        actions = self.answers(moment, moment.running & ~alone)
        for row in np.flatnonzero(alone).tolist():
            actions[row] = self._asked(moment, row)
        for row in np.flatnonzero(moment.running).tolist():
            self._actions[moment.games[row]].append(int(actions[row]))
        return actions

    def _asked(self, moment: Moment, row: int) -> int:
        """Return the answer in one game, or an illegal action if the game is lost by a limit or given up."""
        game, seat = int(moment.games[row]), int(moment.batch.current_player[row])
        player = self.players[self._seating[game, seat]]
        before, start = used_by(player), perf_counter()
        action: int | None = None
        try:
            action = int(self.answers(moment, np.arange(len(moment.games)) == row)[row])
        except InvalidAgent as error:
            if not gave_up(error):
                raise
        spent = self._spent[game : game + 1, seat]  # a slice, into which can be written
        spent["seconds"] += perf_counter() - start
        spent["decisions"] += 1
        for name, total in used_by(player).items():
            spent[name] += total - before.get(name, 0)
        if any(spent[name][0] > most for name, most in self._limits.items()):
            spent["over_limit"], action = 1, None
        elif action is None:
            spent["gave_up"] = 1
        return int(moment.batch.action_mask[row].argmin()) if action is None else action

    def kept_with(self, games: NDArray[Any]) -> NDArray[Any]:
        """Return finished games with the actions of all their seats, and what the seats have taken."""
        longest = max(map(len, self._actions))
        kept = np.zeros(len(games), recorded_dtype(games.dtype, self._spent.shape[1], longest))
        for name in games.dtype.names or ():
            kept[name] = games[name]
        kept["spent"] = self._spent
        kept["actions"] = NO_ACTION
        for row, actions in enumerate(self._actions):
            kept["actions"][row, : len(actions)] = actions
        return kept


def gave_up(error: InvalidAgent) -> bool:
    """Return whether the error of an agent says that it gives its game up."""
    return isinstance(error.__cause__, GivesUp)


def used_by(player: Player) -> dict[str, float]:
    """Return what the player says that it has used so far.

    Raises:
        InvalidAgent: it says so in another form.
    """
    used: Any = None
    try:
        used = getattr(player.agent, "used", None)
        found = {} if used is None else {name: float(total) for name, total in used.items()}
    except (AttributeError, TypeError, ValueError, OverflowError):
        found = {"": 0}
    if not found.keys() <= set(COUNTED) or not all(0 <= total < inf for total in found.values()):
        raise InvalidAgent(
            f"agent {player.name}: `used`: expected a dictionary of numbers from 0 on by {', '.join(COUNTED)}, got "
            f"{shown(used)}"
        )
    return found


def check_limits(limits: Mapping[str, float], agents: Mapping[str, Agent]) -> None:
    """Check that limits are positive numbers, and that there is a player to whom they apply.

    Raises:
        InvalidOption: they are not, or there is none.
    """
    for name, most in limits.items():
        if name not in LIMITS or not most > 0:
            raise InvalidOption(f"limits: expected numbers above 0 by {', '.join(LIMITS)}, got {name} {shown(most)}")
    if limits and all(map(repeats_itself, agents.values())):
        raise InvalidOption(
            f"limits: expected an agent that does not repeat itself, to which they apply; got {', '.join(agents)}"
        )
