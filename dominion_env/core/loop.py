"""The loops over many games that Python calls: compiled, cached, nothing allocated, no Python object per game.

Everything that plays is one entry point (`play_games`), as each entry point holds its own copy of the compiled rules.
Automatic restarts and what happens on an illegal action are decided here, rewards in `rewards.py`; the rules know
nothing of them.
"""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import entry_point, primitive, rule
from dominion_env.core.ahead import AHEAD, fetch_game, fetch_question
from dominion_env.core.rewards import clear, forget_end, has_ended, pay, pay_nothing
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.rules.record import streams
from dominion_env.rules.record.card_sets import lowest
from dominion_env.rules.record.state import ILLEGAL, LOG_SIZE
from dominion_env.rules.scoring import points_of, winners_of
from dominion_env.rules.turns import setup
from dominion_env.rules.turns.turn import begin_turn, end_game, reopen, run
from dominion_env.rules.words.decisions import AGAIN, NOTHING
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_ACTIONS
from dominion_env.tables.cards import NUM_BASE_CARDS

# What `play_games` is called for: to carry out an action in each game, or to set games up.
STEP, START = 0, 1

# What `play_games` answers, apart from the row of an illegal action: all is done; or the event buffer is full.
DONE, FULL = -1, -2

# How a batch is to be played, which is the same for all of its games, and where a call of `play_games` stands. One record.
PLAN = np.dtype(
    [
        ("purpose", "i8"),  # of this call: STEP or START
        ("first_player", "i8"),  # a seat, RANDOM or LEFT_OF_WINNER
        ("reward", "i8"),  # RESULT, MARGIN, POINTS or LEAD, see `rewards.py`
        ("illegal_loses", "u1"),  # 1: an illegal action ends its game; 0: it is refused before anything moves
        ("autoreset", "u1"),  # 1: the step that ends a game starts its next episode
        ("some_wait", "u1"),  # 1: games whose action is `NOTHING` wait while the others move
        ("supply_given", "u1"),  # 1: the template holds a Supply
        ("players_given", "u1"),  # 1: the template holds the players' cards and the turn
        ("streams_given", "u1"),  # 1: the template holds the random streams
        # Where a call goes on that was interrupted because the event buffer was full.
        ("row", "i8"),  # DONE: nowhere, it was not interrupted
        ("stage", "i8"),  # how far that row has come, TO_ACT ... STARTING
        ("events", "i8"),  # that lie in the buffer
    ],
    align=True,
)

# An event, as `GameBatch.events` returns it.
EVENT = np.dtype(
    [("game", "i4"), ("count", "i2"), ("event", "i1"), ("player", "i1"), ("card", "i1"), ("seen", "u1"), ("card_seen", "u1")],
    align=True,
)  # fmt: skip


@rule
def start_game(games: Any, g: Any, plan: Any, setups: Any) -> None:
    """Set up the game of the address that stands in row `g`, from its template.

    `setups` holds the templates, one for all rows or one for each, then the kingdoms, their editions, and the pool that
    kingdoms are drawn from.
    """
    templates, kingdoms, editions, pool = setups
    last_winners = winners_of(games[g])
    seed, index, episode = games[g].seed, games[g].index, games[g].episode
    games[g] = templates[g if templates.shape[0] > 1 else 0]
    game = games[g]
    game.seed = seed
    game.index = index
    game.episode = episode
    game.key = streams.address_key(seed, index, episode)
    if not plan.streams_given:
        streams.start_streams(game)
    if not plan.supply_given:
        if kingdoms.shape[0] > 0:
            row = streams.setup_below(game, kingdoms.shape[0]) if kingdoms.shape[0] > 1 else 0
            setup.lay_out_supply(game, kingdoms[row])
            game.edition = editions[row]
        else:
            setup.draw_kingdom(game, pool)
            setup.lay_out_supply(game, game.piles[NUM_BASE_CARDS:])
    if not plan.players_given:
        first = setup.choose_first_player(game, plan.first_player, last_winners)
        game.start_player = first
        setup.deal(game)
        begin_turn(game, first)


@rule
def begin_episode(games: Any, g: Any, outcome: Any, plan: Any, setups: Any) -> Any:
    """Set up the game in row `g`; return whether the rules are to be run, as no player is asked anything yet."""
    if plan.purpose == START:
        clear(outcome)
    start_game(games, g, plan, setups)
    return reopen(games[g])


@rule
def begin_step(game: Any, outcome: Any, action: Any, autoreset: Any) -> Any:
    """Return the action that the rules are to carry out, or `NOTHING`; an illegal one ends the game."""
    forget_end(outcome, autoreset)
    if game.over:
        return NOTHING
    game.decisions[game.asked] += 1
    if not game.legal[action]:
        end_game(game, ILLEGAL)
        return NOTHING
    return int(action)


@rule
def move_events(game: Any, g: Any, events: Any, plan: Any) -> None:
    """Move the events in the record of game `g` to the buffer."""
    for i in range(game.log_size):
        event = events[plan.events]
        event.game = g
        event.event = game.log_event[i]
        event.player = game.log_player[i]
        event.card = game.log_card[i]
        event.count = game.log_count[i]
        event.seen = game.log_seen[i]
        event.card_seen = game.log_card_seen[i]
        plan.events += 1
    game.log_size = 0


