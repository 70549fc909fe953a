"""Games between agents, played in sets with the same luck for every rotation of the players through the seats.

A set of `p` players is `p` games of one address. In rotation r the player at place i of the lineup sits in seat
(i + r) % p. Random streams belong to the seats, so in each game of a set another player gets the luck of seat 0.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dominion_agents.own_code.adapters import FAILURES
from dominion_env import GameBatch
from dominion_env.actions import NUM_ACTIONS
from dominion_env.agent import Agent, ask, check_fields, check_players, gains_for
from dominion_env.core.address import address_of
from dominion_env.errors import InvalidAgent, InvalidKingdom, InvalidOption
from dominion_env.rules.state import PILES, PROVINCES, TRUNCATED
from dominion_env.situation import Gains
from dominion_training.evaluate.isolated import RaisedElsewhere

ENDINGS = {PROVINCES: "Provinces", PILES: "piles", TRUNCATED: "truncated"}  # codes of `GameBatch.final.ended`
GAMES_AT_ONCE = 1024  # more are no faster, as the loop around the games then costs less than the games

OWN = {"num_games", "num_players", "seed", "index", "episode", "autoreset"}  # options of GameBatch that are set here
OPTIONS = tuple(name for name in inspect.signature(GameBatch).parameters if name not in OWN)

Games = NDArray[Any]
"""Finished games, shape (games,), of `game_dtype`."""

Watching: TypeAlias = Callable[[GameBatch, NDArray[Any], NDArray[Any], NDArray[np.bool_]], None]
"""A function of running games: the batch, and for each row its set, its rotation and whether it still runs."""


class Player(NamedTuple):
    """An agent and its name in tables and errors."""

    name: str
    agent: Agent


class Stopped(Exception):
    """Raised between two decisions when `stopping()` is true."""


def game_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of a finished game at the address (seed, set, 0); fields for players are in order of seats."""
    return np.dtype(
        [
            ("set", "i8"),
            ("rotation", "i1"),  # the player at place i of the lineup had the seat (i + rotation) % players
            ("starter", "i1"),  # the seat that had the first turn
            ("shares", "f8", (players,)),  # shares of the win: 1 for a single winner, equal shares if truncated
            ("points", "i2", (players,)),
            ("turns", "i2", (players,)),
            ("rounds", "i2"),
            ("ended", "i1"),  # see `ENDINGS`
            ("kingdom", "i1", (10,)),  # numbers of `Card`
        ]
    )


