"""Trained networks as files: safetensors, whose metadata holds the rest as JSON. No code is in such a file, or run from it.

The arrays have the names and shapes that torch gives them: "layers.0.weight" (units, inputs), "layers.0.bias", ...,
"policy.weight" (actions, units), "policy.bias", "values.weight" (2, units), "values.bias"; those of a network with card
vectors are in `shapes`. They are kept in half precision in the models of this project and computed in single precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors import numpy as safetensors

from dominion_agents.trained.forward import MOST_CARD_UNITS, MOST_LAYERS, MOST_UNITS, SHAPE, VALUES
from dominion_agents.trained.header import FORMAT, LENGTH, SUFFIX, description, read_bytes
from dominion_agents.trained.inputs import INPUTS_VERSION, SLOTS, Layout
from dominion_env.common.checks import one_of, shown
from dominion_env.common.errors import InvalidOption
from dominion_env.common.files import parse_json, to_json
from dominion_env.compiled.jit import records
from dominion_env.core.observing.fields import OBSERVATION_VERSION
from dominion_env.rules.record.state import RULES_VERSION
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.tables.cards import BASE_SET, CARD_SET
from dominion_env.tables.kingdoms import ten_cards

NetworkName: TypeAlias = Literal["plain", "cards"]
NETWORKS: tuple[NetworkName, ...] = get_args(NetworkName)
MOST_WEIGHT = 1000.0  # far beyond those of any training; so no sum of products leaves single precision

# What a model was trained on, and must be played with.
VERSIONS = {"rules": RULES_VERSION, "observation": OBSERVATION_VERSION, "inputs": INPUTS_VERSION}


class Exported(NamedTuple):
    """A network as compiled code reads it.

    Attributes:
        shape: one record of `forward.SHAPE`, shape (1,).
        weights: float32, all weights in a row; the scales of the inputs are part of the first layer.
    """

    shape: NDArray[Any]
    weights: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Model:
    """A trained network.

    Attributes:
        layout: its inputs and actions.
        arrays: its weights by name.
        kingdom: the ten cards that it was trained with, by name; None for a network of all kingdoms.
        card: what is told about it: command, seed, samples, results and so on, as plain values.
    """

    layout: Layout
    arrays: Mapping[str, NDArray[Any]]
    kingdom: tuple[str, ...] | None = None
    card: Mapping[str, Any] = field(default_factory=dict)

    @property
    def units(self) -> tuple[int, ...]:
        """Width of each layer."""
        layers = sum(name.startswith("layers.") and name.endswith(".weight") for name in self.arrays)
        return tuple(len(self.arrays[f"layers.{number}.weight"]) for number in range(layers))

    @property
    def card_units(self) -> int:
        """Length of a card's vector; 0 for a plain network."""
        return self.arrays["cards.weight"].shape[1] if "cards.weight" in self.arrays else 0

    @property
    def network(self) -> NetworkName:
        """Kind of network: "cards" if it has card vectors, else "plain"."""
        return "cards" if self.card_units else "plain"

    def half(self) -> Model:
        """Return the model with its weights rounded to half precision, as it is kept in a file."""
        return replace(self, arrays={name: np.asarray(array, np.float16) for name, array in self.arrays.items()})

    def exported(self) -> Exported:
        """Return the network as compiled code reads it."""
        units, layout = self.units, self.layout
        numbers, columns = layout.num_numbers, layout.num_columns
        scales = layout.scales[: layout.num_slots * columns + numbers]
        if self.card_units:
            scales = np.concatenate([np.tile(scales[:columns], layout.cards_known), scales[-numbers:]])
        parts = []
        for number in range(len(units)):
            weight = self.arrays[f"layers.{number}.weight"].astype(np.float32).T
            parts += [weight * scales[:, None] if number == 0 else weight, self.arrays[f"layers.{number}.bias"]]
        for head in ("policy", "values"):
            parts += [self.arrays[f"{head}.weight"], self.arrays[f"{head}.bias"]]
        shape = np.zeros(1, SHAPE)
        shape["layers"], shape["inputs"] = len(units), len(scales)
        shape["actions"] = len(self.arrays["policy.bias"])
        shape["units"][0, : len(units)] = units
        if self.card_units:
            shape["card_units"], shape["columns"], shape["numbers"] = self.card_units, columns, numbers
            shape["cards"], shape["tells"] = layout.cards_known, layout.num_cards_told > 0
            shape["vectors"] = sum(part.size for part in parts)
            from_counts = np.concatenate([self.arrays["counts.weight"], self.arrays["numbers.weight"]], axis=1)
            seen_by_all = np.concatenate([scales[:columns], scales[-numbers:]])
            parts += [from_counts.astype(np.float32).T * seen_by_all[:, None], self.arrays["cards.weight"]]
            parts += [self.arrays[f"{name}.weight"].T for name in ("mean", "again", "told")]
            parts += [self.arrays["again.bias"], self.arrays["verbs.weight"]]
        return Exported(records(shape), np.concatenate([np.asarray(part, np.float32).ravel() for part in parts]))

    def to_bytes(self) -> bytes:
        """Return the file of this model."""
        told = {
            "versions": VERSIONS,
            "cards": str(CARD_SET),
            "slots": self.layout.slots,
            "players": self.layout.num_players,
            "network": self.network,
            "units": list(self.units),
            "card_units": self.card_units,
            "kingdom": None if self.kingdom is None else list(self.kingdom),
            "card": dict(self.card),
        }
        return to_safetensors(self.arrays, {"format": FORMAT, "model": to_json(told)})


