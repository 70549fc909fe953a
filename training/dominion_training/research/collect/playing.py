"""Games played for data: by the compiled loop where all seats follow strategies, else by asking the agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.choosing.auto import Auto, Auto2
from dominion_agents.choosing.menus import RandomMenu, random_menu
from dominion_agents.choosing.restricted import Restricted
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.book import book_of
from dominion_agents.scripted.sight import SIGHT
from dominion_agents.strategies.strategy import Strategy
from dominion_env import GameBatch
from dominion_env.common.errors import InvalidOption
from dominion_env.compiled.jit import records as as_records
from dominion_env.compiled.jit import specialised
from dominion_env.core.loop import EVENT
from dominion_env.players.agent import Agent, check_fields, check_players, searches
from dominion_env.rules.events import Event
from dominion_env.rules.record.state import TRUNCATED
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import NUM_ACTIONS, PASS, Verb, action_of
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS, Card
from dominion_training.play import loop
from dominion_training.play.loop import Moment, Player, Seats, Stopped
from dominion_training.play.sets import GAMES_AT_ONCE
from dominion_training.research.collect.recorder import (
    CHANGE,
    DONE,
    KEPT,
    NO_PURCHASE,
    RECORD,
    ROW,
    UNCHANGED,
    USED,
    give_all,
    play_and_record,
)

Changes = NDArray[Any]
"""What is changed in each game, dtype `recorder.CHANGE` (games,)."""

ROOM = 1 << 17  # records that fit into the buffer of the compiled loop
_MOST_TURNS_OF_ONE = 1 << 16  # more than a player can have


def game_dtype(players: int) -> np.dtype[Any]:
    """Return the dtype of a finished game; the fields with a number for each player are in order of seats."""
    return np.dtype(
        [
            ("number", "i8"),  # of the game, which is also the index of its address, from that of the first game on
            ("starter", "i1"),  # the seat that had the first turn
            ("rounds", "i2"),
            ("ended", "i1"),  # see `play.sets.ENDINGS`
            ("kingdom", "i1", (10,)),  # numbers of `Card`
            ("agents", "i2", (players,)),  # numbers in the list of agents
            ("points", "i2", (players,)),
            ("turns", "i2", (players,)),
            ("shares", "f4", (players,)),  # shares of the win: 1 for a single winner, equal shares if truncated
            ("decks", "i1", (players, NUM_CARDS)),  # cards owned at the end
        ]
    )


@dataclass(frozen=True)
class Played:
    """Finished games, and what happened in them.

    Attributes:
        games: dtype `game_dtype` (games,), in order of their numbers.
        records: dtype `recorder.RECORD` (events,), game by game, oldest first; none if they were not wanted.
    """

    games: NDArray[Any]
    records: NDArray[Any]


def unchanged(number: int) -> Changes:
    """Return changes, one for each game, that change nothing."""
    changes = np.empty(number, CHANGE)
    for field in ("seat", "banned", "gift", "buys"):
        changes[field] = UNCHANGED
    return changes


def play(
    players: Sequence[Player],
    seating: NDArray[Any],
    indices: NDArray[Any],
    num_players: int,
    seed: int = 0,
    events: bool = True,
    changes: Changes | None = None,
    stopping: Callable[[], bool] | None = None,
    compiled: bool = True,
    **options: Any,
) -> Played:
    """Play games to their ends and record them. A game depends on its address, its agents and its change alone.

    Args:
        players: the agents, with their names.
        seating: number of the agent in each seat, int (games, num_players).
        indices: index of each game's address (seed, index, 0), int (games,); the game's number too.
        num_players: number of seats, 1 to 6.
        seed: seed of the addresses.
        events: whether gains, trashes and plays are recorded.
        changes: what is changed in each game; None for nothing.
        stopping: function that is called now and then and returns True to stop.
        compiled: whether strategies may be played by the compiled loop, which gives the same games.
        options: other options of `GameBatch`.

    Raises:
        InvalidAgent: an agent raised an error, or its answer is not one legal action a row.
        InvalidOption: an agent that searches is to do without a card.
        DominionError: an option is wrong.
        Stopped: `stopping()` was true.
    """
    for player in players:
        check_fields(player.agent)
        check_players(player.name, player.agent, num_players)
    parts = []
    for start in range(0, len(indices), GAMES_AT_ONCE):
        if stopping is not None and stopping():
            raise Stopped
        rows = slice(start, start + GAMES_AT_ONCE)
        table = _GamesAtOnce(players, seating[rows], indices[rows], num_players, seed, events, options)
        now = unchanged(len(table.indices)) if changes is None else changes[rows].copy()
        strategies = table.strategies() if compiled else None
        if strategies is None:
            parts.append(table.finished(_by_asking(table, now, stopping)))
        else:
            parts.append(table.finished(_compiled(table, strategies, now)))
    if not parts:
        return Played(np.zeros(0, game_dtype(num_players)), np.zeros(0, RECORD))
    return Played(np.concatenate([part.games for part in parts]), _joined([part.records for part in parts]))


class _GamesAtOnce:
    """Some games that are played side by side."""

    def __init__(
        self,
        players: Sequence[Player],
        seating: NDArray[Any],
        indices: NDArray[Any],
        num_players: int,
        seed: int,
        events: bool,
        options: dict[str, Any],
    ) -> None:
        self.players, self.seating = players, np.asarray(seating, np.int64)
        self.indices = np.array(indices, np.int64)
        self.batch = GameBatch(
            len(indices), num_players, seed=seed, index=indices, autoreset=False, record=events, **options
        )

    def strategies(self) -> tuple[NDArray[np.int64], tuple[Strategy, ...]] | None:
        """Return the number of a strategy for each game and seat, and the strategies; None if an agent has none."""
        kingdoms, which = np.unique(self.batch.state["piles"][:, NUM_BASE_CARDS:], axis=0, return_inverse=True)
        numbers: dict[Strategy, int] = {}
        found = np.zeros((len(self.players), len(kingdoms)), np.int64)
        for agent in np.unique(self.seating).tolist():
            for place, kingdom in enumerate(kingdoms.tolist()):
                strategy = strategy_in(self.players[agent].agent, kingdom, self.batch.num_players)
                if strategy is None:
                    return None
                found[agent, place] = numbers.setdefault(strategy, len(numbers))
        return found[self.seating, which.reshape(-1, 1)], tuple(numbers)

    def finished(self, records: NDArray[Any]) -> Played:
        """Return the games, which are over, with these records."""
        batch, players = self.batch, self.batch.num_players
        state = batch.state
        games = np.zeros(batch.num_games, game_dtype(players))
        games["number"], games["agents"] = self.indices, self.seating
        games["starter"], games["ended"] = state["start_player"], state["ended"]
        games["kingdom"] = state["piles"][:, NUM_BASE_CARDS:]
        games["points"], games["turns"] = batch.scores, batch.turns
        games["rounds"] = batch.turns.max(axis=1)
        games["decks"] = state["owned"][:, :players]
        # Most points win, among equals fewest turns.
        standing = batch.scores.astype(np.int64) * _MOST_TURNS_OF_ONE - batch.turns
        winners = (standing == standing.max(axis=1, keepdims=True)) | (state["ended"] == TRUNCATED)[:, None]
        games["shares"] = winners / winners.sum(axis=1, keepdims=True)
        return Played(games, records)


def strategy_in(agent: Agent, kingdom: Sequence[int], num_players: int) -> Strategy | None:
    """Return the strategy that an agent follows in a kingdom; None if it does more than follow one.

    Args:
        agent: an agent.
        kingdom: numbers of the ten Kingdom cards.
        num_players: 1 to 6 players.
    """
    if type(agent) is RandomMenu:
        menu = random_menu([Card(card) for card in kingdom], agent.seed, num_players)
        return _willing(menu.but(**agent.settings))
    if type(agent) is Auto or type(agent) is Auto2:
        return strategy_in(agent.agent_at(num_players), kingdom, num_players)
    if type(agent) is not ScriptedAgent:
        return None
    here = set(kingdom)
    for strategy, cards in zip(agent.strategies, agent.cards, strict=True):
        if here.issuperset(cards) and strategy.players >= num_players:
            return _willing(strategy)
    return _willing(agent.strategies[-1])


def _willing(strategy: Strategy) -> Strategy | None:
    """Return a strategy, unless it may refuse a kingdom: the agent then says so in its own words when it is asked."""
    return None if strategy.missing == "refuse" else strategy


def _compiled(
    table: _GamesAtOnce, strategies: tuple[NDArray[np.int64], tuple[Strategy, ...]], changes: Changes
) -> NDArray[Any]:
    """Play games by strategies in the compiled loop; return the records."""
    followed, named = strategies
    book, lines = book_of(named, [each.kingdom_cards for each in named])
    batch, room = table.batch, np.zeros(ROOM, RECORD)
    before = batch.events() if batch.is_recording else np.zeros(0, EVENT)
    place, parts = np.zeros(4, np.int64), []
    arguments = (
        batch.records, table.indices, as_records(before), np.ascontiguousarray(followed), as_records(changes), book, lines,
        as_records(np.zeros(batch.num_players, SIGHT)), as_records(room), place, NUM_CARDS, NUM_ACTIONS,
    )  # fmt: skip
    loop = specialised(play_and_record, *arguments)
    while True:
        loop(*arguments)
        parts.append(room[: place[USED]].copy())
        if place[ROW] == DONE:
            break
    return _joined(parts)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return records one after the other; `np.concatenate` would copy them field by field."""
    joined = np.concatenate([np.ascontiguousarray(part).view(np.uint8) for part in parts])
    records: NDArray[Any] = joined.view(RECORD)
    return records


