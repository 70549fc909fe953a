"""The page of puzzles: whose day is whose, what an address may ask for, and that no answer is known before one is given."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

import httpx
import pytest
from fastapi import FastAPI

from dominion_app.web.house.puzzle import FIRST_DAY, PuzzleLink, kinds, seen_at
from dominion_app.web.pages.puzzle import Tally
from dominion_env.common.errors import InvalidOption
from dominion_training.puzzles import puzzles

# NiceGUI looks at all objects for its server, and so at names of torch that warn.
pytestmark = pytest.mark.filterwarnings("ignore:.*reduce_op:FutureWarning")

TODAY = date(2027, 3, 1)
_OWN = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")  # numbers of clients and listeners
Found = TypeVar("Found")


def read(*query: tuple[str, str], tried: int = 0) -> PuzzleLink:
    return PuzzleLink.read(query, TODAY, tried)


def visiting(outer: FastAPI, visit: Callable[[httpx.AsyncClient], Awaitable[Found]]) -> Found:
    """Return what a visit finds, by one browser that keeps its cookie."""

    async def run() -> Found:
        async with outer.router.lifespan_context(outer):
            transport = httpx.ASGITransport(outer, client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await visit(client)

    return asyncio.run(run())


def answered(outer: FastAPI, address: str, *answers: str) -> httpx.Response:
    """Return the page after the last of some answers to a puzzle."""

    async def visit(client: httpx.AsyncClient) -> httpx.Response:
        return [await client.post(address, data={"answer": answer}) for answer in answers][-1]

    return visiting(outer, visit)


def test_each_puzzle_has_its_day_before_any_comes_again():
    days = [FIRST_DAY + timedelta(day) for day in range(501)]
    numbers = [PuzzleLink.read([("day", str(day))], TODAY).number for day in days]
    assert sorted(numbers[:500]) == [*range(500)]
    assert numbers[500] == numbers[0]
    assert read() == read(("day", "2027-03-01")) == PuzzleLink(read().number, TODAY)


@pytest.mark.parametrize(
    "query",
    ["day=2027-03-02", "day=2024-12-31", "day=20270228", "day=2027-02-29", "day=yesterday", "day=", "day=2027-W08-7",
     "number=500", "number=-1", "number=٣", "kind=nothing", "day=2027-02-28&number=3", "number=3&kind=trash", "numbers=3"],
)  # fmt: skip
def test_what_names_no_puzzle_is_refused_in_words(query: str):
    pairs = [tuple(pair.split("=")) for pair in query.split("&")]
    with pytest.raises(InvalidOption, match=r"expected .*, got"):
        read(*pairs)  # type: ignore[arg-type]


def test_days_and_numbers_lead_on_to_their_neighbours():
    links = {words: each.query for words, each in read().neighbours(TODAY).items()}
    assert links == {"The day before": "day=2027-02-28"}
    assert [*read(("day", str(FIRST_DAY))).neighbours(TODAY)] == ["The day after"]
    first, second, third = [puzzle.number for puzzle in puzzles() if puzzle.kind == "trash"][:3]
    links = read(("number", str(second)), ("kind", "trash")).neighbours(TODAY)
    assert {words: each.query for words, each in links.items()} == {
        "Previous": f"number={first}&kind=trash", "Next": f"number={third}&kind=trash"
    }  # fmt: skip
    assert [[*read(("number", number)).neighbours(TODAY)] for number in ("0", "499")] == [["Next"], ["Previous"]]


def test_another_one_is_of_its_kind_and_was_not_tried_while_there_are_others():
    of_kind = [puzzle.number for puzzle in puzzles() if puzzle.kind == "topdeck"]
    assert kinds()["topdeck"] == len(of_kind)
    assert {read(("kind", "topdeck")).number for _ in range(300)} == {*of_kind}
    tried = sum(1 << number for number in of_kind[1:])
    assert {read(("kind", "topdeck"), tried=tried).number for _ in range(20)} == {of_kind[0]}
    assert read(("kind", "topdeck"), tried=tried | 1 << of_kind[0]).number in of_kind


@pytest.mark.compiled
@pytest.mark.slow
def test_each_puzzle_can_be_answered_by_one_button_for_each_answer():
    for puzzle in puzzles():
        seen = seen_at(puzzle.number)
        assert seen.mine
        assert not seen.several
        assert {*seen.answers} == {*puzzle.chances}


def test_the_first_answer_to_a_puzzle_counts():
    kept = dict[str, int]()
    for number, solved in ((3, False), (3, True), (499, True), (0, True)):
        Tally(kept).add(number, solved)
    assert str(Tally(kept)).startswith("In this browser: 2 solved, 1 not.")
    assert Tally(kept).tried == 1 << 3 | 1 << 499 | 1


@pytest.mark.compiled
def test_nothing_tells_the_best_answer_before_one_is_given(outer: FastAPI, monkeypatch: pytest.MonkeyPatch):
    numbers = [next(puzzle.number for puzzle in puzzles() if puzzle.kind == kind) for kind in kinds()]

    async def visit(client: httpx.AsyncClient) -> list[str]:
        pages = [await client.get(f"/puzzle?number={number}") for number in numbers]
        pages += [await client.post(f"/puzzle?number={number}", data={"answer": "fly"}) for number in numbers]
        assert [page.status_code for page in pages] == [200] * len(numbers) + [400] * len(numbers)
        return [_OWN.sub("", page.text) for page in pages]

    as_it_is = visiting(outer, visit)
    turned = tuple(
        replace(each, chances=dict(zip(reversed(each.chances), each.chances.values(), strict=True)))
        for each in puzzles()
    )
    for module in ("house", "pages"):
        monkeypatch.setattr(f"dominion_app.web.{module}.puzzle.puzzles", lambda: turned)
    assert turned[3].best != puzzles()[3].best
    seen_at.cache_clear()
    changed = visiting(outer, visit)
    seen_at.cache_clear()
    assert changed == as_it_is


@pytest.mark.compiled
def test_an_answer_is_judged_and_counted_once(outer: FastAPI):
    puzzle = puzzles()[3]
    page = answered(outer, "/puzzle?number=3", puzzle.best)
    assert page.status_code == 200
    assert "Solved: Puzzle 3" in page.text
    assert all(f"{chance:.1%}" in page.text for chance in puzzle.chances.values())
    page = answered(outer, "/puzzle?number=3", "fly", puzzle.best, "buy Curse")
    assert "Not solved: Puzzle 3" in page.text
    assert f"costs {puzzle.loss('buy Curse'):.1%} of the win" in page.text
    assert "In this browser: 1 solved, 0 not." in page.text


@pytest.mark.compiled
def test_bad_input_has_a_fitting_status(outer: FastAPI):
    async def visit(client: httpx.AsyncClient) -> list[tuple[int, str]]:
        pages = [
            await client.get("/puzzle?number=900"),
            await client.get("/puzzle?day=1999-01-01"),
            await client.post("/puzzle?number=3", data={"answer": "buy Province"}),
            await client.post("/puzzle?number=3"),
            await client.post("/puzzle?number=3", data={"answer": "x" * 200}),
            await client.post("/puzzle?number=3", data={"answer": "pass"}, headers={"Origin": "http://evil.example"}),
            await client.put("/puzzle?number=3"),
            await client.get("/puzzle"),
            await client.get("/puzzle?kind=reveal"),
        ]
        return [(page.status_code, page.headers.get("location", "")) for page in pages]

    found = visiting(outer, visit)
    assert [status for status, _ in found] == [404, 404, 400, 400, 413, 403, 405, 303, 303]
    assert found[-2][1].startswith("/puzzle?day=")
    assert found[-1][1] == "/puzzle?number=174&kind=reveal"
