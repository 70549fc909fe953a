"""The forward pass of a network, compiled: a row at a time, and only what the row needs.

Most inputs are zero, half of the hidden units are too, and of the actions only the legal ones need a score. So a row
costs a fraction of the multiplications of a matrix product, and batches of one are as quick as large ones. The sums of a
row are always taken in the same order, in single precision: the same row gives the same numbers in any batch.

A plain network has layers, and a score for each action from the last of them. A network with card vectors has two more
paths. Each card in the game has a vector, made of its counts, the single numbers, and what the network knows of that card,
by weights that all cards share. The first layer sees the mean of these vectors beside its inputs, and the score of an
action with a card also comes from that card's vector and the last layer, by weights that all cards share.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.reading import GLANCE, PILES, find_legal, find_slots, read
from dominion_env.compiled.jit import primitive, records, rule
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS

MOST_LAYERS, MOST_UNITS, MOST_CARD_UNITS = 4, 1024, 128
VALUES = 2  # numbers that a network predicts besides the scores of actions: share of the win, lead

# The shape of a network. Its weights are one array of float32: for each layer weights (inputs, units) and biases, then a
# row of weights and a bias for each action, then the same for each of the two values. Of a network with card vectors there
# follow, from `vectors` on, a row of weights for each column, single number and card, the weights from a vector's mean to
# the first layer (card_units, units), from a vector (card_units, card_units) and from the last layer (units, card_units) to
# the second vector, its biases, and a row for each verb.
SHAPE = np.dtype(
    [
        ("layers", "i8"),
        ("inputs", "i8"),  # of the first layer
        ("actions", "i8"),
        ("units", "i8", MOST_LAYERS),
        ("card_units", "i8"),  # length of a card's vector; 0 for a plain network, which has none of what follows
        ("columns", "i8"),
        ("numbers", "i8"),
        ("cards", "i8"),  # number of cards that the network has weights for
        ("tells", "i8"),  # 1 if the inputs tell the card of each slot; else a slot's card is its number
        ("vectors", "i8"),  # where the weights of card vectors begin
    ],
    align=True,
)

# The numbers of one decision.
THOUGHT = np.dtype(
    [
        ("units", "f4", (2, MOST_UNITS)),
        ("scores", "f4", 320),  # of the legal actions, in their order
        ("values", "f4", VALUES),
        ("lanes", "f4", 16),
        ("vectors", "f4", (PILES, MOST_CARD_UNITS)),  # of the card in each slot
        ("rows", "f4", (4, MOST_CARD_UNITS)),  # numbers of a vector's length, see below
    ],
    align=True,
)
# In `rows`: what all vectors share, their mean, what all second vectors share, and one second vector.
_OF_ALL, _MEAN, _TOLD, _SECOND = range(4)


class ReadyNetwork(NamedTuple):
    """A network as compiled loops take it: how it reads, its shape and weights, and room for what it reads and thinks."""

    readings: NDArray[Any]
    shapes: NDArray[Any]
    weights: NDArray[np.float32]
    glances: NDArray[Any]
    thoughts: NDArray[Any]


def ready(reading: NDArray[Any], shape: NDArray[Any], weights: NDArray[np.float32]) -> ReadyNetwork:
    """Return a network with room of its own."""
    return ReadyNetwork(reading, shape, weights, records(np.zeros(1, GLANCE)), records(np.zeros(1, THOUGHT)))


_ZERO = np.float32(0.0)
_MOST_LOGIT = 80.0


@primitive
def _add_rows(units: Any, into: Any, num_units: Any, weights: Any, rows: Any, factors: Any) -> None:
    """Add four rows of weights, each times its factor."""
    a, b, c, d = rows
    x, y, z, w = factors
    for unit in range(num_units):
        units[into, unit] += (
            x * weights[a + unit] + y * weights[b + unit] + z * weights[c + unit] + w * weights[d + unit]
        )


@rule
def _add_counts(
    into: Any, to: Any, num_units: Any, weights: Any, start: Any, inputs: Any, at: Any, num_inputs: Any
) -> None:
    """Add the rows of weights of the inputs that are not 0, each times its count."""
    found = 0
    a, b, c, d = start, start, start, start
    x, y, z, w = _ZERO, _ZERO, _ZERO, _ZERO
    for number in range(num_inputs):
        count = inputs[at + number]
        if count != 0:
            a, b, c, d = b, c, d, start + number * num_units
            x, y, z, w = y, z, w, np.float32(count)
            found += 1
            if found == 4:
                _add_rows(into, to, num_units, weights, (a, b, c, d), (x, y, z, w))
                x, y, z, w, found = _ZERO, _ZERO, _ZERO, _ZERO, 0
    if found:
        _add_rows(into, to, num_units, weights, (a, b, c, d), (x, y, z, w))


@rule
def _first_layer(thought: Any, num_units: Any, weights: Any, inputs: Any, at: Any, num_inputs: Any) -> None:
    bias = num_inputs * num_units
    for unit in range(num_units):
        thought.units[0, unit] = weights[bias + unit]
    _add_counts(thought.units, 0, num_units, weights, 0, inputs, at, num_inputs)


# --- card vectors ------------------------------------------------------------------------------------------------------


@primitive
def _card_in(shape: Any, inputs: Any, at: Any, slot: Any) -> Any:
    """Return the card in a slot, as the network numbers cards."""
    return int(inputs[at + PILES * shape.columns + shape.numbers + slot]) if shape.tells else slot


@rule
def _find_vectors(thought: Any, shape: Any, weights: Any, inputs: Any, at: Any) -> None:
    """Compute the vector of the card in each slot, and their mean."""
    units, columns = int(shape.card_units), int(shape.columns)
    numbers = int(shape.vectors) + columns * units
    cards = numbers + int(shape.numbers) * units
    for unit in range(units):
        thought.rows[_OF_ALL, unit] = _ZERO
        thought.rows[_MEAN, unit] = _ZERO
    _add_counts(thought.rows, _OF_ALL, units, weights, numbers, inputs, at + PILES * columns, shape.numbers)
    for slot in range(PILES):
        known = cards + _card_in(shape, inputs, at, slot) * units
        for unit in range(units):
            thought.vectors[slot, unit] = thought.rows[_OF_ALL, unit] + weights[known + unit]
        _add_counts(thought.vectors, slot, units, weights, shape.vectors, inputs, at + slot * columns, columns)
        for unit in range(units):
            thought.rows[_MEAN, unit] += max(thought.vectors[slot, unit], _ZERO)
    for unit in range(units):
        thought.rows[_MEAN, unit] /= np.float32(PILES)


@rule
def _first_layer_of_cards(thought: Any, shape: Any, weights: Any, inputs: Any, at: Any) -> None:
    """Compute the first layer from each card's counts, by weights of that card, the single numbers and the mean vector."""
    units, columns = int(shape.units[0]), int(shape.columns)
    bias = int(shape.inputs) * units
    for unit in range(units):
        thought.units[0, unit] = weights[bias + unit]
    for slot in range(PILES):
        start = _card_in(shape, inputs, at, slot) * columns * units
        _add_counts(thought.units, 0, units, weights, start, inputs, at + slot * columns, columns)
    start = shape.cards * columns * units
    _add_counts(thought.units, 0, units, weights, start, inputs, at + PILES * columns, shape.numbers)
    start = _first_of_mean(shape)
    _add_above_zero(thought.rows, _MEAN, shape.card_units, thought.units, 0, units, weights, start)