def _by_asking(table: _GamesAtOnce, changes: Changes, stopping: Callable[[], bool] | None) -> NDArray[Any]:
    """Play games by asking the agents, each at once for all its games and seats; return the records."""
    batch, parts = table.batch, []
    gifts = bool((changes["gift"] >= 0).any())
    for moment in loop.play(batch, _ChangedSeats(table.players, table.seating, changes), stopping):
        parts.append(_kept(batch))
        if gifts:
            _give(batch, changes)
            if moment.gains is not None:
                moment.gains.update()
    return _with_turns(np.concatenate(parts), table.indices)


class _ChangedSeats(Seats):
    """Players in the seats of games in which something is changed."""

    def __init__(self, players: Sequence[Player], seating: NDArray[np.int64], changes: Changes) -> None:
        super().__init__(players, seating)
        self._changes = changes

    def actions(self, moment: Moment) -> NDArray[np.int64]:
        """See `Seats`; InvalidOption is raised too, as from `_restricted`."""
        batch, changes = moment.batch, self._changes
        forced = _forced(batch, changes)
        banned = np.where(batch.current_player == changes["seat"], changes["banned"], UNCHANGED)
        free = moment.running & (forced < 0)
        actions = self.answers(moment, free & (banned < 0))
        actions += self.answers(moment, free & (banned >= 0), lambda player, rows: _restricted(player, banned[rows]))
        return np.where(forced >= 0, forced, actions)


