"""The networks as torch trains them, and their weights as compiled code reads them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Exported, Model, NetworkName, shapes
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS


class Network(nn.Module, ABC):
    """What all networks have: layers that policy and values share, then a score for each action, and two values.

    Args:
        layout: inputs and actions.
        units: width of each layer.
        card_units: length of a card's vector; 0 for a network without such vectors.

    Raises:
        InvalidOption: there is no network of these sizes, or none with these slots.
    """

    scales: Tensor

    def __init__(self, layout: Layout, units: Sequence[int], card_units: int) -> None:
        super().__init__()
        wanted = shapes(layout, tuple(units), card_units)
        self.layout, self.units, self.card_units = layout, tuple(units), card_units
        self.precision = torch.float32  # of the products; weights, sums and everything else stay in single precision
        self.register_buffer("scales", torch.from_numpy(layout.scales), persistent=False)
        widths = [wanted["layers.0.weight"][1], *units]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.policy = nn.Linear(widths[-1], wanted["policy.bias"][0])
        self.values = nn.Linear(widths[-1], wanted["values.bias"][0])
        for layer in self.layers:
            assert isinstance(layer, nn.Linear)
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.orthogonal_(self.values.weight, 0.1)
        nn.init.zeros_(self.policy.bias)
        nn.init.zeros_(self.values.bias)

    def forward(self, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of all actions, float32 (n, actions), and the values, float32 (n, 2), for int8 (n, inputs).

        The first value is the logit of the share of the win, the second the lead in points / 50.
        """
        with torch.autocast(counts.device.type, self.precision, enabled=self.precision != torch.float32):
            scores, values = self.computed(counts)
        return scores.float(), values.float()

    @abstractmethod
    def computed(self, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and values as `forward` does, in the precision of the products."""

    def model(self, kingdom: tuple[str, ...] | None = None, card: Mapping[str, Any] | None = None) -> Model:
        """Return the weights as they are now, as a model for a file or an agent."""
        arrays = {name: value.detach().cpu().numpy().copy() for name, value in self.state_dict().items()}
        return Model(self.layout, arrays, kingdom, card or {})

    def exported(self) -> Exported:
        """Return the weights as they are now, as compiled code reads them."""
        return self.model().exported()

    def load(self, model: Model) -> None:
        """Take the weights of a model.

        Raises:
            InvalidOption: it is another kind of network, or has another layout or other layers.
        """
        own, other = (_described(each.layout, each.units, each.card_units) for each in (self, model))
        if own != other:
            raise InvalidOption(f"expected a model with {own}, got {other}")
        self.load_state_dict({name: torch.from_numpy(array.astype("float32")) for name, array in model.arrays.items()})


class Plain(Network):
    """A multi-layer perceptron.

    Args:
        layout: inputs and actions.
        units: width of each layer.
    """

    def __init__(self, layout: Layout, units: Sequence[int]) -> None:
        super().__init__(layout, units, 0)

    def computed(self, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and values as `Network.forward` does."""
        hidden = counts.to(torch.float32) * self.scales
        for layer in self.layers:
            hidden = torch.relu(layer(hidden))
        return self.policy(hidden), self.values(hidden)


class Cards(Network):
    """A perceptron in which each card in the game also has a vector, by weights that all cards share.

    A card's vector is made of the counts of its slot, the single numbers, and what the network knows of that card. The
    first layer sees the mean of the vectors beside its inputs. From the last layer each vector is computed again, and its
    scores for the eight verbs are added to those of the perceptron.

    The perceptron has weights of its own for each card, and not for each slot. So where the inputs tell the card of each
    slot it plays every kingdom with 17 slots.

    Args:
        layout: inputs and actions, with a slot for each pile.
        units: width of each layer.
        card_units: length of a card's vector.
    """

    def __init__(self, layout: Layout, units: Sequence[int], card_units: int) -> None:
        super().__init__(layout, units, card_units)
        self.counts = nn.Linear(layout.num_columns, card_units, bias=False)
        self.numbers = nn.Linear(layout.num_numbers, card_units, bias=False)
        self.cards = nn.Embedding(layout.cards_known, card_units)
        self.mean = nn.Linear(card_units, self.units[0], bias=False)
        self.again = nn.Linear(card_units, card_units)
        self.told = nn.Linear(self.units[-1], card_units, bias=False)
        self.verbs = nn.Linear(card_units, NUM_VERBS, bias=False)
        for layer, gain in (
            (self.counts, 2**0.5), (self.numbers, 1.0), (self.mean, 4.0), (self.again, 2**0.5), (self.told, 2**0.5),
            (self.verbs, 0.1),
        ):  # fmt: skip
            nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(self.again.bias)

    def computed(self, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and values as `Network.forward` does."""
        rows, slots, columns = len(counts), self.layout.num_slots, self.layout.num_columns
        shown = counts.to(torch.float32) * self.scales
        of_slots = shown[:, : slots * columns].view(rows, slots, columns)
        numbers = shown[:, slots * columns :][:, : self.layout.num_numbers]
        cards = self._cards(counts)
        vectors = torch.relu(self.counts(of_slots) + self.cards(cards) + self.numbers(numbers)[:, None])
        of_cards = of_slots.new_zeros(rows, self.layout.cards_known, columns)
        of_cards.scatter_(1, cards[:, :, None].expand(-1, -1, columns), of_slots)
        first, *others = self.layers
        hidden = torch.relu(first(torch.cat([of_cards.flatten(1), numbers], 1)) + self.mean(vectors.mean(1)))
        for layer in others:
            hidden = torch.relu(layer(hidden))
        again = torch.relu(self.again(vectors) + self.told(hidden)[:, None])
        own = self.policy(hidden)
        of_verbs = own[:, FIRST_CARD_ACTION:].view(rows, self.layout.cards_known, NUM_VERBS)
        of_verbs = of_verbs.gather(1, cards[:, :, None].expand(-1, -1, NUM_VERBS)) + self.verbs(again)
        return torch.cat([own[:, :FIRST_CARD_ACTION], of_verbs.flatten(1)], 1), self.values(hidden)

    def _cards(self, counts: Tensor) -> Tensor:
        """Return the card in each slot, as the network numbers cards, int64 (n, slots)."""
        slots = self.layout.num_slots
        if self.layout.num_cards_told:
            return counts[:, -slots:].long()
        return torch.arange(slots, device=counts.device).expand(len(counts), slots)


def new_network(kind: NetworkName, layout: Layout, units: Sequence[int], card_units: int) -> Network:
    """Return a new network of this kind.

    Raises:
        InvalidOption: there is no network of these sizes, or none with these slots.
    """
    return Plain(layout, units) if kind == "plain" else Cards(layout, units, card_units)


def _described(layout: Layout, units: Sequence[int], card_units: int) -> str:
    vectors = f", vectors of {card_units} for each card" if card_units else ""
    return f"slots for {layout.slots}, {layout.num_players} players and layers of {', '.join(map(str, units))}{vectors}"
