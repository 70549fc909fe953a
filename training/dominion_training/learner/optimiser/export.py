"""A trained model as a model of stable-baselines3, for people who go on with that library."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch
from gymnasium import Space
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from dominion_agents.trained.inputs import SlotsName, layout
from dominion_agents.trained.model import Model
from dominion_agents.trained.reading import MOST
from dominion_env import SB3VecEnv
from dominion_env.common.errors import InvalidOption
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS
from dominion_env.tables.kingdoms import ten_cards
from dominion_training.common.records import write_atomically


def save_for_sb3(model: Model, path: str | Path) -> None:
    """Write a model as a file of MaskablePPO, which `MaskablePPO.load` and `PPOAgent.load` read.

    It takes the same likeliest actions in games in which all Treasures are played at once. Its value is the logit of the
    expected share of the win, so a learner that goes on with it must learn the values of its own rewards first.

    Args:
        model: the model; one with a slot for each pile must have been trained for one kingdom.
        path: path of the file, such as "model.zip".

    Raises:
        InvalidOption: the model has a slot for each pile and no kingdom, or it has card vectors.
        DominionError: the file can't be written.
    """
    content = io.BytesIO()
    as_maskable_ppo(model).save(content)
    write_atomically(Path(path), content.getvalue())


def as_maskable_ppo(model: Model) -> MaskablePPO:
    """Return a model as a MaskablePPO; see `save_for_sb3`.

    Raises:
        InvalidOption: the model has a slot for each pile and no kingdom, or it has card vectors.
    """
    if model.network != "plain":
        raise InvalidOption(
            f"expected a plain network, as MaskablePPO has them, got one of the kind {model.network!r}: play it under its path"
        )
    cards = cards_of_slots(model.layout.slots, model.kingdom)
    env = SB3VecEnv(1, num_players=model.layout.num_players, kingdom=list(model.kingdom or ()) or "random")
    units = list(model.units)
    policy: dict[str, Any] = {
        "features_extractor_class": SlotInputs,
        "features_extractor_kwargs": {
            "slots": model.layout.slots, "num_players": model.layout.num_players, "kingdom": model.kingdom,
        },
        "net_arch": {"pi": units, "vf": units}, "activation_fn": nn.ReLU, "ortho_init": False,
    }  # fmt: skip
    exported = MaskablePPO("MlpPolicy", env, policy_kwargs=policy, device="cpu")
    arrays = {name: torch.from_numpy(array.astype("float32")) for name, array in model.arrays.items()}
    network: Any = exported.policy
    with torch.no_grad():
        for way in (network.mlp_extractor.policy_net, network.mlp_extractor.value_net):
            for number in range(len(units)):
                layer = way[2 * number]  # an activation function stands behind each
                layer.weight.copy_(arrays[f"layers.{number}.weight"])
                layer.bias.copy_(arrays[f"layers.{number}.bias"])
        actions = _actions_of_slots(cards)
        network.action_net.weight.zero_()
        network.action_net.bias.zero_()
        network.action_net.weight[actions] = arrays["policy.weight"]
        network.action_net.bias[actions] = arrays["policy.bias"]
        network.value_net.weight.copy_(arrays["values.weight"][:1])
        network.value_net.bias.copy_(arrays["values.bias"][:1])
    return exported


def cards_of_slots(slots: SlotsName, kingdom: tuple[str, ...] | None) -> list[int]:
    """Return the number of the card in each slot.

    Raises:
        InvalidOption: there is a slot for each pile and no kingdom, so that a slot's card changes from game to game.
    """
    if slots == "all":
        return list(range(NUM_CARDS))
    if kingdom is None:
        raise InvalidOption(
            "expected a model of one kingdom or with slots for all cards, got one that has slots for the piles of any kingdom"
        )
    return [*range(NUM_BASE_CARDS), *map(int, ten_cards(kingdom))]


def _actions_of_slots(cards: list[int]) -> list[int]:
    """Return the environment's number of each action of a network."""
    return [
        *range(FIRST_CARD_ACTION),
        *(FIRST_CARD_ACTION + NUM_VERBS * card + v for card in cards for v in range(NUM_VERBS)),
    ]


class SlotInputs(BaseFeaturesExtractor):
    """The inputs of a network, from whole observations.

    Args:
        observation_space: space of the observations.
        slots, num_players: the layout of the network.
        kingdom: the ten cards of its kingdom, if it has one.

    Raises:
        InvalidOption: there is a slot for each pile and no kingdom.
    """

    cards: Tensor
    bits: Tensor
    column_factors: Tensor
    number_places: Tensor
    number_factors: Tensor
    scales: Tensor

    def __init__(
        self, observation_space: Space[Any], slots: SlotsName, num_players: int, kingdom: tuple[str, ...] | None
    ) -> None:
        wanted = layout(slots, num_players)
        super().__init__(observation_space, wanted.num_inputs)
        reading, cards = wanted.reading()[0], cards_of_slots(slots, kingdom)
        columns, numbers = range(int(reading["columns"])), range(int(reading["numbers"]))
        starts = [int(start) for start in reading["column_start"]]
        self._columns = [  # of each column where it begins, and how many cards in binary it counts
            (starts[column], int(reading["column_cards"][column])) for column in columns
        ]

        def keep(name: str, values: Any, dtype: torch.dtype) -> None:
            self.register_buffer(name, torch.tensor(values, dtype=dtype), persistent=False)

        keep("cards", cards, torch.long)
        keep("bits", [1 << bit for bit in range(CODE)], torch.float32)
        keep("column_factors", [float(reading["column_factor"][column]) for column in columns], torch.float32)
        keep("number_places", [int(reading["number_start"][number]) for number in numbers], torch.long)
        keep("number_factors", [float(reading["number_factor"][number]) for number in numbers], torch.float32)
        keep("scales", wanted.scales.tolist(), torch.float32)

    def forward(self, observations: Tensor) -> Tensor:
        """Return the inputs, shape (n, num_inputs), each times its scale."""
        slots = torch.stack([self._column(observations, number) for number in range(len(self._columns))], dim=2)
        numbers = observations[:, self.number_places] * self.number_factors
        counts = torch.cat([slots.flatten(1), numbers], dim=1)
        return torch.floor(counts + 0.5).clamp(-MOST, MOST) * self.scales

    def _column(self, observations: Tensor, number: int) -> Tensor:
        """Return a number of each slot, shape (n, slots)."""
        start, cards = self._columns[number]
        if cards == 0:
            return observations[:, start + self.cards] * self.column_factors[number]
        codes = observations[:, start : start + cards * CODE].reshape(-1, cards, CODE) @ self.bits
        found: Tensor = (codes[:, :, None] == self.cards + 1).to(observations.dtype).sum(1)
        return found
