"""The loops over many games that Python calls: compiled, cached, nothing allocated, no Python object per game.

Everything that plays is one entry point (`play_games`), for each entry point holds its own copy of the compiled rules.
Rewards, automatic restarts and what happens on an illegal action are decided here; the rules know nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_env.actions import FIRST_CARD_ACTION, NUM_ACTIONS
from dominion_env.cards import NUM_BASE_CARDS
from dominion_env.rules import scoring, setup
from dominion_env.rules.card_sets import lowest
from dominion_env.rules.decisions import AGAIN, NOTHING
from dominion_env.rules.jit import entry_point, prefetch, rule
from dominion_env.rules.state import (
    CACHE_LINE,
    HOT_BYTES,
    ILLEGAL,
    LOG_SIZE,
    PILES,
    PROVINCES,
    QUESTION_BYTES,
    TRUNCATED,
)
from dominion_env.rules.streams import SAMPLING, address_key, decision_word, scaled, setup_below, start_streams
from dominion_env.rules.turn import begin_turn, end_game, reopen, run

# What `play_games` is called for.
STEP, START = 0, 1

RESULT, MARGIN, POINTS = 0, 1, 2  # rewards
MARGIN_SCALE = 30.0  # points of difference at which the margin is full

POLICY_KEY = np.uint64(301)

DONE, FULL = -1, -2  # answers of `play_games`, apart from the row of an illegal action

_ONES, _TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)

# The options of a batch that its games share, one record.
PLAN = np.dtype(
    [
        ("purpose", "i8"),
        ("first_player", "i8"),  # a seat, RANDOM or LEFT_OF_WINNER
        ("reward", "i8"),
        ("illegal_loses", "u1"),
        ("autoreset", "u1"),
        ("some_wait", "u1"),  # games whose action is `NOTHING` wait while the others move
        ("supply_given", "u1"),  # the template holds a Supply
        ("players_given", "u1"),  # the template holds the players' cards and the turn
        ("streams_given", "u1"),  # the template holds the random streams
        # Where an interrupted call goes on (the event buffer was full).
        ("row", "i8"),
        ("stage", "i8"),  # of that row, see `play_games`
        ("events", "i8"),  # in the buffer
    ],
    align=True,
)

EVENT = np.dtype(
    [("game", "i4"), ("count", "i2"), ("event", "i1"), ("player", "i1"), ("card", "i1"), ("seen", "u1"), ("card_seen", "u1")],
    align=True,
)  # fmt: skip


def outcome_dtype(seats: int) -> np.dtype[Any]:
    """What a step returns, and what is kept of the last finished episode, for each game."""
    return np.dtype(
        [
            ("rewards", "f4", (seats,)),
            ("terminated", "u1"),
            ("truncated", "u1"),
            ("ended", "i1"),
            ("rounds", "i4"),
            ("scores", "i4", (seats,)),
            ("turns", "i4", (seats,)),
            ("winners", "u1", (seats,)),
        ],
        align=True,
    )


@rule
def last_winners(game: Any) -> Any:
    """A bit per winner of a game that has ended by the rules; 0 otherwise."""
    winners = 0
    if game.ended == PROVINCES or game.ended == PILES:
        for player in range(game.num_players):
            if scoring.is_winner(game, player):
                winners |= 1 << player
    return winners


@rule
def start_game(
    games: Any, g: Any, templates: Any, plan: Any, kingdoms: Any, editions: Any, pool: Any
) -> None:  # fmt: skip
    """Set up the game of the address that stands in row `g`, from its template."""
    winners = last_winners(games[g])
    seed, index, episode = games[g].seed, games[g].index, games[g].episode
    games[g] = templates[g if templates.shape[0] > 1 else 0]
    game = games[g]
    game.seed = seed
    game.index = index
    game.episode = episode
    game.key = address_key(seed, index, episode)
    if not plan.streams_given:
        start_streams(game)
    if not plan.supply_given:
        if kingdoms.shape[0] > 0:
            row = setup_below(game, kingdoms.shape[0]) if kingdoms.shape[0] > 1 else 0
            setup.lay_out_supply(game, kingdoms[row])
            game.edition = editions[row]
        else:
            setup.draw_kingdom(game, pool)
            setup.lay_out_supply(game, game.piles[NUM_BASE_CARDS:])
    if not plan.players_given:
        first = setup.choose_first_player(game, plan.first_player, winners)
        game.start_player = first
        setup.deal(game)
        begin_turn(game, first)


@rule
def pay(game: Any, outcome: Any, reward: Any, offender: Any) -> None:
    """What each seat gets at the end of a game, and what is kept of it."""
    players = int(game.num_players)
    winners, everyone = 0, 0
    for player in range(players):
        outcome.scores[player] = scoring.points(game, player)
        outcome.turns[player] = game.turns[player]
        outcome.winners[player] = 0
        outcome.rewards[player] = 0.0
        everyone = max(everyone, int(game.turns[player]))
    outcome.rounds = everyone
    outcome.ended = game.ended
    outcome.terminated = game.ended != TRUNCATED
    outcome.truncated = game.ended == TRUNCATED
    if game.ended == ILLEGAL:
        for player in range(players):
            outcome.rewards[player] = -1.0 if player == offender else 1.0 / (players - 1)
        return
    if reward == POINTS:
        for player in range(players):
            outcome.rewards[player] = outcome.scores[player]
    if game.ended == TRUNCATED:
        return
    for player in range(players):
        if scoring.is_winner(game, player):
            outcome.winners[player] = 1
            winners += 1
    if reward == POINTS or players == 1:
        return
    for player in range(players):
        if outcome.winners[player]:
            outcome.rewards[player] = (players - winners) / (winners * (players - 1))
        else:
            outcome.rewards[player] = -1.0 / (players - 1)
        if reward == MARGIN:
            lead = 0.0
            for other in range(players):
                if other != player:
                    lead += max(-1.0, min(1.0, (outcome.scores[player] - outcome.scores[other]) / MARGIN_SCALE))
            outcome.rewards[player] += 0.5 * lead / (players - 1)


@rule
def empty_log(game: Any, g: Any, events: Any, used: Any) -> Any:
    """Move the events of the record to the buffer; how many lie there then."""
    for i in range(game.log_size):
        event = events[used]
        event.game = g
        event.event = game.log_event[i]
        event.player = game.log_player[i]
        event.card = game.log_card[i]
        event.count = game.log_count[i]
        event.seen = game.log_seen[i]
        event.card_seen = game.log_card_seen[i]
        used += 1
    game.log_size = 0
    return used


@rule
def pay_nothing(outcome: Any) -> None:
    """No reward for anybody."""
    for seat in range(outcome.rewards.shape[0]):
        outcome.rewards[seat] = 0.0


@rule
def clear(outcome: Any) -> None:
    """The episode has not ended."""
    pay_nothing(outcome)
    outcome.terminated = 0
    outcome.truncated = 0


@rule
def forget_end(outcome: Any, autoreset: Any) -> None:
    """What the last step has paid and ended is over; without automatic restarts the flags stay."""
    if outcome.terminated or outcome.truncated:
        pay_nothing(outcome)
        if autoreset:
            clear(outcome)


@rule
def begin_step(game: Any, outcome: Any, action: Any, autoreset: Any) -> Any:
    """What comes before the rules run: the action that they are to carry out, or `NOTHING`."""
    forget_end(outcome, autoreset)
    if game.over:
        return NOTHING
    game.decisions[game.asked] += 1
    if not game.legal[action]:
        end_game(game, ILLEGAL)
        return NOTHING
    return int(action)


HOT = HOT_BYTES[2]  # of the next record, fetched ahead: records of many games don't fit into a core's own cache

QUESTION = QUESTION_BYTES[2]

# Where a row stands: an action is to be carried out; an episode is to be set up; the rules run, on either.
_ACTS, _STARTS, _RUNS, _RUNS_NEW = 0, 1, 2, 3


def _make_play_games(source_hash: str) -> Callable[..., Any]:
    def play_games(
        games: Any, finals: Any, outcomes: Any, actions: Any, plans: Any, events: Any, templates: Any, kingdoms: Any,
        editions: Any, pool: Any,
    ) -> Any:  # fmt: skip
        """Carry out one action per game (STEP), or start games (START). A game whose action is `NOTHING` is not started;
        nor does it move, if some may wait.

        Returns `DONE`; or the row of an illegal action, nothing having moved; or `FULL`: empty the event buffer and
        call again.
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        plan = plans[0]
        steps = plan.purpose == STEP
        if steps and plan.row == DONE:
            for g in range(games.shape[0]):
                action = actions[g]
                if plan.some_wait and action == NOTHING:
                    continue
                if action < 0 or action >= NUM_ACTIONS:
                    return g
                if not games[g].legal[action] and (games[g].over or not plan.illegal_loses):
                    return g
        first, stage, used = max(0, plan.row), plan.stage, plan.events
        if plan.row == DONE:
            stage = _ACTS if steps else _STARTS
        plan.row = DONE
        size, recording = games.itemsize, events.shape[0] > 0
        for g in range(first, games.shape[0]):
            for line in range(0, HOT, CACHE_LINE):
                prefetch(games, (g + 1) * size + line)
            game, outcome = games[g], outcomes[g]
            if actions[g] == NOTHING and (plan.some_wait or not steps):
                if steps:
                    forget_end(outcome, plan.autoreset)
                continue
            asked = int(game.asked)
            goes_on = True
            while goes_on:
                if recording and events.shape[0] - used < LOG_SIZE:
                    plan.row = g
                    plan.stage = stage
                    plan.events = used
                    return FULL
                action = NOTHING
                must_run = True
                if stage == _ACTS:
                    action = begin_step(game, outcome, actions[g], plan.autoreset)
                    stage = _RUNS
                elif stage == _STARTS:
                    if not steps:
                        clear(outcome)
                    start_game(games, g, templates, plan, kingdoms, editions, pool)
                    must_run = reopen(game)
                    stage = _RUNS_NEW
                goes_on = False
                if must_run:
                    goes_on = run(game, action) == AGAIN
                if game.recording:
                    used = empty_log(game, g, events, used)
                if game.over and not goes_on:
                    if stage == _RUNS and not (outcome.terminated or outcome.truncated):
                        pay(game, outcome, plan.reward, asked)
                        finals[g] = games[g]
                        if plan.autoreset:
                            game.episode += 1
                            stage = _STARTS
                            goes_on = True
                    elif stage == _RUNS_NEW and not steps:
                        pay(game, outcome, plan.reward, asked)
                        pay_nothing(outcome)
                        finals[g] = games[g]
            stage = _ACTS if steps else _STARTS
        plan.events = used
        return DONE

    return play_games


