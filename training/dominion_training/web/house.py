"""All games of all visitors: each is opened once, kept after every answer, and told to the pages that show it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dominion_env.agent import Agent
from dominion_env.errors import DominionError, InvalidOption
from dominion_training.web.games import VisitorGame
from dominion_training.web.limits import (
    ANSWERS_A_SECOND,
    ANSWERS_AT_ONCE,
    MOST_LIVE,
    THINKING_SECONDS,
    Rate,
)
from dominion_training.web.link import Link
from dominion_training.web.players import is_quick, made
from dominion_training.web.store import Store
from dominion_training.web.workers import Busy, Failed, Workers


@lru_cache(256)
def _quick(name: str) -> Agent | None:
    """Return the agent of this name, which keeps nothing between games, if it answers at once."""
    agent = made(name)
    return agent if is_quick(agent) else None


class Room:
    """A visitor's game and the pages that show it.

    Attributes:
        visitor: the visitor.
        game: the game.
        told: functions of the pages, each called when something has changed.
        lost: why an earlier state of the game could not be continued, "" if it could.
    """

    def __init__(self, visitor: str, game: VisitorGame, lost: str = "") -> None:
        self.visitor, self.game, self.lost = visitor, game, lost
        self.told: set[Callable[[], None]] = set()
        self.playing = asyncio.Lock()

    def tell(self) -> None:
        """Tell all pages that something has changed."""
        for each in tuple(self.told):
            each()


class House:
    """The games of a server.

    Args:
        store: where games are kept.
        workers: processes that think.
    """

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store, self.workers = store, workers
        self._rooms: OrderedDict[tuple[str, str], Room] = OrderedDict()
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    def allows(self, visitor: str) -> bool:
        """Return whether a visitor may ask for something now; see `Rate`."""
        rate = self._rates.pop(visitor, None) or Rate(ANSWERS_AT_ONCE, ANSWERS_A_SECOND)
        self._rates[visitor] = rate
        while len(self._rates) > 4 * MOST_LIVE:
            self._rates.popitem(last=False)
        return rate.allows()

    def room(self, visitor: str, link: Link) -> Room:
        """Return the room of a visitor's game, which goes on where it was.

        Raises:
            DominionError: the link is wrong.
        """
        key = visitor, link.query
        room = self._rooms.pop(key, None)
        if room is None:
            room = self._opened(visitor, link)
        self._rooms[key] = room
        for old in [key for key, each in self._rooms.items() if not each.told][: max(0, len(self._rooms) - MOST_LIVE)]:
            del self._rooms[old]  # all that it holds is in the store
        return room

    def _opened(self, visitor: str, link: Link) -> Room:
        agents = {seat: _quick(name) for seat, name in enumerate(link.agents) if name is not None}
        quick = {seat: agent for seat, agent in agents.items() if agent is not None}
        kept = self.store.get(visitor, link.query)
        try:
            return Room(visitor, VisitorGame(link, quick, kept))
        except DominionError as error:
            if kept is None:
                raise
            return Room(visitor, VisitorGame(link, quick), str(error))

    def keep(self, room: Room) -> None:
        """Keep a game as it is now."""
        fresh = room.game.table.step <= 1
        self.store.put(room.visitor, room.game.link.query, room.game.kept)
        if fresh:
            self.store.tidy(room.visitor)

    async def play_on(self, room: Room) -> None:
        """Let the agents of a game play until the visitor is asked, or for one decision if they watch; keep and tell it."""
        game = room.game
        if game.link.watched:
            return
        if not game.agents_answer():
            self.keep(room)
            room.tell()
            return
        if room.playing.locked():  # it is under way
            return
        async with room.playing:
            while game.agents_answer():
                room.tell()
                await self._ask_elsewhere(game)
            self.keep(room)
            room.tell()

    async def one_step(self, room: Room) -> bool:
        """Go one decision on in a game that is watched, to a known one or to an agent's; return whether it went on."""
        game, before = room.game, room.game.table.step
        if game.table.step < game.table.length:
            game.table.forward()
        elif game.asked is not None and not game.failure and not game.agent_answers_at_once() and not game.failure:
            if room.playing.locked():
                return False
            async with room.playing:
                await self._ask_elsewhere(game)
        return game.table.step > before

    async def _ask_elsewhere(self, game: VisitorGame) -> None:
        """Ask an agent in a process of its own, and carry out its answer if the game still waits for it."""
        step, name = game.table.step, game.asked
        try:
            found = await self.workers.moves.do(
                {"do": "decide", "agent": name, "game": game.table.game.replay()}, THINKING_SECONDS
            )
        except (Busy, Failed) as error:
            if game.table.step == step:
                game.fails(str(error))
            return
        if game.table.step == step and game.asked == name:
            game.agent_answers(found["action"])

    async def hint(self, room: Room) -> dict[str, Any]:
        """Return what the coach says of the decision of the visitor, after all Treasures have been played.

        Raises:
            DominionError: there is nothing to judge, or the server is busy.
        """
        return await self.workers.moves.do({"do": "hint", "game": room.game.to_judge()}, THINKING_SECONDS)

    async def weigh(self, room: Room) -> tuple[str, dict[str, Any]]:
        """Return the name of the agent that is asked in a game that is watched, and what it thinks of its actions.

        Raises:
            DominionError: no agent is asked, or the server is busy.
        """
        game = room.game
        if game.game.is_over:
            raise InvalidOption("nobody is asked any more, so there are no values")
        name = game.table.called.get(game.game.current_player)
        if name is None:
            return game.table.asked, {"bars": [], "chance": None}
        job = {"do": "weigh", "agent": name, "game": game.game.replay()}
        return game.table.asked, await self.workers.moves.do(job, THINKING_SECONDS)
