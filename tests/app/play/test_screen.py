"""The terminal programs, driven key by key; and that no hidden card reaches the screen."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from rich.text import Text
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from dominion_app.play.screen import _COMPILING, ANSWER_KEYS, Answers, PlayApp, TableApp, WatchApp, described
from dominion_app.play.table import GameTable, load
from dominion_env import Game, GameBatch, make_agent
from dominion_env.render.log import seen_by
from dominion_env.render.view import view_of
from dominion_env.tables.cards import Card
from tests.app.play import screen_text
from tests.properties import dealt_again, play
from tests.properties.test_knowledge_redeal import asking_one_seat

pytestmark = [pytest.mark.compiled, pytest.mark.slow]  # `test_table.py` makes the same calls of the core

SIZE = (150, 60)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving saves the game in the working folder."""
    monkeypatch.chdir(tmp_path)


BOT = make_agent("big-money")


def drive(app: TableApp, script: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = SIZE) -> None:
    """Start the app without a terminal and let `script` press the keys."""

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            while app.return_code is None and "Leave" not in screen_text(app):
                await pilot.pause(0.02)  # the line of keys comes last
            if app.return_code is None:
                await settled(pilot)
            await script(pilot)

    asyncio.run(run())


def play_app(seat: int = 0, save: Path | None = None, **options: Any) -> PlayApp:
    game = Game(seed=3, auto_treasures=True, **options)
    names = [f"Bot {number}" for number in range(game.num_players)]
    names[seat] = "Player"
    bots = {other: BOT for other in range(game.num_players) if other != seat}
    return PlayApp(GameTable(game, bots, names), seat, save)


def watch_app(**options: Any) -> WatchApp:
    game = Game(seed=3, auto_treasures=True, **options)
    return WatchApp(GameTable(game, dict.fromkeys(range(game.num_players), BOT)), None)


