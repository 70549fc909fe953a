"""The page of puzzles in a browser: by keys and by clicks, on large and small screens, counted in this browser alone."""

from __future__ import annotations

import pytest

from dominion_training.puzzles import puzzles
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.gallery import LOOKS, Look, faults
from tests.browser.test_table import no_violations, picture


def test_the_lobby_leads_to_the_puzzle_of_the_day_which_a_key_answers(visit: Visit):
    page = visit("/")
    page.click("text=Puzzle of the day")
    page.wait_for_selector("#puzzle :text('Puzzle of 20')")
    no_violations(page)
    page.keyboard.press("1")
    page.wait_for_selector("#question meter")
    assert page.locator("#question button, #own button, #supply button").count() == 0
    no_violations(page)
    page.click("text=The day before")
    page.wait_for_selector("#question button")
    assert "The day after" in page.inner_text("#puzzle")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_pile_answers_and_the_first_answer_is_counted_in_this_browser_alone(visit: Visit, size: tuple[int, int]):
    page = visit("/puzzle?number=3", size)
    page.click("#supply button.pile:has-text('Curse')")
    page.wait_for_selector("#question :text('Not the best: Buy Curse')")
    assert page.locator("#question meter").count() == len(puzzles()[3].chances)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    no_violations(page)
    picture(page, f"puzzle-{'phone' if size == PHONE else 'wide'}")
    page.click("text=Try again")
    page.click("#question button:has-text('Poacher')")
    page.wait_for_selector("#question :text('Solved: Buy Poacher')")
    assert "0 solved, 1 not." in page.inner_text("#log")
    page.select_option("select[name=kind]", "reveal")
    page.click("text=Another one")
    page.wait_for_selector("#question button:has-text('Reveal Moat')")
    assert "0 solved, 1 not." in page.inner_text("#log")
    assert "0 solved, 0 not." in visit("/puzzle?number=3").inner_text("#log")


@pytest.mark.parametrize("look", [look for look in LOOKS if look.players == 2], ids=lambda look: look.name)
@pytest.mark.parametrize("kind", ["buy", "discard", "topdeck"])
def test_a_puzzle_can_be_read_and_answered(visit: Visit, kind: str, look: Look):
    number = next(puzzle.number for puzzle in puzzles() if puzzle.kind == kind)
    assert not faults(visit(f"/puzzle?number={number}", look.size, look.dark), look)


def test_no_such_puzzle_is_told_in_words(visit: Visit):
    page = visit("/puzzle?day=2024-02-30")
    assert "expected one from 2025-01-01 to" in page.inner_text("body")
    no_violations(page)
