"""The key of the coach in `dominion play`."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from dominion_agents.coach import Chance, Coach, Judged, Judgement
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_app.play import coaching
from dominion_app.play.screen import HelpScreen
from dominion_env import Game
from dominion_env.tables.actions import action_id
from tests.app.play import screen_text
from tests.app.play.test_screen import drive, message, play_app, press, settled


def judgement(*names: str) -> Judgement:
    plans = [STRATEGIES["smithy-optimised"], Strategy.parse("Province; Gold; Silver")]
    chance = Chance(0.625, 0.6, 0.65, 1000)
    return Judgement(0, tuple(Judged(action_id(name), chance, plans[n % 2], n % 2) for n, name in enumerate(names)), 9)


def test_a_judgement_is_told_in_lines_with_the_plans_of_the_best_two():
    lines = coaching.told(judgement("buy Silver", "pass", "buy Curse")).plain.splitlines()
    assert lines[:4] == [
        "action      chance to win  if you go on as",
        "buy Silver  62% [60, 65]   smithy-optimised",
        "pass        62% [60, 65]   a plan without a name",
        "buy Curse   62% [60, 65]   smithy-optimised",
    ]
    assert "smithy-optimised: Province if money > 15; Duchy" in "\n".join(lines)
    assert "Province; Gold; Silver: Province; Gold; Silver" in lines
    alone = coaching.told(judgement("pass")).plain
    assert alone.count("smithy-optimised") == 2


@pytest.mark.compiled
@pytest.mark.slow
def test_the_key_shows_what_each_answer_is_worth(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(coaching, "SECONDS", 0.3)
    app = play_app(first_player=0)

    async def script(pilot: Pilot[None]) -> None:
        legal = app.table.game.legal_actions()
        await press(pilot, "c")
        shown = screen_text(app)
        assert isinstance(app.screen, HelpScreen)
        assert "chance to win" in shown
        for words in legal:
            (line,) = [each for each in shown.splitlines() if f"{words} " in each and "%" in each]
            assert any(plan in line for plan in STRATEGIES), "each names the plan that it assumes"
        await press(pilot, "c")
        assert not isinstance(app.screen, HelpScreen)
        assert (app.table.step, app.legal) == (0, legal)
        await press(pilot, "1")
        assert app.table.replay()["actions"][0] == legal[0]

    drive(app, script)


@pytest.mark.compiled
@pytest.mark.slow
def test_the_screen_listens_while_the_coach_thinks_and_late_advice_is_dropped(monkeypatch: pytest.MonkeyPatch):
    gate, done = Event(), Event()
    judge = Coach.judge

    def slow(self: Coach, game: Game, *args: Any) -> Judgement:
        gate.wait()
        found = judge(self, game, 50)
        done.set()
        return found

    monkeypatch.setattr(coaching, "_compile", lambda players: None)
    monkeypatch.setattr(Coach, "judge", slow)
    app = play_app(first_player=0)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        assert await message(app, pilot, "the coach is thinking")
        legal = app.table.game.legal_actions()
        await pilot.press("2")
        for _ in range(200):
            if app.table.step and app.table.asks_person:
                break
            await pilot.pause(0.02)
        assert app.table.replay()["actions"][0] == legal[1], "an answer is heard meanwhile"
        gate.set()
        await settled(pilot)
        assert done.wait(10)
        assert not isinstance(app.screen, HelpScreen)
        await press(pilot, "c")
        assert isinstance(app.screen, HelpScreen), "the next decision is judged"

    drive(app, script)


@pytest.mark.compiled
@pytest.mark.slow
def test_what_can_not_be_judged_is_said():
    alone, over = play_app(num_players=1), play_app(first_player=0)
    over.table.go_to(0)
    while not over.table.game.is_over:
        over.table.answer("buy Curse" if "buy Curse" in over.legal else over.table.game.legal_actions()[-1])

    async def asked_alone(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        assert await message(alone, pilot, "expected a game of two or more players")

    async def asked_too_late(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        assert await message(over, pilot, "the coach judges your own decisions")

    drive(alone, asked_alone)
    drive(over, asked_too_late)