async def settled(pilot: Pilot[None]) -> None:
    """Until agents have answered and the screen shows it."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each when all that followed from the one before is done."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def message(app: TableApp, pilot: Pilot[None], words: str) -> bool:
    """Whether these words come up on the screen within some ten seconds, of which a busy machine may need a few."""
    for _ in range(500):
        if words in " ".join(screen_text(app).split()):
            return True
        await pilot.pause(0.02)
    return False


# --- playing ---------------------------------------------------------------------------------------------------------


def test_the_screen_shows_table_question_answers_log_and_keys():
    app = play_app()

    async def script(pilot: Pilot[None]) -> None:
        shown = screen_text(app)
        game = app.table.game
        for words in ("first-game-2e, seed 3: Player, Bot 1", "Player is asked", "hand:", "Trash", "draws 5 cards"):
            assert words in shown, words
        for card in game.kingdom:
            assert f"{card.title} ({card.info.cost}) x" in shown
        for number, words in enumerate(game.legal_actions(), start=1):
            assert f"{number:>2}  {words}" in shown
        for hint in ("Choose", "Pass", "Undo", "Save", "Help", "Leave"):
            assert hint in shown

    drive(app, script)


def test_answers_are_given_by_enter_by_digit_by_click_and_by_p():
    app = play_app(first_player=0)

    async def script(pilot: Pilot[None]) -> None:
        taken = []

        async def answered(key: str) -> None:
            before = app.table.step
            if key == "click":
                await pilot.click("#answers", offset=(5, 1))
                await settled(pilot)
            else:
                await press(pilot, key)
            taken.append(app.table.replay()["actions"][before])
            assert app.table.asks_person

        legal = app.table.game.legal_actions()
        await answered("2")
        assert taken[-1] == legal[1]
        legal = app.table.game.legal_actions()
        await press(pilot, "down")
        await answered("enter")
        assert taken[-1] == legal[1]
        legal = app.table.game.legal_actions()
        await answered("click")
        assert taken[-1] == legal[1]
        await answered("p")
        assert taken[-1] == "pass"

    drive(app, script)


def test_keys_that_answer_nothing_change_nothing():
    app = play_app(first_player=0)

    async def script(pilot: Pilot[None]) -> None:
        before = app.table.replay()
        assert len(app.table.game.legal_actions()) < 9
        await press(pilot, "9", "0", "u", "x")
        assert app.table.replay() == before
        assert await message(app, pilot, "nothing to undo")
        await press(pilot, "question_mark")
        await press(pilot, "1", "p")  # the help page is open
        assert app.table.replay() == before

    drive(app, script)


def test_passing_where_it_is_not_allowed_is_refused():
    start = {
        "kingdom": "first-game-2e",
        "players": [{"hand": {"Militia": 1, "Copper": 3}}, {"hand": {"Silver": 3, "Estate": 2}}],
    }
    game = Game.from_dict(start)
    game.apply("play Militia")
    app = PlayApp(GameTable(game, {0: BOT}), 1)

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "p")
        assert await message(app, pilot, "passing is not allowed now")
        assert "asked by Militia to discard" in screen_text(app)
        assert app.table.game.replay()["actions"] == ["play Militia"]

    drive(app, script)


def test_undo_brings_the_screen_back_and_the_same_answer_the_same_screen():
    app = play_app(first_player=0)

    async def script(pilot: Pilot[None]) -> None:
        for key in ("2", "p", "2"):
            before = screen_text(app)
            await press(pilot, key)
            after = screen_text(app)
            await press(pilot, "u")
            assert screen_text(app) == before != after
            await press(pilot, key)
            assert screen_text(app) == after

    drive(app, script)


def test_help_explains_keys_undo_and_every_kingdom_card():
    app = play_app()

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "question_mark")
        shown = " ".join(screen_text(app).split())
        assert "same answer brings the same cards" in shown
        for card in app.table.game.kingdom:
            assert card.title in shown
            assert described(card).split(".")[0][:40] in shown
        assert described(Card.MERCHANT).startswith("(Action, costs 3) +1 Card. +1 Action. The first Silver")
        await press(pilot, "escape")
        assert "same answer brings" not in screen_text(app)

    drive(app, script)


def test_the_end_of_the_game_is_shown_and_can_be_undone():
    app = play_app(max_turns=1)

    async def script(pilot: Pilot[None]) -> None:
        while not app.table.game.is_over:
            await press(pilot, "p")
        shown = screen_text(app)
        assert "The game is over: the turn limit is" in shown
        assert "Nobody has won." in shown
        assert "Player: 3 points, 1 turn" in shown
        await press(pilot, "enter", "1", "p", "u")
        assert app.table.asks_person

    drive(app, script)


def test_a_game_is_saved_where_the_screen_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for number, save in enumerate((None, tmp_path / "mine.json")):
        app = play_app(save=save)

        async def script(pilot: Pilot[None], app: PlayApp = app, number: int = number) -> None:
            await press(pilot, "p", "s", "p", "s")
            name = ("dominion-3.json", "mine.json")[number]
            assert await message(app, pilot, name)
            assert load(tmp_path / name).game.to_dict() == app.table.game.to_dict()

        drive(app, script)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_place_that_can_not_be_written_is_told(tmp_path: Path):
    app = play_app(save=tmp_path / "no folder" / "game.json")

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "s")
        assert await message(app, pilot, "can't be written")

    drive(app, script)


def test_q_leaves():
    app = play_app()

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("q")

    drive(app, script)
    assert (app.return_code or 0) == 0


def test_leaving_saves_the_game_and_tells_its_file_and_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    app = play_app(first_player=0)
    said: list[str] = []
    monkeypatch.setattr(app, "exit", lambda return_code=0, message="": said.append(message))

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "p", "q")

    drive(app, script)
    told = "saved: dominion replay dominion-3.json\nto go on: dominion play dominion-3.json\n"
    assert said == [f"{told}address: seed 3, index 0, episode 0"]
    assert load(tmp_path / "dominion-3.json").game.to_dict() == app.table.game.to_dict()


# --- a terminal of 80 columns and 24 lines ---------------------------------------------------------------------------

SMALL = (80, 24)


def discarding_to_militia() -> PlayApp:
    hand = {"Copper": 1, "Silver": 1, "Estate": 1, "Village": 1, "Cellar": 1}
    attacker = {"hand": {"Militia": 1, "Copper": 3}}
    game = Game.from_dict({"kingdom": "first-game-2e", "players": [attacker, {"hand": hand, "deck_bag": {"Gold": 3}}]})
    game.apply("play Militia")
    return PlayApp(GameTable(game, {0: BOT}, ["Big Money", "Player"]), 1)


def test_own_hand_question_and_answers_are_in_sight_when_discarding_to_militia():
    app = discarding_to_militia()

    async def script(pilot: Pilot[None]) -> None:
        shown = " ".join(screen_text(app).replace("│", " ").split())
        assert "hand: Copper, Silver, Estate, Cellar, Village" in shown
        assert "discard 2 cards" in shown
        for number, words in enumerate(app.table.game.legal_actions(), start=1):
            assert f"{number} {words}" in shown
        assert "Leave" in shown

    drive(app, script, SMALL)


def test_decks_and_points_are_shown_on_a_key_the_own_ones_first():
    app = discarding_to_militia()

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "d")
        shown = " ".join(screen_text(app).replace("│", " ").split())
        assert shown.index("1 point, 0 turns: Copper, Silver, 3 Gold") < shown.index(": 3 Copper")
        await press(pilot, "escape")
        assert "3 Gold" not in screen_text(app)

    drive(app, script, SMALL)


def test_answers_from_the_tenth_on_have_keys():
    game = Game.from_dict({"kingdom": "first-game-2e", "players": [{}, {}], "coins": 20, "phase": "buy"})
    app = PlayApp(GameTable(game, {1: BOT}), 0)

    async def script(pilot: Pilot[None]) -> None:
        legal = app.table.game.legal_actions()
        assert len(legal) > 12
        key = ANSWER_KEYS[11]
        assert f" {key}  {legal[11]}" in screen_text(app)
        await press(pilot, key)
        assert app.table.replay()["actions"][0] == legal[11]

    drive(app, script)
    taken = {binding.key for binding in PlayApp.BINDINGS}
    assert not taken & set(ANSWER_KEYS)
    assert len(set(ANSWER_KEYS)) == len(ANSWER_KEYS) >= 40


@pytest.mark.parametrize("made", [play_app, watch_app])
def test_page_up_and_down_scroll_the_table_where_many_players_do_not_fit(made: Callable[..., TableApp]):
    app = made(num_players=6)
    last = app.table.names[-1]

    async def script(pilot: Pilot[None]) -> None:
        def last_player_is_shown() -> bool:
            return f"{last:<10} hand: " in screen_text(app)

        assert not last_player_is_shown()
        await press(pilot, "pagedown", "pagedown")
        assert last_player_is_shown()
        await press(pilot, "pageup", "pageup")
        assert "Copper (0) x" in screen_text(app)

    drive(app, script, SMALL)


def test_only_the_key_of_an_answer_and_the_number_of_a_decision_are_dim():
    playing, watching = discarding_to_militia(), watch_app()

    async def answers(pilot: Pilot[None]) -> None:
        label = playing.query_one(Answers).get_option_at_index(0).prompt
        assert isinstance(label, Text)
        assert label.style == ""
        assert [label.plain[span.start : span.end] for span in label.spans if span.style == "dim"] == [" 1  "]

    async def question(pilot: Pilot[None]) -> None:
        text = watching.question(view_of(watching.table.game, None))
        assert text.style == ""
        assert "dim" not in [span.style for span in text.spans if "asked" in text.plain[span.start : span.end]]

    drive(playing, answers, SMALL)
    drive(watching, question, SMALL)


def test_home_end_up_and_down_move_the_game_and_no_pane():
    app = watch_app(max_turns=8)

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "end")
        assert app.table.game.is_over
        await press(pilot, "home")
        assert app.table.step == 0
        await press(pilot, "down", "down")
        assert app.table.game.turn_player == 0
        assert app.table.game.turn == 2
        await press(pilot, "up")
        assert (app.table.game.turn_player, app.table.game.turn) == (1, 1)

    drive(app, script, SMALL)


class Cheat:
    """Answers with an action that is not legal."""

    def act(self, *shown: Any) -> Any:
        return (~shown[1]).argmax(axis=1)


def test_an_agent_that_plays_wrongly_ends_the_program_with_a_message(monkeypatch: pytest.MonkeyPatch):
    app = PlayApp(GameTable(Game(first_player=1), {1: Cheat()}, ["Player", "Cheat"]), 0)
    said: list[str] = []

    def leave(return_code: int, message: str) -> None:
        said.append(message)
        TableApp.exit(app, return_code=return_code, message=message)

    monkeypatch.setattr(app, "exit", leave)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()

    drive(app, script)
    assert app.return_code == 1
    assert len(said) == 1
    assert said[0].startswith("dominion: Cheat: ")
    assert "player_1 is asked" in said[0]


class Broken:
    """Does not get far."""

    def act(self, *shown: Any) -> Any:
        raise ZeroDivisionError("of a broken agent")


def test_what_goes_wrong_within_an_agent_ends_the_program_with_its_traceback():
    app = PlayApp(GameTable(Game(first_player=1), {1: Broken()}), 0)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()

    with pytest.raises(WorkerFailed, match="of a broken agent"):
        drive(app, script)
    assert app.return_code == 1


# --- while an agent thinks -------------------------------------------------------------------------------------------


class Slow:
    """Thinks until the gate is opened."""

    def __init__(self) -> None:
        self.gate = Event()
        self.at_once = self.most_at_once = self.answers = 0

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.gate.wait(60)
        self.at_once -= 1
        self.answers += 1
        return masks.argmax(axis=1)


def against_slow(**options: Any) -> tuple[PlayApp, Slow]:
    """Return an app in which the player is asked first, and after a pass the agent."""
    slow = Slow()
    game = Game(seed=3, first_player=0, auto_treasures=True, **options)
    return PlayApp(GameTable(game, {1: slow}, ["Player", "Slow"]), 0), slow


async def passes(app: PlayApp, pilot: Pilot[None]) -> None:
    await pilot.press("p")
    assert await message(app, pilot, "Slow is thinking")


def test_the_screen_lives_while_an_agent_thinks_and_takes_no_answer_meanwhile(tmp_path: Path):
    app, slow = against_slow()
    app.save_as = tmp_path / "meanwhile.json"

    async def script(pilot: Pilot[None]) -> None:
        await passes(app, pilot)
        shown = screen_text(app)
        assert "Turn 1 of Slow" in shown, "what has happened so far is shown"
        _COMPILING.on_start(None)
        assert await message(app, pilot, "Slow is being compiled, which takes about")
        _COMPILING.on_end(None)
        assert await message(app, pilot, "Slow is thinking")
        assert app.query_one(Answers).option_count == 0
        before = app.table.replay()
        await pilot.press("1", "2", "enter", "p", "s")
        assert await message(app, pilot, "meanwhile.json")
        assert app.table.replay() == before
        await pilot.resize_terminal(100, 40)
        await pilot.press("question_mark")
        assert await message(app, pilot, "u: undo your last answer")
        slow.gate.set()
        await settled(pilot)
        await pilot.press("escape")
        assert await message(app, pilot, "Player is asked")
        assert app.query_one(Answers).option_count > 0
        assert app.table.asks_person

    drive(app, script)
    assert slow.answers > 0
    assert load(tmp_path / "meanwhile.json").step == 1


def test_undo_while_an_agent_thinks_brings_the_question_back_and_its_answer_is_not_heard():
    app, slow = against_slow()

    async def script(pilot: Pilot[None]) -> None:
        first, screen = app.table.replay(), screen_text(app)
        await passes(app, pilot)
        await pilot.press("u")
        await pilot.pause()
        assert screen_text(app) == screen
        assert app.table.replay() == first
        await passes(app, pilot)  # the agent is asked again while it still thinks
        assert slow.answers == 0
        slow.gate.set()
        assert await message(app, pilot, "Player is asked")
        actions = app.table.replay()["actions"]
        assert app.table.asks_person
        assert slow.answers == len(actions), "one more than was heard: the first action is the player's"

    drive(app, script)
    assert slow.most_at_once == 1


def test_leaving_does_not_wait_for_an_agent_that_thinks():
    app, slow = against_slow()

    async def script(pilot: Pilot[None]) -> None:
        await passes(app, pilot)
        await pilot.press("q")

    drive(app, script)
    assert (app.return_code or 0) == 0
    assert slow.at_once == 1, "it still thinks"
    slow.gate.set()


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 70)])
@pytest.mark.parametrize("players", [1, 2, 6])
def test_terminals_small_and_large(size: tuple[int, int], players: int):
    app = play_app(num_players=players, kingdom="random")

    async def script(pilot: Pilot[None]) -> None:
        await press(pilot, "1")
        shown = screen_text(app)
        assert "Copper (0) x" in shown
        assert " 1  " in shown

    drive(app, script, size)


def test_the_log_has_the_lines_that_table_and_answers_do_not_need():
    app = play_app()

    async def script(pilot: Pilot[None]) -> None:
        log, middle = app.query_one("#log").size.height, app.query_one("#middle").size.height
        needed = max(app.query_one("#position").size.height, len(app.table.game.legal_actions()) + 3)
        assert middle <= needed + 1
        assert log > 20

    drive(app, script, (100, 50))


# --- nothing hidden --------------------------------------------------------------------------------------------------


class Passer:
    """Passes whenever it may, else takes the first legal action: does not tell what it holds."""

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        return masks.argmax(axis=1)


def seen(game: Game, seat: int) -> tuple[Any, ...]:
    """Return what a seat has seen happen and sees now, as the core tells it."""
    events = [event for part in game._events for event in seen_by(part, seat)]
    return events, game.observe(seat).tobytes(), game.action_mask.tobytes()


@pytest.mark.parametrize(("players", "kingdom"), [(2, "deck-top-2e"), (3, "interaction-1e")])
def test_the_screen_does_not_depend_on_what_the_seat_can_not_know(players: int, kingdom: str):
    batch = GameBatch(4, num_players=players, kingdom=kingdom, seed=71)
    counts = {"compared": 0, "after others had moved": 0, "different in secret": 0}

    async def compare(app: PlayApp, pilot: Pilot[None], positions: list[dict[str, Any]], seat: int) -> None:
        games = [Game.from_dict(position) for position in positions]
        for number in range(3):
            shown = []
            for i, game in enumerate(games):
                others = {other: Passer() for other in range(players) if other != seat}
                app.table, app.seat = GameTable(game, others), seat
                if number:
                    app.answer(game.legal_actions()[0])
                else:
                    app.show()
                await settled(pilot)
                shown.append(screen_text(app))
                games[i] = app.table.game
            if seen(games[0], seat) != seen(games[1], seat):
                return  # others' cards have come to light
            assert shown[0] == shown[1]
            counts["compared"] += 1
            counts["after others had moved"] += number > 0
            counts["different in secret"] += games[0].to_dict()["players"] != games[1].to_dict()["players"]
            if any(game.is_over for game in games):
                return

    app = PlayApp(GameTable(Game(num_players=players)), 0)

    async def script(pilot: Pilot[None]) -> None:
        for step in play(batch, 90, seed=71):
            if step % 30 != 29:
                continue
            for seat, part in asking_one_seat(batch):
                world = dealt_again(part, step, seat)
                for row in range(len(part)):
                    original, other = part.to_dict(row), world.to_dict(row)
                    other |= {key: original[key] for key in ("address", "streams", "decisions")}
                    await compare(app, pilot, [original, other], seat)

    drive(app, script)
    assert counts["after others had moved"] > 5, counts
    assert counts["different in secret"] > 10, counts


def test_hands_of_the_others_are_not_on_the_screen():
    secret = {"hand": {"Witch": 2, "Adventurer": 1}, "deck_top": ["Thief"], "deck_bag": {"Chapel": 3}}
    mine = {"hand": {"Copper": 2}, "deck_bag": {"Feast": 2}, "deck_top": ["Spy"]}
    game = Game.from_dict({"kingdom": "first-game-2e", "players": [mine, secret]}, auto_treasures=True)
    app = PlayApp(GameTable(game, {1: Passer()}), 0)

    async def script(pilot: Pilot[None]) -> None:
        shown = screen_text(app)
        assert not any(name in shown for name in ("Witch", "Adventurer", "Thief", "Chapel", "Feast", "Spy"))
        assert "hand: 3 cards" in shown

    drive(app, script)


# --- watching --------------------------------------------------------------------------------------------------------


def test_watching_goes_forward_and_back_by_decisions_and_turns():
    app = watch_app()

    async def script(pilot: Pilot[None]) -> None:
        async def pressed(*keys: str) -> str:
            await pilot.press(*keys)
            await pilot.pause()
            return screen_text(app)

        first = screen_text(app)
        assert "Decision 0, all cards" in first
        second = await pressed("right")
        assert app.table.step == 1
        third = await pressed("space")
        assert len({first, second, third}) == 3
        assert "Decision 1 of 2" in await pressed("left")
        assert await pressed("right") == third
        assert "Decision 0 of 2" in await pressed("home")
        turn = app.table.game.turn_player
        await pressed("down")
        assert app.table.game.turn_player != turn
        await pressed("up")
        assert app.table.step == 0
        await pressed("end")
        assert app.table.game.is_over
        assert "The game is over: the Provinces" in screen_text(app)

    drive(app, script)


def test_the_view_goes_round_all_cards_and_every_seat():
    app = watch_app(num_players=3)

    async def script(pilot: Pilot[None]) -> None:
        hands = []
        for seat in (None, 0, 1, 2, None):
            shown = screen_text(app)
            assert app.seat == seat
            assert ("all cards" if seat is None else f"as player_{seat} sees it") in shown
            hands.append(len(re.findall(r"hand: \d+ cards", shown)))
            await pilot.press("v")
            await pilot.pause()
        assert hands == [0, 2, 2, 2, 0]

    drive(app, script)


def test_autoplay_runs_until_it_is_stopped_or_the_game_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dominion_app.play.screen.AUTOPLAY_SECONDS", 0.01)
    app = watch_app(max_turns=3)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("a")
        while app.table.step < 2:
            await pilot.pause(0.01)
        await pilot.press("a")
        await pilot.pause()
        stopped = app.table.step
        await pilot.pause(0.05)
        assert app.table.step == stopped
        await pilot.press("a")
        for _ in range(60):
            await pilot.pause(0.01)
            if app.table.game.is_over and not app._plays_on:
                break
        assert app.table.game.is_over
        assert not app._plays_on, "it stops by itself"

    drive(app, script)


def test_a_loaded_game_is_looked_at_and_saved_again(tmp_path: Path):
    table = GameTable(Game(seed=3, max_turns=3, auto_treasures=True), {0: BOT, 1: BOT}, ["Ann", "Ben"])
    table.to_end()
    table.save(tmp_path / "one.json")
    loaded = load(tmp_path / "one.json")
    loaded.go_to(0)
    app = WatchApp(loaded, 1, tmp_path / "two.json")

    async def script(pilot: Pilot[None]) -> None:
        assert f"Decision 0 of {table.length}, as Ben sees it" in screen_text(app)
        assert "Ann, Ben" in screen_text(app)
        await pilot.press("s", "end", "right")
        await pilot.pause()
        assert app.table.step == table.length

    drive(app, script)
    assert json.loads((tmp_path / "two.json").read_text()) == json.loads((tmp_path / "one.json").read_text())


def test_a_batch_is_not_needed_to_look_at_a_finished_position():
    game = Game.from_dict({"kingdom": "first-game-2e", "players": [{"hand": {"Gold": 1}}, {}], "over": True})
    app = WatchApp(GameTable(game), None)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("right", "left", "down", "up", "home", "end", "a")
        await pilot.pause()
        assert "The game is over" in screen_text(app)
        assert np.array_equal(app.table.step, 0)

    drive(app, script)