@primitive
def _first_of_mean(shape: Any) -> Any:
    return shape.vectors + (shape.columns + shape.numbers + shape.cards) * shape.card_units


@rule
def _tell_cards(thought: Any, shape: Any, weights: Any, source: Any, num_units: Any) -> None:
    """Compute the part of each second vector that comes from the last layer."""
    units = int(shape.card_units)
    start = _first_of_mean(shape) + shape.units[0] * units + units * units
    bias = start + num_units * units
    for unit in range(units):
        thought.rows[_TOLD, unit] = weights[bias + unit]
    _add_above_zero(thought.units, source, num_units, thought.rows, _TOLD, units, weights, start)


@rule
def _find_second_vector(thought: Any, shape: Any, weights: Any, slot: Any) -> None:
    units = int(shape.card_units)
    for unit in range(units):
        thought.rows[_SECOND, unit] = thought.rows[_TOLD, unit]
    start = _first_of_mean(shape) + shape.units[0] * units
    _add_above_zero(thought.vectors, slot, units, thought.rows, _SECOND, units, weights, start)


# --- a whole network ---------------------------------------------------------------------------------------------------


@rule
def _add_above_zero(
    source: Any, row: Any, num_before: Any, into: Any, to: Any, num_units: Any, weights: Any, start: Any
) -> None:
    """Add the rows of weights of all units above 0, each times its unit."""
    found = 0
    a, b, c, d = start, start, start, start
    x, y, z, w = _ZERO, _ZERO, _ZERO, _ZERO
    for before in range(num_before):
        value = source[row, before]
        if value > _ZERO:
            a, b, c, d = b, c, d, start + before * num_units
            x, y, z, w = y, z, w, value
            found += 1
            if found == 4:
                _add_rows(into, to, num_units, weights, (a, b, c, d), (x, y, z, w))
                x, y, z, w, found = _ZERO, _ZERO, _ZERO, _ZERO, 0
    if found:
        _add_rows(into, to, num_units, weights, (a, b, c, d), (x, y, z, w))


@rule
def _next_layer(thought: Any, source: Any, num_before: Any, num_units: Any, weights: Any, start: Any) -> None:
    into = 1 - source
    bias = start + num_before * num_units
    for unit in range(num_units):
        thought.units[into, unit] = weights[bias + unit]
    _add_above_zero(thought.units, source, num_before, thought.units, into, num_units, weights, start)


