"""Games of many visitors: each has their own, slow agents are asked elsewhere, and what fails leaves the game as it was."""

from __future__ import annotations

import asyncio
import errno
import os
from typing import Any

import pytest

from dominion_app.web.guarding.limits import ANSWERS_AT_ONCE, OF_ADDRESS_AT_ONCE
from dominion_app.web.house import house as housing
from dominion_app.web.house import thinking
from dominion_app.web.house.house import House
from dominion_app.web.house.link import pack
from dominion_app.web.house.store import Store
from dominion_app.web.house.workers import Busy, Failed
from tests.app.web import link_of


class Here:
    """A lane that does jobs in this process, or fails as it is told."""

    def __init__(self, error: str = "") -> None:
        self.error, self.jobs = error, list[str]()

    async def do(self, job: dict[str, Any], seconds: float, wanted: Any = None, address: str = "") -> dict[str, Any]:
        self.jobs.append(job["do"])
        await asyncio.sleep(0)
        if self.error:
            raise Failed(self.error)
        return [*thinking.JOBS[job["do"]](job)][-1]


class Workers:
    def __init__(self, error: str = "") -> None:
        self.moves = Here(error)


def house_of(store: Store | None = None, error: str = "") -> House:
    return House(store or Store(":memory:"), Workers(error))  # type: ignore[arg-type]


def test_visitors_of_one_link_have_games_of_their_own_that_outlive_the_server():
    store = Store(":memory:")
    house = house_of(store)
    ann, bob = house.room("ann", link_of()), house.room("bob", link_of())
    assert house.room("ann", link_of()) is ann
    ann.game.answer(ann.game.state, "pass")
    asyncio.run(house.play_on(ann))
    assert ann.game.table.step > bob.game.table.step == 0
    again = house_of(store)
    assert again.room("ann", link_of()).game.seen() == ann.game.seen()
    assert again.room("bob", link_of()).game.seen() == bob.game.seen()


def test_games_that_nobody_looks_at_leave_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(housing, "MOST_LIVE", 2)
    house = house_of()
    looked_at = house.room("ann", link_of())
    looked_at.told.add(lambda: None)
    for seed in range(5):
        house.room("ann", link_of(seed=10 + seed))
    assert len(house._rooms) == 2
    assert house.room("ann", link_of()) is looked_at


def test_a_game_that_can_not_go_on_begins_anew_and_says_why():
    store = Store(":memory:")
    store.put("ann", link_of().query, housing.VisitorGame(link_of()).kept.__class__(rules=0))
    room = house_of(store).room("ann", link_of())
    assert "by version 0 of the rules" in room.lost
    assert room.game.table.step == 0


@pytest.mark.compiled
def test_an_agent_that_searches_is_asked_elsewhere_and_told_of():
    house = house_of()
    room, told = house.room("ann", link_of(agent="planner:8")), list[str]()
    room.told.add(lambda: told.append(room.game.seen().thinking))
    room.game.answer(room.game.state, "pass")
    asyncio.run(house.play_on(room))
    assert "decide" in house.workers.moves.jobs  # type: ignore[attr-defined]
    assert told[0] == "“planner:8”"
    assert told[-1] == ""
    assert room.game.seen().mine


def test_an_agent_that_fails_elsewhere_leaves_the_game_as_it_was():
    house = house_of(error="it took longer than 10 seconds")
    room = house.room("ann", link_of(agent="planner:8"))
    room.game.answer(room.game.state, "pass")
    asyncio.run(house.play_on(room))
    assert room.game.seen().failure == "“planner:8” has not answered: it took longer than 10 seconds"
    assert set(room.game.table.played[1:]) == {"play Copper"}, "its Treasures need no thought"
    before = room.game.kept
    asyncio.run(house.play_on(room))
    assert room.game.kept == before
    room.game.undo(room.game.state)
    assert room.game.seen().mine


def test_an_answer_that_comes_after_an_undo_is_dropped():
    house = house_of()
    room = house.room("ann", link_of(agent="planner:8"))
    room.game.answer(room.game.state, "pass")

    async def slow(job: dict[str, Any], seconds: float, address: str) -> dict[str, Any]:
        room.game.undo(room.game.state)
        return {"action": "pass"}

    house.workers.moves.do = slow  # type: ignore[method-assign]
    asyncio.run(house.play_on(room))
    assert room.game.table.step == 0
    assert room.game.seen().mine


