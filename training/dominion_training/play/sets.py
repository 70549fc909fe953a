"""Games between agents, played in sets with the same luck for every rotation of the players through the seats.

A set of `p` players is `p` games of one address. In rotation r the player at place i of the lineup sits in seat
(i + r) % p. Random streams belong to the seats, so in each game of a set another player gets the luck of seat 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import check_fields, check_players
from dominion_env.rules.record.state import ILLEGAL, PILES, PROVINCES, TRUNCATED
from dominion_training.play.loop import Moment, Player, Seats, play
from dominion_training.play.recorded import RecordedSeats, are_recorded, together

ENDINGS = {PROVINCES: "Provinces", PILES: "piles", TRUNCATED: "truncated"}  # codes of `GameBatch.final.ended`
FORFEIT = {ILLEGAL: "forfeit"}  # another one, of recorded games alone
GAMES_AT_ONCE = 1024  # more are no faster, as the loop around the games then costs less than the games

OWN = {"num_games", "num_players", "seed", "index", "episode", "autoreset"}  # options of GameBatch that are set here
OPTIONS = tuple(name for name in inspect.signature(GameBatch).parameters if name not in OWN)

Games = NDArray[Any]
"""Finished games, shape (games,), of `game_dtype`, or of `recorded_dtype` if their answers are kept."""

Watching: TypeAlias = Callable[[GameBatch, NDArray[Any], NDArray[Any], NDArray[np.bool_]], None]
"""A function of running games: the batch, and for each row its set, its rotation and whether it still runs."""


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
            ("ended", "i1"),  # see `ENDINGS` and `FORFEIT`
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
    limits: Mapping[str, float] | None = None,
    **options: Any,
) -> Games:
    """Play sets of games to their ends.

    The result depends on the addresses alone, not on how many games are played at once. If a player does not repeat itself,
    all answers are kept with the games (`recorded.py`).

    Args:
        lineup: 2 to 6 players; an agent that has several places decides for all its seats at once.
        sets: numbers of the sets.
        seed: seed of the addresses.
        games_at_once: largest number of games in memory.
        stopping: function that is called before every step and returns True to stop.
        watching: function that is called before every step, see `Watching`.
        limits: as for `RecordedSeats`, for players that do not repeat themselves.
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
        _play(lineup, range(start, min(start + at_once, sets.stop)), seed, stopping, options, watching, limits or {})
        for start in range(sets.start, sets.stop, at_once)
    ]
    return together(parts) if parts else np.zeros(0, game_dtype(len(lineup)))


def _play(
    lineup: Sequence[Player],
    sets: range,
    seed: int,
    stopping: Callable[[], bool] | None,
    options: dict[str, Any],
    watching: Watching | None,
    limits: Mapping[str, float],
) -> Games:
    num_players, recorded = len(lineup), are_recorded(lineup)
    if recorded:
        options = {**options, "illegal": "lose"}
    if any(getattr(player.agent, "wants_events", False) for player in lineup):
        options = {**options, "record": True}  # from the setup on
    games = np.zeros(len(sets) * num_players, game_dtype(num_players))
    games["set"] = np.repeat(np.arange(sets.start, sets.stop), num_players)
    games["rotation"] = np.tile(np.arange(num_players), len(sets))
    batch = GameBatch(len(games), num_players, seed=seed, index=games["set"], autoreset=False, **options)
    if batch.state["over"].any():
        raise InvalidOption("start: expected a position to play from, got one in which the game is over")
    games["starter"] = batch.state["start_player"]
    seating = (np.arange(num_players) - games["rotation"][:, None]) % num_players
    seats = RecordedSeats(lineup, seating, limits) if recorded else Seats(lineup, seating)
    for moment in play(batch, seats, stopping, narrowing=True):
        if watching is not None and moment.running.any():
            watching(moment.batch, games["set"][moment.games], games["rotation"][moment.games], moment.running)
        if moment.ended.size:
            _note(games, moment)
    return seats.kept_with(games) if isinstance(seats, RecordedSeats) else games


def _note(games: Games, moment: Moment) -> None:
    """Note how the games came out that have just ended."""
    final, rows, done = moment.batch.final, moment.ended, moment.games[moment.ended]
    for field in ("rounds", "ended", "kingdom", "turns"):
        games[field][done] = getattr(final, field)[rows]
    games["points"][done] = final.scores[rows]
    winners = final.winners[rows] | (final.ended[rows] == TRUNCATED)[:, None]
    forfeit = np.flatnonzero(final.ended[rows] == ILLEGAL)
    winners[forfeit] = np.arange(winners.shape[1]) != moment.batch.current_player[rows[forfeit], None]
    games["shares"][done] = winners / winners.sum(axis=1, keepdims=True)
