"""The plans that go on in playouts: for the seat that is asked, and for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.beliefs import Beliefs
from dominion_agents.searching.playing import strategy_of
from dominion_agents.searching.portfolio import Portfolio, kingdoms_of
from dominion_agents.strategies import STRATEGIES
from dominion_env import GameBatch
from dominion_env.cards import CARDS
from dominion_env.errors import InvalidStrategy
from dominion_env.kingdoms import KingdomLike, resolve
from dominion_env.splitmix import GAMMA, splitmix

AUTO = "auto"  # instead of strategies: those of the project that fit the kingdom
_NEEDS_NOTHING = "big-money-ultimate"  # a portfolio must have such a plan
_SHIFT, _UNIT = np.uint64(11), 2.0**-53  # from a word to a number from 0 to 1


class _Given(Portfolio):
    """A portfolio of given plans alone, in kingdoms that have the cards of at least one of them."""

    def __init__(self, plans: Sequence[str]) -> None:
        super().__init__([*map(strategy_of, plans), STRATEGIES[_NEEDS_NOTHING]], most=len(plans) + 1)
        self._given = self.plans[: len(plans)]

    def numbers(self, kingdom: Sequence[int], num_players: int) -> NDArray[np.int64]:
        """See `Portfolio.numbers`."""
        cards = set(map(int, kingdom))
        fits = [number for number, plan in enumerate(self._given) if cards.issuperset(map(int, plan.kingdom_cards))]
        return np.array(fits, np.int64)


@dataclass(frozen=True)
class Considered:
    """The plans that are considered in n decisions.

    Attributes:
        plans: numbers of plans, int64 (n, most); those behind the last are not to be read.
        number: how many of them there are, int64 (n,).
        chances: how likely each player follows each of them, float64 (n, num_players, most).
    """

    plans: NDArray[np.int64]
    number: NDArray[np.int64]
    chances: NDArray[np.float64]

    def drawn(self, decision: NDArray[np.int64], words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a plan for each player, drawn by its chance, int64 (m, num_players).

        Args:
            decision: the decision of each row, int64 (m,).
            words: a random number for each row, uint64 (m,).
        """
        until = self.chances.cumsum(axis=2)[decision]
        followed = np.empty(until.shape[:2], np.int64)
        for player in range(until.shape[1]):
            words = splitmix(words + GAMMA)
            place = ((words >> _SHIFT)[:, None] * _UNIT >= until[:, player]).sum(axis=1)
            followed[:, player] = self.plans[decision, np.minimum(place, self.number[decision] - 1)]
        return followed


class Plans:
    """Strategies that go on in playouts.

    With one strategy every seat follows it. With several the seat that is asked follows the one that wins most from there,
    and every other seat the one that its deck suggests, drawn by how likely it is. All look whether a purchase would lose
    the game at once.

    Args:
        given: strategies, their names or their texts; or "auto" alone, for those of the project that fit the kingdom.
        kingdom: the kingdoms of the games.

    Raises:
        InvalidStrategy: none or a wrong one is given, or there are kingdoms that have the cards of none of them.
        DominionError: there is no such kingdom.
    """

    def __init__(self, given: Sequence[str], kingdom: KingdomLike) -> None:
        if not given or (AUTO in given and len(given) > 1):
            raise InvalidStrategy(
                f"continuation: expected one or several strategies, or auto alone, got {' '.join(given) or 'none'}"
            )
        self.portfolio = Portfolio() if AUTO in given else _Given(given)
        self._beliefs = Beliefs(self.portfolio)
        self.are_several = len(given) > 1 or AUTO in given
        if AUTO not in given:
            _check_cards(self.portfolio.plans[: len(given)], kingdom)

    def considered(self, games: GameBatch) -> Considered:
        """Return the plans that are considered in these games, and how likely each player follows each of them."""
        number, players, most = games.num_games, games.num_players, len(self.portfolio.plans)
        found = Considered(
            np.zeros((number, most), np.int64), np.zeros(number, np.int64), np.zeros((number, players, most))
        )
        kingdoms, which = kingdoms_of(games.state["piles"])
        for kind, cards in enumerate(kingdoms):
            rows, kingdom = np.flatnonzero(which == kind), tuple(cards.tolist())
            plans = self.portfolio.numbers(kingdom, players)
            found.number[rows], found.plans[rows, : len(plans)] = len(plans), plans
            if len(plans) == 1:
                found.chances[rows, :, 0] = 1
                continue
            owned = games.state["owned"][rows, :players]
            chances = self._beliefs.weights(owned, games.turns[rows], kingdom)
            found.chances[rows[:, None, None], np.arange(players)[:, None], np.arange(len(plans))] = chances
        return found


def _check_cards(plans: Sequence[object], kingdom: KingdomLike) -> None:
    """Check that each kingdom has the cards of a plan."""
    needed = [{int(card) for card in plan.kingdom_cards} for plan in plans]  # type: ignore[attr-defined]
    if not all(needed):
        return
    choice = resolve(kingdom)
    lacking = [set(cards) for cards in choice.kingdoms.tolist() if not any(each <= set(cards) for each in needed)]
    if len(choice.kingdoms) and not lacking:
        return
    least = min((each - lacking[0] if lacking else each for each in needed), key=len)
    names = ", ".join(CARDS[card].name for card in sorted(least))
    where = (
        f"{len(lacking):,} of {len(choice.kingdoms):,} kingdoms" if lacking else "kingdoms that are drawn from a pool"
    )
    raise InvalidStrategy(
        f"continuation: expected a strategy whose cards are in the kingdom, got {where} without such as {names}; "
        f"{AUTO}, or {_NEEDS_NOTHING} beside it, fits every kingdom"
    )