def test_a_visitor_who_asks_too_fast_is_held_back_and_the_others_are_not():
    house = house_of()
    assert all(house.allows("ann", "here") for _ in range(ANSWERS_AT_ONCE))
    assert not house.allows("ann", "here")
    assert house.allows("bob", "here")


def test_visitors_without_number_of_one_address_are_held_back_and_those_of_others_are_not():
    house = house_of()
    assert (
        sum(house.allows(f"visitor {number}", "here") for number in range(2 * OF_ADDRESS_AT_ONCE))
        < 1.5 * OF_ADDRESS_AT_ONCE
    )
    assert house.allows("bob", "elsewhere")


def test_a_page_that_is_only_looked_at_takes_no_place_in_the_file():
    house = house_of()
    rooms = (house.room("ann", link_of(seed=seed)) for seed in range(20))
    room = next(each for each in rooms if each.game.game.current_player == 1)  # an agent begins
    asyncio.run(house.play_on(room))
    assert room.game.table.step > 0
    assert house.store.latest("ann", 9) == []
    room.game.answer(room.game.state, "pass")
    asyncio.run(house.play_on(room))
    assert len(house.store.latest("ann", 9)) == 1
    room.game.undo(room.game.state)
    house.keep(room)
    kept = house.store.get("ann", room.game.link.query)
    assert kept is not None
    assert kept.answered == (), "what was taken back is forgotten in the file, too"


def test_pages_learn_that_games_cannot_be_written_and_that_they_can_again(monkeypatch: pytest.MonkeyPatch):
    house, told = house_of(), list[str]()
    bob = house.room("bob", link_of())
    bob.told.add(lambda: told.append(house.store.trouble))
    monkeypatch.setattr(housing, "WRITING_AGAIN", 0.01)

    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def run() -> None:
        again = asyncio.create_task(house.write_again())
        with monkeypatch.context() as patched:
            patched.setattr(house.store, "_write_all", full)
            ann = house.room("ann", link_of())
            ann.game.answer(ann.game.state, "pass")
            await house.play_on(ann)
            await asyncio.sleep(0.05)
            assert told == ["no space left on device"]
        while len(told) < 2:
            await asyncio.sleep(0.01)
        again.cancel()

    asyncio.run(run())
    assert told[1] == ""
    assert len(house.store.latest("ann", 9)) == 1


def test_a_review_judges_no_order_of_treasures_but_the_same_game():
    house = house_of()
    room = house.room("ann", link_of())
    for _ in range(3):
        room.game.play_treasures(room.game.state)
        room.game.answer(room.game.state, "pass")
        asyncio.run(house.play_on(room))
    plain = thinking.without_asking(room.game.game)
    assert not any(action.startswith("play") for action in plain.replay()["actions"])
    assert plain.scores == room.game.game.scores
    assert plain.turn == room.game.game.turn
    room.game.answer(room.game.state, "pass")  # without the Treasures
    assert thinking.without_asking(room.game.game) is room.game.game


def test_an_answer_to_an_earlier_course_of_the_game_is_dropped():
    """The visitor buys, takes it back and passes while the agent thinks: step and agent are the same, but not the game."""
    house = house_of()
    room, jobs = house.room("ann", link_of(agent="planner:8")), list[list[str]]()
    room.game.answer(room.game.state, "buy Copper")

    async def slow(job: dict[str, Any], seconds: float, address: str) -> dict[str, Any]:
        jobs.append(job["game"]["actions"])
        if len(jobs) == 1:
            room.game.undo(room.game.state)
            room.game.answer(room.game.state, "pass")
            room.game.agents_answer()
            assert room.game.table.step == len(jobs[0])
            return {"action": "buy Curse"}
        return {"action": "pass"}

    house.workers.moves.do = slow  # type: ignore[method-assign]
    asyncio.run(house.play_on(room))
    assert [actions[0] for actions in jobs] == ["buy Copper", "pass"]
    assert "buy Curse" not in room.game.table.played
    assert room.game.seen().mine


