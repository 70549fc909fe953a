"""The networks as torch trains them, and their weights as compiled code reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from dominion_agents.trained.forward import VALUES
from dominion_agents.trained.inputs import Layout
from dominion_agents.trained.model import Exported, Model
from dominion_env.errors import InvalidOption


class Plain(nn.Module):
    """A multi-layer perceptron: layers that policy and values share, then a score for each action, and two values.

    Args:
        layout: inputs and actions.
        units: width of each layer.
    """

    scales: Tensor

    def __init__(self, layout: Layout, units: Sequence[int]) -> None:
        super().__init__()
        self.layout, self.units = layout, tuple(units)
        self.precision = torch.float32  # of the products; weights, sums and everything else stay in single precision
        self.register_buffer("scales", torch.from_numpy(layout.scales), persistent=False)
        widths = [layout.num_inputs, *units]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.policy = nn.Linear(widths[-1], layout.num_actions)
        self.values = nn.Linear(widths[-1], VALUES)
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
        hidden = counts.to(torch.float32) * self.scales
        with torch.autocast(counts.device.type, self.precision, enabled=self.precision != torch.float32):
            for layer in self.layers:
                hidden = torch.relu(layer(hidden))
            scores, values = self.policy(hidden), self.values(hidden)
        return scores.float(), values.float()

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
            InvalidOption: it has another layout or other layers.
        """
        if (model.layout, model.units) != (self.layout, self.units):
            raise InvalidOption(
                f"expected a model with {_described(self.layout, self.units)}, got {_described(model.layout, model.units)}"
            )
        self.load_state_dict({name: torch.from_numpy(array.astype("float32")) for name, array in model.arrays.items()})


def _described(layout: Layout, units: Sequence[int]) -> str:
    return f"slots for {layout.slots}, {layout.num_players} players and layers of {', '.join(map(str, units))}"
