"""What an agent is: an object that decides in many games at once; and how one is asked, which happens here alone.

`registry.py` makes agents by name; those of the project are the package `dominion_agents`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.core.batch import GameBatch
from dominion_env.core.observing.fields import OBSERVATIONS, DtypeName, check_names
from dominion_env.core.observing.fields import ObservationName as ObservationName
from dominion_env.players.situation import Gains, Situation, situation_of

Observations: TypeAlias = NDArray[np.float32]
Masks: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
Actions: TypeAlias = NDArray[np.int64]


@runtime_checkable
class Agent(Protocol):
    """An object that chooses an action for each of n decisions, in n different games.

    An agent sees what the deciding seat may see, never the state of the game. Rows are independent: the same row gives
    the same action in any batch. So an agent keeps nothing between calls, and it draws random numbers from the row's key.

    An agent may have an attribute `observation`, "recall", "strict" or "kingdom", that names the observation it reads. It is
    shown that one wherever it plays, whatever is chosen for the games, in float32 or as its attribute `observation_dtype`
    says. An agent without the attribute, or with None, is shown what is chosen, in the type that is chosen; in a view for
    learners that is what the learner sees. All scripted agents read "recall"; an agent that hands its observations on to one
    of them must name "recall" too.

    An agent may have an attribute `fields`, names from `dominion_env.FIELD_NAMES`, that lists all it reads of an
    observation. Wherever whole games are played only these are written for it, which takes less than half of the time for
    scripted agents; the other numbers then mean nothing. An agent without the attribute, or with None, is shown everything.
    A class derived from an agent that names its fields, or built around it, must name those that it reads itself.

    An agent that searches also has a method `decide`; see `Searcher`. With it, `act` may be missing.

    An agent whose answers depend on more than the row, such as the time that it takes or a service elsewhere, has an
    attribute `reproducible` that is False. It plays wherever games are only played; `dominion compare` and `dominion
    benchmark` keep its answers and never ask again. It is refused where games must come out the same again. Such an agent may
    also have an attribute `used`, a dictionary of totals that it counts up, "tokens", "cost" and "failed" (requests), which both
    commands report.
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


class Searcher(Agent, Protocol):
    """An agent that tries things out before it decides.

    Wherever it plays, `decide` is asked, and `act` only where there are observations without games. Rows are independent as
    for every agent: the same row gives the same action in any batch.

    With an attribute `wants_events` that is True it is also told what its seat has seen happen since its last answer.
    """

    def decide(self, situation: Situation) -> Actions:
        """Choose a legal action in each row.

        Args:
            situation: the decisions, and worlds that the deciding seats may be in.

        Returns:
            A legal action per row, int64 `(n,)`.
        """
        ...


class GivesUp(Exception):
    """Raised by an agent that gives its game up instead of deciding. `dominion compare` counts the game as lost by it."""


class AgentWrapper:
    """A base of agents that are built around something else, whose attributes they take over.

    These are all that `Agent` allows: what is not taken over here would be forgotten by one wrapper or another.

    Args:
        inner: an agent, or anything else that may have such attributes.
    """

    def __init__(self, inner: object) -> None:
        self.observation: ObservationName | None = getattr(inner, "observation", None)
        self.observation_dtype: DtypeName | None = getattr(inner, "observation_dtype", None)
        self.fields: Sequence[str] | None = getattr(inner, "fields", None)
        self.reproducible: bool = getattr(inner, "reproducible", True)
        self.used: dict[str, float] | None = getattr(inner, "used", None)
        self.wants_events: bool = getattr(inner, "wants_events", False)


def is_agent(thing: object) -> bool:
    """Return whether an object can be asked, by `act` or by `decide`; a class can't."""
    return not isinstance(thing, type) and any(callable(getattr(thing, name, None)) for name in ("act", "decide"))


def repeats_itself(agent: Agent) -> bool:
    """Return whether an agent gives the same answer to the same row each time; see `Agent`."""
    return bool(getattr(agent, "reproducible", True))


def searches(agent: Agent) -> bool:
    """Return whether an agent is asked by `decide`, and so wants to know what was gained."""
    return getattr(agent, "decide", None) is not None


def reproducible(name: str, agent: Agent) -> Agent:
    """Return the agent, after a check that it gives the same answer to the same row each time.

    Args:
        name: the agent's name, for the message.
        agent: the agent.

    Raises:
        InvalidOption: it says that it does not.
    """
    if not repeats_itself(agent):
        timed = re.fullmatch(r"(.+):\d+ms", name, re.DOTALL)
        advice = (
            "" if timed is None else f". Give it a budget in playouts instead of milliseconds, such as {timed[1]}:600"
        )
        raise InvalidOption(
            f"{name}: expected an agent that answers alike each time, as these games must come out the same again; got "
            f"{shown(agent)}, which says that it does not{advice}"
        )
    return agent


