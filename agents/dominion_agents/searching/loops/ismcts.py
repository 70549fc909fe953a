"""The compiled loop of `ismcts`: a tree of decisions, whose leaves are played out by plans."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted.book import follow
from dominion_agents.searching.loops.dealing import advance, deal_world, take_pattern
from dominion_agents.searching.loops.playouts import LOOPS_HASH, TO_THE_END, choose, play_to_end
from dominion_agents.searching.loops.tree import (
    NONE,
    ROOT,
    back_up,
    edge_of,
    find,
    grow,
    key_of,
    offer,
    pick,
    plant,
    sequential_halving,
    step_on,
    value_of_end,
)
from dominion_env.common.splitmix import GAMMA
from dominion_env.compiled.instructions import from_here, uncounted
from dominion_env.compiled.jit import entry_point, layer, rule
from dominion_env.rules.record.streams import mix

_UPPER, _UNIT = np.uint64(11), 2.0**-53


class Plans(NamedTuple):
    """The plans of each row: those that are considered, with the chances of each seat, and that of the seat that is asked."""

    considered: NDArray[np.int64]
    """Their numbers in a book, (rows, plans)."""
    cumulative: NDArray[np.float64]
    """The chance of a plan together with those before it, (rows, seats, plans)."""
    own: NDArray[np.int64]
    """The number of the plan of the seat that is asked, (rows,)."""
    drawn: NDArray[np.int64]
    """Those that are followed in a world, (seats,)."""


@rule
def _draw_plans(plans: Any, r: Any, number: Any, seed: Any) -> None:
    """Draw a plan for each seat in row r, by its chance."""
    considered, cumulative, drawn = plans.considered, plans.cumulative, plans.drawn
    word = mix(seed ^ mix(np.uint64(number) + GAMMA))
    for seat in range(drawn.shape[0]):
        word = mix(word + GAMMA)
        lot = (word >> _UPPER) * _UNIT
        place = 0
        while place < considered.shape[1] - 1 and lot >= cumulative[r, seat, place]:
            place += 1
        drawn[seat] = considered[r, place]


@layer
def _descend(tree: Any, game: Any, action: Any, playing: Any, drawn: Any) -> Any:
    """Select actions as far as the tree goes, and expand it by the next decision; return the plan's action there."""
    book, sights, program = playing.book, playing.sights, from_here(playing.lines, 0)
    key, node = ROOT, 0
    while node != NONE:
        advance(game, action)
        if game.over:
            break
        me, taken = int(game.asked), action
        action = int(choose(sights[me], book[drawn[me]], game, me, program, playing.cards, playing.actions))
        key = key_of(game, key, taken)
        if game.num_legal > 1:
            node = int(find(tree, key, game.num_legal))
            if node != NONE:
                action = int(step_on(tree, node, pick(tree, node, action), me))
            else:
                new = int(grow(tree, key, game))
                if new != NONE:
                    step_on(tree, new, edge_of(tree, new, action), me)
    return action


@layer
def _try_arm(tree: Any, number: Any, context: Any) -> Any:
    """Deal the arm's next world, descend the tree, play out the leaf by plans, and back up the result."""
    plans, playing, dealing, r, seed = context
    game, arm, drawn = dealing.worlds[0], tree.arms[number], plans.drawn
    deal_world(dealing, 0, seed, arm.trials)
    asked = int(game.asked)
    _draw_plans(plans, r, arm.trials, seed)
    drawn[asked] = plans.own[r]
    for seat in range(drawn.shape[0]):
        follow(playing.sights[seat], playing.book[drawn[seat]])
    state = tree.state[0]
    state.depth = 0
    action = _descend(tree, game, arm.action, playing, drawn)
    play_to_end(game, action, playing, drawn, TO_THE_END)
    value_of_end(state, game)
    back_up(tree)
    return state.values[asked]


_search = sequential_halving(_try_arm)


@entry_point(LOOPS_HASH)
def search_with_plans(
    games: Any, rows: Any, seeds: Any, budget: Any, choices: Any, usual: Any, plans: Any, playing: Any, dealing: Any,
    tree: Any, answers: Any,
) -> None:  # fmt: skip
    """Search each row with `budget` playouts, and write its answer.

    Of the first decision in row r the actions `choices[r]` are tried. The seat that is asked there plays by its own plan,
    which takes the action `usual[r]` here. The others play by plans that are drawn anew for each world.
    """
    tree, plans, playing, dealing = uncounted(tree), uncounted(plans), uncounted(playing), uncounted(dealing)
    for r in range(rows.shape[0]):
        take_pattern(dealing, games, rows[r])
        plant(tree)
        offer(tree, usual[r], 1.0)
        for action in range(choices.shape[1]):
            if choices[r, action] and action != usual[r]:
                offer(tree, action, 0.0)
        answers[r] = _search(tree, budget, (plans, playing, dealing, r, seeds[r]))
