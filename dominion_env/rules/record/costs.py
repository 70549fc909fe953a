"""What cards cost: the one place where the rules read printed costs, and where a reduction of costs would go."""

from typing import Any

import numpy as np

from dominion_env.compiled.jit import primitive
from dominion_env.tables.cards import COST, NUM_CARDS

_HIGHEST = int(COST.max())
_COSTING_UP_TO = np.array(
    [sum(1 << card for card in range(NUM_CARDS) if COST[card] <= limit) for limit in range(_HIGHEST + 1)]
)


def plain_cost(game: Any, card: Any) -> Any:
    """Return what a card costs now, in coins. Positions call this as it is, and the rules call it compiled (`cost_of`)."""
    return COST[card]


cost_of = primitive(plain_cost)


@primitive
def costing_up_to(game: Any, limit: Any) -> Any:
    """Return the set of cards that cost no more than `limit` now, which is 0 or more."""
    return _COSTING_UP_TO[min(int(limit), _HIGHEST)]