@rule
def first_refused(games: Any, actions: Any, plan: Any) -> Any:
    """Return the first row whose action can't be carried out, or `DONE`: none is changed if one is refused."""
    for g in range(games.shape[0]):
        action = actions[g]
        if plan.some_wait and action == NOTHING:
            continue
        if action < 0 or action >= NUM_ACTIONS:
            return g
        if not games[g].legal[action] and (games[g].over or not plan.illegal_loses):
            return g
    return DONE


# How far a row has come: its action is to be carried out, or an episode to be set up; the rules are at work after the
# one or the other; a player has a choice again, or the game is over.
TO_ACT, TO_START, ACTING, STARTING, AT_REST = 0, 1, 2, 3, 4


@primitive
def first_stage(plan: Any) -> Any:
    """Return where each row begins."""
    return TO_ACT if plan.purpose == STEP else TO_START


@rule
def after_the_end(games: Any, g: Any, finals: Any, outcome: Any, plan: Any, stage: Any, asked: Any) -> Any:
    """Pay and keep a game that is over, if this call has ended it; return the next stage of its row."""
    game = games[g]
    if stage == ACTING and not has_ended(outcome):
        pay(game, outcome, plan.reward, asked)
        finals[g] = games[g]
        if plan.autoreset:
            game.episode += 1
            return TO_START
    elif stage == STARTING and plan.purpose == START:  # a position without anything to play
        pay(game, outcome, plan.reward, asked)
        pay_nothing(outcome)
        finals[g] = games[g]
    return AT_REST


@entry_point(SOURCE_HASH)
def play_games(
    games: Any, finals: Any, outcomes: Any, actions: Any, plans: Any, events: Any, templates: Any, kingdoms: Any,
    editions: Any, pool: Any,
) -> Any:  # fmt: skip
    """Carry out one action per game (STEP), or start games (START). A game whose action is `NOTHING` is not started;
    nor does it move, if some may wait.

    Returns `DONE`; or the row of an illegal action, nothing having moved; or `FULL`: empty the event buffer and
    call again.
    """
    # One loop over the rows, and in it the row's way through its stages. Both stand here, as arrays that are handed on
    # to a function are counted, for each row a hundred nanoseconds; records are not.
    plan, setups = plans[0], (templates, kingdoms, editions, pool)
    first = plan.row
    if first == DONE:
        if plan.purpose == STEP:
            refused = first_refused(games, actions, plan)
            if refused != DONE:
                return refused
        first, plan.stage = 0, first_stage(plan)
    plan.row = DONE
    for g in range(first, games.shape[0]):
        fetch_game(games, g + AHEAD, 0)
        game, outcome = games[g], outcomes[g]
        if actions[g] == NOTHING and (plan.some_wait or plan.purpose == START):
            if plan.purpose == STEP:
                forget_end(outcome, plan.autoreset)
            continue
        stage, asked = plan.stage, int(game.asked)
        while stage != AT_REST:
            if 0 < events.shape[0] < plan.events + LOG_SIZE:
                plan.row, plan.stage = g, stage
                return FULL
            action, must_run, log_is_full = NOTHING, True, False
            if stage == TO_ACT:
                action = begin_step(game, outcome, actions[g], plan.autoreset)
                stage = ACTING
            elif stage == TO_START:
                must_run = begin_episode(games, g, outcome, plan, setups)
                stage = STARTING
            if must_run:
                log_is_full = run(game, action) == AGAIN
            if game.recording:
                move_events(game, g, events, plan)
            if not log_is_full:
                stage = after_the_end(games, g, finals, outcome, plan, stage, asked) if game.over else AT_REST
        plan.stage = first_stage(plan)
    return DONE


@entry_point(SOURCE_HASH)
def sample(games: Any, actions: Any) -> None:
    """Draw a legal action per game, each as likely, by the address, the seat and its number of decisions."""
    for g in range(games.shape[0]):
        fetch_question(games, g + AHEAD)
        game = games[g]
        seat = int(game.asked)
        left = streams.scaled(streams.decision_word(game, seat, streams.SAMPLING), game.num_legal)
        actions[g] = nth_legal(game, left)


_ONES, _TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)  # a word times ones: the sum of its bytes on top


@rule
def nth_legal(game: Any, n: Any) -> Any:
    """Return the n-th legal action, from 0, in order of the numbers; word by word, a byte per action."""
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


@entry_point(SOURCE_HASH)
def note_ends(games: Any, finals: Any, outcomes: Any, plans: Any) -> None:
    """Pay and keep the games that are over, as the step that ends a game does."""
    for g in range(games.shape[0]):
        game = games[g]
        if game.over:
            pay(game, outcomes[g], plans[0].reward, game.asked)
            finals[g] = games[g]


@entry_point(SOURCE_HASH)
def policy_keys(games: Any, keys: Any) -> None:
    """Write a random word per game for the agent that decides: a one-way function of address, seat and decisions."""
    for g in range(games.shape[0]):
        keys[g] = streams.policy_key(games[g], games[g].asked)


@entry_point(SOURCE_HASH)
def scores(games: Any, points: Any) -> None:
    """Write the points of each player as if the games ended now."""
    for g in range(games.shape[0]):
        for player in range(points.shape[1]):
            points[g, player] = points_of(games[g], player)
