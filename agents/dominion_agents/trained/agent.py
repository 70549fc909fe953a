"""A trained network as an agent. It needs no torch."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.checks.arrays import ROWS_APART, checked
from dominion_agents.trained.box import kingdom_name, models_in_the_box
from dominion_agents.trained.forward import SHAPE, THOUGHT, drawn, likeliest, log_of_sum, look, think
from dominion_agents.trained.inputs import FIELDS
from dominion_agents.trained.model import Exported, Model, read_model
from dominion_agents.trained.reading import GLANCE, READING, as_game_action
from dominion_env.common.errors import InvalidKingdom, InvalidOption
from dominion_env.compiled.instructions import from_here, row_of
from dominion_env.compiled.jit import entry_point, hash_of_sources, records, rule, specialised
from dominion_env.core.observing.fields import observation_size
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS, NUM_CARDS
from dominion_env.tables.kingdoms import KINGDOMS, ten_cards

_HASH = SOURCE_HASH + hash_of_sources(Path(__file__).parent, ("*.py",))
_DONE = -1
_ANY = 0  # instead of the cards of a kingdom


@rule
def _can_answer(glance: Any, reading: Any, kingdom: Any) -> Any:
    """Whether the network can answer: some action is legal, each card has its slot, and it knows the kingdom."""
    if glance.num_legal == 0 or (kingdom != _ANY and glance.in_game != kingdom):
        return False
    return reading.slots == NUM_CARDS or glance.num_in_game == reading.slots


@entry_point(_HASH)
def _decide(
    values: Any, masks: Any, keys: Any, readings: Any, shapes: Any, weights: Any, glances: Any, thoughts: Any,
    inputs: Any, kingdom: Any, draws: Any, actions: Any,
) -> Any:  # fmt: skip
    """Write an action for each row, the likeliest or one that is drawn; return a row without an answer, or DONE."""
    reading, shape, glance, thought = readings[0], shapes[0], glances[0], thoughts[0]
    parameters, numbers = from_here(weights, 0), from_here(inputs, 0)
    for i in range(actions.shape[0]):
        look(glance, reading, row_of(values, i), row_of(masks, i), numbers, 0)
        if not _can_answer(glance, reading, kingdom):
            return i
        if glance.num_legal == 1:
            actions[i] = as_game_action(glance, glance.legal[0])
        else:
            think(thought, glance, shape, parameters, numbers, 0)
            place = drawn(thought, glance, keys[i]) if draws else likeliest(thought, glance)
            actions[i] = as_game_action(glance, glance.legal[place])
    return _DONE


@entry_point(_HASH)
def _evaluate(
    values: Any, masks: Any, readings: Any, shapes: Any, weights: Any, glances: Any, thoughts: Any, inputs: Any,
    kingdom: Any, probabilities: Any, expected: Any,
) -> Any:  # fmt: skip
    """Write the probability of each action, and the expected share of the win and lead, for each row.

    Returns a row without an answer, or DONE.
    """
    reading, shape, glance, thought = readings[0], shapes[0], glances[0], thoughts[0]
    parameters, numbers = from_here(weights, 0), from_here(inputs, 0)
    for i in range(expected.shape[0]):
        look(glance, reading, row_of(values, i), row_of(masks, i), numbers, 0)
        if not _can_answer(glance, reading, kingdom):
            return i
        think(thought, glance, shape, parameters, numbers, 0)
        whole = log_of_sum(thought, glance)
        for place in range(glance.num_legal):
            action = as_game_action(glance, glance.legal[place])
            probabilities[i, action] = np.exp(thought.scores[place] - whole)
        expected[i, 0], expected[i, 1] = thought.values[0], thought.values[1]
    return _DONE


def _tables() -> tuple[NDArray[Any], ...]:
    """Return arrays of the kinds of reading, network and scratch."""
    return np.zeros(1, READING), np.zeros(1, SHAPE), np.zeros(1, np.float32), *_scratch(), np.zeros(1, np.int8)


@cache
def _decide_rows() -> Callable[..., int]:
    """Return `decide`, compiled at first use, once for arrays of all layouts."""
    return specialised(_decide, *ROWS_APART, np.zeros(1, np.uint64), *_tables(), _ANY, False, np.zeros(1, np.int64))


@cache
def _evaluate_rows() -> Callable[..., int]:
    """Return `evaluate`, as `_decide_rows` returns `decide`."""
    return specialised(
        _evaluate, *ROWS_APART, *_tables(), _ANY, np.zeros((1, NUM_ACTIONS), np.float32), np.zeros((1, 2), np.float32)
    )


class TrainedAgent:
    """Plays the likeliest action of a trained network or, with `deterministic=False`, draws from its probabilities.

    The network was trained in games in which all Treasures are played at once. Where they are played one by one, the agent
    plays all of them before it buys.

    Args:
        model: the network.
        deterministic: True for the likeliest action, False for a draw.

    Attributes:
        model: the same network.
        kingdom: numbers of the ten cards for which it was trained, in order; None for a network for all kingdoms.
        exported: its arrays as compiled code reads them.
    """

    observation: ObservationName = "recall"
    fields = FIELDS

    def __init__(self, model: Model, deterministic: bool = True) -> None:
        self.model = model
        self.kingdom = None if model.kingdom is None else ten_cards(model.kingdom)
        self._draws = not deterministic
        self._reading = model.layout.reading()
        self.exported: Exported = model.exported()
        self._num_inputs = model.layout.num_inputs
        self._size = observation_size(model.layout.num_players)
        self._kingdom = _ANY if model.kingdom is None else _in_game(model.kingdom)

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
            InvalidOption: an array has another shape or dtype, the games are for another number of players, or no action is
                legal.
            InvalidKingdom: the network was trained for another kingdom.
        """
        values, masks = self._checked(observations, action_masks, keys)
        actions = np.empty(len(values), np.int64)
        refused = _decide_rows()(
            values, masks, np.ascontiguousarray(keys), self._reading, *self.exported, *_scratch(),
            np.empty(self._num_inputs, np.int8), self._kingdom, self._draws, actions,
        )  # fmt: skip
        if refused != _DONE:
            self._refuse(values, masks, refused)
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
        values, masks = self._checked(observations, action_masks, np.zeros(len(observations), np.uint64))
        probabilities = np.zeros((len(values), NUM_ACTIONS), np.float32)
        expected = np.zeros((len(values), 2), np.float32)
        refused = _evaluate_rows()(
            values, masks, self._reading, *self.exported, *_scratch(), np.empty(self._num_inputs, np.int8), self._kingdom,
            probabilities, expected,
        )  # fmt: skip
        if refused != _DONE:
            self._refuse(values, masks, refused)
        return probabilities, expected[:, 0]

    def _checked(
        self, observations: Observations, action_masks: Masks, keys: Keys
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        values, masks = checked(observations, action_masks, keys)
        if values.shape[1] != self._size:
            for num_players in range(1, 7):
                if observation_size(num_players) == values.shape[1]:
                    self.check_players(num_players)
            raise InvalidOption(
                f"observations: expected rows of {self._size} numbers, as the model was trained with "
                f"{self.model.layout.num_players} players, got {values.shape[1]}"
            )
        return values, masks

    def check_players(self, num_players: int) -> None:
        """Check that the network was trained for tables of this size.

        Raises:
            InvalidOption: it was not; the message names agents that play there.
        """
        trained = self.model.layout.num_players
        if num_players != trained:
            raise InvalidOption(
                f"expected a table of {trained}, as the network was trained with {trained} players, got one of {num_players}; "
                f"{_everywhere(num_players)} and all buy lists play there"
            )

    def _refuse(self, values: NDArray[np.float32], masks: NDArray[np.bool_], row: int) -> None:
        """Say why there is no answer for a row."""
        start = int(self._reading["in_game"][0])
        here = np.flatnonzero(values[row, start : start + NUM_CARDS])
        found = [CARDS[card].name for card in here if card >= NUM_BASE_CARDS]
        if self.model.kingdom is not None and sum(1 << int(card) for card in here) != self._kingdom:
            raise InvalidKingdom(
                f"row {row}: the model was trained for {', '.join(self.model.kingdom)} only{self._named()}, got a game with "
                f"{', '.join(found) or 'none of them'}; {_everywhere(self.model.layout.num_players)} play on every kingdom"
            )
        if self.model.layout.num_slots not in (NUM_CARDS, len(here)):
            raise InvalidKingdom(
                f"row {row}: expected a game with {self.model.layout.num_slots} kinds of cards, as the model was trained "
                f"with, got {len(here)}"
            )
        legal = int(masks[row].sum())
        raise InvalidOption(
            f"action_masks, row {row}: expected a legal action with a card of the game, got "
            f"{f'{legal} with other cards' if legal else 'none that is legal'}"
        )

    def _named(self) -> str:
        """Return the name of the set that it was trained for in brackets, if that has one."""
        name = kingdom_name(self.kingdom or ())
        return f" (kingdom {name})" if name in KINGDOMS else ""

    def __getstate__(self) -> tuple[Model, bool]:
        return self.model, self._draws

    def __setstate__(self, state: tuple[Model, bool]) -> None:
        model, draws = state
        TrainedAgent.__init__(self, model, not draws)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model.layout.slots}, {self.model.layout.num_players} players)"


def _everywhere(num_players: int) -> str:
    """Return the names of agents that play every kingdom at tables of this size."""
    boxed = models_in_the_box().items()
    return ", ".join([*(name for name, each in boxed if each.plays((), num_players)), "auto"])


def _scratch() -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what one call computes with; each call has its own, so that threads may call at once."""
    return records(np.zeros(1, GLANCE)), records(np.zeros(1, THOUGHT))


@cache
def _in_game(kingdom: tuple[str, ...]) -> int:
    """Return the cards that have a pile in this kingdom, a bit each."""
    return sum(1 << card for card, info in enumerate(CARDS) if card < NUM_BASE_CARDS or info.name in kingdom)