play_games = entry_point(_make_play_games)


def _make_sample(source_hash: str) -> Callable[..., Any]:
    def sample(games: Any, actions: Any) -> None:
        """A legal action per game, each as likely, decided by the address, the seat and its number of decisions."""
        source_hash  # noqa: B018
        size = games.itemsize
        for g in range(games.shape[0]):
            for line in range(0, QUESTION, CACHE_LINE):
                prefetch(games, (g + 1) * size + line)
            game = games[g]
            seat = int(game.asked)
            left = scaled(decision_word(game, seat, SAMPLING), game.num_legal)
            actions[g] = nth_legal(game, left)

    return sample


@rule
def nth_legal(game: Any, n: Any) -> Any:
    """The n-th legal action, from 0, in order of the numbers; word by word, a byte per action."""
    words = int(game.legal_set)
    word = lowest(words)
    here = np.int64((game.legal_words[word] * _ONES) >> _TOP_BYTE)
    while n >= here:
        n -= here
        words &= words - 1
        word = lowest(words)
        here = np.int64((game.legal_words[word] * _ONES) >> _TOP_BYTE)
    action = 8 * word - (8 - FIRST_CARD_ACTION)
    if word == 0:
        action = 0
    while True:
        if game.legal[action]:
            if n == 0:
                return action
            n -= 1
        action += 1


sample = entry_point(_make_sample)


def _make_policy_keys(source_hash: str) -> Callable[..., Any]:
    def policy_keys(games: Any, keys: Any) -> None:
        """A random word per game for the agent that decides: a function of address, seat and number of decisions."""
        source_hash  # noqa: B018
        for g in range(games.shape[0]):
            keys[g] = decision_word(games[g], games[g].asked, POLICY_KEY)

    return policy_keys


policy_keys = entry_point(_make_policy_keys)
