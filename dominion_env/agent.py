"""What an agent is: an object with one method, which decides in many games at once.

`registry.py` makes agents by name; those of the project are the package `dominion_agents`.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.checks import shown
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
    """An object that chooses an action for each of n decisions, in n different games.

    An agent sees what the deciding seat may see, never the state of the game. Rows are independent: the same row gives
    the same action in any batch. So an agent keeps nothing between calls, and it draws random numbers from the row's key.

    An agent may have an attribute `observation`, "recall" or "strict", that names the observation it reads. It is shown
    that one wherever it plays, whatever is chosen for the games. An agent without the attribute, or with None, is shown
    what is chosen; in a view for learners that is what the learner sees. All scripted agents read "recall"; an agent that
    hands its observations on to one of them must name "recall" too.

    An agent may have an attribute `fields`, names from `dominion_env.FIELD_NAMES`, that lists all it reads of an
    observation. Wherever whole games are played only these are written for it, which takes less than half of the time for
    scripted agents; the other numbers then mean nothing. An agent without the attribute, or with None, is shown everything.
    A class derived from an agent that names its fields, or built around it, must name those that it reads itself.
    """

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose a legal action in each row.

        Args:
            observations: observations of the deciding seats, float32 `(n, observation_size)`; the array may be a read-only
                buffer that is overwritten before the next call, so copy what is to be kept.
            action_masks: the legal actions, bool `(n, NUM_ACTIONS)`, at least one per row.
            keys: a random number per row, uint64 `(n,)`, from `GameBatch.policy_keys()`.

        Returns:
            A legal action per row, int64 `(n,)`.
        """
        ...


def observation_read_by(agent: Agent, chosen: ObservationName) -> ObservationName:
    """Return the observation that an agent is shown: the one it names, else the one chosen for the games.

    Args:
        agent: an agent, with or without the attribute `observation`.
        chosen: "recall" or "strict".

    Raises:
        InvalidOption: the agent names something else.
    """
    named: ObservationName | None = getattr(agent, "observation", None)
    if named is None:
        return chosen
    if named not in ("recall", "strict"):
        raise InvalidOption(
            f"agent {shown(agent)}: `observation`: expected 'recall', 'strict' or None, got {shown(named)}"
        )
    return named


def check_fields(agent: Agent) -> None:
    """Check that the fields which an agent names exist.

    Raises:
        InvalidOption: `fields` names one that does not exist, or holds no names.
    """
    named: Any = getattr(agent, "fields", None)
    if named is None:
        return
    try:
        check_names((named,) if isinstance(named, str) else tuple(named))
    except TypeError as error:  # not iterable
        raise InvalidOption(
            f"agent {shown(agent)}: `fields`: expected names from FIELD_NAMES, got {shown(named)}"
        ) from error
    except InvalidOption as error:
        raise InvalidOption(f"agent {shown(agent)} is shown what it reads: {error}") from error


def shown_to(
    agent: Agent, batch: GameBatch, rows: ArrayLike | None = None, out: Observations | None = None
) -> Observations:
    """Return what an agent is shown of the games of a batch: what their deciding seats see.

    Args:
        agent: an agent, which may say what it reads; see `Agent`.
        batch: the games.
        rows: the games to show, in this order, as ints; None for all.
        out: an array to write into, float32 (rows, observation_size); numbers that the agent does not read stay as they are.

    Returns:
        float32 (rows, observation_size).

    Raises:
        InvalidOption: the agent names an observation or a field that does not exist, there is no such game, or `out` has
            another shape or dtype.
    """
    wanted, fields = observation_read_by(agent, batch.observation), getattr(agent, "fields", None)
    observe = batch.observe if wanted == batch.observation else batch.observer(wanted)
    try:
        return observe(out=out, fields=fields, rows=rows)
    except InvalidOption as error:
        raise InvalidOption(f"agent {shown(agent)} is shown what it reads: {error}") from error
