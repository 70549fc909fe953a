"""The page of a game: the table, its keys, and what opens beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from markupsafe import Markup
from nicegui import background_tasks, ui

from dominion_app.web.house.games import Seen
from dominion_app.web.house.house import House, Room
from dominion_app.web.pages import table_parts as parts
from dominion_app.web.pages.frame import (
    COMPILING,
    Fragment,
    Note,
    bar,
    hear_compiling,
    hear_keys,
    hearing,
    page_style,
    unkept,
)
from dominion_app.web.pages.markup import tag
from dominion_env.common.errors import DominionError
from dominion_env.common.files import to_json

AUTOPLAY_SECONDS = 0.5
_TO_ANSWERS = "requestAnimationFrame(() => (document.querySelector('#question button:enabled, #question h2'))?.focus())"
_TO_PANEL = "requestAnimationFrame(() => document.querySelector('#panel button')?.focus())"
_TO_OPENER = "document.querySelector(`nav [data-do='|{}|']`)?.focus()"
_REPEATED = (
    "pick",
    "take back",
    "back",
    "next",
    "next turn",
    "previous turn",
    "end",
    "play",
)  # by clicks in quick succession
_STEPS_AT_ONCE = 20  # of a game that is watched, after which other visitors have their turn


class TablePage:
    """What one browser shows of a game.

    Args:
        house: the house.
        room: the room of the game.
    """

    def __init__(self, house: House, room: Room) -> None:
        self.house, self.room = house, room
        self.seen: Seen = room.game.seen()
        self._hinting = False
        self._weighs = False
        self._weighing = False
        self._sure = False  # whether "Begin anew" was pressed once
        self._opened = ""  # word of the button that has opened the panel
        self._walk = 0  # counts wishes to go somewhere in a game that is watched, of which a later one ends the others
        self._walking = 0  # the wish that is carried out over several steps, if it is still the latest
        self._client = ui.context.client
        page_style(", ".join(room.game.table.shown_names))
        hear_keys()
        with hearing(self.do):
            self._build()
        self._timer = ui.timer(AUTOPLAY_SECONDS, self._tick, active=False)
        self.show()
        self._client.on_delete(lambda: room.told.discard(self.show))
        room.told.add(self.show)
        hear_compiling(house.workers.moves, self._compiles)
        if room.lost:
            self.note.say(f"The game could not go on: {room.lost}")
            room.lost = ""

    def _build(self) -> None:
        self.bar = Fragment("nav", self._bar())
        self.unkept = Fragment("div", id="unkept", role="status")
        self.note = Note()
        with ui.element("div").classes("table"):
            with ui.element("div").classes("board"):
                self.heading = Fragment("div", id="heading")
                self.question = Fragment("div", id="question", role="region", aria_live="polite", aria_label="Question")
                self.own = Fragment("section", id="own", aria_label="Your cards")
                self.supply = Fragment("section", id="supply", aria_label="Supply")
                self.others = Fragment("section", id="others", aria_label="Players")
            with ui.element("div").classes("side"):
                self.bars = Fragment("section", id="bars", aria_label="Values")
                self.log = Fragment("section", id="log", aria_label="Log", tabindex="0")
        self.panel = Fragment("div", id="panel", role="dialog", aria_label="Beside the table")

    def _bar(self) -> Markup:
        link = self.room.game.link
        review = tag("a", "Review", class_="button", href="/review?" + link.query)
        return bar(*parts.bar_buttons(link.watched, self._sure), review)

    def _there(self) -> bool:
        """Return whether a browser shows the page."""
        return self._client.has_socket_connection

    def show(self) -> None:
        """Bring the page up to date; only what has changed is sent."""
        seen = self.seen = self.room.game.seen()
        self.unkept.set(unkept(self.house.store.trouble))
        self.heading.set(parts.heading(seen))
        self.question.set(parts.question(seen, self.house.workers.moves.is_compiling))
        self.own.set(parts.own(seen))
        self.supply.set(parts.supply(seen))
        self.others.set(parts.others(seen))
        self.log.set(parts.log(seen))
        self.bars.set("")
        if self._weighs and seen.watched and not self._weighing:
            background_tasks.create(self._weigh(), name="values of an agent")

    async def do(self, value: str, clicks: int) -> None:
        """Do what a button asks for.

        Args:
            value: the state in which it was shown, a word, and an answer, with "|" between.
            clicks: 0 if the button was pressed by a key, so that the focus should stay near it; 2 and more for the later
                clicks of a double click, which may hit a button that the first one has brought there.
        """
        state, _, rest = value.partition("|")
        word, _, what = rest.partition("|")
        if clicks > 1 and word not in _REPEATED:
            return
        if not self.house.allows(self.room.visitor, self.room.address):
            self.note.say("That was too fast for this server. Go on in a moment.")
            return
        actions, before = self._actions(), self._opened
        self.note.say("")
        if self._sure and word != "really anew":
            self._ask_if_sure(False)
        try:
            if word in actions:
                await actions[word](state, what)
        except DominionError as error:
            self.note.say(str(error))
            self.show()
        if self._opened != before:
            ui.run_javascript(_TO_PANEL if self._opened else _TO_OPENER.format(before))
        elif clicks == 0:
            ui.run_javascript(_TO_ANSWERS)

    def _actions(self) -> Mapping[str, Callable[[str, str], Awaitable[None]]]:
        watching = {
            "back": self._back, "next": self._next, "next turn": self._next_turn, "previous turn": self._previous_turn,
            "start": self._start, "end": self._end, "play": self._play, "view": self._view, "bars": self._bars,
        }  # fmt: skip
        game = self.room.game
        playing = {
            "answer": self._then_on(game.answer), "pick": self._pick, "take back": self._take_back,
            "confirm": self._then_on(lambda state, _: game.confirm(state)),
            "treasures": self._then_on(lambda state, _: game.play_treasures(state)),
            "undo": self._then_on(lambda state, _: game.undo(state)),
            "hint": self._hint, "anew": self._anew, "really anew": self._really_anew,
        }  # fmt: skip
        always = {
            "decks": self._decks,
            "help": self._help,
            "save": self._save,
            "close": self._close,
            "again": self._again,
        }
        return always | (watching if self.room.game.link.watched else playing)

    # --- playing -----------------------------------------------------------------------------------------------------

    def _then_on(self, do: Callable[[str, str], None]) -> Callable[[str, str], Awaitable[None]]:
        """Return what does this to the game, after which it goes on."""

        async def done(state: str, what: str) -> None:
            do(state, what)
            await self.house.play_on(self.room)

        return done

    async def _pick(self, state: str, what: str) -> None:
        self.room.game.pick(state, what)
        self.room.tell()

    async def _take_back(self, state: str, what: str) -> None:
        self.room.game.take_back(state, what)
        self.room.tell()

    async def _anew(self, state: str, what: str) -> None:
        self._ask_if_sure(True)

    def _ask_if_sure(self, sure: bool) -> None:
        self._sure = sure
        self.bar.set(self._bar())

    async def _really_anew(self, state: str, what: str) -> None:
        self._ask_if_sure(False)
        self.room.game.begin_anew(state)
        await self.house.play_on(self.room)

    async def _again(self, state: str, what: str) -> None:
        self.room.game.check_state(state)
        self.room.game.failure = ""
        await self.house.play_on(self.room)

    async def _hint(self, state: str, what: str) -> None:
        if self._opened == "hint":
            await self._close(state, what)
            return
        self.room.game.check_state(state)
        self._hinting = True
        self._compiles()
        try:
            found = await self.house.hint(self.room, self._there)
        finally:
            self._hinting = False
        self.note.say("")
        if self.seen.state == state:
            self._open("hint", parts.hint(found, self.seen.view))

    def _compiles(self) -> None:
        """Say what the visitor waits for, as compiling takes much longer than thinking."""
        if self._hinting:
            self.note.say(COMPILING if self.house.workers.moves.is_compiling else "The coach is thinking …")
        self.show()

    # --- watching ----------------------------------------------------------------------------------------------------

    def _goes_on_from(self, state: str) -> bool:
        """End the way that is under way, if there is one; return whether the page shows the position as it is now."""
        self._walk += 1
        if state == self.room.game.state:
            return True
        self.room.tell()
        return False

    async def _back(self, state: str, what: str) -> None:
        if self._goes_on_from(state):
            self.room.game.table.go_to(self.room.game.table.step - 1)
            self._looked()

    async def _next(self, state: str, what: str) -> None:
        if self._goes_on_from(state):
            await self.house.one_step(self.room)
            self._looked()

    async def _next_turn(self, state: str, what: str) -> None:
        if self._goes_on_from(state):
            await self._until(lambda turn=self._turn: self._turn != turn)  # type: ignore[misc]

    async def _previous_turn(self, state: str, what: str) -> None:
        if self._goes_on_from(state):
            self.room.game.table.previous_turn()
            self._looked()

    async def _start(self, state: str, what: str) -> None:
        if self._goes_on_from(state):
            self.room.game.table.go_to(0)
            self._looked()

    async def _end(self, state: str, what: str) -> None:
        if self._walking == self._walk > 0:  # a second time: it stops where it is
            self._walk += 1
        elif self._goes_on_from(state):
            await self._until(lambda: False)

    async def _play(self, state: str, what: str) -> None:
        self._timer.active = not self._timer.active

    async def _until(self, there: Callable[[], bool]) -> None:
        """Go on until something holds, the game ends, the page is closed or its visitor wants to go somewhere else."""
        self._walk += 1
        mine, steps = self._walk, 0
        self._walking = mine
        while self._walk == mine and self._there() and await self.house.one_step(self.room) and not there():
            steps += 1
            if steps % _STEPS_AT_ONCE == 0:
                await asyncio.sleep(0)
        if self._walking == mine:
            self._walking = 0
        self._looked()

    async def _view(self, state: str, what: str) -> None:
        game = self.room.game
        seats = [None, *range(game.game.num_players)]
        game.spectated = seats[(seats.index(game.spectated) + 1) % len(seats)]
        self._looked()

    async def _bars(self, state: str, what: str) -> None:
        self._weighs = not self._weighs
        self._looked()

    async def _weigh(self) -> None:
        """Show what the agent that is asked thinks of its actions, and go on until the page shows that of its position."""
        self._weighing, state = True, ""
        try:
            while self._weighs and state != self.seen.state:
                state = self.seen.state
                name, found = await self.house.weigh(self.room, self._there)
            if self._weighs:
                self.bars.set(parts.bars(name, found, self.room.game.question))
        except DominionError as error:
            self.note.say(str(error))
        finally:
            self._weighing = False

    async def _tick(self) -> None:
        if not self._there() or not await self.house.one_step(self.room):
            self._timer.active = False
        self._looked()

    @property
    def _turn(self) -> tuple[int, int]:
        return self.room.game.game.turn_player, self.room.game.game.turn

    def _looked(self) -> None:
        """Keep and show the position to which the visitor has gone."""
        self.house.keep(self.room)
        self.room.tell()

    # --- beside the table --------------------------------------------------------------------------------------------

    async def _decks(self, state: str, what: str) -> None:
        self._toggle("decks", lambda: parts.decks(self.seen.view))

    async def _help(self, state: str, what: str) -> None:
        self._toggle("help", lambda: parts.explanation(self.seen))

    async def _save(self, state: str, what: str) -> None:
        seed = self.room.game.table.address["seed"]
        ui.download.content(to_json(self.room.game.saved(), indent=1) + "\n", f"dominion-{seed}.json")

    async def _close(self, state: str, what: str) -> None:
        self._shut()

    def _shut(self) -> None:
        self.panel.set("")
        self._opened = ""

    def _toggle(self, word: str, content: Callable[[], Markup]) -> None:
        """Open what a button opens, or close it if it is open."""
        if self._opened == word:
            self._shut()
        else:
            self._open(word, content())

    def _open(self, word: str, content: Markup) -> None:
        self._opened = word
        self.panel.set(tag("button", "Close", type="button", data_do="|close|", aria_keyshortcuts="Escape") + content)
