"""The compiled loop that plays whole games between strategies and writes down what happens in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents.scripted.book import follow
from dominion_agents.searching.loops.insight import look
from dominion_agents.searching.loops.playouts import LOOPS_HASH, choose, choose_seen
from dominion_env.compiled.instructions import from_here
from dominion_env.compiled.jit import entry_point, hash_of_sources, layer, rule
from dominion_env.rules import zones
from dominion_env.rules.events import Event
from dominion_env.rules.record.state import LOG_SIZE
from dominion_env.rules.turns.turn import run
from dominion_env.rules.words.decisions import AGAIN, ASK_BUY, BUY, GAIN, NOTHING
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS, PASS

# An event that is kept.
RECORD = np.dtype(
    [
        ("game", "u4"),  # number of the game
        ("turn", "u2"),  # number of the running turn, as the player whose turn it is counts them
        ("turn_player", "u1"),
        ("player", "u1"),  # whom it happens to
        ("event", "u1"),  # a number of `Event`
        ("card", "u1"),
        ("count", "u1"),  # copies at once; above 1 only where Treasures are played together
    ],
    align=True,
)

KEPT = (
    Event.PLAY, Event.BUY, Event.GAIN, Event.GAIN_TO_HAND, Event.GAIN_ONTO_DECK, Event.GAIN_FROM_TRASH, Event.TRASH,
)  # fmt: skip
_KEPT = sum(1 << event for event in KEPT)
_TURN = int(Event.TURN)

# What is changed in a game to see what it brings (`treatments.py`). The numbers of cards are -1 where nothing is changed.
CHANGE = np.dtype(
    [
        ("seat", "i1"),  # whose game is changed; -1: nobody's
        ("banned", "i1"),  # the card that this seat may not gain of its own will
        ("gift", "i1"),  # the card that it gains at its first decision in its turn GIFT_TURN
        ("buys", "i1", (2,)),  # what it buys in its first and second turn; NO_PURCHASE for nothing
    ]
)
UNCHANGED, NO_PURCHASE = -1, -2
GIFT_TURN = 3

# Where a call stands: the row, the records written, the early events read, and 1 if the rules have yet to go on in the row.
ROW, USED, READ, UNFINISHED = 0, 1, 2, 3
DONE = -1

_BUY, _GAIN = int(BUY), int(GAIN)


@rule
def action_on(card: Any, verb: Any) -> Any:
    """Return the number of the action that does this with that card."""
    return FIRST_CARD_ACTION + NUM_VERBS * card + verb


@rule
def forced_purchase(game: Any, me: Any, change: Any) -> Any:
    """Return the action with which this seat must answer, or NOTHING if it is free."""
    turn = int(game.turns[me])
    if me != change.seat or turn > 2 or game.kind != ASK_BUY:
        return NOTHING
    card = int(change.buys[turn - 1])
    if card == NO_PURCHASE:
        return PASS
    if card >= 0 and game.legal[action_on(card, _BUY)]:
        return action_on(card, _BUY)
    return NOTHING


@layer
def choose_without(
    see: Any, entry: Any, game: Any, me: Any, program: Any, cards: Any, actions: Any, banned: Any
) -> Any:
    """Return what this seat's strategy does if it may neither buy nor gain a card, unless it must."""
    if game.num_legal == 1:
        return int(game.only_legal)
    look(see, game, me, cards, actions)
    buys, gains = action_on(banned, _BUY), action_on(banned, _GAIN)
    if game.num_legal > int(see.legal[buys]) + int(see.legal[gains]):
        see.legal[buys] = 0
        see.legal[gains] = 0
    return choose_seen(see, entry, game, me, program)


@rule
def give(game: Any, change: Any) -> None:
    """Give a seat its gift at its first decision in turn GIFT_TURN, unless it would be the last copy of its pile."""
    seat = int(change.seat)
    if change.gift >= 0 and game.turn_player == seat and game.turns[seat] == GIFT_TURN:
        if game.supply[change.gift] > 1:  # else the open question would offer a card that is gone
            zones.gain(game, seat, int(change.gift))
        change.gift = UNCHANGED


