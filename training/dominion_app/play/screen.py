"""The table on the terminal, made with textual, for watching a game and for playing one.

The screen shows only `view_of` and the log of the seat that looks, so nothing that this seat can't know reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from threading import Lock
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from dominion_app.play.beside import beside
from dominion_app.play.coaching import SECONDS, advice
from dominion_app.play.compiling import TOLD, Compiling
from dominion_app.play.table import GameTable, free_path
from dominion_env.common.errors import DominionError
from dominion_env.render.ending import ending, standing, verdict
from dominion_env.render.text import (
    TERMINAL_STYLES,
    Line,
    Span,
    event_lines,
    owned_line,
    player_lines,
    rich_text,
    trash_line,
    turn_line,
)
from dominion_env.render.view import Pile, View, card_in, printed, style_of, types_of, view_of
from dominion_env.tables.cards import Card

LOG_LINES = 300
AUTOPLAY_SECONDS = 0.4
THINKING_SECONDS = 0.2
SIDE_WIDTH = 30  # least width of the column with the question
LEAST_LOG = 4  # lines of the log, its border included
OWN_LINES = 5  # most lines of the own cards
LOW = 34  # a terminal of fewer lines gets no empty lines between the parts of the table
ANSWER_KEYS = "1234567890abefghijklmnortvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # without the letters of `PlayApp.BINDINGS`
_COMPILING = Compiling()
_PILE_WIDTH = 22  # width of the longest pile and a space
_TABLE_KEYS = [
    Binding("pageup", "app.scroll_table(-1)", "Table up", show=False),
    Binding("pagedown", "app.scroll_table(1)", "Table down", show=False),
]


def _height(text: Text, width: int) -> int:
    """Return about how many lines a text takes at this width."""
    return sum(-(-max(line.cell_len, 1) // max(width, 1)) for line in text.split(allow_blank=True))


def keys_line() -> Footer:
    """Return the line of keys, close together so that all of them are seen on 60 columns."""
    footer = Footer()
    footer.compact = True
    return footer


class Pane(VerticalScroll, can_focus=False):
    """A part of the screen that the mouse scrolls; the keys are for the game."""


class HelpScreen(ModalScreen[None]):
    """A page of text above the table: keys and cards, the players' decks, or what the coach says."""

    CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll { width: 90%; height: 90%; border: round $primary; padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,d,c,enter", "dismiss", "Close")]

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text)
        yield keys_line()


