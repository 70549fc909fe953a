"""Agents that buy by a list and play by heuristics; one compiled loop for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.checks.arrays import ROWS_APART, checked
from dominion_agents.scripted.book import BOOK, SCRIPTED_HASH, book_of, follow
from dominion_agents.scripted.heuristics import answer, buy_phase
from dominion_agents.scripted.sight import (
    FIELDS,
    FIELDS_OF_GUARD,
    FIELDS_OF_KINGDOMS,
    LOT_BITS,
    SIGHT,
    expect,
    look,
    look_at_hand,
    look_at_rivals,
    offsets,
    piles_in_game,
)
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common import checks
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, InvalidStrategy
from dominion_env.compiled.instructions import from_here, row_of
from dominion_env.compiled.jit import entry_point, records, specialised
from dominion_env.core.observing.places import PLACES
from dominion_env.players.agent import Actions, Agent, AgentWrapper, Keys, Masks, ObservationName, Observations
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.tables.cards import CARDS, NUM_CARDS, Card

_AHEAD = 4  # rows that are fetched while one is answered
_DONE = _NONE = -1
_ALL = np.zeros(0, np.int64)


@entry_point(SCRIPTED_HASH)
def _choose(
    values: Any, masks: Any, keys: Any, places: Any, sights: Any, book: Any, lines: Any, firsts: Any, lasts: Any,
    actions: Any, cards: Any, num_actions: Any,
) -> Any:  # fmt: skip
    """Write an action for each row; return the row whose kingdom is refused, or DONE.

    Each row plays the first strategy that fits of those from `firsts` to `lasts`, else the last; if these are empty, of all.
    """
    see, at, program = sights[0], places[0], from_here(lines, 0)
    followed = _NONE
    for g in range(actions.shape[0]):
        expect(at, values, masks, min(g + _AHEAD, actions.shape[0] - 1))
        row = row_of(values, g)
        number = firsts[g] if firsts.shape[0] > 0 else 0
        last = lasts[g] if lasts.shape[0] > 0 else book.shape[0] - 1
        if number < last or book[number].refuses:
            piles = piles_in_game(at, row)
            while number < last and (book[number].needs & ~piles or book[number].players < at.players):
                number += 1
            if book[number].refuses and book[number].needs & ~piles:
                return g
        if number != followed:
            follow(see, book[number])
            followed = number
        look(see, at, row, row_of(masks, g), cards, num_actions)
        see.lot = np.int64(keys[g] >> LOT_BITS)
        if see.guard:
            look_at_rivals(see, at, row)
        if see.kind == ASK_BUY:
            actions[g] = buy_phase(see, program)
        else:
            look_at_hand(see, at, row)
            actions[g] = answer(see, program)
    return _DONE


@cache
def _choose_rows() -> Callable[..., int]:
    """Return `choose`, compiled at first use, for arrays whose rows may lie apart."""
    keys, numbers = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    return specialised(
        _choose, *ROWS_APART, keys, np.zeros(1, PLACES), np.zeros(1, SIGHT), np.zeros(1, BOOK), numbers, numbers, numbers,
        numbers, NUM_CARDS, NUM_ACTIONS,
    )  # fmt: skip


class ScriptedAgent:
    """Plays a strategy, or of several in each game the first that fits, else the last.

    A strategy fits if all Kingdom cards that it buys are in the game, and no more players than it is meant for.

    Args:
        strategies: one or more strategies.
        cards: Kingdom cards that must be in the game, a tuple for each strategy; by default those that it buys.

    Attributes:
        strategies: the same strategies.
        cards: the Kingdom cards that must be in the game for each.

    Raises:
        InvalidStrategy: there is no strategy, or something else among them, or `cards` has another length.
    """

    observation: ObservationName = "recall"

    def __init__(self, *strategies: Strategy, cards: Sequence[Sequence[Card]] | None = None) -> None:
        if not strategies or not all(isinstance(each, Strategy) for each in strategies):
            raise InvalidStrategy(f"a scripted agent: expected one or more strategies, got {shown(strategies)}")
        self.strategies = strategies
        self.cards = tuple(each.kingdom_cards for each in strategies) if cards is None else tuple(map(tuple, cards))
        if len(self.cards) != len(strategies):
            raise InvalidStrategy(
                f"cards: expected a row for each of {len(strategies)} strategies, got {len(self.cards)}"
            )
        self._book, self._lines = book_of(strategies, self.cards)

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`. A derived class may name others."""
        kingdoms = len(self.strategies) > 1 or self.strategies[0].missing == "refuse"
        guard = any(each.guard for each in self.strategies)
        return FIELDS + (FIELDS_OF_KINGDOMS if kingdoms else ()) + (FIELDS_OF_GUARD if guard else ())

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says, from "recall" observations.

        Raises:
            InvalidOption: an array has another shape or dtype.
            InvalidStrategy: a game lacks a card of a strategy with `missing="refuse"`.
        """
        return self._choose(_ALL, _ALL, observations, action_masks, keys)

    def act_as(
        self, numbers: NDArray[np.int64], observations: Observations, action_masks: Masks, keys: Keys
    ) -> Actions:
        """Choose as `Agent.act` says, and play in each row another of the strategies, whether it fits or not.

        Args:
            numbers: place of a strategy in `strategies` for each row, int64 (n,).
            observations, action_masks, keys: as for `act`.

        Raises:
            InvalidOption: an array has another shape or dtype, or there is no such strategy.
            InvalidStrategy: a game lacks a card of a strategy with `missing="refuse"`.
        """
        most = len(self.strategies) - 1
        given = checks.array("numbers", numbers)
        if given.shape != np.shape(keys) or given.dtype.kind not in "iu" or ((given < 0) | (given > most)).any():
            raise InvalidOption(
                f"numbers: expected a strategy for each of {len(keys)} rows, from 0 to {most}, got {shown(numbers)}"
            )
        chosen = np.ascontiguousarray(given, np.int64)
        return self._choose(chosen, chosen, observations, action_masks, keys)

    def _choose(
        self,
        firsts: NDArray[np.int64],
        lasts: NDArray[np.int64],
        observations: Observations,
        action_masks: Masks,
        keys: Keys,
    ) -> Actions:
        values, masks = checked(observations, action_masks, keys)
        actions = np.empty(len(values), np.int64)
        sight = np.ndarray(1, SIGHT, bytearray(SIGHT.itemsize))  # for this call alone; `np.zeros` would take 5 us
        refused = _choose_rows()(
            values, masks, np.ascontiguousarray(keys), offsets(values.shape[1]), records(sight), self._book, self._lines,
            firsts, lasts, actions, NUM_CARDS, NUM_ACTIONS,
        )  # fmt: skip
        if refused != _DONE:
            self._refuse(observations, refused, self.strategies[lasts[refused] if len(lasts) else -1])
        return actions

    def _refuse(self, observations: Observations, row: int, strategy: Strategy) -> None:
        start = int(offsets(observations.shape[1])["in_game"][0])
        here = observations[row, start : start + NUM_CARDS]
        absent = [CARDS[card].name for card in strategy.kingdom_cards if not here[card]]
        raise InvalidStrategy(
            f"strategy {strategy.name or strategy.one_line()!r}, game {row}: {', '.join(absent)} not in the kingdom; "
            "missing: skip would leave these rules out"
        )

    def __getstate__(self) -> tuple[tuple[Strategy, ...], tuple[tuple[Card, ...], ...]]:
        return self.strategies, self.cards

    def __setstate__(self, state: tuple[tuple[Strategy, ...], tuple[tuple[Card, ...], ...]]) -> None:
        self.strategies, self.cards = state
        self._book, self._lines = book_of(self.strategies, self.cards)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(each.name or repr(each.one_line()) for each in self.strategies)})"


class Cast:
    """Several scripted agents that are asked in one call, each in rows of its own.

    A call for each of them would cost more than their answers where each has few rows.

    Args:
        agents: one or more agents.

    Raises:
        InvalidStrategy: there is no agent.
    """

    def __init__(self, agents: Sequence[ScriptedAgent]) -> None:
        lengths = np.array([len(agent.strategies) for agent in agents], np.int64)
        self._lasts = np.cumsum(lengths) - 1
        self._firsts = self._lasts - lengths + 1
        self._whole = ScriptedAgent(
            *(strategy for agent in agents for strategy in agent.strategies),
            cards=[cards for agent in agents for cards in agent.cards],
        )

    def in_rows(self, numbers: NDArray[np.int64]) -> Agent:
        """Return an agent for one call, which answers in each row as the agent that plays there would.

        Args:
            numbers: place of an agent in `agents` for each row, int64 (n,).
        """
        return _InRows(self._whole, self._firsts[numbers], self._lasts[numbers])


class _InRows(AgentWrapper):
    """Plays in each row the first strategy that fits of some that follow each other in an agent, else the last of them."""

    def __init__(self, agent: ScriptedAgent, firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> None:
        super().__init__(agent)
        self._agent, self._firsts, self._lasts = agent, firsts, lasts

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        return self._agent._choose(self._firsts, self._lasts, observations, action_masks, keys)
