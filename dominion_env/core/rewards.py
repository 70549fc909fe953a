"""What a game pays its players, and what is kept of a finished one. The rules know nothing of it."""

from typing import Any, Literal, TypeAlias

import numpy as np

from dominion_env.compiled.jit import rule
from dominion_env.rules.record.state import ILLEGAL, TRUNCATED
from dominion_env.rules.scoring import is_winner, points_of

Reward: TypeAlias = Literal["result", "margin", "points", "lead"]
REWARDS: tuple[Reward, ...] = ("result", "margin", "points", "lead")
RESULT, MARGIN, POINTS, LEAD = range(4)  # their places in that list
MARGIN_SCALE = 30.0  # points of difference at which the margin is full
LEAD_SCALE = 50.0  # points of lead that are worth as much as a win instead of a loss among two


def outcome_dtype(seats: int) -> np.dtype[Any]:
    """Return the record of what a step pays in one game, and of how its last finished episode ended."""
    return np.dtype(
        [
            # Of the last step.
            ("rewards", "f4", (seats,)),
            ("terminated", "u1"),
            ("truncated", "u1"),
            # Of the last finished episode.
            ("ended", "i1"),  # why, see `state.py`; 0: there was none
            ("rounds", "i4"),  # the most turns that a player had
            ("scores", "i4", (seats,)),
            ("turns", "i4", (seats,)),
            ("winners", "u1", (seats,)),
        ],
        align=True,
    )


@rule
def has_ended(outcome: Any) -> Any:
    """Return whether this is the outcome of an episode that has ended."""
    return outcome.terminated or outcome.truncated


@rule
def pay_nothing(outcome: Any) -> None:
    """Give no seat a reward."""
    for seat in range(outcome.rewards.shape[0]):
        outcome.rewards[seat] = 0.0


@rule
def clear(outcome: Any) -> None:
    """Begin an episode: there are no rewards, and it has not ended."""
    pay_nothing(outcome)
    outcome.terminated = 0
    outcome.truncated = 0


@rule
def forget_end(outcome: Any, autoreset: Any) -> None:
    """Take back what the last step paid at the end of an episode; without automatic restarts the flags stay."""
    if has_ended(outcome):
        pay_nothing(outcome)
        if autoreset:
            clear(outcome)


@rule
def pay(game: Any, outcome: Any, reward: Any, offender: Any) -> None:
    """Write the outcome of a game that is over: how it ended, and what each seat gets.

    `reward` is RESULT, MARGIN, POINTS or LEAD; `offender` the seat that acted last, whose action was perhaps not legal.
    """
    _write_end(game, outcome)
    pay_nothing(outcome)
    players = int(game.num_players)
    if game.ended == ILLEGAL:
        for player in range(players):
            outcome.rewards[player] = -1.0 if player == offender else 1.0 / (players - 1)
    elif reward == POINTS:
        for player in range(players):
            outcome.rewards[player] = outcome.scores[player]
    elif game.ended != TRUNCATED:
        for player in range(players):
            if reward == LEAD:
                outcome.rewards[player] = 0.5 * _result(outcome, player, players) + _lead(outcome, player, players)
            else:
                outcome.rewards[player] = _result(outcome, player, players)
        if reward == MARGIN and players > 1:
            _add_margin(outcome, players)


@rule
def _write_end(game: Any, outcome: Any) -> None:
    by_the_rules = game.ended != ILLEGAL and game.ended != TRUNCATED
    rounds = 0
    for player in range(game.num_players):
        outcome.scores[player] = points_of(game, player)
        outcome.turns[player] = game.turns[player]
        outcome.winners[player] = by_the_rules and is_winner(game, player)
        rounds = max(rounds, int(game.turns[player]))
    outcome.rounds = rounds
    outcome.ended = game.ended
    outcome.terminated = game.ended != TRUNCATED
    outcome.truncated = game.ended == TRUNCATED


@rule
def _result(outcome: Any, player: Any, players: Any) -> Any:
    """Return the result of a player: the winners share what the others lose, and a player alone gets nothing."""
    if players == 1:
        return 0.0
    if not outcome.winners[player]:
        return -1.0 / (players - 1)
    winners = 0
    for each in range(players):
        winners += int(outcome.winners[each])
    return (players - winners) / (winners * (players - 1))


@rule
def _lead(outcome: Any, player: Any, players: Any) -> Any:
    """Return the points of a player, less the mean of the other players' if there are any, in units of `LEAD_SCALE`."""
    others = 0
    for other in range(players):
        if other != player:
            others += int(outcome.scores[other])
    return (int(outcome.scores[player]) - others / max(1, players - 1)) / LEAD_SCALE


@rule
def _add_margin(outcome: Any, players: Any) -> None:
    """Add half of the mean lead in points over the other players, each at most `MARGIN_SCALE`, to each reward."""
    for player in range(players):
        lead = 0.0
        for other in range(players):
            if other != player:
                lead += max(-1.0, min(1.0, (outcome.scores[player] - outcome.scores[other]) / MARGIN_SCALE))
        outcome.rewards[player] += 0.5 * lead / (players - 1)
