"""A tree of decisions, in arrays that are made once: what the compiled loops of `ismcts` and `puct` share.

A node is a decision as far as its choices tell it: who is asked, by which card, what is legal, and which actions of which
decisions led there. So the worlds in which a seat can do the same share a node, and those in which it holds other cards
have their own. Luck makes no nodes. A seat's node depends on nothing that this seat can't see, so a tree plans for no cards
that are hidden.

The first decision is searched by sequential halving: all its actions are tried in the same worlds, and the worse half of
those that are left is dropped again and again. Below, each decision takes the action with the highest sum of its mean value
and of a bonus for what was tried seldom and was thought good before (`pick`).

Sources: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012); Rosin, "Multi-armed bandits with
episode context" (2011), for the bonus; Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with
Gumbel" (2022), for halving at the root of a tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.splitmix import GAMMA
from dominion_env.compiled.jit import layer, primitive, records, rule
from dominion_env.rules.record.card_sets import how_many
from dominion_env.rules.record.streams import mix
from dominion_env.rules.scoring import points_of, winners_of
from dominion_env.rules.turns.redeal import MOST_SEATS
from dominion_env.tables.cards import NUM_CARDS

MOST_PLAYOUTS = 1 << 20
MOST_NODES = 1 << 16  # what comes after them is played out as behind any leaf
MOST_ARMS = 64  # actions of the first decision that are tried; where more are legal, the most promising ones
LARGE_LEAD = 20.0  # points, as for the planner
LEAST_ROUNDS, MOST_ROUNDS = 3, 6  # each has at least one trial
SURELY = 2.5  # standard errors by which an arm is worse that goes at once
USUAL_SPREAD, USUAL_TRIALS = 0.25, 4  # of differences, as if this number of trials had shown it
_EDGES_A_NODE = 12  # room for legal actions, more than most decisions have
_DEEPEST = 128  # decisions of one way through the tree
NONE = -1
ROOT = np.uint64(0)  # key of the first decision

NODE = np.dtype(
    [
        ("key", "u8"),
        ("first", "i8"),  # its first edge
        ("edges", "i8"),  # number of its legal actions
        ("visits", "i8"),
        ("sum", "f8"),  # of the values to the seat that is asked
    ],
    align=True,
)
EDGE = np.dtype([("action", "i8"), ("visits", "i8"), ("sum", "f8"), ("prior", "f8")], align=True)

# An action of the first decision, while it is tried.
ARM = np.dtype([("action", "i8"), ("left", "i8"), ("trials", "i8"), ("sum", "f8"), ("prior", "f8")], align=True)

# The tree's own numbers, those of the iteration that is under way, and how it is searched.
STATE = np.dtype(
    [
        ("nodes", "i8"),
        ("edges", "i8"),
        ("arms", "i8"),
        ("depth", "i8"),  # nodes on the way through the tree
        ("node", "i8", _DEEPEST),
        ("edge", "i8", _DEEPEST),
        ("seat", "i8", _DEEPEST),
        ("values", "f8", MOST_SEATS),  # what this iteration is worth to each seat
        ("curiosity", "f8"),  # factor of the bonus
        ("reluctance", "f8"),  # by how much an action that was not tried counts less than its decision
        ("lead", "f8"),  # worth of a large lead in points, in wins
        ("gate", "f8"),  # standard errors by which an action must be better than the usual one
        ("trust", "f8"),  # `ismcts`: chance that a plan's own action is the best one, before anything was tried
        ("doubt", "f8"),  # `puct`: part of the chance that all actions of a node share, whatever the network says
        ("least", "f8"),  # `puct`: chance that the network must give to an action for it to be an arm
        ("ahead", "i8"),  # `puct`: turns that the network plays on behind a leaf
    ],
    align=True,
)


class Tree(NamedTuple):
    """A tree: its state, its nodes and edges, the table of its keys, its arms, and the value of each trial of each arm."""

    state: NDArray[Any]
    nodes: NDArray[Any]
    edges: NDArray[Any]
    slots: NDArray[np.int64]
    arms: NDArray[Any]
    trials: NDArray[np.float32]


def tree_for(iterations: int, actions: int, **settings: float) -> Tree:
    """Return a tree with room for a search.

    Args:
        iterations: the most iterations.
        actions: the most legal actions of a first decision.
        settings: how it is searched, by the names of `STATE`.
    """
    nodes, arms = min(iterations, MOST_NODES), min(actions, MOST_ARMS)
    slots = 1 << (2 * nodes).bit_length()
    state = np.zeros(1, STATE)
    for name, value in settings.items():
        state[name] = value
    return Tree(
        records(state),
        records(np.zeros(nodes, NODE)),
        records(np.zeros(_EDGES_A_NODE * nodes, EDGE)),
        np.zeros(slots, np.int64),
        records(np.zeros(arms, ARM)),
        np.zeros((arms, iterations // 2 + MOST_ROUNDS), np.float32),  # no arm has more, as it is never the only one
    )


@rule
def plant(tree: Any) -> None:
    """Forget an earlier tree."""
    state, slots = tree.state[0], tree.slots
    state.nodes = 0
    state.edges = 0
    state.arms = 0
    for slot in range(slots.shape[0]):
        slots[slot] = NONE


@primitive
def _mixed(key: Any, number: Any) -> Any:
    return mix(key ^ mix(np.uint64(number) + GAMMA))


@rule
def key_of(game: Any, key: Any, action: Any) -> Any:
    """Return the key of the decision that is asked for, which came after `action` in that of another key, uint64."""
    key = _mixed(_mixed(key, action + 1), (int(game.asked) * 64 + int(game.kind)) * 64 + int(game.source) + 1)
    for word in range(NUM_CARDS + 1):
        if int(game.legal_set) >> word & 1:
            key = mix((key ^ game.legal_words[word]) + np.uint64(word) * GAMMA)
    return key


@rule
def find(tree: Any, key: Any, legal: Any) -> Any:
    """Return the node with this key and this number of legal actions, or NONE."""
    nodes, slots = tree.nodes, tree.slots
    last = slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while slots[slot] != NONE:
        node = slots[slot]
        if nodes[node].key == key:
            return node if nodes[node].edges == legal else NONE
        slot = (slot + 1) & last
    return NONE


@rule
def grow(tree: Any, key: Any, game: Any) -> Any:
    """Add a node for the decision that is asked for, all its actions thought equal; return it, or NONE without room."""
    state, nodes, edges, slots = tree.state[0], tree.nodes, tree.edges, tree.slots
    legal, first = int(game.num_legal), int(state.edges)
    if state.depth == _DEEPEST or state.nodes == nodes.shape[0] or first + legal > edges.shape[0]:
        return NONE
    last = slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while slots[slot] != NONE:
        if nodes[slots[slot]].key == key:  # another decision has the same key, which chance hardly ever makes
            return NONE
        slot = (slot + 1) & last
    number = int(state.nodes)
    slots[slot] = number
    node = nodes[number]
    node.key = key
    node.first = first
    node.edges = legal
    node.visits = 0
    node.sum = 0.0
    at = first
    for action in range(game.legal.shape[0]):
        if game.legal[action]:
            edge = edges[at]
            edge.action = action
            edge.visits = 0
            edge.sum = 0.0
            edge.prior = 1.0 / legal
            at += 1
    state.nodes += 1
    state.edges = at
    return number


@rule
def edge_of(tree: Any, node: Any, action: Any) -> Any:
    """Return the edge of an action, or NONE."""
    first = int(tree.nodes[node].first)
    for edge in range(first, first + int(tree.nodes[node].edges)):
        if tree.edges[edge].action == action:
            return edge
    return NONE


@rule
def pick(tree: Any, number: Any, usual: Any) -> Any:
    """Return the edge of a node that is to be tried next, the first one of equals.

    Args:
        tree: the tree.
        number: the node.
        usual: an action that is thought good before with the probability `trust`, while the others share the rest; or NONE
            for the priors of the edges.
    """
    state, edges = tree.state[0], tree.edges
    node, trust, curiosity = tree.nodes[number], float(state.trust), float(state.curiosity)
    first, legal = int(node.first), int(node.edges)
    root = math.sqrt(node.visits)
    untried = node.sum / max(1, node.visits) - state.reluctance
    best, highest = first, -1e30
    for each in range(first, first + legal):
        edge = edges[each]
        prior = float(edge.prior)
        if usual != NONE:
            prior = trust if edge.action == usual else (1.0 - trust) / max(1, legal - 1)
        value = edge.sum / edge.visits if edge.visits > 0 else untried
        score = value + curiosity * prior * root / (1 + edge.visits)
        if score > highest:
            best, highest = each, score
    return best


@rule
def step_on(tree: Any, number: Any, edge: Any, seat: Any) -> Any:
    """Note that this iteration goes through a node, and takes an edge or ends there (NONE); return the edge's action."""
    state = tree.state[0]
    at = int(state.depth)
    state.node[at] = number
    state.edge[at] = edge
    state.seat[at] = seat
    state.depth += 1
    return int(tree.edges[edge].action) if edge != NONE else NONE