class TableApp(App[None]):
    """Base of the screens for playing and watching: the table, the log, help and saving."""

    CSS = f"""
    #heading {{ background: $primary; padding: 0 1; height: 1; }}
    #table {{ width: 2fr; padding: 0 1; }}
    #side {{ width: 1fr; min-width: {SIDE_WIDTH}; border-left: solid $primary; padding: 0 1; }}
    #own {{ height: auto; max-height: {OWN_LINES}; border-top: solid $primary; padding: 0 1; }}
    #log {{ height: 1fr; border-top: solid $primary; padding: 0 1; }}
    #answers {{ height: 1fr; border: none; padding: 0; background: $background; }}
    """
    TITLE = "dominion"
    ENABLE_COMMAND_PALETTE = False
    HELP = ""
    own_player: int | None = None  # seat whose cards have a place of their own, always in sight

    def __init__(self, table: GameTable, seat: int | None, save: Path | None = None) -> None:
        super().__init__()
        self.table = table
        self.seat = seat
        self.save_as = save

    def compose(self) -> ComposeResult:
        yield Static(self.heading(), id="heading", markup=False)
        with Horizontal(id="middle"):
            with Pane(id="table"):
                yield Static(id="position")
            with Vertical(id="side"):
                yield Static(id="question")
                yield Answers(id="answers")
        yield Static(id="own")
        with Pane(id="log"):
            yield Static(id="events")
        yield keys_line()

    def heading(self) -> str:
        """Return the headline: kingdom, seed and players."""
        kingdom = self.table.kingdom
        which = kingdom if isinstance(kingdom, str) else "own kingdom"
        return f"{which}, seed {self.table.address['seed']}: {', '.join(self.table.shown_names)}"

    def on_resize(self) -> None:
        """Draw again, as the piles stand in as many columns as there is room for."""
        self.show()

    def show(self) -> None:
        """Bring the screen up to date."""
        view = view_of(self.table.game, self.seat, self.table.shown_names)
        low = self.size.height < LOW
        width = min(self.size.width * 2 // 3, self.size.width - SIDE_WIDTH) - 4  # padding and scroll bar
        parts: list[list[Line]] = [
            [turn_line(view)],
            [*pile_lines(view.base, width)],
            [*pile_lines(view.kingdom, width)],
            [trash_line(view)],
        ]
        if view.over:
            parts.insert(0, [owned_line(player) for player in view.players])
        own = self.own_player
        parts += [[*player_lines(player)] for player in view.players if player.seat != own]
        space: list[Line] = [] if low else [[]]
        lines = [line for part in parts for line in (*part, *space)]
        position, question = rich_text(lines), self.question(view)
        mine = rich_text([] if own is None else player_lines(view.players[own]))
        self.query_one("#position", Static).update(position)
        self.query_one("#own", Static).update(mine)
        self.query_one("#own").display = own is not None
        self.query_one("#question", Static).update(question)
        asked = _height(question, self.size.width // 3 - 4) + len(view.legal)
        others = 2 + LEAST_LOG + (0 if own is None else 1 + min(_height(mine, self.size.width - 2), OWN_LINES))
        needed = max(_height(position, width), asked)
        # What table and answers don't need is the log's.
        self.query_one("#middle").styles.height = max(1, min(needed, self.size.height - others))
        log = self.table.game.newest_events(self.seat, LOG_LINES, self.table.shown_names)
        self.query_one("#events", Static).update(rich_text(event_lines(log)))
        self.query_one("#log", Pane).scroll_end(animate=False)

    def question(self, view: View) -> Text:
        """Return the text above the answers."""
        if view.over:
            standings = (f"{player.name}: {standing(player)}" for player in view.players)
            return Text("\n".join((ending(view), verdict(view), *standings)), "bold")
        return Text(view.question, "bold")

    def action_help(self) -> None:
        """Show the page with keys and cards."""
        text = Text(self.HELP + "\n\n")
        for card in self.table.game.kingdom:
            text.append(card.title, TERMINAL_STYLES[style_of(card)])
            text.append(f"  {described(card)}\n")
        self.push_screen(HelpScreen(text))

    def action_decks(self) -> None:
        """Show what each player owns, with points; the own deck comes first."""
        view = view_of(self.table.game, self.seat, self.table.shown_names)
        players = sorted(view.players, key=lambda player: player.seat != self.seat)
        lines = [line for player in players for line in (owned_line(player), [])]
        self.push_screen(HelpScreen(rich_text(lines)))

    def action_scroll_table(self, pages: int) -> None:
        """Scroll the table by pages, as many players don't fit a low terminal."""
        pane = self.query_one("#table", Pane)
        pane.scroll_relative(y=pages * (pane.size.height - 1), animate=False)

    def action_save(self) -> None:
        """Save the game and say in which file."""
        try:
            path = self.save()
        except DominionError as error:
            self.notify(str(error), severity="error")
        else:
            self.notify(f"saved: dominion replay {path}")

    def save(self) -> Path:
        """Save the game and return its file.

        Raises:
            InvalidOption: the file can't be written.
        """
        path = self.save_as or free_path(f"dominion-{self.table.address['seed']}")
        self.table.save(path)
        self.save_as = path
        return path

    def carry_out(self, doing: Callable[[], object]) -> None:
        """Do something with the table and show it; a mistake of an agent ends the program with a message."""
        try:
            doing()
        except DominionError as error:
            self.exit(return_code=1, message=f"dominion: {error}")
            return
        self.show()


def described(card: Card) -> str:
    """Return a card in one line: types, cost, printed bonuses, text."""
    said = [*(f"{each}." for each in printed(card)), card.info.text]
    return f"({types_of(card)}, costs {card.info.cost}) {' '.join(said)}".rstrip()


def pile_lines(piles: Sequence[Pile], width: int) -> Iterator[Line]:
    """Yield lines with piles in columns: name, cost, number of copies."""
    columns = max(1, width // _PILE_WIDTH)
    for first in range(0, len(piles), columns):
        yield [
            Span(
                f"{f'{card.title} ({card.info.cost}) x{copies}':<{_PILE_WIDTH}}",
                style_of(card) if copies else "unknown",
            )
            for card, copies in piles[first : first + columns]
        ]


class Answers(OptionList):
    """The legal answers. The keys that scroll a list scroll the table, as each answer has a key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose"), *_TABLE_KEYS]


class PlayApp(TableApp):
    """The screen of one person who plays against agents; it goes on listening while agents think."""

    HELP = """Enter, or a click: give the marked answer. A digit or letter beside an answer: give it. p: pass.
u: undo your last answer. The game is played again from its address, so the same answer brings the same cards.
c: what the coach thinks of each answer, in a moment, while you may go on. It knows no more than you may see.
Page Up and Page Down: scroll the table. d: the decks and points of all players, yours first.
s: save the game. ?: this page. q: save the game and leave. `dominion play FILE` goes on with a saved game.

You see what your seat may see. Of the other hands these are the number of cards, and the cards that all have seen."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "answer_pass", "Pass"),
        Binding("u", "undo", "Undo"),
        Binding("c", "coach", "Coach"),
        Binding("d", "decks", "Decks"),
        Binding("s", "save", "Save"),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Leave"),
        *_TABLE_KEYS,
    ]

    def __init__(self, table: GameTable, seat: int, save: Path | None = None) -> None:
        super().__init__(table, seat, save)
        self.own_player = seat
        self._thinking, self._coaching = Lock(), Lock()
        self._waits = ""

    def on_mount(self) -> None:
        self.agents_play()

    @property
    def legal(self) -> list[str]:
        """Answers that the person can give now."""
        return self.table.game.legal_actions() if self.table.asks_person else []

    def question(self, view: View) -> Text:
        """Return the person's question, or the name of the agent that is thinking."""
        if view.over or self.table.asks_person:
            return super().question(view)
        return Text(self.waiting, "dim")

    @property
    def waiting(self) -> str:
        """The line that says for which agent the person waits, and why that may take long."""
        return f"{self.table.asked} {TOLD if _COMPILING.goes_on else 'is thinking'} ..."

    def show(self) -> None:
        super().show()
        answers = self.query_one(Answers)
        answers.clear_options()
        for key, words in zip_longest(ANSWER_KEYS[: len(self.legal)], self.legal, fillvalue=""):
            card = card_in(words)
            label = Text.assemble((f"{key:>2}  ", "dim"))  # a style of `Text` itself would hold for the answer too
            label.append(words, TERMINAL_STYLES[style_of(card)] if card is not None else "")
            answers.add_option(Option(label, id=words))
        answers.highlighted = 0 if answers.option_count else None
        answers.focus()

    def answer(self, words: str) -> None:
        """Give an answer; the agents then play until this seat is asked again."""
        self.table.answer(words)
        self.agents_play()

    @work
    async def agents_play(self) -> None:
        """Let the agents play until the person is asked; a mistake of an agent ends the program with a message.

        The screen says who is thinking only if that takes a while, as it would flicker otherwise.
        """
        while (thought := self.table.thought()) is not None:
            self._waits = ""
            shows = self.set_interval(THINKING_SECONDS, self.say_who_is_waited_for)
            try:
                self.table.agent_answers(await beside(thought, self._thinking))
            except DominionError as error:
                self.exit(return_code=1, message=f"dominion: {self.table.asked}: {error}")
                return
            finally:
                shows.stop()
        self.show()

    def say_who_is_waited_for(self) -> None:
        """Show for whom the person waits, if that is not what the screen says already."""
        if self.waiting != self._waits:
            self._waits = self.waiting
            self.show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the answer that was clicked or chosen with Enter."""
        if event.option.id in self.legal:
            self.answer(str(event.option.id))

    def on_key(self, event: Key) -> None:
        """Give the answer that has this key."""
        at = ANSWER_KEYS.find(event.character) if event.character else -1
        if 0 <= at < len(self.legal) and not isinstance(self.screen, HelpScreen):
            self.answer(self.legal[at])

    def action_answer_pass(self) -> None:
        """Pass, if that is legal now."""
        if "pass" in self.legal:
            self.answer("pass")
        else:
            self.notify("passing is not allowed now", severity="warning")

    async def action_quit(self) -> None:
        """Save the game, leave, and say where it is and how it can be played again."""
        try:
            path = self.save()
        except DominionError as error:
            self.exit(return_code=1, message=f"dominion: {error}\n{self.told_address}")
            return
        self.exit(message=f"saved: dominion replay {path}\nto go on: dominion play {path}\n{self.told_address}")

    @property
    def told_address(self) -> str:
        """Address of the game, for the line after leaving."""
        return "address: " + ", ".join(f"{part} {number}" for part, number in self.table.address.items())

    def action_undo(self) -> None:
        """Take back the last answer; the answer of an agent that is thinking about it is dropped."""
        if self.table.undo():
            self.workers.cancel_all()
            self.show()
        else:
            self.notify("nothing to undo", severity="warning")

    def action_coach(self) -> None:
        """Ask the coach what each answer is worth."""
        if not self.table.asks_person:
            self.notify("the coach judges your own decisions, and there is none now", severity="warning")
            return
        self.notify("the coach is thinking ...")
        self.coach_thinks(advice(self.table.game), self.table.step)

    @work(group="coach", exclusive=True)
    async def coach_thinks(self, thinking: Callable[[], Text], step: int) -> None:
        """Show what the coach says, unless the person has answered meanwhile."""
        says = self.set_timer(2 * SECONDS, self.say_that_the_coach_is_compiled)
        try:
            told = await beside(thinking, self._coaching)
        except DominionError as error:
            self.notify(str(error), severity="error")
            return
        finally:
            says.stop()
        if step == self.table.step:
            self.push_screen(HelpScreen(told))

    def say_that_the_coach_is_compiled(self) -> None:
        """Say why the coach takes longer than its time."""
        if _COMPILING.goes_on:
            self.notify(f"the coach {TOLD} ...", timeout=30)


class WatchApp(TableApp):
    """The screen for watching a game that agents play, or a saved one."""

    AUTO_FOCUS = ""  # the keys are for the game

    HELP = """Right or space: next decision. Left: one back. Down: next turn. Up: start of the turn, or the one before.
Home: start. End: end of the game. a: play on by itself, or stop. v: change the view, from all cards to that of each seat.
Page Up and Page Down: scroll the table.
d: the decks and points of all players. s: save the game. ?: this page. q: leave."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "forward", "Next"),
        Binding("left", "previous", "Back"),
        Binding("down", "next_turn", "Next turn", show=False),
        Binding("up", "previous_turn", "Turn back", show=False),
        Binding("home", "start", "Start", show=False),
        Binding("end", "end", "End", show=False),
        Binding("a", "autoplay", "Play on"),
        Binding("v", "view", "View"),
        Binding("d", "decks", "Decks"),
        Binding("s", "save", "Save"),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Leave"),
        *_TABLE_KEYS,
    ]

    def on_mount(self) -> None:
        self.query_one(Answers).can_focus = False
        self._clock = self.set_interval(AUTOPLAY_SECONDS, self._tick, pause=True)
        self._plays_on = False
        self.show()

    def question(self, view: View) -> Text:
        """Return the number of the decision, whose view is shown, and the question."""
        seen = "all cards" if self.seat is None else f"as {self.table.shown_names[self.seat]} sees it"
        known = f" of {self.table.length}" if self.table.step < self.table.length else ""
        text = Text.assemble((f"Decision {self.table.step}{known}, {seen}\n", "dim"))
        return text.append_text(super().question(view))

    def show(self) -> None:
        super().show()
        answers = self.query_one(Answers)
        answers.clear_options()
        answers.add_options([Option(Text(words)) for words in view_of(self.table.game, self.seat).legal])

    def action_forward(self) -> None:
        self.carry_out(self.table.forward)

    def action_previous(self) -> None:
        self.carry_out(lambda: self.table.go_to(self.table.step - 1))

    def action_next_turn(self) -> None:
        self.carry_out(self.table.next_turn)

    def action_previous_turn(self) -> None:
        self.carry_out(self.table.previous_turn)

    def action_start(self) -> None:
        self.carry_out(lambda: self.table.go_to(0))

    def action_end(self) -> None:
        self.carry_out(self.table.to_end)

    def action_view(self) -> None:
        """Change the view from all cards to that of each seat, then to all cards again."""
        seats = [None, *range(self.table.game.num_players)]
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
        self.show()

    def action_autoplay(self) -> None:
        """Start or stop playing on by itself."""
        self._plays_on = not self._plays_on
        if self._plays_on:
            self._clock.resume()
        else:
            self._clock.pause()

    def _tick(self) -> None:
        before = self.table.step
        self.action_forward()
        if self.table.step == before:
            self.action_autoplay()
