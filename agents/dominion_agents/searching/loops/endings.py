"""Purchases that decide the game in this turn, which need no playouts: the certain win and the certain loss.

No card is drawn in a Buy phase and nobody else is asked, so all that a player can still do in it is known. Where the piles
are so low that the game may end with this turn, every way to spend the rest of the turn is tried.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.compiled.jit import entry_point, hash_of_sources, records, rule, specialised
from dominion_env.core.batch import GameBatch
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.rules.record.card_sets import how_many
from dominion_env.rules.record.state import PILES_TO_END
from dominion_env.rules.scoring import winners_of
from dominion_env.rules.turns.turn import run
from dominion_env.rules.words.decisions import ASK_BUY, PLAY
from dominion_env.rules.zones import empty_piles
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_ACTIONS, NUM_VERBS, PASS, Verb, action_of
from dominion_env.tables.cards import NUM_CARDS, Card

OPEN, WON, LOST = range(3)  # what is certain after an action: nothing, the whole win, or nothing of it

_PROVINCE = int(Card.PROVINCE)
_BUY_CURSE = action_of(Verb.BUY, Card.CURSE)
_DEPTH = 48  # answers in a row, more than any Buy phase has that matters; what lies deeper counts as open
_MOST = 1 << 14  # answers that are tried behind one action
NONE = -1


def sound(legal: NDArray[np.bool_], games: GameBatch) -> NDArray[np.bool_]:
    """Return the legal actions without those that nobody takes who wants to win, bool (games, NUM_ACTIONS).

    Where an action wins for certain, these are the actions that do. Else those are left out that lose for certain, and the
    purchase of a Curse, unless nothing else is legal.
    """
    found = certainties(games)
    without = legal & (found != LOST)
    without[:, _BUY_CURSE] = False
    without = np.where(without.any(axis=1, keepdims=True), without, legal)
    won = legal & (found == WON)
    return np.where(won.any(axis=1, keepdims=True), won, without)


def certainties(games: GameBatch) -> NDArray[np.int8]:
    """Return what is certain for the seat that is asked after each legal action, int8 (games, NUM_ACTIONS).

    `WON` says that it can end the game in this turn as the only winner, and `LOST` that the game ends with this turn and
    that it wins nothing, whatever it still buys. All else is `OPEN`, a tie too, and in solitaire everything.
    """
    found = np.full((len(games), NUM_ACTIONS), OPEN, np.int8)
    stack, tried, least = records(np.zeros(_DEPTH, games.state.dtype)), *np.zeros((2, _DEPTH), np.int64)
    given = games.records, stack, tried, least, found
    specialised(judge, *given)(*given)
    return found


@rule
def may_end_now(game: Any) -> Any:
    """Return whether the piles are so low that purchases of this turn could end the game."""
    if game.supply[_PROVINCE] <= game.buys:
        return True
    low = 0
    for card in range(NUM_CARDS):
        low += int(0 < game.supply[card] <= game.buys)
    return low + int(empty_piles(game)) >= PILES_TO_END[game.num_players]


@rule
def _share_of(game: Any, me: Any) -> Any:
    """Return the share of the win of a seat in a game that is over."""
    winners = int(winners_of(game))
    return (winners >> me & 1) / max(1, how_many(winners))


@rule
def _next_answer(game: Any, tried: Any, least: Any) -> Any:
    """Return the next answer to try after another one, which is NONE at first; or NONE.

    All Treasures are played first, one after the other, as more coins are never worse. What is bought in another order
    comes to the same, so each purchase is of the card with the number `least` or of a later one.
    """
    for card in range(NUM_CARDS):
        treasure = FIRST_CARD_ACTION + NUM_VERBS * card + PLAY
        if game.legal[treasure]:
            return treasure if tried == NONE else NONE
    if tried == NONE and game.legal[PASS]:
        return PASS
    for action in range(max(least, tried + 1), game.legal.shape[0]):
        if game.legal[action]:
            return action
    return NONE


@rule
def _certain_after(action: Any, stack: Any, tried: Any, least: Any) -> Any:
    """Return what is certain after an action in the game at the bottom of the stack.

    Args:
        action: the action.
        stack: games, of which all but the first are overwritten.
        tried, least: buffers for each of them, int64 (games,), see `_next_answer`.
    """
    me = int(stack[0].asked)
    turn, depth, answers, best, is_open = int(stack[0].turns[me]), 0, 0, 0.0, False
    least[0] = FIRST_CARD_ACTION
    while True:
        stack[depth + 1] = stack[depth]
        game = stack[depth + 1]
        run(game, action)
        answers += 1
        if game.over:
            best = max(best, _share_of(game, me))
            if best == 1.0:
                return WON
        elif game.asked != me or game.turns[me] != turn or game.kind != ASK_BUY:
            is_open = True
        elif answers == _MOST or depth + 2 == stack.shape[0]:
            return OPEN
        else:
            tried[depth + 1] = NONE
            # The first purchase is given, so that the order of those that follow it is free.
            least[depth + 1] = least[depth] if depth == 0 else max(least[depth], action)
            depth += 1
        action = NONE
        while depth > 0 and action == NONE:
            action = int(_next_answer(stack[depth], tried[depth], least[depth]))
            tried[depth] = action
            if action == NONE:
                depth -= 1
        if action == NONE:
            return OPEN if is_open or best > 0.0 else LOST


@entry_point(SOURCE_HASH + hash_of_sources(Path(__file__).parent, ("endings.py",)))
def judge(games: Any, stack: Any, tried: Any, least: Any, found: Any) -> None:
    """Write into `found`, int8 (rows, actions), what is certain after each legal action of each game, see `WON`."""
    for g in range(games.shape[0]):
        game = games[g]
        if game.num_players == 1 or game.kind != ASK_BUY or game.num_legal == 1 or not may_end_now(game):
            continue
        stack[0] = game
        for action in range(found.shape[1]):
            if game.legal[action]:
                found[g, action] = _certain_after(action, stack, tried, least)
