"""What an agent is: one method, many games at once."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dominion_env.batch import GameBatch
from dominion_env.errors import InvalidOption
from dominion_env.observation import Observer

Observations: TypeAlias = NDArray[np.float32]
Masks: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
Actions: TypeAlias = NDArray[np.int64]
ObservationName: TypeAlias = Literal["recall", "strict"]


@runtime_checkable
class Agent(Protocol):
    """Chooses an action for each of n decisions, in n different games.

    An agent sees what the seat that decides may see, never the state of the game. Rows are independent: the same row
    gives the same action in any batch. So an agent keeps nothing between calls, and what it wants to leave to chance it
    takes from the row's key.

    An agent may have an attribute `observation`, "recall" or "strict": which of the two it reads. It is shown that one
    wherever it plays, whatever is chosen for the games. An agent without it, or with None, is shown what is chosen; in a
    view for learners that is what the learner sees. All scripted agents read "recall"; what is built around one and
    hands its observations on must say so too.
    """

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose.

        Args:
            observations: of the seats that decide, float32 `(n, observation_size)`; may be a read-only buffer.
            action_masks: what is legal, bool `(n, NUM_ACTIONS)`, at least one per row.
            keys: a random number per row, uint64 `(n,)`, from `GameBatch.policy_keys()`.

        Returns:
            A legal action per row, int64 `(n,)`.
        """
        ...


def observation_read_by(agent: Agent, chosen: str) -> str:
    """Which observation an agent is to be shown: the one that it says it reads, else the one chosen for the games.

    Raises:
        InvalidOption: it says something else.
    """
    named: Any = getattr(agent, "observation", None)
    if named is None:
        return chosen
    if named not in ("recall", "strict"):
        raise InvalidOption(f"agent {agent!r}: `observation` must be 'recall', 'strict' or None, it is {named!r}")
    return str(named)


def shown_to(agent: Agent, batch: GameBatch) -> Observations:
    """What this agent is shown of all games of a batch, float32 `(num_games, observation_size)`, of the deciding seats."""
    wanted = observation_read_by(agent, batch.observation)
    if wanted == batch.observation:
        return batch.observe()
    return Observer(batch._states, batch.num_players, wanted == "strict")()
