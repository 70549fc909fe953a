"""A network for all kingdoms as one for a single kingdom: only the weights that this kingdom needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Model
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidKingdom
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS
from dominion_env.tables.kingdoms import KingdomLike, resolve


def for_kingdom(model: Model, kingdom: KingdomLike) -> Model:
    """Return a network with a slot for each pile of this kingdom that plays there as the given one does.

    Cards that are not in the game are zeros among the inputs or have no slot, and no action names them. Without their
    weights each sum has the same terms in the same order, so the result is the same to the last bit.

    Args:
        model: a network for all kingdoms, or one for this kingdom already, which is returned as it is.
        kingdom: one set of ten cards.

    Raises:
        InvalidKingdom: the kingdom is not one set of ten cards, or the network was trained for another one.
        DominionError: there is no such kingdom.
    """
    kingdoms = resolve(kingdom).kingdoms
    if len(kingdoms) != 1:
        raise InvalidKingdom(f"kingdom: expected one set of ten cards, got {shown(kingdom)}")
    names = tuple(CARDS[card].name for card in kingdoms[0])
    if model.kingdom is not None and set(model.kingdom) != set(names):
        raise InvalidKingdom(
            f"the model was trained for {', '.join(model.kingdom)} only, got a kingdom of {', '.join(names)}"
        )
    if model.layout.slots == "kingdom":
        return model
    cards = np.concatenate([np.arange(NUM_BASE_CARDS), kingdoms[0]])
    columns, known = model.layout.num_columns, model.layout.cards_known
    arrays = dict(model.arrays)
    inputs = _of_slots(cards, columns, known, 0, arrays["layers.0.weight"].shape[1])
    actions = _of_slots(cards, NUM_VERBS, known, FIRST_CARD_ACTION, len(arrays["policy.bias"]))
    arrays["layers.0.weight"] = arrays["layers.0.weight"][:, inputs]
    for name in ("policy.weight", "policy.bias"):
        arrays[name] = arrays[name][actions]
    if "cards.weight" in arrays:
        arrays["cards.weight"] = arrays["cards.weight"][cards]
    return replace(model, layout=Layout("kingdom", model.layout.num_players), arrays=arrays, kingdom=names)


def _of_slots(cards: NDArray[np.int64], each: int, slots: int, first: int, size: int) -> NDArray[np.int64]:
    """Return the places of all that belongs to these cards' slots or to no slot, where slots begin at `first`."""
    places = np.arange(size)
    of_cards = first + cards[:, None] * each + np.arange(each)
    return np.concatenate([places[:first], of_cards.ravel(), places[first + slots * each :]])
