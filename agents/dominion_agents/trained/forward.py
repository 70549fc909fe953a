"""The forward pass of a network, compiled: a row at a time, and only what the row needs.

Most inputs are zero, half of the hidden units are too, and of the actions only the legal ones need a score. So a row
costs a fraction of the multiplications of a matrix product, and batches of one are as quick as large ones. The sums of a
row are always taken in the same order, in single precision: the same row gives the same numbers in any batch.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dominion_agents.trained.reading import as_game_action, find_legal, find_slots, read
from dominion_env.rules.jit import primitive, rule

MOST_LAYERS, MOST_UNITS = 4, 1024
VALUES = 2  # numbers that a network tells beside the scores of actions: share of the win, lead

# The shape of a network. Its weights are one array of float32: for each layer weights (inputs, units) and biases, then a
# row of weights and a bias for each action, then the same for each of the two values.
SHAPE = np.dtype([("layers", "i8"), ("inputs", "i8"), ("actions", "i8"), ("units", "i8", MOST_LAYERS)], align=True)

# The numbers of one decision.
THOUGHT = np.dtype(
    [
        ("units", "f4", (2, MOST_UNITS)),
        ("scores", "f4", 320),  # of the legal actions, in their order
        ("values", "f4", VALUES),
        ("lanes", "f4", 16),
    ],
    align=True,
)

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
def _first_layer(thought: Any, num_units: Any, weights: Any, inputs: Any, at: Any, num_inputs: Any) -> None:
    bias = num_inputs * num_units
    for unit in range(num_units):
        thought.units[0, unit] = weights[bias + unit]
    found = 0
    a, b, c, d = 0, 0, 0, 0
    x, y, z, w = _ZERO, _ZERO, _ZERO, _ZERO
    for number in range(num_inputs):
        count = inputs[at + number]
        if count != 0:
            a, b, c, d = b, c, d, number * num_units
            x, y, z, w = y, z, w, np.float32(count)
            found += 1
            if found == 4:
                _add_rows(thought.units, 0, num_units, weights, (a, b, c, d), (x, y, z, w))
                x, y, z, w, found = _ZERO, _ZERO, _ZERO, _ZERO, 0
    if found:
        _add_rows(thought.units, 0, num_units, weights, (a, b, c, d), (x, y, z, w))


@rule
def _next_layer(thought: Any, source: Any, num_before: Any, num_units: Any, weights: Any, start: Any) -> None:
    into = 1 - source
    bias = start + num_before * num_units
    for unit in range(num_units):
        thought.units[into, unit] = weights[bias + unit]
    found = 0
    a, b, c, d = start, start, start, start
    x, y, z, w = _ZERO, _ZERO, _ZERO, _ZERO
    for before in range(num_before):
        value = thought.units[source, before]
        if value > _ZERO:
            a, b, c, d = b, c, d, start + before * num_units
            x, y, z, w = y, z, w, value
            found += 1
            if found == 4:
                _add_rows(thought.units, into, num_units, weights, (a, b, c, d), (x, y, z, w))
                x, y, z, w, found = _ZERO, _ZERO, _ZERO, _ZERO, 0
    if found:
        _add_rows(thought.units, into, num_units, weights, (a, b, c, d), (x, y, z, w))


@rule
def _score(thought: Any, source: Any, num_units: Any, weights: Any, start: Any) -> Any:
    """Return the product of the last units, what is above 0 of each, with a row of weights; sixteen sums side by side."""
    lanes = thought.lanes
    for lane in range(16):
        lanes[lane] = _ZERO
    for block in range(0, num_units, 16):
        for lane in range(16):
            lanes[lane] += max(thought.units[source, block + lane], _ZERO) * weights[start + block + lane]
    total = _ZERO
    for lane in range(16):
        total += lanes[lane]
    return total


@rule
def think(thought: Any, glance: Any, shape: Any, weights: Any, inputs: Any, at: Any) -> None:
    """Compute the scores of the legal actions, and the values, for the inputs that begin at `at`."""
    before, units = int(shape.inputs), int(shape.units[0])
    _first_layer(thought, units, weights, inputs, at, before)
    start, source = (before + 1) * units, 0
    for layer in range(1, shape.layers):
        before, units = units, int(shape.units[layer])
        _next_layer(thought, source, before, units, weights, start)
        start += (before + 1) * units
        source = 1 - source
    biases = start + shape.actions * units
    for place in range(glance.num_legal):
        action = int(glance.legal[place])
        thought.scores[place] = (
            _score(thought, source, units, weights, start + action * units) + weights[biases + action]
        )
    start = biases + int(shape.actions)
    for value in range(VALUES):
        bias = weights[start + VALUES * units + value]
        thought.values[value] = _score(thought, source, units, weights, start + value * units) + bias
    logit = max(-_MOST_LOGIT, min(float(thought.values[0]), _MOST_LOGIT))  # beyond, Python's `exp` raises an error
    thought.values[0] = np.float32(1.0 / (1.0 + math.exp(-logit)))


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


__all__ = ["SHAPE", "THOUGHT", "as_game_action", "drawn", "likeliest", "log_of_sum", "look", "think"]