def test_an_answer_is_kept_and_told_while_an_agent_thinks():
    store = Store(":memory:")
    house = house_of(store)
    link = link_of(agent="planner:8")
    room, told = house.room("ann", link), list[bool]()
    room.told.add(lambda: told.append(room.game.seen().mine))
    room.game.answer(room.game.state, "pass")

    async def slow(job: dict[str, Any], seconds: float, address: str) -> dict[str, Any]:
        kept = store.get("ann", link.query)
        assert kept is not None
        assert kept.played == room.game.table.played
        room.game.undo(room.game.state)
        told.clear()
        await house.play_on(room)
        assert told == [True], "the page learns at once that the answer was taken back"
        kept = store.get("ann", link.query)
        assert kept is not None
        assert kept.played == ()
        return {"action": "pass"}

    house.workers.moves.do = slow  # type: ignore[method-assign]
    asyncio.run(house.play_on(room))
    assert room.game.seen().mine


def test_an_agent_of_a_busy_server_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(housing, "BUSY_SECONDS", 0.0)
    house, asked = house_of(), list[int]()
    room = house.room("ann", link_of(agent="planner:8"))
    room.game.answer(room.game.state, "pass")

    async def busy(job: dict[str, Any], seconds: float, address: str) -> dict[str, Any]:
        asked.append(1)
        if len(asked) < 4:
            raise Busy("others are waiting")
        return {"action": "pass"}

    house.workers.moves.do = busy  # type: ignore[method-assign]
    asyncio.run(house.play_on(room))
    assert len(asked) == 4
    assert not room.game.failure
    assert room.game.seen().mine


def test_a_visitor_has_one_move_and_one_hint_under_way_at_a_time():
    house, running, most = house_of(), list[str](), list[int]()

    async def slow(job: dict[str, Any], seconds: float, wanted: Any = None, address: str = "") -> dict[str, Any]:
        running.append(job["do"])
        most.append(running.count("decide"))
        await asyncio.sleep(0.01)
        running.remove(job["do"])
        return {"action": "pass"}

    async def run() -> None:
        house.workers.moves.do = slow  # type: ignore[method-assign]
        rooms = [house.room("ann", link_of(agent="planner:8", seed=seed)) for seed in (3, 5, 8)]
        first = rooms[0]
        hint = asyncio.create_task(house.hint(first))
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="not there yet"):
            await house.hint(first)
        await hint
        await house.hint(first)
        for room in rooms:
            while room.game.seen().mine:
                room.game.answer(room.game.state, "pass")
        await asyncio.gather(*map(house.play_on, rooms))
        assert all(room.game.seen().mine for room in rooms)

    asyncio.run(run())
    assert max(most) == 1


def test_a_later_review_of_a_visitor_takes_the_place_of_the_one_before():
    house, told = house_of(), list[str]()

    class Studies:
        async def answers(self, job: dict[str, Any], seconds: float, wanted: Any, address: str) -> Any:
            for number in range(3):
                yield {"of": job["number"], "done": number}
                await asyncio.sleep(0)

    async def study(number: int, visitor: str) -> None:
        try:
            async for answer in house.study(visitor, "", {"do": "review", "number": number}, 1.0, lambda: True):
                told.append(f"{answer['of']} {answer['done']}")
        except Failed as error:
            told.append(f"{number} {error}")

    async def run() -> None:
        house.workers.studies = Studies()  # type: ignore[assignment]
        await asyncio.gather(study(1, "ann"), study(2, "ann"), study(3, "bob"))

    asyncio.run(run())
    assert sorted(told) == ["1 0", "1 another one was begun after it", "2 0", "2 1", "2 2", "3 0", "3 1", "3 2"]


def test_a_saved_game_that_names_a_path_has_no_values_and_nothing_is_loaded():
    house = house_of()
    game = house.room("ann", link_of(seat="watch")).game
    replay = game.replay() | {"agents": ["/etc/passwd", None]}
    room = house.room("ann", link_of(replay=pack(replay)))
    _, found = asyncio.run(house.weigh(room))
    assert found == {"bars": [], "chance": None}
    assert not house.workers.moves.jobs  # type: ignore[attr-defined]
