"""`auto`: for any kingdom and number of players the strongest of the project's strategies that the cards allow.

`auto` is the newest of its kind, `auto-3`: with two players on a recommended kingdom it plays the list that was evolved for it,
if there is one (`evolved.py`). Elsewhere it plays as `auto-2`, which goes by published strategies alone. Their rankings are data,
in `rankings.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

import numpy as np

from dominion_agents.checks.arrays import checked
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.sight import FIELDS, FIELDS_OF_GUARD, FIELDS_OF_KINGDOMS, offsets
from dominion_agents.strategies.evolved import EVOLVED, best_on_train, evolved_for, evolved_on_train, kingdom_of
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.rankings import BEST, RANKINGS
from dominion_agents.strategies.strategy import Strategy
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS, Kingdom

EVOLVED_AT = 2  # players at the tables at which lists were evolved


def table_of(num_players: int) -> int:
    """Return which ranking is for this number of players: 2, 3, or 4 for four and more. One player alone goes by that of two."""
    return min(max(num_players, min(RANKINGS)), max(RANKINGS))


def choice(kingdom: Collection[Card | int], num_players: int = 2) -> str:
    """Return the name of the strategy that `auto` plays.

    Args:
        kingdom: the ten Kingdom cards.
        num_players: 1 to 6 players.
    """
    evolved = evolved_for(kingdom) if num_players == EVOLVED_AT else None
    return choice_of_auto_2(kingdom, num_players) if evolved is None else evolved


def choice_of_auto_2(kingdom: Collection[Card | int], num_players: int = 2) -> str:
    """Return the name of the strategy that `auto-2` plays; see `choice`."""
    cards = {int(card) for card in kingdom}
    candidates = _candidates(table_of(num_players))
    return next(
        name
        for name, needed in candidates
        if cards.issuperset(map(int, needed)) and STRATEGIES[name].players >= num_players
    )


def _candidates(table: int) -> list[tuple[str, tuple[Card, ...]]]:
    """Return strategies and the cards that must be in the game, in the order in which `auto` tries them.

    First come those of recommended kingdoms, each for its ten cards, then the ranking down to the first that needs no card.
    """
    found = [(name, tuple(KINGDOMS[kingdom])) for kingdom, name in BEST[table].items()]
    for name in RANKINGS[table]:
        found.append((name, STRATEGIES[name].kingdom_cards))
        if not found[-1][1] and STRATEGIES[name].players >= max(RANKINGS):
            break
    return found


class Auto2:
    """Plays in each game the published strategy that is strongest for its cards and its number of players.

    That is the highest in `rankings.RANKINGS` whose cards are in the game, or on some recommended kingdoms the one that
    `rankings.BEST` names. The agent reads from the observation which cards are in the game.

    Args:
        settings: settings that replace those of all strategies; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
    """

    observation: ObservationName = "recall"

    def __init__(self, **settings: Any) -> None:
        self.settings = settings
        self._agents = {table: self._agent(table) for table in RANKINGS}

    def _agent(self, table: int) -> ScriptedAgent:
        candidates = _candidates(table)
        return ScriptedAgent(*(self._set(name) for name, _ in candidates), cards=[cards for _, cards in candidates])

    def _set(self, name: str) -> Strategy:
        return STRATEGIES[name].but(**self.settings)

    def agent_at(self, players: int) -> ScriptedAgent:
        """Return the agent that plays at tables of this size."""
        return self._agents[table_of(players)]

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`. A derived class may name others."""
        return FIELDS + FIELDS_OF_KINGDOMS + (FIELDS_OF_GUARD if self.settings.get("guard") else ())

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says, from "recall" observations.

        Raises:
            InvalidOption: an array has another shape or dtype.
        """
        if not (isinstance(observations, np.ndarray) and observations.ndim == 2):
            checked(observations, action_masks, keys)  # which says what is wrong
        players = int(offsets(observations.shape[1])["players"][0])
        return self.agent_at(players).act(observations, action_masks, keys)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.settings.items())})"


class Auto(Auto2):
    """Plays as `Auto2`, but with two players on a recommended kingdom the list that was evolved for it, if there is one.

    Args:
        settings: settings that replace those of all strategies; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        evolved, candidates = self._lists(), _candidates(EVOLVED_AT)
        self._evolved = ScriptedAgent(
            *(strategy.but(**settings) for _, strategy in evolved),
            *(self._set(name) for name, _ in candidates),
            cards=[cards for cards, _ in evolved] + [cards for _, cards in candidates],
        )

    def _lists(self) -> list[tuple[Kingdom, Strategy]]:
        """Return kingdoms and what is played there."""
        return [(kingdom_of(name) or (), strategy) for name, strategy in EVOLVED.items()]

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`. A derived class may name others."""
        return tuple(dict.fromkeys((*FIELDS, *FIELDS_OF_KINGDOMS, *(self._evolved.fields or ()))))

    def agent_at(self, players: int) -> ScriptedAgent:
        """Return the agent that plays at tables of this size."""
        return self._evolved if players == EVOLVED_AT else super().agent_at(players)


class EvolvedTrain(Auto):
    """Plays with two players on kingdoms of `train` the best list that is known there, evolved or published, else as `Auto2`.

    Trained networks learn from it what published strategies don't play, such as decks that are trashed thin.

    Args:
        settings: settings that replace those of all strategies; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
    """

    def _lists(self) -> list[tuple[Kingdom, Strategy]]:
        lists = STRATEGIES | evolved_on_train()
        return [(kingdom, lists[name]) for kingdom, name in best_on_train()]
