"""The compiled loop of `ismcts`: a tree of decisions, whose leaves are played out by plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_agents.scripted.book import follow
from dominion_agents.searching.loops.playouts import LOOPS_HASH, choose
from dominion_agents.searching.loops.tree import (
    NONE,
    answer_of,
    arms_left,
    back_up,
    drop_worse,
    edge_of,
    find,
    grow,
    is_decided,
    key_of,
    note_trial,
    offer,
    pick,
    plant,
    rounds_of,
    step_on,
    value_of_end,
)
from dominion_env.common.splitmix import GAMMA
from dominion_env.compiled.instructions import from_here
from dominion_env.compiled.jit import entry_point, rule
from dominion_env.rules.record.streams import mix
from dominion_env.rules.turns.redeal import deal, empty
from dominion_env.rules.turns.turn import run

_ROOT = np.uint64(0)  # key of the first decision
_UPPER, _UNIT = np.uint64(11), 2.0**-53


@rule
def _draw_plans(followed: Any, cumulative: Any, plans: Any, r: Any, number: Any, seed: Any) -> None:
    """Draw a plan for each seat in row r, by its chance."""
    word = mix(seed ^ mix(np.uint64(number) + GAMMA))
    for seat in range(followed.shape[0]):
        word = mix(word + GAMMA)
        drawn = (word >> _UPPER) * _UNIT
        place = 0
        while place < plans.shape[1] - 1 and drawn >= cumulative[r, seat, place]:
            place += 1
        followed[seat] = plans[r, place]


def _make_climb(source_hash: str) -> Callable[..., None]:
    def climb(
        games: Any, rows: Any, seeds: Any, budget: Any, choices: Any, usual: Any, own: Any, plans: Any, cumulative: Any,
        trust: Any, book: Any, lines: Any, sights: Any, followed: Any, patterns: Any, worlds: Any, places: Any, trees: Any,
        nodes: Any, edges: Any, slots: Any, arms: Any, trials: Any, cards: Any, num_actions: Any, answers: Any,
    ) -> None:  # fmt: skip
        """Search each row with `budget` playouts, and write its answer.

        Of the first decision in row r the actions `choices[r]` are tried. The seat that is asked there plays by the strategy
        `book[own[r]]`, which takes the action `usual[r]` here. The others play by `book[plans[r]]`, by cumulative chances
        (rows, seats, plans).
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        program, tree, game = from_here(lines, 0), trees[0], worlds[0]
        for r in range(rows.shape[0]):
            patterns[0] = games[rows[r]]
            pattern = patterns[0]
            empty(pattern, places)
            asked = int(pattern.asked)
            plant(tree, slots)
            offer(tree, arms, usual[r], 1.0)
            for action in range(num_actions):
                if choices[r, action] and action != usual[r]:
                    offer(tree, arms, action, 0.0)
            rounds = rounds_of(tree)
            for _ in range(rounds):
                each = max(1, budget // (rounds * arms_left(tree, arms)))
                for number in range(tree.arms * each):
                    arm = number % int(tree.arms)
                    if not arms[arm].left:
                        continue
                    trial = int(arms[arm].trials)
                    worlds[0] = patterns[0]
                    deal(game, seeds[r], trial, places)
                    _draw_plans(followed, cumulative, plans, r, trial, seeds[r])
                    followed[asked] = own[r]
                    for seat in range(followed.shape[0]):
                        follow(sights[seat], book[followed[seat]])
                    tree.depth = 0
                    action, key, climbing = int(arms[arm].action), _ROOT, True
                    while not game.over:
                        game.decisions[game.asked] += 1
                        run(game, action)
                        if game.over:
                            break
                        me, taken = int(game.asked), action
                        action = int(choose(sights[me], book[followed[me]], game, me, program, cards, num_actions))
                        if not climbing:
                            continue
                        key = key_of(game, key, taken)
                        if game.num_legal > 1:
                            node = find(nodes, slots, key, game.num_legal)
                            climbing = node != NONE
                            if climbing:
                                edge = pick(tree, nodes, edges, node, action, trust)
                                step_on(tree, node, edge, me)
                                action = int(edges[edge].action)
                            else:
                                node = grow(tree, nodes, edges, slots, key, game)
                                if node != NONE:
                                    step_on(tree, node, edge_of(nodes, edges, node, action), me)
                    value_of_end(tree, game)
                    back_up(tree, nodes, edges)
                    note_trial(arms, trials, arm, tree.values[asked])
                drop_worse(tree, arms, trials)
                if is_decided(tree, arms, trials):
                    break
            answers[r] = answer_of(tree, arms, trials)

    return climb


climb = entry_point(
    _make_climb,
    LOOPS_HASH,
)
