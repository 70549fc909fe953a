"""The games of a server: ids, limits, one call at a time, and errors that tell no secret."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import pytest

from dominion_app.mcp import games
from dominion_app.mcp.games import TextGames
from dominion_env.common.errors import DominionError, InvalidOption, WrongOrder


def new(kept: TextGames, **options: Any) -> str:
    """Start a game, and return its id."""
    given = {"kingdom": "first-game-2e", "opponents": "big-money", "players": 2, "seat": 0, "list_answers": True}
    text = kept.new(**(given | options))
    assert text.startswith("Game ")
    return text.split()[1]


def test_ids_are_long_and_all_different():
    kept = TextGames(most=300)
    ids = {new(kept) for _ in range(300)}
    assert len(ids) == 300
    assert all(re.fullmatch(r"[\w-]{16}", each) for each in ids)


def test_the_games_of_a_server_are_different_ones():
    kept = TextGames()
    assert len({kept.state(new(kept, kingdom="random")) for _ in range(5)}) == 5


def test_no_more_games_are_kept_than_the_limit_until_one_is_idle():
    now = [0.0]
    kept = TextGames(most=2, idle=60, clock=lambda: now[0])
    first, second = new(kept), new(kept)
    with pytest.raises(WrongOrder, match=r"at most 2 games at a time, got one more; .* for 1 minutes"):
        new(kept)
    now[0] = 50
    kept.answer(second, "pass")
    now[0] = 70
    new(kept)
    with pytest.raises(InvalidOption, match="idle games are dropped"):
        kept.state(first)
    assert kept.state(second)


def test_games_that_have_ended_make_room_for_new_ones_and_running_ones_do_not():
    kept = TextGames(most=3)
    running, *ended = (new(kept, players=1) for _ in range(3))
    for name in ended:
        while "The game is over" not in kept.answer(name, "1"):
            pass
    assert "The game is over" in kept.state(ended[0])
    for _ in range(2):
        new(kept)
    with pytest.raises(WrongOrder, match="at most 3 games at a time"):
        new(kept)
    assert kept.state(running)
    for name in ended:
        with pytest.raises(InvalidOption):
            kept.state(name)


def test_a_game_that_can_not_be_made_takes_no_place():
    kept = TextGames(most=1)
    for wrong in ({"kingdom": "nowhere"}, {"opponents": "nobody"}, {"players": 7}, {"seat": 5}):
        with pytest.raises(DominionError):
            new(kept, **wrong)
    assert kept.state(new(kept))


@pytest.mark.parametrize(
    "opponents",
    ["./agent.py:act", "os:system", "runs/x/model.safetensors", "/etc/passwd", "model.zip", "isolated:auto", "x" * 10**6,
     "planner:99999999", "puct:999999ms", "", "nobody"],
)  # fmt: skip
def test_code_files_and_long_thoughts_are_no_opponents(opponents: str):
    with pytest.raises(DominionError) as caught:
        new(TextGames(), opponents=opponents)
    assert len(str(caught.value)) < 1600


def test_a_long_kingdom_or_id_is_refused_at_once_and_not_echoed():
    kept, begun = TextGames(), time.perf_counter()
    with pytest.raises(DominionError, match="at most 300 characters, got 10,000,000"):
        new(kept, kingdom="x" * 10**7)
    for name in ("x" * 10**7, "", "\x1b[31m", "AAAAAAAAAAAAAAAA"):
        with pytest.raises(InvalidOption, match="expected the id of a running game") as caught:
            kept.answer(name, "pass")
        assert len(str(caught.value)) < 200
    assert time.perf_counter() - begun < 1


def test_a_wrong_answer_changes_nothing_and_is_counted_at_the_end():
    kept = TextGames()
    name = new(kept, opponents="big-money")
    before = kept.state(name)
    for wrong in ("reveal Moat", "buy", "hello", "x" * 10**7, "\x00"):
        assert kept.answer(name, wrong).startswith("Not taken: ")
    assert kept.state(name) == before
    text = ""
    while "The game is over" not in text:
        text = kept.answer(name, "1")
    taken = int(
        re.search(r"5 of your (\d+) answers were not taken \(1 not legal, 1 several, 3 unreadable\)\.$", text)[1]
    )
    assert taken > 20
    assert kept.answer(name, "1") == "Not taken: The game is over."


class Waiting:
    """Answers when it is allowed to, and then fails if it is told so."""

    def __init__(self) -> None:
        self.asked, self.allowed, self.fails = Event(), Event(), False

    def act(self, observations: Any, action_masks: Any, keys: Any) -> Any:
        self.asked.set()
        assert self.allowed.wait(10)
        if self.fails:
            raise RuntimeError(f"hidden: {action_masks}, /home/somebody")
        return np.argmax(action_masks, axis=1)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    agent = Waiting()
    agent.allowed.set()
    monkeypatch.setattr(games, "made", lambda name: agent)
    return agent


def test_a_game_takes_one_call_at_a_time_and_others_go_on(waiting: Waiting, monkeypatch: pytest.MonkeyPatch):
    kept = TextGames()
    slow = new(kept)
    monkeypatch.undo()
    quick = new(kept)
    waiting.allowed.clear()
    waiting.asked.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept.answer, slow, "pass")
        assert waiting.asked.wait(10)
        for call in (lambda: kept.answer(slow, "pass"), lambda: kept.state(slow)):
            with pytest.raises(WrongOrder, match="another call is answering it"):
                call()
        assert not kept.answer(quick, "pass").startswith("Not taken")
        waiting.allowed.set()
        assert first.result(10) == kept.state(slow)


def test_an_idle_game_is_not_dropped_while_it_is_answered(waiting: Waiting):
    now = [0.0]
    kept = TextGames(most=1, idle=60, clock=lambda: now[0])
    name = new(kept)
    waiting.allowed.clear()
    waiting.asked.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept.answer, name, "pass")
        assert waiting.asked.wait(10)
        now[0] = 1000
        with pytest.raises(WrongOrder, match="at most 1 games"):
            new(kept)
        waiting.allowed.set()
        assert first.result(10) == kept.state(name)


def test_an_opponent_that_fails_ends_the_game_and_its_words_stay_here(waiting: Waiting):
    kept = TextGames()
    name = new(kept)
    waiting.fails = True
    with pytest.raises(WrongOrder) as caught:
        kept.answer(name, "pass")
    assert str(caught.value) == "an opponent has failed, so this game is over without a result"
    assert caught.value.__suppress_context__
    with pytest.raises(InvalidOption, match="expected the id of a running game"):
        kept.state(name)