def to_safetensors(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> bytes:
    """Return arrays and metadata as a safetensors file: equal ones as equal bytes, though the library shuffles metadata."""
    content = safetensors.save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, dict(metadata))
    length = int.from_bytes(content[:LENGTH], "little")
    header = parse_json(content[LENGTH : LENGTH + length])
    header["__metadata__"] = dict(sorted(metadata.items()))
    text = to_json(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % LENGTH)  # as the format asks for, so that the numbers lie on whole words
    return len(text).to_bytes(LENGTH, "little") + text + content[LENGTH + length :]


def read_model(path: str | Path) -> Model:
    """Read a model from a file.

    Raises:
        InvalidOption: there is no such file, it is damaged or no model, or it belongs to other rules, another observation
            or another number of cards.
    """
    return model_of(read_bytes(path), str(path))


def model_of(content: bytes, name: str) -> Model:
    """Return the model in the content of a file.

    Raises:
        InvalidOption: as for `read_model`.
    """
    told = description(content, name)
    if told.get("versions") != VERSIONS:
        raise InvalidOption(
            f"{name}: expected a model of {_versions(VERSIONS)}, got one of {_versions(told.get('versions'))}"
        )
    if told.get("cards", str(BASE_SET)) != str(CARD_SET):
        raise InvalidOption(
            f"{name}: expected a model for cards of {CARD_SET}, got one for {shown(told.get('cards', str(BASE_SET)))}"
        )
    try:
        layout, units, card_units, kingdom, card = _described(told)
        expected = shapes(layout, units, card_units)
    except (KeyError, TypeError, ValueError) as error:  # the errors of dominion_env are ValueErrors too
        raise InvalidOption(f"{name}: expected a whole description of a model, got {shown(told)}") from error
    try:
        arrays = safetensors.load(content)
    except (SafetensorError, ValueError, TypeError) as error:
        raise InvalidOption(f"{name}: expected a model ({SUFFIX}), got a damaged one: {error}") from error
    found = {key: array.shape for key, array in arrays.items()}
    if found != expected:
        raise InvalidOption(f"{name}: expected arrays of the shapes {shown(expected)}, got {shown(found)}")
    wrong = [key for key, array in arrays.items() if not (np.abs(array) <= MOST_WEIGHT).all()]  # nor NaN
    if wrong:
        raise InvalidOption(
            f"{name}: expected finite numbers, at most {MOST_WEIGHT:g} either way, got others in {', '.join(wrong)}"
        )
    # A file's arrays come in any order, but the same model is to be pickled as the same bytes, of which hashes are made.
    return Model(layout, {key: arrays[key] for key in expected}, kingdom, card)


def _described(told: dict[str, Any]) -> tuple[Layout, tuple[int, ...], int, tuple[str, ...] | None, dict[str, Any]]:
    """Return layout, widths of the layers and of a card's vector, kingdom and card of a model.

    A file of before there were card vectors does not say that it has none.

    Raises:
        KeyError, TypeError, ValueError: they make no sense.
    """
    slots, players, kingdom, card = told["slots"], told["players"], told["kingdom"], told["card"]
    network, card_units = told.get("network", "plain"), told.get("card_units", 0)
    if network not in NETWORKS or type(card_units) is not int or (network == "cards") != (card_units > 0):
        raise ValueError
    if slots not in SLOTS or type(players) is not int or not 2 <= players <= 6 or not isinstance(card, dict):
        raise ValueError
    if kingdom is not None:
        if not isinstance(kingdom, list) or not all(isinstance(each, str) for each in kingdom):
            raise ValueError
        kingdom = tuple(each.title for each in ten_cards(kingdom))
    return Layout(slots, players), tuple(told["units"]), card_units, kingdom, card


def shapes(layout: Layout, units: tuple[int, ...], card_units: int = 0) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of a network.

    Args:
        layout: its inputs and actions.
        units: widths of its layers.
        card_units: length of a card's vector; 0 for a plain network, which has no such vectors.

    Raises:
        InvalidOption: there are no or too many layers, or one of these numbers is too large, or no multiple of 16; or the
            slots are not those of such a network.
    """
    fit = all(_fits(each, MOST_UNITS) for each in units)
    if not fit or not 1 <= len(units) <= MOST_LAYERS:
        raise InvalidOption(
            f"units: expected 1 to {MOST_LAYERS} layers, each a multiple of 16 up to {MOST_UNITS}, got {shown(units)}"
        )
    if card_units and not _fits(card_units, MOST_CARD_UNITS):
        raise InvalidOption(f"card_units: expected a multiple of 16 up to {MOST_CARD_UNITS}, got {shown(card_units)}")
    one_of("slots", layout.slots, ("kingdom", "piles") if card_units else ("kingdom", "all"))
    found: dict[str, tuple[int, ...]] = {}
    cards, columns, numbers = layout.cards_known, layout.num_columns, layout.num_numbers
    before = cards * columns + numbers
    for number, width in enumerate(units):
        found[f"layers.{number}.weight"], found[f"layers.{number}.bias"] = (width, before), (width,)
        before = width
    for head, size in (("policy", FIRST_CARD_ACTION + NUM_VERBS * cards), ("values", VALUES)):
        found[f"{head}.weight"], found[f"{head}.bias"] = (size, before), (size,)
    if card_units:
        found["counts.weight"], found["numbers.weight"] = (card_units, columns), (card_units, numbers)
        found["cards.weight"] = (cards, card_units)
        found["mean.weight"] = (units[0], card_units)
        found["again.weight"], found["again.bias"] = (card_units, card_units), (card_units,)
        found["told.weight"] = (card_units, before)
        found["verbs.weight"] = (NUM_VERBS, card_units)
    return found


def _fits(width: Any, most: int) -> bool:
    return type(width) is int and 0 < width <= most and width % 16 == 0


def _versions(kept: Any) -> str:
    if not isinstance(kept, dict):
        return "none"
    return ", ".join(f"{name} {number}" for name, number in kept.items())