@rule
def back_up(tree: Any) -> None:
    """Add what this iteration is worth to the nodes and edges on its way, to each as its own seat sees it."""
    state = tree.state[0]
    for at in range(state.depth):
        value = state.values[state.seat[at]]
        node = tree.nodes[state.node[at]]
        node.visits += 1
        node.sum += value
        if state.edge[at] != NONE:
            edge = tree.edges[state.edge[at]]
            edge.visits += 1
            edge.sum += value


@rule
def value_of_end(state: Any, game: Any) -> None:
    """Write what a game that is over is worth to each seat: its share of the win, and a little for its lead."""
    players, winners = int(game.num_players), int(winners_of(game))
    number = how_many(winners)
    for seat in range(players):
        share = 1.0 / players
        if number > 0:
            share = (winners >> seat & 1) / number
        best_other = -(1 << 30)
        for other in range(players):
            if other != seat:
                best_other = max(best_other, int(points_of(game, other)))
        lead = float(int(points_of(game, seat)) - best_other) if players > 1 else 0.0
        state.values[seat] = share + state.lead * math.tanh(lead / LARGE_LEAD)


# --- the first decision ------------------------------------------------------------------------------------------------


@rule
def offer(tree: Any, action: Any, prior: Any) -> None:
    """Add an action to the arms, in the order of their priors; where there is no more room, the last one goes."""
    state, arms = tree.state[0], tree.arms
    at = int(state.arms)
    if at == arms.shape[0]:
        at -= 1
        if prior <= arms[at].prior:
            return
    else:
        state.arms += 1
    while at > 0 and arms[at - 1].prior < prior:
        arms[at] = arms[at - 1]
        at -= 1
    arm = arms[at]
    arm.action = action
    arm.prior = prior
    arm.left = 1
    arm.trials = 0
    arm.sum = 0.0