@rule
def _score(thought: Any, units: Any, source: Any, num_units: Any, weights: Any, start: Any) -> Any:
    """Return the product of some units, what is above 0 of each, with a row of weights; sixteen sums side by side."""
    lanes = thought.lanes
    for lane in range(16):
        lanes[lane] = _ZERO
    for block in range(0, num_units, 16):
        for lane in range(16):
            lanes[lane] += max(units[source, block + lane], _ZERO) * weights[start + block + lane]
    total = _ZERO
    for lane in range(16):
        total += lanes[lane]
    return total


@rule
def think(thought: Any, glance: Any, shape: Any, weights: Any, inputs: Any, at: Any) -> None:
    """Compute the scores of the legal actions, and the values, for the inputs that begin at `at`."""
    before, units = int(shape.inputs), int(shape.units[0])
    if shape.card_units == 0:
        _first_layer(thought, units, weights, inputs, at, before)
    else:
        _find_vectors(thought, shape, weights, inputs, at)
        _first_layer_of_cards(thought, shape, weights, inputs, at)
    start, source = (before + 1) * units, 0
    for layer in range(1, shape.layers):
        before, units = units, int(shape.units[layer])
        _next_layer(thought, source, before, units, weights, start)
        start += (before + 1) * units
        source = 1 - source
    biases = start + shape.actions * units
    if shape.card_units == 0:
        for place in range(glance.num_legal):
            action = int(glance.legal[place])
            thought.scores[place] = (
                _score(thought, thought.units, source, units, weights, start + action * units)
                + weights[biases + action]
            )
    else:
        _score_cards(thought, glance, shape, weights, inputs, at, source, units, start)
    start = biases + int(shape.actions)
    for value in range(VALUES):
        bias = weights[start + VALUES * units + value]
        thought.values[value] = _score(thought, thought.units, source, units, weights, start + value * units) + bias
    logit = max(-_MOST_LOGIT, min(float(thought.values[0]), _MOST_LOGIT))  # beyond, Python's `exp` raises an error
    thought.values[0] = np.float32(1.0 / (1.0 + math.exp(-logit)))


@rule
def _score_cards(
    thought: Any, glance: Any, shape: Any, weights: Any, inputs: Any, at: Any, source: Any, units: Any, start: Any
) -> None:
    """Compute the scores of the legal actions of a network with card vectors, whose weights for scores begin at `start`."""
    card_units = int(shape.card_units)
    biases = start + int(shape.actions) * units
    verbs = _first_of_mean(shape) + (shape.units[0] + card_units + units + 1) * card_units
    _tell_cards(thought, shape, weights, source, units)
    slot_before = -1
    for place in range(glance.num_legal):
        action, verb = int(glance.legal[place]), -1
        if action >= FIRST_CARD_ACTION:
            slot, verb = (action - FIRST_CARD_ACTION) // NUM_VERBS, (action - FIRST_CARD_ACTION) % NUM_VERBS
            if slot != slot_before:
                _find_second_vector(thought, shape, weights, slot)
                slot_before = slot
            action = FIRST_CARD_ACTION + NUM_VERBS * _card_in(shape, inputs, at, slot) + verb
        score = (
            _score(thought, thought.units, source, units, weights, start + action * units) + weights[biases + action]
        )
        if verb >= 0:
            score += _score(thought, thought.rows, _SECOND, card_units, weights, verbs + verb * card_units)
        thought.scores[place] = score


@rule
def likeliest(thought: Any, glance: Any) -> Any:
    """Return the place of the legal action with the highest score, the first one of equals."""
    best = 0
    for place in range(1, glance.num_legal):
        if thought.scores[place] > thought.scores[best]:
            best = place
    return best


@rule
def log_of_sum(thought: Any, glance: Any) -> Any:
    """Return the logarithm of the sum of the exponentials of the scores: a score less this is a log-probability."""
    highest = thought.scores[likeliest(thought, glance)]
    total = 0.0
    for place in range(glance.num_legal):
        total += math.exp(thought.scores[place] - highest)
    return highest + math.log(total)


_UPPER, _UNIT = np.uint64(11), 2.0**-53


@rule
def drawn(thought: Any, glance: Any, key: Any) -> Any:
    """Return the place of a legal action, drawn from the probabilities by a random word."""
    left = ((key >> _UPPER) + 0.5) * _UNIT
    whole = log_of_sum(thought, glance)
    for place in range(glance.num_legal):
        left -= math.exp(thought.scores[place] - whole)
        if left < 0:
            return place
    return likeliest(thought, glance)  # rounding has left a little


@rule
def look(glance: Any, reading: Any, row: Any, mask: Any, inputs: Any, at: Any) -> None:
    """Read a decision: its slots, its legal actions and its inputs, which are written from `at` on."""
    find_slots(glance, reading, row)
    find_legal(glance, reading, row, mask)
    read(glance, reading, row, inputs, at)
