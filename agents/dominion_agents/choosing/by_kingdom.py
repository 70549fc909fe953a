"""An agent that plays on each of many kingdoms another buy list, from a file such as `answers.json`.

`python -m tools.answer_lists AGENT` writes such files: what is known to do best against an agent, kingdom by
kingdom. A network that trains against them meets on every kingdom what it is weak against there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_agents.checks.arrays import checked
from dominion_agents.own_code.loading import is_code
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.sight import FIELDS, FIELDS_OF_KINGDOMS, offsets
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.common.files import read_json, to_json
from dominion_env.players.agent import Actions, Agent, Keys, Masks, ObservationName, Observations, searches
from dominion_env.players.registry import make_agent
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS
from dominion_env.tables.kingdoms import Kingdom, ten_cards

SUFFIX = ".json"
FORMAT = "dominion_env lists by kingdom 1"
ELSEWHERE = "auto-2"
PLAYERS = 2  # at whose tables the lists are played
_BITS = 1 << np.arange(NUM_CARDS, dtype=np.int64)
_KINGDOM_BITS = int(_BITS[NUM_BASE_CARDS:].sum())


class ListFor(NamedTuple):
    """A buy list and the ten Kingdom cards for which it is meant."""

    kingdom: Kingdom
    strategy: Strategy


class ByKingdom:
    """Plays with two players on each kingdom that it knows the list that is meant for it, and else as another agent.

    Args:
        lists: lists, each with its kingdom.
        elsewhere: name of the agent that plays on other kingdoms and at larger tables.
        settings: settings that replace those of all lists; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
        InvalidOption: there is no such agent, it searches, it reads another observation than "recall", it is such a file
            again, which might name itself, or it is code.
    """

    observation: ObservationName = "recall"

    def __init__(self, lists: Iterable[ListFor], elsewhere: str = ELSEWHERE, **settings: Any) -> None:
        if str(elsewhere).endswith(SUFFIX) or is_code(
            str(elsewhere)
        ):  # a file may come from anybody, and must run nothing
            raise InvalidOption(
                f"elsewhere: expected an agent that is no file of lists by kingdom and no code, got {shown(elsewhere)}"
            )
        self.elsewhere: Agent = make_agent(elsewhere)
        if searches(self.elsewhere) or getattr(self.elsewhere, "observation", None) != self.observation:
            raise InvalidOption(
                f"elsewhere: expected an agent that reads {self.observation!r} alone, got {shown(elsewhere)}"
            )
        self.reproducible: bool = getattr(self.elsewhere, "reproducible", True)
        self.strategies = {_bits(kingdom): strategy.but(**settings) for kingdom, strategy in lists}
        self._known = np.array(sorted(self.strategies), np.int64)
        self._scripted = (
            ScriptedAgent(*(self.strategies[key] for key in self._known.tolist())) if self.strategies else None
        )

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`."""
        theirs, own = getattr(self.elsewhere, "fields", None), self._scripted.fields if self._scripted else ()
        if theirs is None or own is None:
            return None
        return tuple(dict.fromkeys((*FIELDS, *FIELDS_OF_KINGDOMS, *own, *theirs)))

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says, from "recall" observations.

        Raises:
            InvalidOption: an array has another shape or dtype.
        """
        values, masks = checked(observations, action_masks, keys)
        at = offsets(values.shape[1])
        numbers = np.full(len(values), -1, np.int64)
        if self._scripted is not None and at["players"][0] == PLAYERS:
            first = int(at["in_game"][0])
            piles = (values[:, first : first + NUM_CARDS] != 0) @ _BITS
            places = np.minimum(np.searchsorted(self._known, piles & _KINGDOM_BITS), len(self._known) - 1)
            numbers = np.where(self._known[places] == piles & _KINGDOM_BITS, places, -1)
        actions = np.empty(len(values), np.int64)
        if (rows := np.flatnonzero(numbers >= 0)).size and self._scripted is not None:
            actions[rows] = self._scripted.act_as(numbers[rows], values[rows], masks[rows], keys[rows])
        if (rows := np.flatnonzero(numbers < 0)).size:
            actions[rows] = self.elsewhere.act(values[rows], masks[rows], keys[rows])
        return actions

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.strategies)} lists)"

    @classmethod
    def read(cls, path: str | Path, **settings: Any) -> ByKingdom:
        """Make the agent from a file that `written` has made.

        Raises:
            InvalidOption: there is no such file, it can't be read, or it holds something else.
            InvalidStrategy: a setting is wrong.
        """
        found = read_json(Path(path), "lists by kingdom", InvalidOption)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            told = found.get("format") if isinstance(found, dict) else found
            raise InvalidOption(f"{path}: expected a file of the format {FORMAT!r}, got {shown(told)}")
        try:
            lists = [ListFor(ten_cards(each["kingdom"]), Strategy.parse(each["list"])) for each in found["lists"]]
        except (KeyError, TypeError, DominionError) as error:
            raise InvalidOption(f"{path}: expected ten cards and a list in each entry, got {shown(error)}") from error
        return cls(lists, found.get("elsewhere", ELSEWHERE), **settings)


def written(lists: Iterable[tuple[ListFor, float]], elsewhere: str = ELSEWHERE) -> str:
    """Return the text of a file with these lists, each with its score against the agent that it was sought against.

    Args:
        lists: the lists and their scores, 0 to 1.
        elsewhere: name of the agent that plays on other kingdoms.
    """
    entries = [
        {"kingdom": [card.title for card in kingdom], "score": round(score, 3), "list": strategy.one_line()}
        for (kingdom, strategy), score in lists
    ]
    return to_json({"format": FORMAT, "elsewhere": elsewhere, "lists": entries}, indent=1) + "\n"


def _bits(kingdom: Kingdom) -> int:
    """Return a number with a bit for each of these cards."""
    found: NDArray[np.int64] = _BITS[[int(card) for card in kingdom]]
    return int(found.sum())
