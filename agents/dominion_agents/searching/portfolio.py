"""Portfolios: the plans that a searching agent thinks of, for itself and for the others, in each kingdom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dominion_agents.choosing.auto import table_of
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.strategies.named import STRATEGIES, strategy_of
from dominion_agents.strategies.rankings import BEST, RANKINGS
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import whole_number
from dominion_env.common.errors import InvalidStrategy
from dominion_env.tables.cards import NUM_BASE_CARDS
from dominion_env.tables.kingdoms import KINGDOMS

MOST_PLANS = 6  # that are considered in a kingdom
_KEPT = 4096  # kingdoms whose plans are remembered


class Portfolio:
    """Plans, and which of them can be followed in a kingdom.

    Without plans of one's own these are the project's strategies, the strongest first as `auto` ranks them. All of them
    look whether a purchase would lose the game at once (`guard`), as a plan that buys the last Province too early says
    little of a position.

    Args:
        plans: strategies, their names or their texts, the most promising first; none for those of the project.
        most: number of plans that are considered in a kingdom.

    Raises:
        InvalidStrategy: there is no plan that needs no Kingdom card, so that in some kingdoms none could be followed; or a
            text is no strategy.
        InvalidOption: `most` is less than 1.
    """

    def __init__(self, plans: Sequence[Strategy | str] = (), most: int = MOST_PLANS) -> None:
        self.most = whole_number("most", most, 1)
        self._own = bool(plans)
        found = [strategy_of(each, "plans") for each in plans] if plans else list(STRATEGIES.values())
        if not any(not each.kingdom_cards for each in found):
            raise InvalidStrategy(
                "plans: expected one that needs no Kingdom card, for kingdoms without those of the others, got "
                f"{', '.join(each.name or each.one_line() for each in found)}"
            )
        self.plans: tuple[Strategy, ...] = tuple(each.but(guard=True) for each in found)
        self._number = {each.name: number for number, each in enumerate(found)}
        self._numbers = lru_cache(_KEPT)(self._find)

    @cached_property
    def agent(self) -> ScriptedAgent:
        """An agent that follows any of the plans, by its number (`act_as`)."""
        return ScriptedAgent(*self.plans, cards=[()] * len(self.plans))

    @cached_property
    def objects(self) -> NDArray[np.object_]:
        """All plans as an array, for `playouts`."""
        found = np.empty(len(self.plans), object)
        found[:] = self.plans
        return found

    def numbers(self, kingdom: Sequence[int], num_players: int) -> NDArray[np.int64]:
        """Return the numbers of the plans that are considered in a kingdom, the most promising first, int64.

        Args:
            kingdom: the ten Kingdom cards.
            num_players: 1 to 6 players.
        """
        found: NDArray[np.int64] = self._numbers(tuple(sorted(map(int, kingdom))), num_players)
        return found

    def _find(self, kingdom: tuple[int, ...], num_players: int) -> NDArray[np.int64]:
        cards = set(kingdom)
        order = range(len(self.plans)) if self._own else self._ranked(cards, num_players)
        fits = [
            number
            for number in order
            if cards.issuperset(map(int, self.plans[number].kingdom_cards))
            and self.plans[number].players >= num_players
        ]
        if not fits:  # a plan for fewer players is better than none
            fits = [number for number, plan in enumerate(self.plans) if not plan.kingdom_cards]
        return np.array(fits[: self.most], np.int64)

    def _ranked(self, cards: set[int], num_players: int) -> list[int]:
        table = table_of(num_players)
        best = [name for kingdom, name in BEST[table].items() if set(map(int, KINGDOMS[kingdom])) == cards]
        return [self._number[name] for name in dict.fromkeys([*best, *RANKINGS[table]])]


def kingdoms_of(piles: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different kingdoms of some games, int64 (kingdoms, 10), and which of them each game has, int64 (games,).

    Args:
        piles: the cards of each game's piles, (games, 17), base cards among them.
    """
    cards = np.sort(piles.astype(np.int64), axis=1)[:, NUM_BASE_CARDS:]
    found, which = np.unique(cards, axis=0, return_inverse=True)
    return found, which.reshape(-1)
