"""What an agent is: one method, many games at once."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.core.batch import GameBatch
from dominion_env.core.fields import check_names
from dominion_env.errors import InvalidOption

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

    An agent may have an attribute `fields`, names from `dominion_env.FIELD_NAMES`: all that it reads of an observation.
    Wherever whole games are played only these are written for it, for scripted agents in less than half of the time; the
    other numbers then mean nothing. An agent without it, or with None, is shown everything. What is derived from an agent
    that names its fields, or built around it, must name those that it reads itself.
    """

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose.

        Args:
            observations: of the seats that decide, float32 `(n, observation_size)`; may be a read-only buffer, and is
                written anew for the next call: copy what is to be kept.
            action_masks: what is legal, bool `(n, NUM_ACTIONS)`, at least one per row.
            keys: a random number per row, uint64 `(n,)`, from `GameBatch.policy_keys()`.

        Returns:
            A legal action per row, int64 `(n,)`.
        """
        ...


def observation_read_by(agent: Agent, chosen: ObservationName) -> ObservationName:
    """Which observation an agent is to be shown: the one that it says it reads, else the one chosen for the games.

    Raises:
        InvalidOption: it says something else.
    """
    named: ObservationName | None = getattr(agent, "observation", None)
    if named is None:
        return chosen
    if named not in ("recall", "strict"):
        raise InvalidOption(f"agent {agent!r}: `observation` must be 'recall', 'strict' or None, it is {named!r}")
    return named


def check_fields(agent: Agent) -> None:
    """Nothing, if what an agent says of the fields that it reads can be done.

    Raises:
        InvalidOption: it names one that there is not.
    """
    named: Any = getattr(agent, "fields", None)
    if named is None:
        return
    try:
        check_names((named,) if isinstance(named, str) else tuple(named))
    except TypeError as error:  # nothing to go through
        raise InvalidOption(f"agent {agent!r}: `fields` must be names from FIELD_NAMES, it is {named!r}") from error
    except InvalidOption as error:
        raise InvalidOption(f"agent {agent!r} is shown what it reads: {error}") from error


def shown_to(
    agent: Agent, batch: GameBatch, rows: ArrayLike | None = None, out: Observations | None = None
) -> Observations:
    """What this agent is shown of the games of a batch: what their deciding seats see.

    Args:
        agent: may say what it reads; see `Agent`.
        batch: the games.
        rows: ints, the games to show, in this order; None: all.
        out: float32 (rows, observation_size) to write into; numbers that the agent does not read stay as they are.

    Returns:
        float32 (rows, observation_size).

    Raises:
        InvalidOption: `observation` or `fields` of the agent is none; no such game; `out` of the wrong form.
    """
    wanted, fields = observation_read_by(agent, batch.observation), getattr(agent, "fields", None)
    observe = batch.observe if wanted == batch.observation else batch.observer(wanted)
    try:
        return observe(out=out, fields=fields, rows=rows)
    except InvalidOption as error:
        raise InvalidOption(f"agent {agent!r} is shown what it reads: {error}") from error
