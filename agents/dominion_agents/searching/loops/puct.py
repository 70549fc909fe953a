"""The compiled loop of `puct`: a tree of decisions that a network thinks promising, whose leaves it values."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents.searching.loops.playouts import LOOPS_HASH, turns_begun
from dominion_agents.searching.loops.tree import (
    LARGE_LEAD,
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
from dominion_agents.trained.forward import as_game_action, likeliest, log_of_sum, look, think
from dominion_env.compiled.instructions import from_here
from dominion_env.compiled.jit import entry_point, hash_of_sources, layer, rule
from dominion_env.core.observation import write_row
from dominion_env.rules.turns.redeal import deal, empty
from dominion_env.rules.turns.turn import run

_ROOT = np.uint64(0)  # key of the first decision
_USUAL = 2.0  # more than any probability
_POINTS = 50.0  # that a network predicts as a lead of 1


@layer
def _consider(game: Any, me: Any, network: Any, scratch: Any) -> None:
    """Let the network think about the decision that is asked for."""
    reading, shape, weights, at, cleared = network
    glance, thought, inputs, row = scratch
    write_row(row, at, cleared, game, me)
    look(glance, reading, row, from_here(game.legal, 0), inputs, 0)
    think(thought, glance, shape, weights, inputs, 0)


@rule
def _likeliest(game: Any, glance: Any, thought: Any) -> Any:
    """Return the likeliest action, or some legal one if the network knows none of the cards."""
    if glance.num_legal > 0:
        return as_game_action(glance, glance.legal[likeliest(thought, glance)])
    action = 0
    while not game.legal[action]:
        action += 1
    return action


@rule
def _likeliest_choice(choices: Any, r: Any, glance: Any, thought: Any) -> Any:
    """Return the likeliest of the actions `choices[r]`, or the first one if the network knows none of the cards."""
    best, found = NONE, 0
    for place in range(glance.num_legal):
        action = int(as_game_action(glance, glance.legal[place]))
        if choices[r, action] and (best == NONE or thought.scores[place] > thought.scores[best]):
            best, found = place, action
    while not choices[r, found]:
        found += 1
    return found


@rule
def _set_priors(nodes: Any, edges: Any, node: Any, glance: Any, thought: Any, doubt: Any) -> None:
    """Write what the network thinks of the actions of a new node; `doubt` of the chance is shared by all of them."""
    if glance.num_legal == 0:
        return
    first, legal = int(nodes[node].first), int(nodes[node].edges)
    whole = log_of_sum(thought, glance)
    for edge in range(first, first + legal):
        edges[edge].prior = doubt / legal
    for place in range(glance.num_legal):
        edge = edge_of(nodes, edges, node, as_game_action(glance, glance.legal[place]))
        edges[edge].prior += (1.0 - doubt) * math.exp(thought.scores[place] - whole)


@rule
def _write_values(tree: Any, thought: Any, me: Any, players: Any) -> None:
    """Write what the network expects: its share for the seat that is asked, and the rest for the others, evenly."""
    share, lead = float(thought.values[0]), tree.lead * math.tanh(float(thought.values[1]) * _POINTS / LARGE_LEAD)
    for seat in range(players):
        tree.values[seat] = share + lead if seat == me else (1.0 - share) / (players - 1) - lead


def _make_foresee(source_hash: str) -> Callable[..., None]:
    def foresee(
        games: Any, rows: Any, seeds: Any, budget: Any, choices: Any, ahead: Any, doubt: Any, least: Any, readings: Any,
        shapes: Any, parameters: Any, glances: Any, thoughts: Any, numbers: Any, values: Any, wanted: Any, cleared: Any,
        patterns: Any, worlds: Any, places: Any, trees: Any, nodes: Any, edges: Any, slots: Any, arms: Any, trials: Any,
        answers: Any,
    ) -> None:  # fmt: skip
        """Search each row with `budget` iterations, and write its answer.

        Of the first decision in row r those actions `choices[r]` are tried to which the network gives at least the chance
        `least`; where that is one, nothing is searched.
        Behind a leaf the network plays on until `ahead` more turns have begun, and values that position.
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        tree, game, glance, thought = trees[0], worlds[0], glances[0], thoughts[0]
        network = readings[0], shapes[0], from_here(parameters, 0), wanted[0], cleared
        scratch = glance, thought, from_here(numbers, 0), from_here(values, 0)
        for r in range(rows.shape[0]):
            patterns[0] = games[rows[r]]
            empty(patterns[0], places)
            worlds[0] = patterns[0]
            deal(game, seeds[r], 0, places)
            asked, players = int(game.asked), int(game.num_players)
            _consider(game, asked, network, scratch)
            usual = int(_likeliest_choice(choices, r, glance, thought))
            plant(tree, slots)
            offer(tree, arms, usual, _USUAL)
            whole = log_of_sum(thought, glance) if glance.num_legal > 0 else 0.0
            for place in range(glance.num_legal):
                action = int(as_game_action(glance, glance.legal[place]))
                chance = math.exp(thought.scores[place] - whole)
                if choices[r, action] and action != usual and chance >= least:
                    offer(tree, arms, action, chance)
            if tree.arms == 1:
                answers[r] = usual
                continue
            rounds = rounds_of(tree)
            for _ in range(rounds):
                each = max(1, budget // (rounds * arms_left(tree, arms)))
                for number in range(tree.arms * each):
                    arm = number % int(tree.arms)
                    if not arms[arm].left:
                        continue
                    worlds[0] = patterns[0]
                    deal(game, seeds[r], arms[arm].trials, places)
                    tree.depth = 0
                    action, key, climbing, last = int(arms[arm].action), _ROOT, True, 0
                    while not game.over:
                        game.decisions[game.asked] += 1
                        run(game, action)
                        if game.over:
                            break
                        key = key_of(game, key, action) if climbing else key
                        if game.num_legal == 1:
                            action = int(game.only_legal)
                            continue
                        me = int(game.asked)
                        node = find(nodes, slots, key, game.num_legal) if climbing else NONE
                        if node != NONE:
                            edge = pick(tree, nodes, edges, node, NONE, 0.0)
                            step_on(tree, node, edge, me)
                            action = int(edges[edge].action)
                            continue
                        _consider(game, me, network, scratch)
                        action = int(_likeliest(game, glance, thought))
                        if climbing:
                            climbing, last = False, turns_begun(game) + ahead
                            node = grow(tree, nodes, edges, slots, key, game)
                            if node != NONE:
                                _set_priors(nodes, edges, node, glance, thought, doubt)
                                step_on(tree, node, edge_of(nodes, edges, node, action) if ahead else NONE, me)
                        if turns_begun(game) >= last:
                            _write_values(tree, thought, me, players)
                            break
                    if game.over:
                        value_of_end(tree, game)
                    back_up(tree, nodes, edges)
                    note_trial(arms, trials, arm, tree.values[asked])
                drop_worse(tree, arms, trials)
                if is_decided(tree, arms, trials):
                    break
            answers[r] = answer_of(tree, arms, trials)

    return foresee


foresee = entry_point(
    _make_foresee,
    LOOPS_HASH + hash_of_sources(Path(__file__).parents[2], ("trained/*.py",)),
)