@rule
def rounds_of(tree: Any) -> Any:
    """Return how often arms are dropped, half of them or more; a few times even if there are two, as most are clear soon."""
    rounds = LEAST_ROUNDS
    while 1 << rounds < tree.state[0].arms:
        rounds += 1
    return rounds


@rule
def arms_left(tree: Any) -> Any:
    """Return how many arms are left."""
    left = 0
    for arm in range(tree.state[0].arms):
        left += int(tree.arms[arm].left)
    return left


@rule
def note_trial(tree: Any, number: Any, value: Any) -> None:
    """Note what a trial of an arm is worth."""
    arm = tree.arms[number]
    tree.trials[number, arm.trials] = value
    arm.trials += 1
    arm.sum += value


@rule
def advantage(tree: Any, number: Any, other: Any) -> Any:
    """Return by how much an arm is better than another in the trials that both have, and the standard error of that.

    Few trials tell little of their own spread: it is as if a few more had shown the usual one.
    """
    arms, trials = tree.arms, tree.trials
    together = max(1, min(int(arms[number].trials), int(arms[other].trials)))
    mean, squares = 0.0, USUAL_TRIALS * USUAL_SPREAD**2
    for trial in range(together):
        mean += trials[number, trial] - trials[other, trial]
    mean /= together
    for trial in range(together):
        squares += (trials[number, trial] - trials[other, trial] - mean) ** 2
    return mean, math.sqrt(squares / (together - 1 + USUAL_TRIALS) / together)


