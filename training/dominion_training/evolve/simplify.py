"""What a list can do without: its ways, rules and conditions are left out one by one as long as that costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dominion_agents.strategies.strategy import Strategy
from dominion_agents.strategies.ways import Ways
from dominion_training.lists.arena import SEATS, Arena

LOOK = 250  # sets after which the test looks
MOST_LOOKS = 8
LOSS = 0.004  # a shorter list may score so much less, as surely as two standard errors say


def simplified(
    strategy: Strategy, opponents: Sequence[Strategy], weights: NDArray[np.float64], arena: Arena, first_set: int
) -> tuple[Strategy, int]:
    """Return a list without what costs it nothing to leave out, and the number of games that it took to see that.

    Each part is tested one after the other: the list with it and the list without it play the same games, until it is clear
    that the part is worth something or that it is not.

    Args:
        strategy: the list.
        opponents: lists that it meets.
        weights: share of the games against each, float64 (opponents,), together 1.
        arena: plays the games.
        first_set: number of the first set; later ones follow.
    """
    games, is_shorter = 0, True
    while is_shorter:
        is_shorter = False
        for shorter in _shorter(strategy):
            is_dispensable, played = _costs_nothing(strategy, shorter, opponents, weights, arena, first_set)
            games, first_set = games + played, first_set + played
            if is_dispensable:
                strategy, is_shorter = shorter, True
                break
    return strategy, games


def _shorter(strategy: Strategy) -> Iterator[Strategy]:
    """Yield the lists that lack one part of this one: a way, the guard, a rule, the last ones first, or a condition."""
    for decision in strategy.ways.changed:
        yield replace(strategy, ways=strategy.ways.but(**{decision: getattr(Ways(), decision)}))
    if strategy.guard:
        yield replace(strategy, guard=False)
    rules = strategy.rules
    for at in reversed(range(len(rules))):
        if len(rules) > 1:
            yield replace(strategy, rules=rules[:at] + rules[at + 1 :])
    for at in reversed(range(len(rules))):
        rule = rules[at]
        for place in range(len(rule.conditions)):
            fewer = replace(rule, conditions=rule.conditions[:place] + rule.conditions[place + 1 :])
            yield replace(strategy, rules=(*rules[:at], fewer, *rules[at + 1 :]))


def _costs_nothing(
    whole: Strategy,
    shorter: Strategy,
    opponents: Sequence[Strategy],
    weights: NDArray[np.float64],
    arena: Arena,
    first_set: int,
) -> tuple[bool, int]:
    """Return whether the shorter list is as good, by a test that looks each `LOOK` sets, and how many games that took."""
    losses = np.zeros(0)
    for look in range(1, MOST_LOOKS + 1):
        sets = range(first_set + (look - 1) * LOOK, first_set + look * LOOK)
        rng = np.random.default_rng(sets.start)
        against = [opponents[place] for place in rng.choice(len(opponents), LOOK, p=weights)]
        shares = arena.play([whole, shorter], against, sets)[0].reshape(2, LOOK, SEATS).mean(axis=2)
        losses = np.concatenate([losses, shares[0] - shares[1]])
        mean, error = float(losses.mean()), float(losses.std() / np.sqrt(len(losses)))
        if mean + 2 * error < LOSS:
            return True, 2 * SEATS * len(losses)
        if mean - 2 * error > 0:
            break
    return False, 2 * SEATS * len(losses)
