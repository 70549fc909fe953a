"""One decision as a scripted agent sees it, read from the game itself instead of from an observation.

A playout asks a scripted agent at every decision, and writing an observation for it would take longer than its answer. Each
function here fills the same fields of `sight.SIGHT` as its namesake in `sight.py`, with the same numbers, so that the agent
decides alike; a test compares them. Only what the seat that is asked may see is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_agents.scripted.sight import NOTHING
from dominion_env.compiled.instructions import from_here, row_of, scaled_copy
from dominion_env.compiled.jit import rule
from dominion_env.core.observing.fields import BOUNDS
from dominion_env.rules.record.state import CHOSEN
from dominion_env.rules.scoring import points_of
from dominion_env.rules.zones import card_in, empty_piles, mark_of
from dominion_env.tables.cards import NUM_CARDS, Card

_MOST_ACTIONS, _MOST_COINS, _MOST_TURNS = (BOUNDS[name][1] for name in ("actions", "coins", "turns"))
_LEAST_POINTS, _MOST_POINTS = BOUNDS["my_points"]
_CHANCELLOR = int(Card.CHANCELLOR)
_copy, _AS_IT_IS = scaled_copy(NUM_CARDS), np.float32(1)


@rule
def look(see: Any, game: Any, me: Any, cards: Any, actions: Any) -> None:
    """Read all that a purchase depends on; other decisions also need `look_at_hand`. The strategy's fields stay."""
    legal, into = from_here(game.legal, 0), from_here(see.legal, 0)
    for action in range(actions):
        into[action] = legal[action]
    see.named = int(game.legal_set) >> 1  # its lowest bit is for actions without a card
    see.kind = NOTHING if game.over else int(game.kind)
    see.coins = min(int(game.coins), _MOST_COINS)
    see.buys = min(int(game.buys), _MOST_ACTIONS)
    see.turn = min(int(game.turns[me]), _MOST_TURNS)
    see.players = int(game.num_players)
    see.cards = cards
    see.empty_piles = empty_piles(game)
    _copy(from_here(see.supply, 0), 0, from_here(game.supply, 0), 0, _AS_IT_IS)
    _copy(from_here(see.owned, 0), 0, row_of(game.owned, me), 0, _AS_IT_IS)


@rule
def look_at_hand(see: Any, game: Any, me: Any) -> None:
    """Read the fields that only decisions other than purchases depend on."""
    see.source = int(game.source)
    see.subject = int(game.subject)
    see.about_me = int(game.target == me)
    see.my_turn = int(game.turn_player == me)
    see.actions = min(int(game.actions), _MOST_ACTIONS)
    _copy(from_here(see.hand, 0), 0, row_of(game.hand, me), 0, _AS_IT_IS)
    see.held = int(game.hand_set[me])
    see.hand_size = int(game.hand_size[me])
    for card in range(see.cards):
        see.chosen[card] = 0
    end = game.table.shape[1]
    for i in range(end - int(game.aside_size[me]), end):
        if mark_of(game.table[me, i]) == CHOSEN:
            see.chosen[card_in(game.table[me, i])] += 1
            see.hand_size += 1
    if see.source == _CHANCELLOR:
        _look_at_draw_pile(see, game, me)


@rule
def _look_at_draw_pile(see: Any, game: Any, me: Any) -> None:
    _copy(from_here(see.draw_pile, 0), 0, row_of(game.bag, me), 0, _AS_IT_IS)
    end = game.pile.shape[1]
    for i in range(end - int(game.top_size[me]), end):
        see.draw_pile[card_in(game.pile[me, i])] += 1


@rule
def look_at_rivals(see: Any, game: Any, me: Any) -> None:
    """Read my points, and those of the opponent who would win if all points stayed as they are."""
    see.points = _points_seen(game, me)
    see.best_points = -(1 << 30)
    see.best_turns = 0
    for rival in range(game.num_players):
        if rival != me:
            points, turns = _points_seen(game, rival), min(int(game.turns[rival]), _MOST_TURNS)
            if points > see.best_points or (points == see.best_points and turns < see.best_turns):
                see.best_points = points
                see.best_turns = turns


@rule
def _points_seen(game: Any, seat: Any) -> Any:
    return max(_LEAST_POINTS, min(int(points_of(game, seat)), _MOST_POINTS))