@rule
def best_arm(tree: Any) -> Any:
    """Return the number of the best arm that is left, the first one of equals."""
    arms, best = tree.arms, 0
    for number in range(1, tree.state[0].arms):
        if arms[number].left and arms[number].sum / arms[number].trials > arms[best].sum / arms[best].trials:
            best = number
    return best


@rule
def drop_worse(tree: Any) -> None:
    """Drop the arms that are surely worse than the best one, and then the worse half of those that are left.

    The first arm, which is the usual action, stays as the measure of the others.
    """
    arms, best = tree.arms, int(best_arm(tree))
    half = (arms_left(tree) - 1) // 2
    gone = 0
    for number in range(1, tree.state[0].arms):
        if arms[number].left and number != best:
            worse, error = advantage(tree, best, number)
            if worse > SURELY * error:
                arms[number].left = 0
                gone += 1
    for _ in range(half - gone):
        arms[worst_arm(tree)].left = 0


@rule
def worst_arm(tree: Any) -> Any:
    """Return the number of the worst arm that is left beside the first, the last one of equals."""
    arms, worst = tree.arms, NONE
    for number in range(1, tree.state[0].arms):
        if arms[number].left and (
            worst == NONE or arms[number].sum / arms[number].trials <= arms[worst].sum / arms[worst].trials
        ):
            worst = number
    return worst


@rule
def is_decided(tree: Any) -> Any:
    """Return whether only the usual action is left, or one other, and it is sure which of them is better."""
    left = arms_left(tree)
    for number in range(1, tree.state[0].arms):
        if left == 2 and tree.arms[number].left:
            better, error = advantage(tree, number, 0)
            return abs(better) > SURELY * error
    return left == 1


@rule
def answer_of(tree: Any) -> Any:
    """Return the action of the best arm that is left; the usual one, if that is not better by more than the gate."""
    arms, best = tree.arms, int(best_arm(tree))
    if best == 0:
        return arms[0].action
    better, error = advantage(tree, best, 0)
    return arms[best].action if better > tree.state[0].gate * error else arms[0].action


def sequential_halving(try_arm: Callable[..., Any]) -> Callable[..., Any]:
    """Make the search of a first decision, whose arms have been offered: a function of a tree, a budget and a context.

    Args:
        try_arm: the rule that tries an arm once and backs up what came of it: a function of a tree, the arm's number and
            the context. It returns what the trial is worth to the seat that is asked.
    """

    @layer
    def one_round(tree: Any, each: Any, context: Any) -> None:
        """Try all arms that are left in turn, each this number of times."""
        arms = int(tree.state[0].arms)
        for number in range(arms * each):
            arm = number % arms
            if tree.arms[arm].left:
                note_trial(tree, arm, try_arm(tree, arm, context))

    @rule
    def search(tree: Any, budget: Any, context: Any) -> Any:
        """Return the best action, after rounds that share the budget, each of which drops the worse arms."""
        rounds = int(rounds_of(tree))
        for _ in range(rounds):
            one_round(tree, max(1, budget // (rounds * arms_left(tree))), context)
            drop_worse(tree)
            if is_decided(tree):
                break
        return answer_of(tree)

    return search