def _give(batch: GameBatch, changes: Changes) -> None:
    arguments = batch.records, as_records(changes)
    specialised(give_all, *arguments)(*arguments)


def _forced(batch: GameBatch, changes: Changes) -> NDArray[np.int64]:
    """Return the action with which each game must go on, int64 (games,); -1 where the seat that is asked is free."""
    rows = np.arange(batch.num_games)
    turn = batch.turns[rows, batch.current_player]
    concerned = (batch.current_player == changes["seat"]) & (batch.state["kind"] == ASK_BUY) & (turn <= len("ab"))
    card = changes["buys"][rows, np.clip(turn, 1, 2) - 1].astype(np.int64)
    buy = action_of(Verb.BUY, Card(0)) + (action_of(Verb.BUY, Card(1)) - action_of(Verb.BUY, Card(0))) * card
    can = (card >= 0) & batch.action_mask[rows, np.clip(buy, 0, NUM_ACTIONS - 1)]
    chosen = np.where(card == NO_PURCHASE, PASS, np.where(can, buy, -1))
    result: NDArray[np.int64] = np.where(concerned, chosen, -1)
    return result


def _restricted(player: Player, banned: NDArray[Any]) -> Player:
    if searches(player.agent):
        raise InvalidOption(
            f"{player.name}: expected an agent that goes by the mask of legal actions, as it is to do without a card; got "
            "one that searches, and so plays on with that card"
        )
    return Player(player.name, Restricted(player.agent, banned))


_WANTED = np.isin(np.arange(len(Event)), [*KEPT, Event.TURN])


def _kept(batch: GameBatch) -> NDArray[Any]:
    """Return the events since the last step, those that are kept and those that tell the turn."""
    if not batch.is_recording:
        return np.zeros(0, [("game", "i8"), ("event", "i1"), ("player", "i1"), ("card", "i1"), ("count", "i2")])
    events = batch.events()
    wanted: NDArray[Any] = events[_WANTED[events["event"]]]
    return wanted


def _with_turns(events: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """Return events in order of games, each with its turn instead of the events that tell the turn."""
    ordered = events[np.argsort(events["game"], kind="stable")]
    begins = ordered["event"] == Event.TURN
    turn = np.maximum.accumulate(np.where(begins, np.arange(len(ordered)), 0))
    records = np.zeros(len(ordered), RECORD)
    records["game"] = numbers[ordered["game"]]
    for field in ("event", "player", "count"):
        records[field] = ordered[field]
    records["card"] = np.maximum(ordered["card"], 0)
    records["turn"], records["turn_player"] = ordered["count"][turn], ordered["player"][turn]
    kept: NDArray[Any] = records[~begins]
    return kept