@rule
def write_early(early: Any, at: Any, number: Any, records: Any, used: Any) -> Any:
    """Write down an event that came before the first decision of a game; return how many records there are now."""
    event = early[at]
    if _KEPT >> int(event.event) & 1:
        record = records[used]
        record.game = number
        record.turn = 1
        record.turn_player = event.player
        record.player = event.player
        record.event = event.event
        record.card = event.card
        record.count = event.count
        used += 1
    return used


@rule
def write_down(game: Any, number: Any, turn: Any, turn_player: Any, records: Any, used: Any) -> Any:
    """Move the events of a game to the records, those that are kept; return how many these hold now."""
    for i in range(game.log_size):
        event = int(game.log_event[i])
        if event == _TURN:
            turn = int(game.log_count[i])
            turn_player = int(game.log_player[i])
        elif _KEPT >> event & 1:
            record = records[used]
            record.game = number
            record.turn = turn
            record.turn_player = turn_player
            record.player = game.log_player[i]
            record.event = event
            record.card = game.log_card[i]
            record.count = game.log_count[i]
            used += 1
    game.log_size = 0
    return used


@layer
def choose_changed(
    see: Any, entry: Any, game: Any, me: Any, program: Any, cards: Any, actions: Any, change: Any
) -> Any:
    """Return what a seat does whose game is changed or not, after its gift."""
    action = forced_purchase(game, me, change)
    if action != NOTHING:
        return action
    if me == change.seat and change.banned >= 0:
        return choose_without(see, entry, game, me, program, cards, actions, int(change.banned))
    return choose(see, entry, game, me, program, cards, actions)


SOURCES = LOOPS_HASH + hash_of_sources(Path(__file__).parent, (Path(__file__).name,))


@entry_point(SOURCES)
def play_and_record(
    games: Any, numbers: Any, early: Any, followed: Any, changes: Any, book: Any, lines: Any, sights: Any, records: Any,
    place: Any, cards: Any, num_actions: Any,
) -> None:  # fmt: skip
    """Play games to their ends, and write down what happens.

    Row g is the game of that number, whose seat s follows the strategy `book[followed[g, s]]`, changed as `changes[g]`
    says. The events `early` came before the first decisions. Where the records are full, `place` says where the next
    call goes on; at the end its row is DONE.
    """
    program = from_here(lines, 0)
    used = 0
    for g in range(place[ROW], games.shape[0]):
        game, change = games[g], changes[g]
        for seat in range(game.num_players):
            follow(sights[seat], book[followed[g, seat]])
        while place[READ] < early.shape[0] and early[place[READ]].game == g:
            if used + 1 > records.shape[0]:
                place[ROW], place[USED] = g, used
                return
            used = write_early(early, place[READ], int(numbers[g]), records, used)
            place[READ] += 1
        unfinished = place[UNFINISHED]
        place[UNFINISHED] = 0
        while unfinished or not game.over:
            if used + LOG_SIZE + 1 > records.shape[0]:
                place[ROW], place[USED], place[UNFINISHED] = g, used, unfinished
                return
            turn_player = int(game.turn_player)
            turn = int(game.turns[turn_player])
            action = NOTHING
            if not unfinished:
                give(game, change)
                me = int(game.asked)
                entry = book[followed[g, me]]
                action = choose_changed(sights[me], entry, game, me, program, cards, num_actions, change)
                game.decisions[game.asked] += 1
            unfinished = run(game, action) == AGAIN
            used = write_down(game, int(numbers[g]), turn, turn_player, records, used)
    place[ROW], place[USED] = DONE, used


@entry_point(SOURCES)
def give_all(games: Any, changes: Any) -> None:
    """Give seats the gifts that are due in each game that goes on."""
    for g in range(games.shape[0]):
        if not games[g].over:
            give(games[g], changes[g])
