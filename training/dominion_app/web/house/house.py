"""All games of all visitors: each is opened once, kept after every answer, and told to the pages that show it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from dominion_app.web.guarding.limits import (
    ANSWERS_A_SECOND,
    ANSWERS_AT_ONCE,
    BUSY_SECONDS,
    MOST_ADDRESSES,
    MOST_LIVE,
    OF_ADDRESS_A_SECOND,
    OF_ADDRESS_AT_ONCE,
    THINKING_SECONDS,
    WRITING_AGAIN,
    Rates,
)
from dominion_app.web.house.games import VisitorGame
from dominion_app.web.house.link import Link
from dominion_app.web.house.players import allowed, is_quick, made
from dominion_app.web.house.store import Store
from dominion_app.web.house.workers import Busy, Failed, Workers, always
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.players.agent import Agent


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
        address: address from which the visitor has asked for it last.
        is_kept: whether the game is in the store.
        told: functions of the pages, each called when something has changed.
        lost: why an earlier state of the game could not be continued, "" if it could.
    """

    def __init__(self, visitor: str, game: VisitorGame, is_kept: bool = False, lost: str = "") -> None:
        self.visitor, self.game, self.is_kept, self.lost = visitor, game, is_kept, lost
        self.address = ""
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
        self._rates = Rates(ANSWERS_AT_ONCE, ANSWERS_A_SECOND, 4 * MOST_LIVE)
        self._rates_of_addresses = Rates(OF_ADDRESS_AT_ONCE, OF_ADDRESS_A_SECOND, MOST_ADDRESSES)
        self._told_trouble = ""
        self._asking = set[tuple[str, str]]()  # visitors who wait for a hint or for values
        self._studies = dict[tuple[str, str], object]()  # the latest review and comparison of each visitor
        self._moves: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of each visitor's agents

    def allows(self, visitor: str, address: str) -> bool:
        """Return whether a visitor may ask for something now; see `Rate`."""
        return self._rates.allows(visitor) and self._rates_of_addresses.allows(address)

    def room(self, visitor: str, link: Link, address: str = "") -> Room:
        """Return the room of a visitor's game, which goes on where it was.

        Args:
            visitor: the visitor.
            link: the link of the game.
            address: address from which the visitor asks.

        Raises:
            DominionError: the link is wrong, or the file with the games can't be read.
        """
        key = visitor, link.query
        room = self._rooms.pop(key, None)
        if room is None:
            room = self._opened(visitor, link)
        self._rooms[key], room.address = room, address
        for old in [key for key, each in self._rooms.items() if not each.told][: max(0, len(self._rooms) - MOST_LIVE)]:
            del self._rooms[old]  # all that it holds is in the store
        return room

    def _opened(self, visitor: str, link: Link) -> Room:
        agents = {seat: _quick(name) for seat, name in enumerate(link.agents) if name is not None}
        quick = {seat: agent for seat, agent in agents.items() if agent is not None}
        kept = self.store.get(visitor, link.query)
        try:
            return Room(visitor, VisitorGame(link, quick, kept), kept is not None)
        except DominionError as error:
            if kept is None:
                raise
            return Room(visitor, VisitorGame(link, quick), True, str(error))

    def keep(self, room: Room) -> None:
        """Keep a game as it is now, from the visitor's first answer on: a page that was only looked at takes no place."""
        game = room.game
        if not (room.is_kept or game.table.answered or game.link.watched):
            return
        self.store.put(room.visitor, game.link.query, game.kept)
        if not room.is_kept:
            self.store.tidy(room.visitor)
        room.is_kept = True
        self._tell_trouble()

    async def write_again(self) -> None:
        """Write games that could not be written, as soon as that can be done; it goes on for ever."""
        while True:
            await asyncio.sleep(WRITING_AGAIN)
            self.store.write()
            self._tell_trouble()

    def _tell_trouble(self) -> None:
        """Tell all pages if games can't be written any more, or can be again."""
        if self.store.trouble != self._told_trouble:
            self._told_trouble = self.store.trouble
            for room in tuple(self._rooms.values()):
                room.tell()

    async def play_on(self, room: Room) -> None:
        """Let the agents of a game play until the visitor is asked; keep and say what has happened before each thought."""
        game = room.game
        if game.link.watched:
            return
        thinks = game.agents_answer()
        self._has_changed(room)
        if not thinks or room.playing.locked():  # it is under way, and goes on with the game as it is now
            return
        async with room.playing:
            while game.agents_answer():
                await self._ask_elsewhere(room)
                self._has_changed(room)

    def _has_changed(self, room: Room) -> None:
        """Keep a game and tell its pages of it."""
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
                await self._ask_elsewhere(room)
        return game.table.step > before

    async def _ask_elsewhere(self, room: Room) -> None:
        """Ask an agent in a process of its own, and carry out its answer if the game is still the one that was asked about.

        One agent of a visitor thinks at a time, so that no visitor keeps the others waiting. If the server is busy, it waits.
        """
        game = room.game
        asked = game.table.step, game.table.played

        def still() -> bool:
            return asked == (game.table.step, game.table.played)

        async with self._moves.setdefault(room.visitor, asyncio.Lock()):
            job = {"do": "decide", "agent": game.asked, "game": game.table.game.replay()}
            while still():
                try:
                    found = await self.workers.moves.do(job, THINKING_SECONDS, address=room.address)
                except Busy:
                    await asyncio.sleep(BUSY_SECONDS)
                except Failed as error:
                    if still():
                        game.fails(str(error))
                    return
                else:
                    if still():
                        game.agent_answers(found["action"])
                    return

    async def hint(self, room: Room, wanted: Callable[[], bool] = always) -> dict[str, Any]:
        """Return what the coach says of the decision of the visitor, after all Treasures have been played.

        Args:
            room: the room of the game.
            wanted: function that returns whether somebody still waits for it.

        Raises:
            DominionError: there is nothing to judge, the visitor waits for a hint already, or the server is busy.
        """
        return await self._ask_once(room, {"do": "hint", "game": room.game.to_judge()}, wanted)

    async def weigh(self, room: Room, wanted: Callable[[], bool] = always) -> tuple[str, dict[str, Any]]:
        """Return the name of the agent that is asked in a game that is watched, and what it thinks of its actions.

        Args:
            room: the room of the game.
            wanted: function that returns whether somebody still waits for it.

        Raises:
            DominionError: no agent is asked, the visitor waits for values already, or the server is busy.
        """
        game = room.game
        if game.game.is_over:
            raise InvalidOption("nobody is asked any more, so there are no values")
        try:
            name = allowed(game.table.called.get(game.game.current_player, ""))
        except DominionError:  # a saved game may name anything, or nobody
            return game.table.asked, {"bars": [], "chance": None}
        job = {"do": "weigh", "agent": name, "game": game.game.replay()}
        return game.table.asked, await self._ask_once(room, job, wanted)

    async def _ask_once(self, room: Room, job: dict[str, Any], wanted: Callable[[], bool]) -> dict[str, Any]:
        """Do a job beside the moves, of which a visitor may have one of each kind at a time."""
        asking = room.visitor, job["do"]
        if asking in self._asking:
            raise Busy("the last one that you asked for is not there yet")
        self._asking.add(asking)
        try:
            return await self.workers.moves.do(job, THINKING_SECONDS, wanted, room.address)
        finally:
            self._asking.discard(asking)

    async def study(
        self, visitor: str, address: str, job: dict[str, Any], seconds: float, wanted: Callable[[], bool]
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the answers of a review or a comparison; a later one of the same visitor takes its place.

        Args:
            visitor, address: who asks, and from where.
            job: the job, as `thinking.JOBS` describes it.
            seconds: longest time from its beginning to its end.
            wanted: function that returns whether somebody still waits for it.

        Raises:
            DominionError: it failed, the server is busy, or it is not wanted any more.
        """
        kind, mine = (visitor, job["do"]), object()
        self._studies[kind] = mine

        def still() -> bool:
            return wanted() and self._studies.get(kind) is mine

        try:
            async with aclosing(self.workers.studies.answers(job, seconds, still, address)) as answers:
                async for answer in answers:
                    if not still():
                        raise Failed("another one was begun after it")
                    yield answer
        finally:
            if self._studies.get(kind) is mine:
                del self._studies[kind]
