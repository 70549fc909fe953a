"""The compiled loop of `puct`: a tree of decisions that a network thinks promising, whose leaves it values."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.loops.dealing import advance, deal_world, take_pattern
from dominion_agents.searching.loops.playouts import LOOPS_HASH, turns_begun
from dominion_agents.searching.loops.tree import (
    LARGE_LEAD,
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
from dominion_agents.trained.forward import likeliest, log_of_sum, look, think
from dominion_agents.trained.reading import as_game_action
from dominion_env.compiled.instructions import from_here, uncounted
from dominion_env.compiled.jit import entry_point, hash_of_sources, rule
from dominion_env.core.observing.observation import write_row
from dominion_env.core.observing.rows import Row

_USUAL = 2.0  # more than any probability
_POINTS = 50.0  # that a network predicts as a lead of 1


class Sight(NamedTuple):
    """What a network is shown: room for its inputs and an observation, and which fields of that are written."""

    inputs: NDArray[np.int8]
    row: NDArray[np.float32]
    wanted: NDArray[Any] | None
    cleared: NDArray[Any]


@rule
def _consider(game: Any, network: Any, sight: Any) -> None:
    """Let the network think about the decision that is asked for."""
    glance, inputs, row = network.glances[0], from_here(sight.inputs, 0), from_here(sight.row, 0)
    write_row(Row(row, None), sight.wanted[0], sight.cleared, game, int(game.asked))
    look(glance, network.readings[0], row, from_here(game.legal, 0), inputs, 0)
    think(network.thoughts[0], glance, network.shapes[0], from_here(network.weights, 0), inputs, 0)


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
def _set_priors(tree: Any, node: Any, glance: Any, thought: Any) -> None:
    """Write what the network thinks of the actions of a new node; `doubt` of the chance is shared by all of them."""
    if glance.num_legal == 0:
        return
    edges, doubt = tree.edges, float(tree.state[0].doubt)
    first, legal = int(tree.nodes[node].first), int(tree.nodes[node].edges)
    whole = log_of_sum(thought, glance)
    for edge in range(first, first + legal):
        edges[edge].prior = doubt / legal
    for place in range(glance.num_legal):
        edge = edge_of(tree, node, as_game_action(glance, glance.legal[place]))
        edges[edge].prior += (1.0 - doubt) * math.exp(thought.scores[place] - whole)


@rule
def _write_values(state: Any, thought: Any, me: Any, players: Any) -> None:
    """Write what the network expects: its share for the seat that is asked, and the rest for the others, evenly."""
    share, lead = float(thought.values[0]), state.lead * math.tanh(float(thought.values[1]) * _POINTS / LARGE_LEAD)
    for seat in range(players):
        state.values[seat] = share + lead if seat == me else (1.0 - share) / (players - 1) - lead


@rule
def _offer_arms(tree: Any, choices: Any, r: Any, glance: Any, thought: Any) -> None:
    """Offer the likeliest of the actions `choices[r]`, and the others that the network gives the least chance at least."""
    usual, least = int(_likeliest_choice(choices, r, glance, thought)), float(tree.state[0].least)
    offer(tree, usual, _USUAL)
    whole = log_of_sum(thought, glance) if glance.num_legal > 0 else 0.0
    for place in range(glance.num_legal):
        action = int(as_game_action(glance, glance.legal[place]))
        chance = math.exp(thought.scores[place] - whole)
        if choices[r, action] and action != usual and chance >= least:
            offer(tree, action, chance)


@rule
def _descend(tree: Any, game: Any, action: Any) -> Any:
    """Select actions as far as the tree goes; return the key of the decision behind it, unless the game is over."""
    key = ROOT
    while True:
        advance(game, action)
        if game.over:
            return key
        key = key_of(game, key, action)
        if game.num_legal == 1:
            action = int(game.only_legal)
            continue
        node = find(tree, key, game.num_legal)
        if node == NONE:
            return key
        action = int(step_on(tree, node, pick(tree, node, NONE), int(game.asked)))


@rule
def _expand(tree: Any, game: Any, key: Any, action: Any, glance: Any, thought: Any) -> None:
    """Add the decision that is asked for to the tree, whose likeliest action is given."""
    node = int(grow(tree, key, game))
    if node != NONE:
        _set_priors(tree, node, glance, thought)
        step_on(tree, node, edge_of(tree, node, action) if tree.state[0].ahead else NONE, int(game.asked))


@rule
def _evaluate(tree: Any, game: Any, key: Any, network: Any, sight: Any) -> None:
    """Expand the tree by the leaf, let the network play on from there, and write what it expects of that position."""
    state, glance, thought = tree.state[0], network.glances[0], network.thoughts[0]
    is_leaf, last = True, 0
    while not game.over:
        action = int(game.only_legal)
        if game.num_legal > 1:
            _consider(game, network, sight)
            action = int(_likeliest(game, glance, thought))
            if is_leaf:
                is_leaf, last = False, int(turns_begun(game) + state.ahead)
                _expand(tree, game, key, action, glance, thought)
            if turns_begun(game) >= last:
                _write_values(state, thought, int(game.asked), int(game.num_players))
                return
        advance(game, action)
    value_of_end(state, game)


@rule
def _try_arm(tree: Any, number: Any, context: Any) -> Any:
    """Deal the arm's next world, descend the tree, evaluate the leaf by the network, and back up its value."""
    network, sight, dealing, seed = context
    game, arm, state = dealing.worlds[0], tree.arms[number], tree.state[0]
    deal_world(dealing, 0, seed, arm.trials)
    asked = int(game.asked)
    state.depth = 0
    key = _descend(tree, game, arm.action)
    _evaluate(tree, game, key, network, sight)
    back_up(tree)
    return state.values[asked]


_search = sequential_halving(_try_arm)


@entry_point(LOOPS_HASH + hash_of_sources(Path(__file__).parents[2], ("trained/*.py",)))
def search_with_network(
    games: Any, rows: Any, seeds: Any, budget: Any, choices: Any, network: Any, sight: Any, dealing: Any, tree: Any,
    answers: Any,
) -> None:  # fmt: skip
    """Search each row with `budget` iterations, and write its answer.

    Of the first decision in row r those actions `choices[r]` are tried that the network does not think too unlikely;
    where that is one, nothing is searched. Behind a leaf the network plays on for some turns, and values that position.
    """
    tree, network, sight, dealing = uncounted(tree), uncounted(network), uncounted(sight), uncounted(dealing)
    for r in range(rows.shape[0]):
        take_pattern(dealing, games, rows[r])
        deal_world(dealing, 0, seeds[r], 0)
        _consider(dealing.worlds[0], network, sight)
        plant(tree)
        _offer_arms(tree, choices, r, network.glances[0], network.thoughts[0])
        if tree.state[0].arms == 1:
            answers[r] = tree.arms[0].action
        else:
            answers[r] = _search(tree, budget, (network, sight, dealing, seeds[r]))
