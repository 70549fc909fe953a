"""A trained network as an agent. It needs no torch."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.arrays import checked
from dominion_agents.trained.forward import THOUGHT, as_game_action, drawn, likeliest, log_of_sum, look, think
from dominion_agents.trained.inputs import FIELDS
from dominion_agents.trained.model import Exported, Model, read_model
from dominion_agents.trained.reading import GLANCE
from dominion_env.actions import NUM_ACTIONS
from dominion_env.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.cards import CARDS, NUM_BASE_CARDS, NUM_CARDS
from dominion_env.core.fields import observation_fields, observation_size
from dominion_env.errors import InvalidKingdom, InvalidOption
from dominion_env.rules.instructions import from_here, row_of
from dominion_env.rules.jit import SOURCE_HASH, entry_point, hash_of_sources, records

_HASH = SOURCE_HASH + hash_of_sources(Path(__file__).parent, ("*.py",))


def _make_decide(source_hash: str) -> Callable[..., None]:
    def decide(
        values: Any, masks: Any, keys: Any, readings: Any, shapes: Any, weights: Any, glances: Any, thoughts: Any,
        inputs: Any, draws: Any, actions: Any,
    ) -> Any:  # fmt: skip
        """Write an action for each row: the likeliest, or one that is drawn from the probabilities."""
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        reading, shape, glance, thought = readings[0], shapes[0], glances[0], thoughts[0]
        parameters, numbers = from_here(weights, 0), from_here(inputs, 0)
        for i in range(actions.shape[0]):
            look(glance, reading, row_of(values, i), row_of(masks, i), numbers, 0)
            if glance.num_legal == 1:
                actions[i] = as_game_action(glance, glance.legal[0])
            else:
                think(thought, glance, shape, parameters, numbers, 0)
                place = drawn(thought, glance, keys[i]) if draws else likeliest(thought, glance)
                actions[i] = as_game_action(glance, glance.legal[place])

    return decide


_decide = entry_point(_make_decide, _HASH)


def _make_evaluate(source_hash: str) -> Callable[..., None]:
    def evaluate(
        values: Any, masks: Any, readings: Any, shapes: Any, weights: Any, glances: Any, thoughts: Any, inputs: Any,
        probabilities: Any, expected: Any,
    ) -> Any:  # fmt: skip
        """Write the probability of each action, and the expected share of the win and lead, for each row."""
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        reading, shape, glance, thought = readings[0], shapes[0], glances[0], thoughts[0]
        parameters, numbers = from_here(weights, 0), from_here(inputs, 0)
        for i in range(expected.shape[0]):
            look(glance, reading, row_of(values, i), row_of(masks, i), numbers, 0)
            think(thought, glance, shape, parameters, numbers, 0)
            whole = log_of_sum(thought, glance)
            for place in range(glance.num_legal):
                action = as_game_action(glance, glance.legal[place])
                probabilities[i, action] = np.exp(thought.scores[place] - whole)
            expected[i, 0], expected[i, 1] = thought.values[0], thought.values[1]

    return evaluate


_evaluate = entry_point(_make_evaluate, _HASH)


class TrainedAgent:
    """Plays the likeliest action of a trained network or, with `deterministic=False`, draws from its probabilities.

    The network was trained in games in which all Treasures are played at once. Where they are played one by one, the agent
    plays all of them before it buys.

    Args:
        model: the network.
        deterministic: True for the likeliest action, False for a draw.

    Attributes:
        model: the same network.
    """

    observation: ObservationName = "recall"
    fields = FIELDS

    def __init__(self, model: Model, deterministic: bool = True) -> None:
        self.model = model
        self._draws = not deterministic
        self._reading = model.layout.reading()
        self._network: Exported = model.exported()
        self._size = observation_size(model.layout.num_players)
        self._kingdom = None if model.kingdom is None else _in_game(model.kingdom)
        self._kingdom_at = next(f.start for f in observation_fields(model.layout.num_players) if f.name == "in_game")

    @classmethod
    def load(cls, path: str | Path, deterministic: bool = True) -> TrainedAgent:
        """Make the agent of a model file.

        Raises:
            InvalidOption: as for `read_model`.
        """
        return cls(read_model(path), deterministic)

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says, from "recall" observations.

        Raises:
            InvalidOption: an array has another shape or dtype, or the games are for another number of players.
            InvalidKingdom: the network was trained for another kingdom.
        """
        values, masks = checked(observations, action_masks, keys)
        self._check(values)
        actions = np.empty(len(values), np.int64)
        _decide(
            values, masks, np.ascontiguousarray(keys), self._reading, *self._network, *_scratch(),
            np.zeros(self.model.layout.num_inputs, np.int8), self._draws, actions,
        )  # fmt: skip
        return actions

    def evaluate(
        self, observations: Observations, action_masks: Masks
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return what the network thinks of some decisions.

        Args:
            observations: float32 (n, observation_size), "recall".
            action_masks: bool (n, NUM_ACTIONS).

        Returns:
            The probability of each action, float32 (n, NUM_ACTIONS), and the expected share of the win of the seat that is
            asked, float32 (n,).

        Raises:
            InvalidOption, InvalidKingdom: as for `act`.
        """
        probabilities, expected = self._evaluated(observations, action_masks)
        return probabilities, expected[:, 0]

    def _evaluated(self, observations: Observations, action_masks: Masks) -> tuple[NDArray[Any], NDArray[Any]]:
        keys = np.zeros(len(observations), np.uint64)
        values, masks = checked(observations, action_masks, keys)
        self._check(values)
        probabilities = np.zeros((len(values), NUM_ACTIONS), np.float32)
        expected = np.zeros((len(values), 2), np.float32)
        _evaluate(
            values, masks, self._reading, *self._network, *_scratch(), np.zeros(self.model.layout.num_inputs, np.int8),
            probabilities, expected,
        )  # fmt: skip
        return probabilities, expected

    def _check(self, values: NDArray[np.float32]) -> None:
        players = self.model.layout.num_players
        if values.shape[1] != self._size:
            others = [n for n in range(1, 7) if observation_size(n) == values.shape[1]]
            raise InvalidOption(
                f"observations: expected rows of {self._size} numbers, as the model was trained with {players} players, "
                f"got {values.shape[1]}" + (f", of games for {others[0]}" if others else "")
            )
        here = values[:, self._kingdom_at : self._kingdom_at + NUM_CARDS] != 0
        if self._kingdom is not None:
            wrong = (here != self._kingdom).any(axis=1)
            if wrong.any():
                found = [CARDS[card].name for card in np.flatnonzero(here[wrong.argmax()]) if card >= NUM_BASE_CARDS]
                wanted = ", ".join(self.model.kingdom or ())
                raise InvalidKingdom(f"the model was trained for {wanted} only, got a game with {', '.join(found)}")

    def __getstate__(self) -> tuple[Model, bool]:
        return self.model, self._draws

    def __setstate__(self, state: tuple[Model, bool]) -> None:
        model, draws = state
        self.__init__(model, not draws)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model.layout.slots}, {self.model.layout.num_players} players)"


def _scratch() -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what one call computes with; each call has its own, so that threads may call at once."""
    return records(np.zeros(1, GLANCE)), records(np.zeros(1, THOUGHT))


@cache
def _in_game(kingdom: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return which cards have a pile in this kingdom, bool (NUM_CARDS,)."""
    return np.array([card < NUM_BASE_CARDS or info.name in kingdom for card, info in enumerate(CARDS)])