def gains_for(batch: GameBatch, agents: Iterable[Agent]) -> Gains | None:
    """Return what keeps the gains of these games, or None if no agent wants to know them.

    Whoever runs the games calls its `update` after each step, and hands it on to `ask`.
    """
    agents = list(agents)
    events = any(getattr(agent, "wants_events", False) for agent in agents)
    return Gains(batch, events) if any(map(searches, agents)) else None


def ask(
    agent: Agent,
    batch: GameBatch,
    rows: ArrayLike | None = None,
    gains: Gains | None = None,
    out: Observations | None = None,
    keys: Keys | None = None,
) -> Any:
    """Ask an agent for its decisions in games of a batch, and return what it answers, which is not checked.

    Args:
        agent: an agent, which is asked by `decide` if it has that, else by `act`.
        batch: the games.
        rows: the games in which it is asked, as ints; None for all.
        gains: what was gained in the games of the batch so far; None if that is not known.
        out: an array for the observations, float32 (rows, observation_size); numbers that the agent does not read stay as
            they are.
        keys: what `batch.policy_keys()` returns, if the caller has that already.

    Raises:
        InvalidOption: as from `shown_to`.
        Exception: the agent raised it.
    """
    return ask_later(agent, batch, rows, gains, out, keys)()


def ask_later(
    agent: Agent,
    batch: GameBatch,
    rows: ArrayLike | None = None,
    gains: Gains | None = None,
    out: Observations | None = None,
    keys: Keys | None = None,
) -> Callable[[], Any]:
    """Return a function that asks an agent as `ask` does. It does not touch the games, so another thread may call it."""
    chosen = np.arange(batch.num_games) if rows is None else np.asarray(rows)
    seen = shown_to(agent, batch, chosen, out)
    drawn = (batch.policy_keys() if keys is None else keys)[chosen]
    if not searches(agent):
        masks = batch.action_mask[chosen]
        return lambda: agent.act(seen, masks, drawn)
    searcher, situation = cast(Searcher, agent), situation_of(batch, chosen, seen, drawn, gains)
    return lambda: searcher.decide(situation)


def observation_read_by(agent: Agent, chosen: ObservationName) -> ObservationName:
    """Return the observation that an agent is shown: the one it names, else the one chosen for the games.

    Args:
        agent: an agent, with or without the attribute `observation`.
        chosen: "recall", "strict" or "kingdom".

    Raises:
        InvalidOption: the agent names something else.
    """
    named: ObservationName | None = getattr(agent, "observation", None)
    if named is None:
        return chosen
    if named not in OBSERVATIONS:
        raise InvalidOption(
            f"agent {shown(agent)}: `observation`: expected {', '.join(map(repr, OBSERVATIONS))} or None, got {shown(named)}"
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


def check_players(name: str, agent: Agent, num_players: int) -> None:
    """Check that the agent of this name can sit at a table of this size; its method `check_players`, if it has one, knows.

    Raises:
        InvalidOption: it can't; the message names agents that can.
    """
    check: Any = getattr(agent, "check_players", None)
    if check is not None:
        try:
            check(num_players)
        except InvalidOption as error:
            raise InvalidOption(f"agent {name}: {error}") from error


def shown_to(
    agent: Agent, batch: GameBatch, rows: ArrayLike | None = None, out: Observations | None = None
) -> Observations:
    """Return what an agent is shown of the games of a batch: what their deciding seats see.

    Args:
        agent: an agent, which may say what it reads; see `Agent`.
        batch: the games.
        rows: the games to show, in this order, as ints; None for all.
        out: an array to write into, float32 of the size of a recall observation, for an agent that reads such; numbers that
            it does not read stay as they are.

    Returns:
        (rows, observation_size), float32 for an agent that names its observation, else as the games have it.

    Raises:
        InvalidOption: the agent names an observation or a field that does not exist, there is no such game, or `out` has
            another shape or dtype.
    """
    wanted, fields = observation_read_by(agent, batch.observation), getattr(agent, "fields", None)
    dtype: DtypeName | None = getattr(agent, "observation_dtype", None)
    if dtype is None:
        dtype = batch.observation_dtype if getattr(agent, "observation", None) is None else "float32"
    as_the_games = (wanted, dtype) == (batch.observation, batch.observation_dtype)
    observe = batch.observe if as_the_games else batch.observer(wanted, dtype)
    fits = dtype == "float32" and wanted != "kingdom"
    try:
        seen: Observations = observe(out=out if fits else None, fields=fields, rows=rows)
        return seen
    except InvalidOption as error:
        raise InvalidOption(f"agent {shown(agent)} is shown what it reads: {error}") from error