def play_sets(
    lineup: Sequence[Player],
    sets: range,
    seed: int = 0,
    games_at_once: int = GAMES_AT_ONCE,
    stopping: Callable[[], bool] | None = None,
    watching: Watching | None = None,
    **options: Any,
) -> Games:
    """Play sets of games to their ends.

    The result depends on the addresses alone, not on how many games are played at once.

    Args:
        lineup: 2 to 6 players; an agent that has several places decides for all its seats at once.
        sets: numbers of the sets.
        seed: seed of the addresses.
        games_at_once: largest number of games in memory.
        stopping: function that is called before every step and returns True to stop.
        watching: function that is called before every step, see `Watching`.
        options: options of `GameBatch` in `OPTIONS`, which are all but those in `OWN`.

    Returns:
        The games, in order of set and rotation.

    Raises:
        InvalidAgent: an agent raised an error, or its answer is not one legal action a row.
        InvalidOption: the lineup is not 2 to 6 players, the game is over in the start position, or an agent names
            unknown fields.
        DominionError: an option is wrong.
        Stopped: `stopping()` was true.
    """
    if not 2 <= len(lineup) <= 6:
        raise InvalidOption(f"lineup: expected 2 to 6 players, got {len(lineup)}")
    if unknown := [name for name in options if name not in OPTIONS]:
        raise InvalidOption(f"options: expected some of {', '.join(OPTIONS)}, got {', '.join(unknown)}")
    for player in lineup:
        check_fields(player.agent)
        check_players(player.name, player.agent, len(lineup))
    at_once = max(1, games_at_once // len(lineup))
    parts = [
        _play(lineup, range(start, min(start + at_once, sets.stop)), seed, stopping, options, watching)
        for start in range(sets.start, sets.stop, at_once)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, game_dtype(len(lineup)))


def _play(
    lineup: Sequence[Player],
    sets: range,
    seed: int,
    stopping: Callable[[], bool] | None,
    options: dict[str, Any],
    watching: Watching | None = None,
) -> Games:
    num_players = len(lineup)
    games = np.zeros(len(sets) * num_players, game_dtype(num_players))
    games["set"] = np.repeat(np.arange(sets.start, sets.stop), num_players)
    games["rotation"] = np.tile(np.arange(num_players), len(sets))
    batch = GameBatch(len(games), num_players, seed=seed, index=games["set"], autoreset=False, **options)
    if batch.state["over"].any():
        raise InvalidOption("start: expected a position to play from, got one in which the game is over")
    games["starter"] = batch.state["start_player"]
    place = np.arange(len(games))  # the game in each row of the batch
    running = np.ones(len(games), np.bool_)
    rotation = games["rotation"].copy()
    shown = np.zeros((len(games), batch.observation_size), np.float32)
    gains = gains_for(batch, [player.agent for player in lineup])
    while running.any():
        if stopping is not None and stopping():
            raise Stopped
        if watching is not None:
            watching(batch, games["set"][place], rotation[place], running)
        if 2 * running.sum() < len(running):  # the long games go on among themselves
            rows = np.flatnonzero(running)
            batch, place, running = batch.take(rows), place[rows], np.ones(len(rows), np.bool_)
            gains = None if gains is None else gains.take(batch, rows)
        actions = _decide(lineup, batch, rotation[place], running, gains, shown)
        _, terminated, truncated = batch.step(actions)
        if gains is not None:
            gains.update()
        rows = np.flatnonzero(running & (terminated | truncated))
        if rows.size:
            running[rows] = False
            final, done = batch.final, place[rows]
            winners = np.where(truncated[rows, None], True, final.winners[rows])
            games["shares"][done] = winners / winners.sum(axis=1, keepdims=True)
            for field in ("rounds", "ended", "kingdom", "turns"):
                games[field][done] = getattr(final, field)[rows]
            games["points"][done] = final.scores[rows]
    return games


def _decide(
    lineup: Sequence[Player],
    batch: GameBatch,
    rotation: NDArray[Any],
    running: NDArray[np.bool_],
    gains: Gains | None,
    shown: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Return an action for every game, PASS for finished ones; each agent is asked once, for all its games and seats.

    Observations are written into `shown`, float32 (games, observation_size).
    """
    num_players = len(lineup)
    actions = np.zeros(batch.num_games, np.int64)
    keys, asked = batch.policy_keys(), (batch.current_player - rotation) % num_players
    places: dict[int, list[int]] = {}
    for number, player in enumerate(lineup):
        places.setdefault(id(player.agent), []).append(number)
    for numbers in places.values():
        theirs = np.zeros(num_players, np.bool_)
        theirs[numbers] = True
        rows = np.flatnonzero(running & theirs[asked])
        if rows.size:
            actions[rows] = answers(lineup[numbers[0]], batch, rows, gains, shown[: len(rows)], keys)
    return actions


def answers(
    player: Player,
    batch: GameBatch,
    rows: NDArray[np.int64],
    gains: Gains | None = None,
    shown: NDArray[np.float32] | None = None,
    keys: NDArray[np.uint64] | None = None,
) -> NDArray[np.int64]:
    """Return the agent's actions in these games, int64 (rows,), after checking that they are legal.

    The arguments are those of `dominion_env.agent.ask`.

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
    """Find the decision at which the agent raises an error, by asking for one after the other; return its row, and words."""
    first = 0
    for number in range(len(rows)):
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
