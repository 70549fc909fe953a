"""A network for two players as one for larger tables: something to begin with, which training then makes fit."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from dominion_agents.trained.inputs import Layout, layout
from dominion_agents.trained.model import Model
from dominion_env.common.errors import InvalidOption

# Where a number tells something of each seat; of these only one seat's is not zero at a time.
_OF_A_SEAT = re.compile(r"(turns|immune|turn_player|start_player|question_target) (\d+)$")
_ONE_AT_A_TIME = ("turn_player", "start_player", "question_target")


def for_players(model: Model, num_players: int) -> Model:
    """Return a network for this number of players that judges all opponents as the given one judges its single opponent.

    The inputs of each opponent get the weights of that one's, divided by the number of opponents where several of them are
    not zero at a time. So opponents that are alike are judged as one of them would be.

    Args:
        model: a plain network for two players, or any network for this number, which is returned as it is.
        num_players: 2 to 6 players.

    Raises:
        InvalidOption: the network is for another number of players than two or has card vectors, or there is no such table.
    """
    if model.layout.num_players == num_players:
        return model
    if model.layout.num_players != 2:
        raise InvalidOption(
            f"players: expected {model.layout.num_players}, with which the network was trained, got {num_players}; only "
            "networks for two players are made ones for larger tables"
        )
    if model.network != "plain":
        raise InvalidOption(
            f"expected a plain network, which alone is made one for larger tables, got one of the kind {model.network!r}"
        )
    wanted = layout(model.layout.slots, num_players)
    sources, factors = _sources(model.layout, wanted)
    # A network multiplies counts by scales, which do not depend on the number of players.
    arrays = dict(model.arrays)
    arrays["layers.0.weight"] = (arrays["layers.0.weight"][:, sources] * factors).astype(
        model.arrays["layers.0.weight"].dtype
    )
    return replace(model, layout=wanted, arrays=arrays)


def _sources(given: Layout, wanted: Layout) -> tuple[list[int], np.ndarray]:
    """Return for each input of the wanted layout which one of the given it is made of, and its factor."""
    place_of = {name: place for place, name in enumerate(given.names)}
    sources, factors = [], np.ones(wanted.num_inputs)
    for place, name in enumerate(wanted.names):
        source = re.sub(r"opponent_\d+_", "opponent_1_", name)
        shared = source.startswith("opponent_1_")
        if (found := _OF_A_SEAT.match(name)) and int(found[2]) > 0:
            source, shared = f"{found[1]} 1", found[1] not in _ONE_AT_A_TIME
        sources.append(place_of[source])
        if shared:
            factors[place] = 1 / (wanted.num_players - 1)
    return sources, factors
